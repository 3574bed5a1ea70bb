import { isOfShell, programOf } from '../../../programs/programOf.ts';
import { shellOf } from '../../../shell/shells.ts';
import type { Gated } from '../wire/launcher.ts';
import { baseName, type RecordedProgram, type RunRecord } from '../wire/runRecord.ts';

/**
 * The program that a stopped one works for, if any: the one that started it, writes to it and reads what it answers (`git` and its
 * helper for an address, `rsync` and `ssh`). What that prints and how it ends is then decided by answers that nobody knows. Shells and
 * programs that are there to start others only wait for it.
 */
export function spokenWith(
  { stdin, stdout }: Gated,
  program: RecordedProgram,
  record: RunRecord,
): RecordedProgram | undefined {
  const speaks = (kind: Gated['stdin']) => kind === 'pipe' || kind === 'socket';
  const parent = record.programs.find(({ id }) => id === program.parent);
  if (!parent || !speaks(stdin) || !speaks(stdout) || parent.answeredBy !== undefined || parent.isLetIn)
    return undefined;
  const name = baseName(parent.argv[0] ?? '');
  const row = programOf(name);
  if (row?.inert !== true) return undefined;
  return shellOf(name) || row.starts || isOfShell(row) || row.startsNamed ? undefined : parent;
}

/** Programs that spoke with a stopped one and then failed: each the outermost of those that started it for their own work. */
export function failedWithout({ programs }: Pick<RunRecord, 'programs'>): RecordedProgram[] {
  return programs
    .filter(({ isHelper }) => isHelper)
    .flatMap((helper) => {
      let at = helper;
      for (let hops = 0; hops < programs.length; hops += 1) {
        const parent = programs.find(({ id }) => id === at.parent);
        if (!parent || shellOf(baseName(parent.argv[0] ?? ''))) break;
        at = parent;
      }
      return at !== helper && at.exitCode ? [at] : [];
    });
}

/** How the run ended is how one of them failed: with an answer the script would have gone on. */
export function endedWithout(record: RunRecord): boolean {
  const code = record.finished?.exitCode;
  return code !== 0 && failedWithout(record).some(({ exitCode }) => exitCode === code);
}
