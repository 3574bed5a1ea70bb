import { type InPieces, itemsOf, mostInPiece } from './pieces.ts';

/** A queue between somebody who pushes and one who iterates. */
export interface Channel<T> extends InPieces<T> {
  push(item: T): void;
  /** No more items come; the iterator ends after those that are there. */
  end(): void;
}

/** An empty channel for one reader. */
export function createChannel<T>(): Channel<T> {
  const queue: T[][] = [];
  let ended = false;
  let wake: (() => void) | undefined;
  const stir = () => {
    wake?.();
    wake = undefined;
  };
  async function take(): Promise<readonly T[] | undefined> {
    for (;;) {
      const piece = queue.shift();
      if (piece || ended) return piece;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  async function* pieces(): AsyncGenerator<readonly T[]> {
    for (let piece = await take(); piece; piece = await take()) yield piece;
  }
  return {
    push(item) {
      const last = queue.at(-1);
      if (last !== undefined && last.length < mostInPiece) last.push(item);
      else queue.push([item]);
      stir();
    },
    end() {
      ended = true;
      stir();
    },
    pieces,
    [Symbol.asyncIterator]: () => itemsOf(take),
  };
}
