/**
 * What an iterable gives until a signal is aborted; then it is left, without waiting for it. What it does behind that is
 * ended by whoever began it.
 */
export function untilDue<T>(items: AsyncIterable<T>, due: AbortSignal | undefined): AsyncIterable<T> {
  // There may be 50,000: each goes through as few hands as it can.
  return due ? leftWhenDue(items, due) : items;
}

async function* leftWhenDue<T>(items: AsyncIterable<T>, due: AbortSignal): AsyncGenerator<T> {
  if (due.aborted) return;
  const iterator = items[Symbol.asyncIterator]();
  let isOver = false;
  try {
    for (;;) {
      const next = await beforeDue(iterator.next(), due);
      isOver = next?.done === true;
      if (!next || next.done) return;
      yield next.value;
    }
  } finally {
    const ending = isOver ? undefined : iterator.return?.();
    // An iterable that waits for something would make us wait as well.
    if (due.aborted) ending?.catch(() => {});
    else await ending;
  }
}

/** What a promise gives, or `undefined` where a signal is aborted before. */
export async function beforeDue<T>(work: Promise<T>, due: AbortSignal | undefined): Promise<T | undefined> {
  if (!due) return work;
  work.catch(() => {});
  if (due.aborted) return undefined;
  let settle: (() => void) | undefined;
  const late = new Promise<undefined>((resolve) => {
    settle = () => resolve(undefined);
    due.addEventListener('abort', settle, { once: true });
  });
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    // It may have been ended by the same signal.
    if (due.aborted) return undefined;
    throw error;
  } finally {
    if (settle) due.removeEventListener('abort', settle);
  }
}
