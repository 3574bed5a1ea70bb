import type { AssumedPart } from '../facts/assumption.ts';
import { describeProgram } from './describeProgram.ts';
import { isOutOfPlace } from './outOfPlace.ts';
import { outputsOf } from './outputs.ts';
import { moduleOrPackage } from './plainlyWrites.ts';
import { holds, programOf } from './programOf.ts';

/**
 * What is known of a program's files before it runs: with these arguments it changes nothing in the workspace, as a rule.
 * `undefined`: that is not known. It is no proof: a file of that name may be any program.
 */
export function leavesFiles(
  argv: readonly string[],
  cwd: string,
): Extract<AssumedPart, { kind: 'leavesFiles' }> | undefined {
  if (isOutOfPlace(argv[0] ?? '')) return undefined;
  const program = programOf(argv[0] ?? '');
  const words = argv.slice(1);
  const inner = moduleOrPackage(program, words);
  if (inner) return inner.length === 0 ? undefined : leavesFiles(inner, cwd);
  if (outputsOf(argv).length > 0) return undefined;
  const { leaves } = program ?? {};
  const text = words.join(' ');
  if (leaves && holds(leaves.when ?? true, [text]) && !holds(leaves.unless, [text]))
    return { kind: 'leavesFiles', own: [...(leaves.own ?? [])], runsProject: leaves.runsProject === true };
  const { known, onlyLooks, level } = describeProgram(argv, cwd);
  return known && onlyLooks && level === 'safe' ? { kind: 'leavesFiles', own: [], runsProject: false } : undefined;
}
