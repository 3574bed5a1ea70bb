import type { DiagnosticChange } from '../../protocol/editProtocol.ts';

/** One diagnostic of a text; `line` and `column` from 1. */
export type FoundDiagnostic = Omit<DiagnosticChange, 'change'>;

/**
 * What is new and what is fixed. A diagnostic is the same one when file, severity and words are the same, wherever it
 * moved to; of several the same as many are new as there are more.
 */
export function diffDiagnostics(
  before: readonly FoundDiagnostic[],
  after: readonly FoundDiagnostic[],
): DiagnosticChange[] {
  const left = new Map<string, FoundDiagnostic[]>();
  for (const one of before) {
    const same = left.get(keyOf(one));
    if (same) same.push(one);
    else left.set(keyOf(one), [one]);
  }
  const fresh: DiagnosticChange[] = [];
  for (const one of after) {
    const same = left.get(keyOf(one));
    if (same && same.length > 0) same.shift();
    else fresh.push({ ...one, change: 'new' });
  }
  const fixed = [...left.values()].flat().map((one): DiagnosticChange => ({ ...one, change: 'fixed' }));
  return [...fresh, ...fixed].sort(byWeight);
}

function keyOf({ path, severity, text, source }: FoundDiagnostic): string {
  return [path, severity, source, text].join('\0');
}

function byWeight(one: DiagnosticChange, other: DiagnosticChange): number {
  const weight = ({ change, severity }: DiagnosticChange) =>
    (change === 'new' ? 0 : 2) + (severity === 'error' ? 0 : 1);
  return weight(one) - weight(other) || one.path.localeCompare(other.path) || one.line - other.line;
}
