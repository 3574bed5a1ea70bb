/** Lines that the user types for a program that asks, in the order in which they come. */
export interface Answers {
  stream: AsyncIterable<string>;
  /** What has been typed so far, to type it again when the prediction is made again. */
  readonly typed: readonly string[];
  /** How many of them were there beforehand. */
  readonly kept: number;
  type(line: string): void;
  /** No more will come. */
  end(): void;
}

/** `beforehand`: lines that are there already. */
export function createAnswers(beforehand: readonly string[] = []): Answers {
  const typed = [...beforehand];
  const waiting = [...beforehand];
  let ended = false;
  let wake = () => {};
  async function* stream() {
    for (;;) {
      const line = waiting.shift();
      if (line !== undefined) yield line;
      else if (ended) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  return {
    stream: stream(),
    typed,
    kept: beforehand.length,
    type(line) {
      typed.push(line);
      waiting.push(line);
      wake();
    },
    end() {
      ended = true;
      wake();
    },
  };
}
