import type { BytePath } from '../bytePath.ts';
import { askGit, endOf, fields, type GitRunner } from './gitPlumbing.ts';

/** An entry of the index, as `git ls-files -s -z` tells it. */
export interface ListedEntry {
  /** Of `-v`: lower case for assume-unchanged, S for a path that is left out of the checkout. Else empty. */
  tag: string;
  id: string;
  path: BytePath;
}

/** Reads one field of `git ls-files -s [-v] -z`: `[H ]100644 <id> 0\t<path>`. */
export function listedEntry(field: string): ListedEntry {
  const tab = field.indexOf('\t');
  const tag = field.charAt(1) === ' ' ? field.charAt(0) : '';
  const [, id = ''] = field.slice(tag ? 2 : 0, tab).split(' ', 2);
  return { tag, id, path: field.slice(tab + 1) };
}

/** Ids of everything in the index, asked in a worktree, or in a git folder itself. */
export async function indexedIds(
  runner: GitRunner,
  folder: string,
  where: 'worktree' | 'gitFolder',
): Promise<Set<string>> {
  const inside = where === 'gitFolder' ? 'export GIT_DIR=.\n' : '';
  const answer = await askGit(runner, folder, `${inside}g ls-files -s -z; ${endOf('index')}`);
  return new Set(fields(answer.sections.get('index')?.text ?? '').map((field) => listedEntry(field).id));
}
