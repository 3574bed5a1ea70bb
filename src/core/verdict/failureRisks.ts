import { posix } from 'node:path';
import type { ProgramFact } from '../facts/programFact.ts';
import type { Risk } from '../facts/risk.ts';
import { answersByExitCode } from '../programs/answersByExitCode.ts';
import { programNamed } from '../programs/programOf.ts';
import type { StaticProgram } from '../shell/evaluated.ts';
import { callAsEvidence, callOf } from './evidence.ts';
import type { Facts } from './facts.ts';

/** Longest line of what a program says that is kept as data. */
export const longestQuoted = 1_000;

/**
 * That a command would fail: never safe, however little it does. An exit code that is an answer (`grep` found nothing,
 * `diff` found differences) is no failure. Nothing is said where the exit code is only assumed.
 */
export function failureRisks(facts: Facts, statics: readonly StaticProgram[]): Risk[] {
  const { action, exitCode, exitBasis, errors } = facts;
  if (action.kind !== 'command' || exitCode === undefined || exitCode === 0 || exitBasis === 'assumed') return [];
  const lines = errors.split('\n').filter((line) => line.trim() !== '');
  const last = failing(facts.programs, exitCode, lines);
  const argv = last?.argv ?? statics.findLast((program) => program.argv.length > 0)?.argv ?? [];
  if (answersByExitCode(argv, exitCode)) return [];
  const said = saidBy(last, facts.programs, lines);
  const failure = {
    of: 'command' as const,
    ...(last === undefined ? {} : { program: callOf(last) }),
    exitCode,
    ...(said === undefined ? {} : { said: said.trim().slice(0, longestQuoted) }),
  };
  const evidence = last === undefined ? [] : [callAsEvidence(last)];
  return [{ level: 'caution', fact: { kind: 'fails', failure }, evidence }];
}

/** The line of the errors that is shown beside a program: of several that failed and have one name, what the last one said. */
function saidBy(
  program: ProgramFact | undefined,
  programs: readonly ProgramFact[],
  lines: readonly string[],
): string | undefined {
  const name = nameOf(program);
  const own = complaintsOf(program, lines);
  const isOneOfSeveral = programs.filter((one) => nameOf(one) === name && (one.exitCode ?? 0) !== 0).length > 1;
  return (isOneOfSeveral ? own.at(-1) : own[0]) ?? lines[0];
}

/**
 * The last program with this exit code, or the nearest of those that led to it, with the same exit code, that says what is
 * wrong: `git push` starts `git-receive-pack`, which says nothing in its own name.
 */
function failing(
  programs: readonly ProgramFact[],
  exitCode: number,
  lines: readonly string[],
): ProgramFact | undefined {
  const last = programs.findLast((program) => ranWith(program, exitCode));
  const seen = new Set<ProgramFact>();
  for (let one = last; one !== undefined && ranWith(one, exitCode) && !seen.has(one); one = starterOf(one, programs)) {
    if (complaintsOf(one, lines).length > 0) return one;
    seen.add(one);
  }
  return last;
}

function starterOf({ parent }: ProgramFact, programs: readonly ProgramFact[]): ProgramFact | undefined {
  return parent === undefined ? undefined : programs.find(({ id }) => id === parent);
}

/** Lines in which a program says what is wrong: they begin with its name, or as its table says. */
function complaintsOf(program: ProgramFact | undefined, lines: readonly string[]): string[] {
  const name = nameOf(program);
  if (name === undefined) return [];
  const complains = programNamed(name)?.complains;
  return lines.filter((line) => line.startsWith(`${name}: `) || complains?.test(line) === true);
}

function nameOf(program: ProgramFact | undefined): string | undefined {
  return program && posix.basename(program.argv[0] ?? '');
}

function ranWith(program: ProgramFact, exitCode: number): boolean {
  return program.exitCode === exitCode && program.basis !== 'assumed' && program.gatedBecause === undefined;
}
