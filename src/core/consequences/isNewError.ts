import type { Diagnostic } from './diagnostic.ts';

/** A problem that an edit makes. */
export function isNewError({ status, severity }: Diagnostic): boolean {
  return status === 'new' && severity === 'error';
}
