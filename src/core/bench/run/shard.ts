/** One of several parts of a bench that different processes or machines do. */
export interface Shard {
  /** From 1 to `of`. */
  index: number;
  of: number;
}

/** Reads `2/4`; `undefined` where it is none. */
export function readShard(text: string): Shard | undefined {
  const [, index, of] = /^(\d{1,6})\/(\d{1,6})$/.exec(text)?.map(Number) ?? [];
  return index !== undefined && of !== undefined && index >= 1 && index <= of ? { index, of } : undefined;
}

/** Which of `count` things in a row belong to a part: the parts follow each other, and differ by one thing at most. */
export function blockOf({ index, of }: Shard, count: number): { from: number; to: number } {
  return { from: Math.floor(((index - 1) * count) / of), to: Math.floor((index * count) / of) };
}

/** Whether a row belongs to a part. `key`: its digest, in hexadecimal digits; so it is the same part in every pass and file. */
export function isInShard({ index, of }: Shard, key: string): boolean {
  return Number.parseInt(key.slice(0, 12), 16) % of === index - 1;
}
