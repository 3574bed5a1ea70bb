import type { GitFact } from '../../facts/gitFact.ts';
import { shortId, shortName } from '../../facts/gitNames.ts';
import type { FoundLoss } from '../../facts/loss.ts';
import type { Recovery } from '../../facts/recovery.ts';
import { settingChanges, withoutCredentials } from '../../programs/gitSettings.ts';
import { quoteWord } from '../../shell/quoteWord.ts';
import { toBytePath } from '../bytePath.ts';
import { deletedFolders } from '../destroyed.ts';
import { commitsOf } from './commitsOf.ts';
import {
  changedPaths,
  commitsNotIn,
  type MoveMeaning,
  maxListed,
  moveMeanings,
  objectTypes,
  type RefMove,
  type RefSnapshot,
  reachedCommits,
} from './gitRefs.ts';
import type { Findings, GitFolderTask } from './gitTask.ts';
import { isRemovedRemote } from './storageChange.ts';

/** Of more moved names than this only the number is told, and their commits together. */
const toldMoves = 40;

/** Tells where branches, tags, remote branches and HEAD go, and which commits no name reaches any more. */
export async function describeMoves(
  task: GitFolderTask,
  before: RefSnapshot,
  after: RefSnapshot,
  found: Findings,
): Promise<void> {
  const head = await headFact(task, before, after);
  if (head !== undefined) found.facts.push(head);
  const { renamed, others } = await withoutRenames(task, movesBetween(before, after));
  found.facts.push(...renamed);
  const moves = [...others, ...(await worktreeHeads(task))];
  if (!before.branch && before.head && before.head !== after.head) moves.push(headMove(before, after));
  if (moves.length === 0) return;

  const told = moves.slice(0, toldMoves);
  const inView = { looker: task.input.inView, signal: task.input.signal };
  const meanings = await moveMeanings(inView, task.group.folder, told, before.head);
  const reported = new Set<string>();
  const forgotten = await forgottenRemotes(task);
  const onThem = [...before.refs].flatMap(([name, id]) => (forgotten.has(remoteOf(name) ?? '') ? [id] : []));
  for (const move of told) {
    const meaning = meanings.get(move.name);
    if (!meaning) continue;
    if (meaning.pruned) await describePruned(task, move, after, meaning);
    await withoutKept(task, meaning);
    // What such a remote has is told with its own branches.
    if (remoteOf(move.name) === undefined) await withoutFetched(task, meaning, onThem);
    // That HEAD follows a branch now is told by itself.
    if (!move.followsBranch) found.facts.push(moveFact(move, meaning, before));
    const gone = { move, meaning, before, after, forgotten };
    const loss = await commitLoss(task, gone, reported);
    if (loss) found.loss.push(loss);
  }
  if (moves.length > told.length) await describeRest(task, moves.slice(toldMoves), after, found);
}

function movesBetween(before: RefSnapshot, after: RefSnapshot): RefMove[] {
  const moves: RefMove[] = [];
  for (const [name, from] of before.refs) {
    const to = after.refs.get(name);
    if (to === undefined) moves.push({ name, from });
    else if (to !== from) moves.push({ name, from, to });
  }
  for (const [name, to] of after.refs) if (!before.refs.has(name)) moves.push({ name, to });
  // `origin/HEAD` only repeats another name.
  return moves.filter((move) => !/^refs\/remotes\/[^/]+\/HEAD$/.test(move.name));
}

/** Names that go, where another of the same kind comes at the same object and its log says that it had the other name: `git branch -m`. */
async function withoutRenames(
  task: GitFolderTask,
  moves: readonly RefMove[],
): Promise<{ renamed: GitFact[]; others: RefMove[] }> {
  const kindOf = (name: string) => name.split('/', 2).join('/');
  const created = new Map<string, RefMove[]>();
  for (const move of moves) {
    if (move.from !== undefined) continue;
    const key = `${kindOf(move.name)} ${move.to}`;
    created.set(key, [...(created.get(key) ?? []), move]);
  }
  const renamed: GitFact[] = [];
  const settled = new Set<RefMove>();
  for (const move of moves) {
    if (move.to !== undefined) continue;
    for (const other of created.get(`${kindOf(move.name)} ${move.from}`) ?? []) {
      if (settled.has(other) || !(await isLoggedRename(task, move.name, other.name))) continue;
      settled.add(move).add(other);
      renamed.push({ kind: 'refRenamed', ref: move.name, to: other.name });
      break;
    }
  }
  return { renamed, others: moves.filter((move) => !settled.has(move)) };
}

