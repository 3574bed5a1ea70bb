import * as z from 'zod/mini';
import { type Diagnostic, isNewError } from '../consequences/diagnostic.ts';
import type { Level } from './level.ts';

/**
 * What a reason is about, where that says more than its level. `unknown`: a program of which nothing is known;
 * `incomplete`: not everything could be predicted.
 */
export const RiskKind = z.enum(['fails', 'newErrors', 'unknown', 'incomplete']);
export type RiskKind = z.infer<typeof RiskKind>;

/**
 * What a prediction is called in one word. A level says what an action may do harm to; but what fails, what breaks a file
 * and what is not known is never called safe.
 */
export const HeadlineKind = z.enum(['safe', 'caution', 'danger', 'fails', 'newErrors', 'unknown']);
export type HeadlineKind = z.infer<typeof HeadlineKind>;

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

/** The headline in capitals, as panel and command line show it: `SAFE`, `1 NEW ERROR`. */
export function headlineWord(headline: HeadlineKind, diagnostics: readonly Diagnostic[] = []): string {
  if (headline !== 'newErrors') return headline.toUpperCase();
  const count = diagnostics.filter(isNewError).length;
  return count === 1 ? '1 NEW ERROR' : count === 0 ? 'NEW ERRORS' : `${count} NEW ERRORS`;
}
