import type { HeadlineKind } from '../facts/headline.ts';

/** The headline in capitals, as panel and command line show it: `SAFE`, `1 NEW ERROR`. `count`: of new errors. */
export function headlineWord(headline: HeadlineKind, count = 0): string {
  if (headline !== 'newErrors') return headline.toUpperCase();
  return count === 1 ? '1 NEW ERROR' : count === 0 ? 'NEW ERRORS' : `${count} NEW ERRORS`;
}
