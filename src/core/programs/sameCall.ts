import type { StaticProgram } from '../shell/evaluated.ts';
import { programName } from './programName.ts';

/**
 * Whether a call as the script's text tells it may be one that was started. What only the shell knows fits whatever it
 * became, and what a starter adds (`xargs`, `find -exec`) may be there besides.
 */
export function mayBeSameCall(
  { argv, fields, inside }: Pick<StaticProgram, 'argv' | 'fields' | 'inside'>,
  real: readonly string[],
): boolean {
  if (programName(inside?.calledAs ?? argv[0] ?? '') !== programName(real[0] ?? '')) return false;
  const words = fields.slice(1);
  const fixed = words.filter(({ isOpen, pattern }) => !isOpen && pattern === undefined);
  if (inside?.moreArguments === undefined && fixed.length === words.length)
    return fixed.length === real.length - 1 && fixed.every(({ text }, at) => text === real[at + 1]);
  return fixed.every(({ text }) => real.includes(text));
}
