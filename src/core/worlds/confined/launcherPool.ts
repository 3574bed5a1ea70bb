import { Launcher } from './launcher.ts';

/** Gives launchers; a few are started ahead, because starting a process takes as long as a small command. */
export interface LauncherPool {
  take(): Launcher;
  /** Starts spare launchers for what comes next. Call it when nobody waits. */
  refill(): void;
  /** Ends the spare ones. Those that were taken belong to who took them. */
  close(): Promise<void>;
}

/** `spares`: how many launchers wait; they do nothing, and end with this process. */
export function createLauncherPool(binary: string, spares: number): LauncherPool {
  const waiting: Launcher[] = [];
  let closed = false;
  return {
    take() {
      for (;;) {
        const spare = waiting.shift();
        if (!spare) return new Launcher(binary);
        spare.hold();
        if (spare.isAlive) return spare;
      }
    },
    refill() {
      while (!closed && waiting.length < spares) {
        const spare = new Launcher(binary);
        spare.release();
        waiting.push(spare);
      }
    },
    async close() {
      closed = true;
      await Promise.all(waiting.splice(0).map((spare) => spare.close()));
    },
  };
}