async function isLoggedRename({ group, input }: GitFolderTask, from: string, to: string): Promise<boolean> {
  const log = group.changes.get(`logs/${to}`);
  const bytes = log && (await input.view.read(log.path, 'after'));
  return bytes !== undefined && Buffer.from(bytes).includes(` renamed ${from} to ${to}\n`);
}

function headMove(before: RefSnapshot, after: RefSnapshot): RefMove {
  const move: RefMove = { name: 'HEAD' };
  if (before.head) move.from = before.head;
  if (after.branch) move.followsBranch = true;
  else if (after.head) move.to = after.head;
  return move;
}

/** What happens to HEAD; `undefined` when it follows the same branch, or stays detached. */
export async function headFact(
  task: GitFolderTask,
  before: RefSnapshot,
  after: RefSnapshot,
): Promise<GitFact | undefined> {
  if (before.branch === after.branch) return undefined;
  const from = { ...textOf('from', before.branch), ...textOf('fromId', before.head) };
  const unborn = before.head && !after.head ? { isUnborn: true as const } : {};
  if (after.branch) return { kind: 'headSwitched', ...from, to: after.branch, ...unborn };
  return { kind: 'headDetached', ...from, ...textOf('at', await existingId(task, after.head, before)) };
}

function textOf<K extends string>(key: K, value: string | undefined): { [P in K]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: string });
}

/** The id of a commit that is there before the action: one that a name is at, or any other (`HEAD~2`). */
async function existingId(
  { group, input }: GitFolderTask,
  id: string | undefined,
  before: RefSnapshot,
): Promise<string | undefined> {
  if (id === undefined || knownId(id, before) !== undefined) return id;
  const real = { looker: input.looker, signal: input.signal };
  return (await objectTypes(real, group.folder, [id])).has(id) ? id : undefined;
}

/** The id of a commit that the action itself makes differs from run to run, so it is not told. */
function knownId(id: string | undefined, before: RefSnapshot): string | undefined {
  return id !== undefined && (id === before.head || [...before.refs.values()].includes(id)) ? id : undefined;
}

/** Detached HEADs of linked worktrees that the action removes, or that leave their commit. */
async function worktreeHeads(task: GitFolderTask): Promise<RefMove[]> {
  const moves: RefMove[] = [];
  for (const [path, change] of task.group.changes) {
    const tree = /^worktrees\/([^/]+)\/HEAD$/.exec(path)?.[1];
    if (tree === undefined) continue;
    const { view } = task.input;
    const from = detachedAt(await view.read(change.path, 'before'));
    const to = change.change === 'deleted' ? undefined : detachedAt(await view.read(change.path, 'after'));
    if (from === undefined || from === to) continue;
    const followsBranch = to === undefined && change.change !== 'deleted';
    const goal = to === undefined ? {} : { to };
    moves.push({ name: `worktrees/${tree}/HEAD`, from, ...goal, ...(followsBranch ? { followsBranch } : {}) });
  }
  return moves;
}

/** The commit that a HEAD names itself. */
function detachedAt(head: Uint8Array | undefined): string | undefined {
  const text = head && Buffer.from(head).toString('latin1').trim();
  return text && /^[0-9a-f]{40,64}$/.test(text) ? text : undefined;
}

/** The view has lost the old commits, so the real repository is asked. */
async function describePruned(
  task: GitFolderTask,
  move: RefMove,
  after: RefSnapshot,
  meaning: MoveMeaning,
): Promise<void> {
  const real = { looker: task.input.looker, signal: task.input.signal };
  const kept = [...after.refs.values(), ...(after.head ? [after.head] : []), ...after.stashes.map((stash) => stash.id)];
  meaning.lost = await commitsNotIn(real, task.group.folder, move.from ? [move.from] : [], kept);
  meaning.dropped = meaning.lost;
}

