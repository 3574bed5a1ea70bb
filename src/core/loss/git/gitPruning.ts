import type { Recovery } from '../../facts/recovery.ts';
import { commitsOf } from './commitsOf.ts';
import { commitsLoss } from './gitCommits.ts';
import { askGit, endOf, type GitRunner } from './gitPlumbing.ts';
import {
  type CommitLine,
  maxListed,
  objectTypes,
  onlyLogged,
  packedIds,
  type RefSnapshot,
  recentCommits,
} from './gitRefs.ts';
import type { Findings, GitFolderTask } from './gitTask.ts';

const looseObject = /^objects\/([0-9a-f]{2})\/([0-9a-f]{38}(?:[0-9a-f]{24})?)$/;

/** Removed packs are listed up to this size of their index files: 32 MiB, about a million objects. */
const maxIndexBytes = 32 * 1024 * 1024;

/**
 * Tells which objects are really gone (not only packed), and which commits that only a reflog kept are not kept any more:
 * `git gc --prune=now`, `git prune`, `git reflog expire`. What stashes lose is told elsewhere. Gives those that are gone though a name still needs them.
 */
export async function describeRemovedObjects(
  task: GitFolderTask,
  objectsRemoved: boolean,
  { before: { stashes }, after }: { before: RefSnapshot; after: RefSnapshot },
  found: Findings,
): Promise<Set<string>> {
  const { input, group } = task;
  const real = { looker: input.looker, signal: input.signal };
  const inView = { looker: input.inView, signal: input.signal };
  const removed = objectsRemoved ? await removedIds(task) : [];
  if (removed === undefined) {
    found.facts.push({ kind: 'packsRemoved' });
    return new Set();
  }
  const left = await objectTypes(inView, group.folder, removed);
  const absent = removed.filter((id) => !left.has(id));
  const needed = await neededIds(real, group.folder, absent, after);
  const gone = absent.filter((id) => !needed.has(id));
  if (needed.size > 0) {
    const kinds = await objectTypes(real, group.folder, [...needed]);
    const commits = [...kinds.values()].filter((type) => type === 'commit').length;
    found.facts.push({ kind: 'neededRemoved', count: needed.size, commits });
  }
  const types = await objectTypes(real, group.folder, gone);
  const goneCommits = new Set([...types].filter(([, type]) => type === 'commit').map(([id]) => id));
  if (removed.length > 0 && absent.length === 0) found.facts.push({ kind: 'objectsPacked' });
  if (gone.length > 0) {
    const recent = await recentCommits(real, group.folder, [...goneCommits]);
    found.facts.push({ kind: 'objectsRemoved', count: gone.length, commits: goneCommits.size, recent });
  }
  // What names give up in this same action is told with them; here it is what only the reflog kept before.
  const before = await onlyLogged(real, group.folder, stashes);
  if (before.length === 0) return needed;
  const logged = new Set((await onlyLogged(inView, group.folder, stashes)).map((commit) => commit.id));
  const unlogged = before.filter((commit) => !logged.has(commit.id));
  const lists: { list: CommitLine[]; recovery: Recovery }[] = [
    { list: unlogged.filter((commit) => goneCommits.has(commit.id)), recovery: { kind: 'none' } },
    {
      list: unlogged.filter((commit) => !goneCommits.has(commit.id)),
      recovery: { kind: 'objectDatabase', command: `${task.git} fsck --lost-found` },
    },
  ];
  for (const { list, recovery } of lists) {
    if (list.length === 0) continue;
    const because = { kind: 'onlyLogged', commits: commitsOf(list, maxListed) } as const;
    const commits = { count: list.length, replacedBy: 0, inFiles: false };
    found.loss.push(commitsLoss('the reflog', { because, recovery, commits }));
  }
  return needed;
}

/** Which of these objects, as the real repository has them, a name, HEAD or a stash needs that is there afterwards. */
async function neededIds(
  real: GitRunner,
  folder: string,
  ids: readonly string[],
  { refs, head, stashes }: RefSnapshot,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const tips = [...refs.values(), ...(head === undefined ? [] : [head]), ...stashes.map(({ id }) => id)];
  const script = `export GIT_DIR=.
{ cat; echo; g rev-list --objects --no-object-names --ignore-missing "$@"; } |
awk '!NF { listed = 1; next } !listed { wanted[$1]; next } $1 in wanted'; ${endOf('needed')}`;
  const stdin = Buffer.from(ids.map((id) => `${id}\n`).join(''), 'latin1');
  const words = [...new Set(tips)].slice(0, mostTips);
  const answer = await askGit(real, folder, script, { stdin, arguments: words });
  return new Set((answer.sections.get('needed')?.text ?? '').split('\n').filter((id) => id !== ''));
}

/** Of more names it is not asked what they need. */
const mostTips = 2_000;

/** Ids of all objects whose file or pack is removed; `undefined` when there are too many. */
export async function removedIds(task: GitFolderTask): Promise<string[] | undefined> {
  const ids: string[] = [];
  const indexes = new Set<string>();
  let size = 0;
  for (const [path, change] of task.group.changes) {
    if (change.change !== 'deleted') continue;
    const parts = looseObject.exec(path);
    if (parts) ids.push(`${parts[1]}${parts[2]}`);
    // One is of no use without the other.
    const pack = /^(objects\/pack\/.+)\.(idx|pack)$/.exec(path);
    if (!pack) continue;
    indexes.add(`${pack[1]}.idx`);
    if (pack[2] === 'idx') size += change.sizeBytes;
  }
  if (size > maxIndexBytes) return undefined;
  if (indexes.size > 0) {
    const real = { looker: task.input.looker, signal: task.input.signal };
    for (const id of await packedIds(real, task.group.folder, [...indexes])) ids.push(id);
  }
  return ids;
}
