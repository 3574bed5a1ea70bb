import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { posix } from 'node:path';
import type { AssumedPart } from '../../../facts/assumption.ts';
import type { OutcomeChange } from '../../../prediction/rehearsal.ts';
import { madeBy, overwrittenBy } from '../../../programs/outputs.ts';
import type { Launcher } from '../wire/launcher.ts';
import { baseName, type RecordedProgram } from '../wire/runRecord.ts';

/** Which files those are. */
export interface Overwritten {
  changes: OutcomeChange[];
  /** Those among them that were not there. */
  made: ReadonlySet<string>;
  /** Last parts of their names; `undefined`: a link leads to a name that is not known. */
  names: ReadonlySet<string> | undefined;
}

/** More files than these are not looked for. */
const mostFiles = 32;
const nothing = new Uint8Array();
/** It failed, or somebody said what it does. */
export const overwritesNothing: Overwritten = { changes: [], made: new Set(), names: new Set() };

/**
 * Files with something in them that a stopped program writes anew by its own words (`curl -o f`), where it succeeds, and those that
 * it makes. They are left empty, as a redirection leaves them: what is in them then nobody knows, and what was is gone. `programs`:
 * itself, and the one that it works for (`rsync` and its `ssh`); `said`: what a model says that it changes, which stands.
 */
export async function overwritten(
  launcher: Launcher,
  programs: readonly Pick<RecordedProgram, 'argv' | 'cwd'>[],
  said: readonly OutcomeChange[] = [],
): Promise<Overwritten> {
  const changes: OutcomeChange[] = [];
  let isLinked = false;
  for (const path of [...new Set(programs.flatMap(({ argv, cwd }) => overwrittenBy(argv, cwd)))].slice(0, mostFiles)) {
    if (/^\/(?:dev|proc|sys)\//.test(path)) continue;
    const node = await launcher.stat(path, 'after');
    // A link leads to what is written.
    const isWritable = node?.type === 'symlink' || (node?.type === 'file' && (node.mode & 0o222) !== 0);
    // What a link leads to may be among what is said.
    const isSaid = node?.type === 'symlink' ? said.length > 0 : said.some((change) => change.path === path);
    if (isSaid || !isWritable || !(await launcher.read(path, 'after', 1))?.length) continue;
    changes.push({ path, after: nothing });
    isLinked ||= node.type === 'symlink';
  }
  const made = new Set<string>();
  for (const path of programs.flatMap(({ argv, cwd }) => madeBy(argv, cwd)).slice(0, mostFiles)) {
    if (said.some((change) => change.path === path) || !(await mayMake(launcher, path))) continue;
    made.add(path);
    changes.push({ path, after: nothing });
  }
  return { changes, made, names: isLinked ? undefined : new Set(changes.map(({ path }) => baseName(path))) };
}

/** Nothing is there, and its folder is one that this user may write. */
async function mayMake(launcher: Launcher, path: string): Promise<boolean> {
  if (await launcher.stat(path, 'after')) return false;
  const folder = posix.dirname(path);
  if ((await launcher.stat(folder, 'after'))?.type !== 'directory') return false;
  // One that only the copy has is the command's own.
  return access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );
}

/** What is assumed of the program then; paths as a person would write them in its folder. */
export function overwritesOf({ changes, made }: Overwritten, cwd: string): AssumedPart[] {
  const shown = (isMade: boolean) =>
    changes
      .filter(({ path }) => made.has(path) === isMade)
      .map(({ path }) => (path.startsWith(`${cwd}/`) ? posix.relative(cwd, path) : path));
  const parts: AssumedPart[] = [
    { kind: 'overwrites', files: shown(false) },
    { kind: 'makesFiles', files: shown(true) },
  ];
  return parts.filter((part) => 'files' in part && part.files.length > 0);
}
