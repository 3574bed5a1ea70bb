import { isOfShell, programOf } from '../../../programs/programOf.ts';
import { shellOf } from '../../../shell/shells.ts';
import type { Gated } from '../wire/launcher.ts';
import { baseName, type RecordedProgram, type RunRecord } from '../wire/runRecord.ts';

/**
 * Whether a stopped program works for the one that started it, which writes to it and reads what it answers (`git` and its helper
 * for an address, `rsync` and `ssh`): what that prints and how it ends is then decided by answers that nobody knows. Shells and
 * programs that are there to start others only wait for it.
 */
export function isSpokenWith({ stdin, stdout }: Gated, program: RecordedProgram, record: RunRecord): boolean {
  const speaks = (kind: Gated['stdin']) => kind === 'pipe' || kind === 'socket';
  const parent = record.programs.find(({ id }) => id === program.parent);
  if (!parent || !speaks(stdin) || !speaks(stdout) || parent.answeredBy !== undefined || parent.isLetIn) return false;
  const name = baseName(parent.argv[0] ?? '');
  const row = programOf(name);
  return (
    row !== undefined && row.inert === true && !shellOf(name) && !row.starts && !isOfShell(row) && !row.startsNamed
  );
}

/** How the program ended that spoke with a stopped one, with those that started it for their own work; absent: it did not fail. */
export function failedWithout({ programs }: RunRecord): number | undefined {
  for (const helper of programs.filter(({ isHelper }) => isHelper)) {
    let at = helper;
    let code: number | undefined;
    for (let hops = 0; hops < programs.length; hops += 1) {
      const parent = programs.find(({ id }) => id === at.parent);
      if (!parent || shellOf(baseName(parent.argv[0] ?? ''))) break;
      code = parent.exitCode ?? code;
      at = parent;
    }
    if (code) return code;
  }
  return undefined;
}
