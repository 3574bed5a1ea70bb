import fs from 'node:fs';
import path from 'node:path';
import { gitCommandOf } from '../../programs/gitCommand.ts';
import type { StaticProgram } from '../../shell/evaluated.ts';
import { readRegularFile } from '../../view/regularFile.ts';

/** Longer settings are not read for a guess, in bytes. */
const mostBytes = 1024 ** 2;

/** Subcommands that run hooks (githooks(5)). */
const runsHooks =
  /^(?:am|checkout|cherry-pick|clone|commit|fetch|gc|merge|pull|push|rebase|reset|revert|stash|switch|tag|update-ref|worktree)$/;

/**
 * Whether git would start hooks of the repository, by what stands there. A guess that decides how the first run is made; no fact
 * rests on it. Reads a folder and a settings file.
 */
export function mayRunHooks(programs: readonly StaticProgram[], cwd: string): boolean {
  return programs.some(({ argv, cwd: own }) => {
    const call = gitCommandOf(argv, own ?? cwd);
    return call !== undefined && runsHooks.test(call.command) && hasHooks(call.cwd);
  });
}

/**
 * The folder of git at or above a folder. A file leads to another one, as in a worktree: nobody looks further for a guess. Throws
 * where a folder may not be looked at.
 */
export function gitFolderAbove(cwd: string): string | undefined {
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    const git = path.join(folder, '.git');
    const status = fs.statSync(git, { throwIfNoEntry: false });
    if (status) return status.isFile() ? undefined : git;
    if (folder === path.dirname(folder)) return undefined;
  }
}

function hasHooks(cwd: string): boolean {
  try {
    const git = gitFolderAbove(cwd);
    return git !== undefined && (namesHooks(git) || holdsHooks(path.join(git, 'hooks')));
  } catch {
    return false;
  }
}

function namesHooks(git: string): boolean {
  const settings = readRegularFile(path.join(git, 'config'), mostBytes);
  return settings === undefined || /^\s*hookspath\s*=/im.test(settings.toString());
}

function holdsHooks(folder: string): boolean {
  return fs.readdirSync(folder).some((name) => !name.endsWith('.sample'));
}
