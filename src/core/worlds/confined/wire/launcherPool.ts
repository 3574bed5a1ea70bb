import { Launcher } from './launcher.ts';

/** Gives launchers; a few are started ahead, because starting a process takes as long as a small command. */
export interface LauncherPool {
  take(): Launcher;
  /** Starts spare launchers for what comes next, one by one and a moment later: each keeps this thread busy for a while. */
  refill(): void;
  /** Ends the spare ones. Those that were taken belong to who took them. */
  close(): Promise<void>;
}

/** How long the thread is left to those who read the prediction, before each start. */
const pauseMs = 12;

/** `spares`: how many launchers wait; they do nothing, and end with this process. `ownHost`: see `Launcher`. */
export function createLauncherPool(binary: string, spares: number, ownHost = false): LauncherPool {
  const waiting: Launcher[] = [];
  let closed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    take() {
      for (;;) {
        const spare = waiting.shift();
        if (!spare) return new Launcher(binary, ownHost);
        spare.hold();
        if (spare.isAlive) return spare;
      }
    },
    refill() {
      timer ??= setTimeout(() => {
        timer = undefined;
        if (closed || waiting.length >= spares) return;
        const spare = new Launcher(binary, ownHost);
        spare.release();
        waiting.push(spare);
        this.refill();
      }, pauseMs).unref();
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await Promise.all(waiting.splice(0).map((spare) => spare.close()));
    },
  };
}
