/** A queue between somebody who pushes and one who iterates. */
export interface Channel<T> extends AsyncIterable<T> {
  push(item: T): void;
  /** No more items come; the iterator ends after those that are there. */
  end(): void;
}

/** An empty channel for one reader. */
export function createChannel<T>(): Channel<T> {
  const items: T[] = [];
  let ended = false;
  let wake: (() => void) | undefined;
  const stir = () => {
    wake?.();
    wake = undefined;
  };
  return {
    push(item) {
      items.push(item);
      stir();
    },
    end() {
      ended = true;
      stir();
    },
    async *[Symbol.asyncIterator]() {
      for (let at = 0; ; ) {
        while (at < items.length) {
          yield items[at] as T;
          at += 1;
        }
        items.length = 0;
        at = 0;
        if (ended) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
