import { readdir } from 'node:fs/promises';
import { posix } from 'node:path';
import type { GitFact } from '../../facts/gitFact.ts';
import { folderOf } from '../bytePath.ts';
import type { GitFolderTask } from './gitTask.ts';

/**
 * Linked worktrees that stay and still point into a repository which is not there any more. `movedTo`: its git folder by then;
 * absent where it is deleted.
 */
export async function cutOffWorktrees({ group, input }: GitFolderTask, movedTo?: string): Promise<GitFact[]> {
  const { folder } = group;
  const places: string[] = [];
  for (const name of (await readdir(`${folder}/worktrees`).catch(() => [])).sort()) {
    const own = `${folder}/worktrees/${name}`;
    const pointer = await firstLine(input, `${own}/gitdir`, 'before');
    if (pointer === undefined) continue;
    const place = folderOf(posix.resolve(own, pointer));
    const back = (await firstLine(input, `${place}/.git`, 'after'))?.replace(/^gitdir: /, '');
    if (back !== undefined && posix.resolve(place, back) === own) places.push(place);
  }
  if (places.length === 0) return [];
  return [{ kind: 'worktreesCutOff', places, ...(movedTo === undefined ? {} : { movedTo }) }];
}

/** Longer is no path, in bytes. */
const longestPath = 4096 + 10;

async function firstLine(
  { view }: GitFolderTask['input'],
  path: string,
  moment: 'before' | 'after',
): Promise<string | undefined> {
  const bytes = await view.read(path, moment, longestPath);
  const line = bytes && Buffer.from(bytes).toString('utf8').split('\n', 1)[0]?.trim();
  return line === '' ? undefined : line;
}
