/** Lets a number of askers go on at once; the others wait in the order in which they came. */
export interface TurnGate {
  /** False: too many wait, or the signal was aborted. After true, `leave()` is called once. */
  enter(signal: AbortSignal): Promise<boolean>;
  leave(): void;
  /** How many wait. */
  waiting(): number;
}

/** `most`: how many go on at once; `mostWaiting`: how many may wait. */
export function createTurnGate(most: number, mostWaiting: number): TurnGate {
  let free = most;
  const queue = new Set<() => void>();
  return {
    async enter(signal) {
      if (signal.aborted) return false;
      if (free > 0) {
        free -= 1;
        return true;
      }
      if (queue.size >= mostWaiting) return false;
      return new Promise<boolean>((resolve) => {
        const stop = () => {
          queue.delete(go);
          resolve(false);
        };
        const go = () => {
          signal.removeEventListener('abort', stop);
          resolve(true);
        };
        signal.addEventListener('abort', stop, { once: true });
        queue.add(go);
      });
    },
    leave() {
      const [next] = queue;
      if (!next) {
        free += 1;
        return;
      }
      queue.delete(next);
      next();
    },
    waiting: () => queue.size,
  };
}
