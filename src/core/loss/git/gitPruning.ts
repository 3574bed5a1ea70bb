import type { Recovery } from '../../facts/recovery.ts';
import { commitsOf } from './commitsOf.ts';
import { commitsLoss } from './gitCommits.ts';
import { type CommitLine, maxListed, objectTypes, onlyLogged, packedIds, recentCommits } from './gitRefs.ts';
import type { Findings, GitFolderTask } from './gitTask.ts';

const looseObject = /^objects\/([0-9a-f]{2})\/([0-9a-f]{38}(?:[0-9a-f]{24})?)$/;

/** Removed packs are listed up to this size of their index files: 32 MiB, about a million objects. */
const maxIndexBytes = 32 * 1024 * 1024;

/**
 * Tells which objects are really gone (not only packed), and which commits that only a reflog kept are not kept any more:
 * `git gc --prune=now`, `git prune`, `git reflog expire`. `stashes`: the entries before, told elsewhere.
 */
export async function describeRemovedObjects(
  task: GitFolderTask,
  objectsRemoved: boolean,
  stashes: readonly { id: string }[],
  found: Findings,
): Promise<void> {
  const { input, group } = task;
  const real = { looker: input.looker, signal: input.signal };
  const inView = { looker: input.inView, signal: input.signal };
  const removed = objectsRemoved ? await removedIds(task) : [];
  if (removed === undefined) {
    found.facts.push({ kind: 'packsRemoved' });
    return;
  }
  const left = await objectTypes(inView, group.folder, removed);
  const gone = removed.filter((id) => !left.has(id));
  const types = await objectTypes(real, group.folder, gone);
  const goneCommits = new Set([...types].filter(([, type]) => type === 'commit').map(([id]) => id));
  if (removed.length > 0 && gone.length === 0) found.facts.push({ kind: 'objectsPacked' });
  if (gone.length > 0) {
    const recent = await recentCommits(real, group.folder, [...goneCommits]);
    found.facts.push({ kind: 'objectsRemoved', count: gone.length, commits: goneCommits.size, recent });
  }
  // What names give up in this same action is told with them; here it is what only the reflog kept before.
  const before = await onlyLogged(real, group.folder, stashes);
  if (before.length === 0) return;
  const after = new Set((await onlyLogged(inView, group.folder, stashes)).map((commit) => commit.id));
  const unlogged = before.filter((commit) => !after.has(commit.id));
  const lists: { list: CommitLine[]; recovery: Recovery }[] = [
    { list: unlogged.filter((commit) => goneCommits.has(commit.id)), recovery: { kind: 'none' } },
    {
      list: unlogged.filter((commit) => !goneCommits.has(commit.id)),
      recovery: { kind: 'objectDatabase', command: 'git fsck --lost-found' },
    },
  ];
  for (const { list, recovery } of lists) {
    if (list.length === 0) continue;
    const because = { kind: 'onlyLogged', commits: commitsOf(list, maxListed) } as const;
    const commits = { count: list.length, replacedBy: 0, inFiles: false };
    found.loss.push(commitsLoss('the reflog', { because, recovery, commits }));
  }
}

/** Ids of all objects whose file or pack is removed; `undefined` when there are too many. */
async function removedIds(task: GitFolderTask): Promise<string[] | undefined> {
  const ids: string[] = [];
  const indexes: string[] = [];
  let size = 0;
  for (const [path, change] of task.group.changes) {
    if (change.change !== 'deleted') continue;
    const parts = looseObject.exec(path);
    if (parts) ids.push(`${parts[1]}${parts[2]}`);
    if (!/^objects\/pack\/.+\.idx$/.test(path)) continue;
    indexes.push(path);
    size += change.sizeBytes;
  }
  if (size > maxIndexBytes) return undefined;
  if (indexes.length > 0) {
    const real = { looker: task.input.looker, signal: task.input.signal };
    for (const id of await packedIds(real, task.group.folder, indexes)) ids.push(id);
  }
  return ids;
}
