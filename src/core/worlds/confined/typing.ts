/** What the user types while the first run asks, for a second run of the same command that asks the same. */
export interface Typing {
  /** Everything that was typed, in order. */
  readonly lines: readonly string[];
  add(line: string): void;
  /** Nothing more will be typed. */
  end(): void;
  /** The `index`-th line, as soon as it is typed; `undefined`: there is none. */
  at(index: number): Promise<string | undefined>;
}

/** Nothing was typed yet. */
export function createTyping(): Typing {
  const lines: string[] = [];
  let ended = false;
  let waiting: (() => void)[] = [];
  const wake = () => {
    for (const one of waiting.splice(0)) one();
    waiting = [];
  };
  return {
    lines,
    add(line) {
      lines.push(line);
      wake();
    },
    end() {
      ended = true;
      wake();
    },
    async at(index) {
      while (index >= lines.length && !ended) await new Promise<void>((resolve) => waiting.push(resolve));
      return lines[index];
    },
  };
}
