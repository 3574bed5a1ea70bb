import { toBytePath } from './bytePath.ts';
import {
  type CommitLine,
  commitsNotIn,
  type MoveMeaning,
  maxListed,
  moveMeanings,
  objectTypes,
  type RefMove,
  type RefSnapshot,
  stashPaths,
} from './gitRefs.ts';
import type { Findings, GitFolderTask } from './gitTask.ts';
import { countOf, nameWithKind, shorten, shortId, shortName, subjects } from './gitWords.ts';
import type { Loss } from './loss.ts';

/** Of more moved names than this only the number is told, and their commits together. */
const toldMoves = 40;

/** Tells where branches, tags, remote branches and HEAD go, and which commits no name reaches any more. */
export async function describeMoves(
  task: GitFolderTask,
  before: RefSnapshot,
  after: RefSnapshot,
  found: Findings,
): Promise<void> {
  const head = headDetail(before, after);
  if (head !== undefined) found.details.push(head);
  const moves = [...movesBetween(before, after), ...(await worktreeHeads(task))];
  if (!before.branch && before.head && before.head !== after.head) moves.push(headMove(before, after));
  if (moves.length === 0) return;

  const told = moves.slice(0, toldMoves);
  const inView = { looker: task.input.inView, signal: task.input.signal };
  const meanings = await moveMeanings(inView, task.group.folder, told, before.head);
  const reported = new Set<string>();
  for (const move of told) {
    const meaning = meanings.get(move.name);
    if (!meaning) continue;
    if (meaning.pruned) await describePruned(task, move, after, meaning);
    found.details.push(moveDetail(move, meaning, before));
    const loss = commitLoss(move, meaning, reported);
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

function headMove(before: RefSnapshot, after: RefSnapshot): RefMove {
  const move: RefMove = { name: 'HEAD' };
  if (before.head) move.from = before.head;
  if (after.head && !after.branch) move.to = after.head;
  return move;
}

/** `switches from main to topic`; `undefined` when HEAD follows the same branch, or stays detached. */
export function headDetail(before: RefSnapshot, after: RefSnapshot): string | undefined {
  if (before.branch === after.branch) return undefined;
  const from = before.branch ? shortName(before.branch) : `the detached commit ${shortId(before.head)}`;
  if (after.branch) return `switches from ${from} to ${shortName(after.branch)}`;
  return `detaches HEAD from ${from}${knownId(after.head, before)}`;
}

/** The id of a commit that the action itself makes differs from run to run, so it is not told. */
function knownId(id: string | undefined, before: RefSnapshot): string {
  const known = id !== undefined && (id === before.head || [...before.refs.values()].includes(id));
  return known ? ` at ${shortId(id)}` : '';
}

/** Detached HEADs of linked worktrees that the action removes. */
async function worktreeHeads(task: GitFolderTask): Promise<RefMove[]> {
  const moves: RefMove[] = [];
  for (const [path, change] of task.group.changes) {
    const tree = /^worktrees\/([^/]+)\/HEAD$/.exec(path)?.[1];
    if (tree === undefined || change.change !== 'deleted') continue;
    const bytes = await task.input.view.read(change.path, 'before');
    const id = bytes && Buffer.from(bytes).toString('latin1').trim();
    if (id && /^[0-9a-f]{40,64}$/.test(id)) moves.push({ name: `worktrees/${tree}/HEAD`, from: id });
  }
  return moves;
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

function moveDetail(move: RefMove, meaning: MoveMeaning, before: RefSnapshot): string {
  const what = nameWithKind(move.name);
  if (move.from === undefined) {
    const added = meaning.added.length > 0 ? `, with ${commits(meaning.added)}` : '';
    return `creates ${what}${knownId(move.to, before)}${added}`;
  }
  if (move.to === undefined) {
    const lost = meaning.lost.length > 0 ? `, with ${commits(meaning.lost)} on nothing else` : '';
    return `deletes ${what} (was ${shortId(move.from)}${lost})`;
  }
  const parts = [
    meaning.dropped.length > 0 ? `drops ${commits(meaning.dropped)}` : '',
    meaning.added.length > 0 ? `adds ${commits(meaning.added)}` : '',
  ].filter((part) => part !== '');
  // A name that only goes back ends at a commit that was there before.
  const to = meaning.added.length === 0 ? ` to ${shortId(move.to)}` : knownId(move.to, before).replace(' at', ' to');
  return `moves ${what} from ${shortId(move.from)}${to}: ${parts.join(', ') || 'to another object'}`;
}

function commits(list: readonly CommitLine[]): string {
  return `${countOf(list.length, 'commit', maxListed)} (${subjects(list)})`;
}

function commitLoss(move: RefMove, meaning: MoveMeaning, reported: Set<string>): Loss | undefined {
  const lost = meaning.lost.filter((commit) => !reported.has(commit.id));
  if (lost.length === 0 || move.from === undefined) return undefined;
  for (const commit of lost) reported.add(commit.id);
  const replaced = meaning.added.length > 0 ? `, replaced by ${countOf(meaning.added.length, 'new one')}` : '';
  return {
    path: shortName(move.name),
    class: 'commits',
    why: `${countOf(lost.length, 'commit', maxListed)} on no other branch, tag or remote${replaced}: ${subjects(lost)}`,
    recoverable: waysBack(move.from, meaning),
    sizeBytes: 0,
  };
}

function waysBack(from: string, meaning: MoveMeaning): string {
  if (meaning.pruned) return 'no';
  const command = `git branch rescue ${shortId(from)}`;
  if (meaning.unlogged === 0) return `yes, from the reflog until it expires (${command})`;
  return `yes, from git’s object database until the next gc (${command})`;
}

async function describeRest(
  task: GitFolderTask,
  moves: readonly RefMove[],
  after: RefSnapshot,
  found: Findings,
): Promise<void> {
  found.details.push(`changes ${countOf(moves.length, 'more name')}`);
  const from = moves.flatMap((move) => move.from ?? []);
  if (from.length === 0) return;
  const real = { looker: task.input.looker, signal: task.input.signal };
  const lost = await commitsNotIn(real, task.group.folder, from, [...after.refs.values()]);
  if (lost.length === 0) return;
  const inView = { looker: task.input.inView, signal: task.input.signal };
  const ids = lost.map((commit) => commit.id);
  const left = await objectTypes(inView, task.group.folder, ids);
  const names = countOf(moves.length, 'more name');
  found.loss.push({
    path: task.group.root ?? task.group.folder,
    class: 'commits',
    why: `${countOf(lost.length, 'commit', maxListed)} of ${names} on nothing else: ${subjects(lost)}`,
    recoverable: left.size === ids.length ? 'yes, from git’s object database until the next gc' : 'no',
    sizeBytes: 0,
  });
}

/** Tells which stash entries are made and which are gone. A popped entry is not lost: its content is in the files. */
export async function describeStashes(
  task: GitFolderTask,
  before: RefSnapshot,
  after: RefSnapshot,
  found: Findings,
): Promise<void> {
  const old = new Set(before.stashes.map((stash) => stash.id));
  const now = new Set(after.stashes.map((stash) => stash.id));
  for (const stash of after.stashes) {
    if (!old.has(stash.id)) found.details.push(`puts changes into the stash (“${shorten(stash.message)}”)`);
  }
  const named = before.stashes.map((stash, index) => ({ ...stash, name: `stash@{${index}}` }));
  const gone = named.filter((stash) => !now.has(stash.id));
  if (gone.length === 0) return;
  const inView = { looker: task.input.inView, signal: task.input.signal };
  const ids = gone.map((stash) => stash.id);
  const left = await objectTypes(inView, task.group.folder, ids);
  for (const stash of gone) {
    if (left.has(stash.id) && (await isApplied(task, stash.id))) {
      found.details.push(`applies ${stash.name} to the files and drops it (“${shorten(stash.message)}”)`);
      continue;
    }
    found.details.push(`drops ${stash.name} (“${shorten(stash.message)}”)`);
    found.loss.push({
      path: stash.name,
      class: 'stash',
      why: `stashed changes: “${shorten(stash.message)}”`,
      recoverable: left.has(stash.id)
        ? `yes, from git’s object database until the next gc (git stash apply ${stash.id})`
        : 'no',
      sizeBytes: 0,
    });
  }
}

/** The action writes every path of the stash entry: `git stash pop`, not `git stash drop`. */
async function isApplied(task: GitFolderTask, id: string): Promise<boolean> {
  const root = task.group.root;
  if (root === undefined) return false;
  const written = new Set<string>();
  for (const change of task.input.files) {
    if (change.path.startsWith(`${root}/`)) written.add(toBytePath(change.path.slice(root.length + 1)));
  }
  const real = { looker: task.input.looker, signal: task.input.signal };
  const paths = await stashPaths(real, task.group.folder, id);
  return paths.length > 0 && paths.every((path) => written.has(path));
}
