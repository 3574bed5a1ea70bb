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
    [Symbol.asyncIterator]() {
      let at = 0;
      // No generator: there may be 50,000 items, and each would wait three times where once is enough.
      const next = async (): Promise<IteratorResult<T>> => {
        while (at >= items.length) {
          items.length = 0;
          at = 0;
          if (ended) return { done: true, value: undefined };
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        at += 1;
        return { done: false, value: items[at - 1] as T };
      };
      return { next };
    },
  };
}