function moveFact(move: RefMove, meaning: MoveMeaning, before: RefSnapshot): GitFact {
  const ref = move.name;
  const added = commitsOf(meaning.added, maxListed);
  if (move.from === undefined) {
    const replaces = /^refs\/replace\/(\w+)$/.exec(ref)?.[1];
    return {
      kind: 'refCreated',
      ref,
      ...textOf('at', knownId(move.to, before)),
      added,
      ...textOf('replaces', replaces),
    };
  }
  if (move.to === undefined) {
    return { kind: 'refDeleted', ref, was: move.from, lost: commitsOf(meaning.lost, maxListed) };
  }
  // A name that only goes back ends at a commit that was there before.
  const to = meaning.added.length === 0 ? move.to : knownId(move.to, before);
  return {
    kind: 'refMoved',
    ref,
    from: move.from,
    ...textOf('to', to),
    dropped: commitsOf(meaning.dropped, maxListed),
    added,
  };
}

interface ToldMove {
  move: RefMove;
  meaning: MoveMeaning;
  before: RefSnapshot;
  after: RefSnapshot;
  forgotten: ReadonlyMap<string, string>;
}

async function commitLoss(
  task: GitFolderTask,
  { move, meaning, before, after, forgotten }: ToldMove,
  reported: Set<string>,
): Promise<FoundLoss | undefined> {
  const lost = meaning.lost.filter((commit) => !reported.has(commit.id));
  if (lost.length === 0 || move.from === undefined) return undefined;
  for (const commit of lost) reported.add(commit.id);
  const inFiles = await isStillThere(task, move, before, after);
  const replacedBy = await replacing(task, move, meaning, after);
  return commitsLoss(shortName(move.name), {
    because: { kind: 'unreachable', commits: commitsOf(lost, maxListed), replacedBy, inFiles },
    recovery: onForgottenRemote(move, forgotten, task.git) ?? waysBack(move.from, meaning, task.git),
    commits: { count: lost.length, replacedBy, inFiles },
  });
}

/** What another repository that the action reaches into has, a clone beside its remote, is not lost. */
async function withoutKept({ others, input }: GitFolderTask, meaning: MoveMeaning): Promise<void> {
  for (const folder of others) {
    if (meaning.lost.length === 0) return;
    const ids = meaning.lost.map(({ id }) => id);
    const reached = await reachedCommits({ looker: input.inView, signal: input.signal }, folder, ids);
    meaning.lost = meaning.lost.filter(({ id }) => !reached.has(id));
  }
}

/** How many commits the action has made in the place of lost ones. What was there before, or was fetched, replaces nothing. */
async function replacing(
  { group, input, others }: GitFolderTask,
  move: RefMove,
  meaning: MoveMeaning,
  after: RefSnapshot,
): Promise<number> {
  // What a bare repository is given was made elsewhere.
  const isBare = group.root === undefined && !group.folder.includes('/.git/');
  if (meaning.added.length === 0 || move.to === undefined || isBare) return 0;
  const real = { looker: input.looker, signal: input.signal };
  const ids = meaning.added.map(({ id }) => id);
  const known = await objectTypes(real, group.folder, ids);
  const made = ids.filter((id) => !known.has(id));
  // Where it reaches into another repository, it may have sent them there.
  if (made.length === 0 || others.length > 0) return made.length;
  const inView = { looker: input.inView, signal: input.signal };
  const remote = [...after.refs].flatMap(([name, id]) => (name.startsWith('refs/remotes/') ? [id] : []));
  const own = new Set((await commitsNotIn(inView, group.folder, [move.to], remote)).map(({ id }) => id));
  return made.filter((id) => own.has(id)).length;
}

/** A loss of commits. `path`: the ref, or the folder, that had them. */
export function commitsLoss(
  path: string,
  {
    because,
    recovery,
    commits,
    sizeBytes = 0,
  }: Pick<FoundLoss, 'because' | 'recovery' | 'commits'> & { sizeBytes?: number },
): FoundLoss {
  return { path, class: 'commits', because, recovery, commits, sizeBytes };
}

/** The remotes that this repository forgets with its settings, and that stay: their addresses by name. */
async function forgottenRemotes({ group, input: { files, view } }: GitFolderTask): Promise<Map<string, string>> {
  if (!group.changes.has('config')) return new Map();
  const path = `${group.folder}/config`;
  const [before, after] = await Promise.all([view.read(path, 'before'), view.read(path, 'after')]);
  const textOfFile = (bytes: Uint8Array | undefined) => (bytes ? Buffer.from(bytes).toString('utf8') : '');
  const deleted = deletedFolders(files);
  const changes = settingChanges(textOfFile(before), textOfFile(after)) ?? [];
  return new Map(
    changes.flatMap(({ key, before: url, after: value }): [string, string][] => {
      const name = /^remote\.(.+)\.url$/.exec(key)?.[1];
      if (name === undefined || url === undefined || value !== undefined) return [];
      return isRemovedRemote(url, group.root ?? group.folder, deleted) ? [] : [[name, url]];
    }),
  );
}

