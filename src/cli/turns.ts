/** Whoever takes a turn waits as long as there is none. */
export interface Turns {
  take(): Promise<void>;
  give(): void;
}

/** Lets at most `most` go on at once. */
export function createTurns(most: number): Turns {
  let free = most;
  const waiting: (() => void)[] = [];
  return {
    async take() {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    give() {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    },
  };
}
