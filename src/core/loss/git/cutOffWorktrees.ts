import { readdir } from 'node:fs/promises';
import { posix } from 'node:path';
import type { GitFact } from '../../facts/gitFact.ts';
import { quoteWord } from '../../shell/quoteWord.ts';
import { folderOf } from '../bytePath.ts';
import type { GitFolderTask } from './gitTask.ts';

/** A folder whose file `.git` points into a repository, by what that repository says of it. */
interface Pointing {
  /** The folder, before. */
  place: string;
  /** What it points to: the part of the repository that is its own. */
  own: string;
}

/**
 * Linked worktrees and submodules that stay, here or elsewhere, and point afterwards to where nothing is. `movedTo`: the git
 * folder of their repository by then; absent where it is deleted.
 */
export async function cutOffWorktrees(task: GitFolderTask, movedTo?: string): Promise<GitFact[]> {
  const facts: GitFact[] = [];
  const trees = await cutOff(task, await linkedWorktrees(task));
  const moved = movedTo === undefined ? {} : { movedTo };
  if (trees.length > 0) {
    const places = trees.map(({ now }) => now);
    const repaired = trees.flatMap(({ place, now }) => (place === now ? [] : [now]));
    facts.push({
      kind: 'worktreesCutOff',
      places,
      ...moved,
      ...(movedTo !== undefined && repaired.length > 0 ? { repaired } : {}),
    });
  }
  // Of a repository that is deleted, those of its submodules are told as well.
  if (movedTo === undefined) return facts;
  const modules = await cutOff(task, await submodules(task));
  if (modules.length === 0) return facts;
  const mend = modules.map(({ own, now }) => {
    const folder = `${movedTo}${own.slice(task.group.folder.length)}`;
    return `echo ${quoteWord(`gitdir: ${folder}`)} > ${quoteWord(`${now}/.git`)} && git config -f ${quoteWord(`${folder}/config`)} core.worktree ${quoteWord(now)}`;
  });
  return [...facts, { kind: 'submodulesCutOff', places: modules.map(({ now }) => now), mend: mend.join(' && ') }];
}

/** Those of which nothing is where they point to; `now`: where they stand afterwards. */
async function cutOff(task: GitFolderTask, pointing: readonly Pointing[]): Promise<(Pointing & { now: string })[]> {
  const { input } = task;
  const found: (Pointing & { now: string })[] = [];
  for (const one of pointing) {
    const before = await target(task, one.place, 'before');
    const now = await placeAfter(task, one.place);
    const after = now === undefined ? undefined : await target(task, now, 'after');
    if (now === undefined || before !== one.own || after === undefined) continue;
    if ((await input.view.read(`${after}/HEAD`, 'after', 1)) === undefined) found.push({ ...one, now });
  }
  return found;
}

/** Linked worktrees and what is their own of the repository. */
export async function linkedWorktrees({ group, input }: GitFolderTask): Promise<Pointing[]> {
  const found: Pointing[] = [];
  for (const name of (await readdir(`${group.folder}/worktrees`).catch(() => [])).sort()) {
    const own = `${group.folder}/worktrees/${name}`;
    const pointer = await firstLine(input, `${own}/gitdir`, 'before');
    if (pointer !== undefined) found.push({ own, place: folderOf(posix.resolve(own, pointer)) });
  }
  return found;
}

/** So deep are the names of submodules looked for. */
const deepest = 6;

async function submodules({ group, input }: GitFolderTask): Promise<Pointing[]> {
  const found: Pointing[] = [];
  const search = async (folder: string, depth: number): Promise<void> => {
    for (const name of (await readdir(folder).catch(() => [])).sort()) {
      const own = `${folder}/${name}`;
      if ((await firstLine(input, `${own}/HEAD`, 'before')) === undefined) {
        if (depth < deepest) await search(own, depth + 1);
        continue;
      }
      const place = await treeOf(input, own, 'before');
      if (place !== undefined) found.push({ own, place });
    }
  };
  await search(`${group.folder}/modules`, 0);
  return found;
}

/**
 * Submodules that go elsewhere while their repository stays where it is: it has their old place, and most of them name it by a way
 * that leads from there. `git mv` tells both.
 */
export async function submodulesMovedAway(input: GitFolderTask['input']): Promise<GitFact[]> {
  const facts: GitFact[] = [];
  for (const { path, from, change, type } of input.files) {
    const pointer = change === 'deleted' ? path : from;
    if (type !== 'file' || !pointer?.endsWith('/.git')) continue;
    const was = folderOf(pointer);
    const now = await placeAfter({ input }, was);
    if (now === undefined || now === was) continue;
    const own = await target({ input }, was, 'before');
    const known = own && (await treeOf(input, own, 'before'));
    if (own === undefined || known !== was || (await treeOf(input, own, 'after')) === undefined) continue;
    const isFound = (await target({ input }, now, 'after')) === own && (await treeOf(input, own, 'after')) === now;
    if (isFound) continue;
    const parent = folderOf(was);
    const isParentGone = input.files.some(
      (one) => one.from === parent || (one.path === parent && one.change === 'deleted'),
    );
    const again = isParentGone ? `mkdir -p ${quoteWord(parent)} && ` : '';
    facts.push({
      kind: 'submoduleMovedAway',
      place: was,
      to: now,
      mend: `${again}mv ${quoteWord(now)} ${quoteWord(was)}`,
    });
  }
  return facts;
}

/** The folder for which a repository of a submodule is, by what it says itself. */
async function treeOf(
  { view }: GitFolderTask['input'],
  own: string,
  moment: 'before' | 'after',
): Promise<string | undefined> {
  const config = await view.read(`${own}/config`, moment, longestConfig);
  const tree = config && /^\s*worktree\s*=\s*(.+?)\s*$/m.exec(Buffer.from(config).toString('utf8'))?.[1];
  return tree ? posix.resolve(own, tree) : undefined;
}

/** Where a folder with such a pointer stands afterwards, if it was not deleted. */
async function placeAfter({ input }: Pick<GitFolderTask, 'input'>, place: string): Promise<string | undefined> {
  const pointer = `${place}/.git`;
  const text = await firstLine(input, pointer, 'before');
  if (text === undefined) return undefined;
  if ((await firstLine(input, pointer, 'after')) !== undefined) return place;
  const renamed = input.files.find(({ from }) => from === pointer);
  if (renamed) return folderOf(renamed.path);
  for (const { path, change, type } of input.files)
    if (change === 'created' && type === 'file' && path.endsWith('/.git'))
      if ((await firstLine(input, path, 'after')) === text) return folderOf(path);
  return undefined;
}

/** What the pointer of a folder names, absolute. */
async function target(
  { input }: Pick<GitFolderTask, 'input'>,
  place: string,
  moment: 'before' | 'after',
): Promise<string | undefined> {
  const line = await firstLine(input, `${place}/.git`, moment);
  return line?.startsWith('gitdir: ') ? posix.resolve(place, line.slice('gitdir: '.length)) : undefined;
}

/** Longer is no path, in bytes. */
const longestPath = 4096 + 10;
const longestConfig = 256 * 1024;

async function firstLine(
  { view }: GitFolderTask['input'],
  path: string,
  moment: 'before' | 'after',
): Promise<string | undefined> {
  const bytes = await view.read(path, moment, longestPath);
  const line = bytes && Buffer.from(bytes).toString('utf8').split('\n', 1)[0]?.trim();
  return line === '' ? undefined : line;
}
