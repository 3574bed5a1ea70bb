import { type Caller, type Copying, Launcher } from './launcher.ts';
import { lookForLeases } from './leases.ts';

/** `FORETELL_ENGINE` lets tests have one way alone: `overlays` or `supervision`. */
function chosenCopying(): Copying {
  const chosen = process.env['FORETELL_ENGINE'];
  return chosen === 'overlays' || chosen === 'supervision' ? { by: chosen, isFixed: true } : { by: 'overlays' };
}

/** Gives launchers; a few are started ahead, because starting a process takes as long as a small command. Several engines can share one. */
export interface LauncherPool {
  /** For whom it works, and how it makes copies; default: as this machine lets them be made. */
  take(caller: Caller, copying?: Copying): Launcher;
  /** A prediction is expected: begins what every launcher would wait for. */
  expect(): void;
  /** Starts spare launchers for what comes next, one by one and a moment later: each keeps this thread busy for a while. */
  refill(): void;
  /** How this machine lets copies be made, as far as it was tried. */
  readonly copying: Copying;
  /** Ends the spare ones. Those that were taken belong to who took them. */
  close(): Promise<void>;
}

/** A spare launcher learns with its work for whom it is. */
const nobody: Caller = { env: {} };

/** How long the thread is left to those who judge and read the prediction, in milliseconds: before the first start, and each other one. */
const firstPauseMs = 50;
const pauseMs = 12;

/** A timer that comes so late waited for somebody who is at work; then the thread is left to him, but not for ever. */
const lateMs = 4;
const mostPauses = 10;

/** `spares`: how many launchers wait; they do nothing, and end with this process. `ownHost`: see `Launcher`. */
export function createLauncherPool(binary: string, spares: number, ownHost = false): LauncherPool {
  const copying = chosenCopying();
  const waiting: Launcher[] = [];
  let closed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  function startIn(afterMs: number, pausesLeft = mostPauses): void {
    const dueAt = performance.now() + afterMs;
    const start = () => {
      if (pausesLeft > 0 && performance.now() - dueAt > lateMs) startIn(firstPauseMs, pausesLeft - 1);
      else startOne();
    };
    timer = setTimeout(start, afterMs).unref();
  }
  function startOne(): void {
    timer = undefined;
    if (closed || waiting.length >= spares) return;
    const spare = new Launcher(binary, nobody, ownHost, copying);
    spare.release();
    waiting.push(spare);
    startIn(pauseMs);
  }
  return {
    copying,
    expect: lookForLeases,
    take(caller, wanted = copying) {
      // Whoever takes one is at work, and others wait for him.
      if (timer && waiting.length > 1) {
        clearTimeout(timer);
        startIn(firstPauseMs);
      }
      for (;;) {
        const spare = waiting.shift();
        if (!spare) return new Launcher(binary, caller, ownHost, wanted);
        spare.copying = wanted;
        spare.caller = caller;
        spare.hold();
        if (spare.isAlive) return spare;
      }
    },
    refill() {
      if (!timer) startIn(firstPauseMs);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await Promise.all(waiting.splice(0).map((spare) => spare.close()));
    },
  };
}
