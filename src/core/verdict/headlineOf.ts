import type { Diagnostic } from '../consequences/diagnostic.ts';
import { isNewError } from '../consequences/isNewError.ts';
import type { Level } from '../facts/level.ts';
import type { HeadlineKind, RiskKind } from './headline.ts';

/** The headline of a verdict. `level` is absent where nothing was judged. */
export function headlineOf(
  verdict: { level?: Level | undefined; reasons: readonly { level: Level; kind?: RiskKind | undefined }[] },
  diagnostics: readonly Diagnostic[] = [],
): HeadlineKind {
  const { level, reasons } = verdict;
  if (level === undefined) return 'unknown';
  if (level === 'danger') return 'danger';
  const is = (kind: RiskKind) => reasons.some((reason) => reason.kind === kind);
  if (is('fails')) return 'fails';
  if (is('newErrors') || diagnostics.some(isNewError)) return 'newErrors';
  if (level === 'safe') return 'safe';
  const cautions = reasons.filter((reason) => reason.level === 'caution');
  return cautions.length > 0 && cautions.every(({ kind }) => kind === 'unknown' || kind === 'incomplete')
    ? 'unknown'
    : 'caution';
}

/** The headline in capitals, as panel and command line show it: `SAFE`, `1 NEW ERROR`. `count`: of new errors. */
export function headlineWord(headline: HeadlineKind, count = 0): string {
  if (headline !== 'newErrors') return headline.toUpperCase();
  return count === 1 ? '1 NEW ERROR' : count === 0 ? 'NEW ERRORS' : `${count} NEW ERRORS`;
}
