import type { Diagnostic } from '../consequences/diagnostic.ts';
import { isNewError } from '../consequences/isNewError.ts';
import type { HeadlineKind } from '../facts/headline.ts';
import type { Level } from '../facts/level.ts';
import type { RiskKind } from '../facts/risk.ts';

/** The headline of a verdict. `level` is absent where nothing was judged. */
export function headlineOf(
  verdict: { level?: Level | undefined; reasons: readonly { level: Level; kind: RiskKind }[] },
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
