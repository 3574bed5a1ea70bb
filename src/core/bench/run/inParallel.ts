/**
 * Works on items as they come, `limit` at a time; no more of them are taken than are worked on. Ends when all are done, or
 * when the signal is aborted and what was begun has ended. What `work` throws ends it too, after the others have ended.
 */
export async function inParallel<T>(
  items: AsyncIterable<T>,
  limit: number,
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const under = new Set<Promise<void>>();
  let thrown: { error: unknown } | undefined;
  for await (const item of items) {
    if (signal.aborted || thrown) break;
    const job: Promise<void> = work(item)
      .catch((error: unknown) => {
        thrown ??= { error };
      })
      .finally(() => under.delete(job));
    under.add(job);
    if (under.size >= limit) await Promise.race(under);
  }
  await Promise.all(under);
  if (thrown) throw thrown.error;
}
