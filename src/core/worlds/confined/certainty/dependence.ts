import { posix } from 'node:path';
import type { Action } from '../../../action/action.ts';
import { programNamed } from '../../../programs/programOf.ts';
import { findStaticPrograms } from '../../../programs/staticPrograms.ts';
import type { StaticProgram } from '../../../shell/evaluated.ts';
import type { RunRecord } from '../wire/runRecord.ts';
import { readsNoFile } from './taint.ts';

/** What of a script depends on what a stopped program prints or writes, as far as the script's text tells. */
export interface Dependence {
  /** Another program, or a substitution, takes what it prints. */
  isRead(argv: readonly string[]): boolean;
  /** The shell itself looks at files: patterns, `[ -f x ]`, `< file`, `source`. */
  shellReads: boolean;
  /** Last parts of the names of the files that it prints into; `undefined`: not known. */
  printsInto(argv: readonly string[]): ReadonlySet<string> | undefined;
}

/** Reads the script of an action; of an edit everything depends on the files. */
export function dependenceOf(action: Action): Dependence {
  if (action.kind !== 'command') return { isRead: () => false, shellReads: true, printsInto: () => undefined };
  let programs: StaticProgram[] | undefined;
  const all = () => {
    const { script, cwd, shell } = action;
    programs ??= findStaticPrograms(script, { cwd, home: '/nonexistent', env: {}, shell });
    return programs;
  };
  return {
    isRead(argv) {
      const mine = all().filter((one) => isSame(one.argv, argv));
      return all().some(
        (other) =>
          other.readsFrom.some((one) => mine.includes(one)) || other.substituted.some((one) => mine.includes(one)),
      );
    },
    get shellReads() {
      return /\[\[/.test(action.script) || all().some(letsShellRead);
    },
    printsInto(argv) {
      const names = all()
        .filter((one) => isSame(one.argv, argv))
        .flatMap(({ redirects }) => redirects.filter(({ operator }) => operator.includes('>')))
        .map(({ target }) => posix.basename(target));
      return names.length === 0 || names.some((name) => /[$*?`]/.test(name)) ? undefined : new Set(names);
    },
  };
}

function letsShellRead({ argv, redirects, command }: StaticProgram): boolean {
  if (programNamed(argv[0] ?? '')?.shellReads) return true;
  if (redirects.some(({ operator }) => operator === '<' || operator === '<>')) return true;
  return command?.words.some((word) => word.pieces.some(({ kind }) => kind === 'glob')) ?? false;
}

/** The same program, whose shell may have expanded words that the text does not tell. */
function isSame(written: readonly string[], started: readonly string[]): boolean {
  if (posix.basename(written[0] ?? '') !== posix.basename(started[0] ?? '')) return false;
  return written.length === started.length || /[$*?{`]/.test(written.join(' '));
}

/**
 * Whether nobody can tell how a run ends. Also where nothing was known to be written: a program that fails behind one of which
 * nobody knows what it does may have missed what that one would have made.
 */
export function isEndUnknown(record: RunRecord, exitCode: number): boolean {
  if (record.dependsOn.length > 0) return true;
  const first = record.assumptions.find(({ mayWrite }) => mayWrite);
  if (!first || exitCode === 0) return false;
  if (exitCode === 126 || exitCode === 127) return true;
  return record.programs.some(
    (one) => one.id > first.id && one.answeredBy === undefined && one.exitCode === exitCode && !readsNoFile(one.argv),
  );
}

/** What was said about a failure that nobody can tell is not known either; at a terminal it is among the output. */
export function doubtErrors(record: RunRecord, isTerminal: boolean): void {
  const programs = record.assumptions.filter(({ mayWrite }) => mayWrite).map(({ argv }) => argv);
  for (const piece of record.output)
    if ((piece.stream === 'stderr' || isTerminal) && piece.unsure) piece.dependsOn ??= programs;
}
