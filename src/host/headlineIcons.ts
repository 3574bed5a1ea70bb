import type { HeadlineKind } from '../core/facts/headline.ts';

/** The icon of each headline: a shape of its own, whatever its colour. */
export const headlineIcons: Readonly<Record<HeadlineKind, string>> = {
  safe: 'pass',
  caution: 'warning',
  danger: 'error',
  fails: 'close',
  newErrors: 'bug',
  unknown: 'question',
};