/** Which remote a name is of. */
function remoteOf(ref: string): string | undefined {
  return /^refs\/remotes\/([^/]+)\//.exec(ref)?.[1];
}

/** What was fetched from a remote that stays, or sent there, is there: `tips` are its branches as they were known. */
async function withoutFetched({ group, input }: GitFolderTask, meaning: MoveMeaning, tips: readonly string[]) {
  if (meaning.lost.length === 0 || tips.length === 0) return;
  const real = { looker: input.looker, signal: input.signal };
  const ids = meaning.lost.map(({ id }) => id);
  const left = new Set((await commitsNotIn(real, group.folder, ids, tips)).map(({ id }) => id));
  meaning.lost = meaning.lost.filter(({ id }) => left.has(id));
}

/** What a remote has that this repository only forgets: what was fetched from there is there. */
function onForgottenRemote(move: RefMove, forgotten: ReadonlyMap<string, string>, git: string): Recovery | undefined {
  const remote = remoteOf(move.name);
  const url = remote === undefined || move.to !== undefined ? undefined : forgotten.get(remote);
  if (remote === undefined || url === undefined) return undefined;
  const address = withoutCredentials(url);
  const command = `${git} remote add ${quoteWord(remote)} ${quoteWord(address)} && ${git} fetch ${quoteWord(remote)}`;
  return { kind: 'remote', address, by: 'fetch', command };
}

function waysBack(from: string, meaning: MoveMeaning, git: string): Recovery {
  if (meaning.pruned) return { kind: 'none' };
  const command = `${git} branch rescue ${shortId(from)}`;
  if (meaning.unlogged === 0) return { kind: 'reflog', commit: from, command };
  return { kind: 'objectDatabase', id: from, command };
}

/**
 * What some lost commits changed is still there: the branch that was checked out moved, and no file that they changed was
 * touched (`git reset --soft`, `git reset`), or HEAD has the same content (a branch that was merged as one commit).
 */
async function isStillThere(task: GitFolderTask, move: RefMove, before: RefSnapshot, after: RefSnapshot) {
  const { group, input } = task;
  if (move.from === undefined || after.head === undefined) return false;
  // The view has the new commits; what it has pruned is not there to be compared.
  const inView = { looker: input.inView, signal: input.signal };
  const paths = await changedPaths(inView, group.folder, move.from, after.head);
  if (paths === undefined || paths.changed.length === 0) return false;
  const different = new Set(paths.different);
  if (paths.changed.every((path) => !different.has(path))) return true;
  if (move.name !== before.branch || before.branch !== after.branch || group.root === undefined) return false;
  const touched = new Set(input.files.map((change) => toBytePath(change.path)));
  const root = toBytePath(group.root);
  return paths.changed.every((path) => !touched.has(`${root}/${path}`));
}

async function describeRest(
  task: GitFolderTask,
  moves: readonly RefMove[],
  after: RefSnapshot,
  found: Findings,
): Promise<void> {
  found.facts.push({
    kind: 'moreRefs',
    count: moves.length,
    gone: moves.filter((move) => move.to === undefined).length,
  });
  const from = moves.flatMap((move) => move.from ?? []);
  if (from.length === 0) return;
  const real = { looker: task.input.looker, signal: task.input.signal };
  const lost = await commitsNotIn(real, task.group.folder, from, [...after.refs.values()]);
  if (lost.length === 0) return;
  const inView = { looker: task.input.inView, signal: task.input.signal };
  const ids = lost.map((commit) => commit.id);
  const left = await objectTypes(inView, task.group.folder, ids);
  const loss = commitsLoss(task.group.root ?? task.group.folder, {
    because: { kind: 'unreachableOfMore', commits: commitsOf(lost, maxListed), names: moves.length },
    recovery: left.size === ids.length ? { kind: 'objectDatabase' } : { kind: 'none' },
    commits: { count: lost.length, replacedBy: 0, inFiles: false },
  });
  found.loss.push(loss);
}

/** A loss of a stash entry. */
export function stashLoss({ name, message }: { name: string; message: string }, recovery: Recovery): FoundLoss {
  return { path: name, class: 'stash', because: { kind: 'stashed', message }, recovery, sizeBytes: 0 };
}
