import { createHash } from 'node:crypto';

/** Counts texts, each only once. */
export interface TextCounts {
  /**
   * Tokens of each text, in order; undefined where `ask` could not say, the signal was aborted before, or more than
   * `mostNewTexts` were new. Never rejects.
   */
  count(
    texts: readonly string[],
    ask: (text: string) => Promise<number | undefined>,
    signal: AbortSignal,
  ): Promise<(number | undefined)[]>;
}

/** Most texts of one call that are asked about: what a prompt begins with is remembered, and the rest is not that much. */
export const mostNewTexts = 64;
const mostAtOnce = 4;
/** More counts than this are forgotten, the oldest first: 64 characters each. */
const mostRemembered = 8_000;

/**
 * Remembers how many tokens texts have. Of a prompt the same blocks come again and again, so that only what is new costs
 * a question to the server. After a text that could not be counted the rest of that call is not asked about.
 */
export function createTextCounts(): TextCounts {
  const known = new Map<string, Promise<number | undefined>>();

  function remember(key: string, counting: Promise<number | undefined>): void {
    known.set(key, counting);
    // What failed is tried again another time.
    void counting.then((tokens) => {
      if (tokens === undefined && known.get(key) === counting) known.delete(key);
    });
    for (const oldest of known.keys()) {
      if (known.size <= mostRemembered) break;
      known.delete(oldest);
    }
  }

  return {
    async count(texts, ask, signal) {
      const waiting: (() => Promise<void>)[] = [];
      let isWorking = true;
      const countings = texts.map((text) => {
        if (text === '') return Promise.resolve(0);
        const key = createHash('sha256').update(text).digest('base64');
        const before = known.get(key);
        if (before !== undefined) {
          // Moved to the end: it was used last.
          known.delete(key);
          known.set(key, before);
          return before;
        }
        if (waiting.length >= mostNewTexts) return Promise.resolve(undefined);
        const counting = new Promise<number | undefined>((resolve) => {
          waiting.push(async () => {
            const tokens = isWorking && !signal.aborted ? await ask(text).catch(() => undefined) : undefined;
            isWorking &&= tokens !== undefined;
            resolve(tokens);
          });
        });
        remember(key, counting);
        return counting;
      });
      const lanes = Array.from({ length: mostAtOnce }, async () => {
        for (let next = waiting.shift(); next; next = waiting.shift()) await next();
      });
      await Promise.all(lanes);
      return Promise.all(countings);
    },
  };
}
