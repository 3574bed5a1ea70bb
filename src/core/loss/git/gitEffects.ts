import type { GitFact } from '../../facts/gitFact.ts';
import type { FoundLoss } from '../../facts/loss.ts';
import { settingChanges, withoutCredentials } from '../../programs/gitSettings.ts';
import type { FileChange } from '../../view/fileChange.ts';
import type { View } from '../../view/view.ts';
import { folderOf } from '../bytePath.ts';
import { deletedFolders } from '../destroyed.ts';
import { oneAtATime } from '../oneAtATime.ts';
import { describeBroken, describeLostObjects, isBroken } from './brokenRepository.ts';
import { cutOffWorktrees, linkedWorktrees, submodulesMovedAway } from './cutOffWorktrees.ts';
import { describeStashes } from './describeStashes.ts';
import { droppedVersions } from './droppedVersions.ts';
import { describeMoves, headFact } from './gitCommits.ts';
import { type GitFolderChanges, mayConcernGit, movedGitFolder, touchedGitFolders } from './gitFolders.ts';
import { sameIndex } from './gitIndex.ts';
import { describeRemovedObjects } from './gitPruning.ts';
import { objectTypes, type RefSnapshot, refSnapshot } from './gitRefs.ts';
import type { Findings, GitEffectsInput, GitFolderTask } from './gitTask.ts';
import { gitThere } from './gitThere.ts';
import { repositoryLoss } from './repositoryLoss.ts';
import { indexesOf, trackedSecrets } from './trackedSecrets.ts';

/** What an action does to git. */
export interface GitEffects {
  facts: GitFact[];
  /** Commits and stashes that no name reaches any more. Files are told by `analyseLoss`. */
  loss: FoundLoss[];
}

/**
 * What an action does to the git repositories that it reaches into: branches, tags, HEAD, stash, index, settings, hooks,
 * unfinished merges, removed objects; and which commits no branch, tag, remote or stash has afterwards.
 *
 * Compares the real repository with the view, so it does not matter which command did it. Empty without any look when no
 * git folder changed, or only the index, and that only in its times. Git itself runs with everything off that could run
 * a program of the repository's choice. It does not throw; what could not be asked is said as an effect.
 */
export async function gitEffects(input: GitEffectsInput): Promise<GitEffects> {
  if (!mayConcernGit(input.files)) return { facts: [], loss: [] };
  const groups = await touchedGitFolders(input.files);
  const asked = { ...input, inView: oneAtATime(input.inView) };
  const result: GitEffects = { facts: [], loss: [] };
  for (const group of groups) {
    if (input.signal.aborted) break;
    const others = groups.filter((other) => other !== group && other.fate !== 'disappears');
    const meant = { root: group.root, commonFolder: group.folder };
    const { names: git } = await gitThere(meant, input.standsIn, input.files);
    const found = await effectsOn({ input: asked, group, others: others.map(({ folder }) => folder), git });
    // Who stands elsewhere would take it for the one where they stand: a submodule's, that of `cd other && git …`.
    const isNamed = groups.length > 1 || (group.fate === 'stays' && git !== 'git');
    const repository = isNamed ? { repository: group.root ?? group.folder } : {};
    result.facts.push(...found.facts.map((fact) => ({ ...fact, ...repository })));
    result.loss.push(...found.loss);
  }
  result.facts = withoutMoved(result.facts);
  result.facts.push(...(await submodulesMovedAway(input)));
  if (!input.gitRan) result.facts.push(...pointersByHand(input.files));
  result.facts.push(...(await userSettings(input)));
  return result;
}

/** Where a repository was moved to, none was made. */
function withoutMoved(facts: GitFact[]): GitFact[] {
  const moved = new Set(facts.flatMap((fact) => (fact.kind === 'repositoryMoved' ? [fact.to] : [])));
  if (moved.size === 0) return facts;
  return facts.filter(
    (fact) => fact.kind !== 'repositoryMade' || !(moved.has(fact.place) || moved.has(`${fact.place}/.git`)),
  );
}

async function effectsOn(task: GitFolderTask): Promise<Findings> {
  const { group, input } = task;
  const place = group.root ?? group.folder;
  if (group.fate === 'appears')
    return { facts: [{ kind: 'repositoryMade', place }, ...(await trackedSecrets(task))], loss: [] };
  const moved = await movedTo(task);
  if (moved !== undefined)
    return { facts: [...movedFacts(task, moved), ...(await cutOffWorktrees(task, moved))], loss: [] };
  if (group.fate === 'disappears') {
    const lost = await repositoryLoss(task);
    return { ...lost, facts: [...lost.facts, ...(await cutOffWorktrees(task))] };
  }
  const found: Findings = { facts: [], loss: [] };
  const settings = await settingFacts(task);
  found.facts.push(...hookFacts(group), ...unfinishedFacts(group));
  if (!input.gitRan) found.facts.push(...recordsByHand(group));
  await compareRepository(task, found);
  // What goes with a branch comes behind it.
  found.facts.push(...settings.filter((setting) => !goesWithBranch(setting, found.facts)));
  return found;
}

/** A setting of a branch that goes, or gets another name, goes with it. */
function goesWithBranch(setting: GitFact, facts: readonly GitFact[]): boolean {
  if (setting.kind !== 'settingRemoved' && setting.kind !== 'settingSet') return false;
  const branch = /^branch\.(.+)\.[^.]+$/.exec(setting.key)?.[1];
  if (branch === undefined) return false;
  const ref = `refs/heads/${branch}`;
  return facts.some((fact) =>
    setting.kind === 'settingRemoved'
      ? (fact.kind === 'refDeleted' || fact.kind === 'refRenamed') && fact.ref === ref
      : fact.kind === 'refRenamed' && fact.to === ref,
  );
}

/** Where a repository went, of which nothing is left in its place, or another one stands there. */
async function movedTo({ group, input }: GitFolderTask): Promise<string | undefined> {
  const { fate, folder, changes } = group;
  const isTakenAway = [...changes].some(([path, { change }]) => change === 'deleted' && loose.test(path));
  if (fate !== 'disappears' && !isTakenAway) return undefined;
  const moved = await movedGitFolder(folder, input.files, input.view);
  if (moved === undefined || fate === 'disappears') return moved;
  // Where only its objects were packed, and a copy was made, it has its commits still.
  const { head } = await refSnapshot({ looker: input.looker, signal: input.signal }, folder, false);
  if (head === undefined) return undefined;
  const left = await objectTypes({ looker: input.inView, signal: input.signal }, folder, [head]);
  return left.has(head) ? undefined : moved;
}

const loose = /^objects\/(?:[0-9a-f]{2}|pack)\//;

/** A repository that goes with the folder that it is for is one in another place; so is one that a link or a file points to. */
function movedFacts({ group, input }: GitFolderTask, to: string): GitFact[] {
  const { root, changes } = group;
  const now = changes.get('');
  const isPointer = now !== undefined && now.change !== 'deleted' && now.type !== 'directory';
  const goesToo = input.files.some(
    ({ path, from, change }) => from === root || (path === root && change === 'deleted'),
  );
  if (root === undefined || isPointer || goesToo) return [];
  return [{ kind: 'repositoryMoved', place: root, to, replaced: group.fate === 'stays' }];
}

// Where git writes down which commits, names and files there are. A lock that is left over is often removed by hand.
const records =
  /^((worktrees\/[^/]+\/)?(HEAD|index)|packed-refs|shallow|commondir|(refs|reftable|objects|logs)\/.+|info\/grafts)$/;

function recordsByHand(group: GitFolderChanges): GitFact[] {
  const changed = [...group.changes].filter(
    ([path, change]) =>
      change.type !== 'directory' && change.change !== 'mode' && records.test(path) && !path.endsWith('.lock'),
  );
  const [first] = changed[0] ?? [];
  return first === undefined ? [] : [{ kind: 'recordsByHand', count: changed.length, first }];
}

/** A `.git` that is a file says where the repository of a worktree or submodule is. What goes with its whole folder is no pointer any more. */
function pointersByHand(files: readonly FileChange[]): GitFact[] {
  const pointers = files.flatMap(({ path, from, type, change }): Pick<FileChange, 'path' | 'change'>[] => {
    if (type !== 'file' || change === 'mode') return [];
    // Under another name git does not find it; with its folder it moves as a whole.
    if (change === 'renamed') return from?.endsWith('/.git') && !path.endsWith('/.git') ? [{ path: from, change }] : [];
    return path.endsWith('/.git') ? [{ path, change }] : [];
  });
  if (pointers.length === 0) return [];
  const deleted = deletedFolders(files);
  const made = files.filter(
    ({ path, type, change }) => change === 'created' && type === 'directory' && path.endsWith('/.git'),
  );
  // The copy of a whole repository has those of its submodules, which lead into the copy.
  const isCopied = ({ path, change }: Pick<FileChange, 'path' | 'change'>) =>
    change === 'created' && made.some((own) => path.startsWith(`${folderOf(own.path)}/`));
  const written = pointers.filter((one) => !deleted.has(folderOf(one.path)) && !isCopied(one));
  const [first] = written;
  return first === undefined ? [] : [{ kind: 'recordsByHand', count: written.length, first: first.path }];
}

const names = /^(HEAD|packed-refs|refs\/.+|reftable\/.+|logs\/refs\/stash|worktrees\/[^/]+\/HEAD)$/;

async function compareRepository(task: GitFolderTask, found: Findings): Promise<void> {
  const { group, input } = task;
  const paths = [...group.changes].filter(([, change]) => change.type !== 'directory');
  const namesChanged = paths.some(([path]) => names.test(path));
  const objectsRemoved = paths.some(([path, change]) => change.change === 'deleted' && /^objects\/[^i]/.test(path));
  const logsCut = paths.some(([path, change]) => path.startsWith('logs/') && isCut(change));
  const indexes = group.changes.has('index') ? await indexesOf(task) : undefined;
  const indexChanged =
    indexes !== undefined && !(indexes.before && indexes.after && sameIndex(indexes.before, indexes.after));
  // Empty folders are no content, and git takes what has none of them for no repository: `find . -empty -delete`.
  const broken = isBroken(group);
  if (!broken && !namesChanged && !objectsRemoved && !logsCut && !indexChanged) return compareWorktrees(task, found);

  const real = { looker: input.looker, signal: input.signal };
  const inView = { looker: input.inView, signal: input.signal };
  const [before, after] = await Promise.all([
    refSnapshot(real, group.folder, indexChanged),
    refSnapshot(inView, group.folder, indexChanged),
  ]);
  if (before.failure === undefined && after.failure !== undefined && broken) {
    await describeBroken(task, before, after.failure, found);
    return;
  }
  const failure = before.failure ?? after.failure;
  if (failure !== undefined) {
    found.facts.push({ kind: 'unreadable', failure });
    return;
  }
  if (namesChanged || before.head !== after.head) await describeMoves(task, before, after, found);
  await describeStashes(task, before, after, found);
  if (indexChanged) {
    found.facts.push(...indexFacts(before, after), ...(await trackedSecrets(task, indexes)));
    found.loss.push(...(await droppedVersions(task, before)));
  }
  await compareWorktrees(task, found);
  if (!objectsRemoved && !logsCut) return;
  const needed = await describeRemovedObjects(task, objectsRemoved, { before, after }, found);
  if (needed.size > 0) await describeLostObjects(task, before, needed, found);
}

/** Linked worktrees have a HEAD and an index of their own; branches and the rest are told with the main one. */
async function compareWorktrees(task: GitFolderTask, found: Findings): Promise<void> {
  const trees = new Set<string>();
  for (const [path, change] of task.group.changes) {
    const tree = /^worktrees\/([^/]+)\/(?:HEAD|index)$/.exec(path)?.[1];
    if (tree !== undefined && change.change === 'modified') trees.add(tree);
  }
  for (const tree of trees) {
    const folder = `${task.group.folder}/worktrees/${tree}`;
    const [before, after] = await Promise.all([
      refSnapshot({ looker: task.input.looker, signal: task.input.signal }, folder, true),
      refSnapshot({ looker: task.input.inView, signal: task.input.signal }, folder, true),
    ]);
    const head = await headFact(task, before, after);
    const root = (await linkedWorktrees(task)).find(({ own }) => own === folder)?.place;
    const there = root === undefined ? undefined : { ...task, group: { ...task.group, folder, root } };
    const facts = [...(head === undefined ? [] : [head]), ...indexFacts(before, after)];
    if (there) facts.push(...(await trackedSecrets(there)));
    found.facts.push(...facts.map((fact) => ({ ...fact, worktree: tree })));
    if (there) found.loss.push(...(await droppedVersions(there, before)));
  }
}

function isCut(change: FileChange): boolean {
  if (change.change === 'deleted') return true;
  return change.before !== undefined && change.sizeBytes < change.before.sizeBytes;
}

function indexFacts(before: RefSnapshot, after: RefSnapshot): GitFact[] {
  const facts: GitFact[] = [];
  // After a commit or reset the same index means something else; then the moved branch says it all.
  if (before.head === after.head) {
    const staged = [...after.staged].filter(([path, { id }]) => before.staged.get(path)?.id !== id);
    const unstaged = [...before.staged.keys()].filter((path) => !after.staged.has(path)).length;
    // What is to be removed has no mode any more.
    const removed = staged.filter(([, { mode }]) => /^0+$/.test(mode)).length;
    if (staged.length > 0) facts.push({ kind: 'staged', count: staged.length, ...(removed > 0 ? { removed } : {}) });
    if (unstaged > 0) facts.push({ kind: 'unstaged', count: unstaged });
  }
  if (after.conflicts > 0 && after.conflicts !== before.conflicts) {
    facts.push({ kind: 'conflictsLeft', count: after.conflicts });
  } else if (before.conflicts > 0 && after.conflicts === 0) {
    facts.push({ kind: 'conflictsResolved', count: before.conflicts });
  }
  return facts;
}

async function settingFacts({ group, input }: GitFolderTask): Promise<GitFact[]> {
  const names = ['config', 'config.worktree'].filter((name) => group.changes.has(name));
  const facts = await Promise.all(names.map((name) => settingsOfFile(input.view, `${group.folder}/${name}`, name)));
  return facts.flat();
}

/** Settings for all repositories of a user, or of the machine. */
async function userSettings({ files, view }: GitEffectsInput): Promise<GitFact[]> {
  const changed = files.filter(({ path, type }) => isUserSettings(path) && type !== 'directory');
  const facts = await Promise.all(changed.map(({ path }) => settingsOfFile(view, path, path)));
  return facts.flatMap((some, index) => some.map((fact) => ({ ...fact, repository: changed[index]?.path })));
}

/** Whether a file holds a user's, or the machine's, settings of git. */
export function isUserSettings(path: string): boolean {
  return path.endsWith('config') && /(^|\/)\.gitconfig$|\/\.config\/git\/config$|^\/etc\/gitconfig$/.test(path);
}

async function settingsOfFile(view: View, path: string, name: string): Promise<GitFact[]> {
  const facts: GitFact[] = [];
  const [before, after] = await Promise.all([view.read(path, 'before'), view.read(path, 'after')]);
  const changes = settingChanges(asText(before), asText(after));
  if (changes === undefined) facts.push({ kind: 'settingsUnreadable', name });
  for (const { key, after: value, sensitive } of changes ?? []) {
    if (value === undefined) facts.push({ kind: 'settingRemoved', key });
    else facts.push({ kind: 'settingSet', key, value: withoutCredentials(value), runs: sensitive });
  }
  return facts;
}

function asText(bytes: Uint8Array | undefined): string {
  return bytes ? Buffer.from(bytes).toString('utf8') : '';
}

function hookFacts(group: GitFolderChanges): GitFact[] {
  const facts: GitFact[] = [];
  for (const [path, change] of group.changes) {
    const name = /^hooks\/([^/]+)$/.exec(path)?.[1];
    if (name === undefined || name.endsWith('.sample') || change.type === 'directory') continue;
    const isExecutable = (Number.parseInt(change.mode, 8) & 0o111) !== 0;
    if (change.change === 'deleted') facts.push({ kind: 'hookRemoved', name });
    else facts.push({ kind: isNew(change) ? 'hookAdded' : 'hookChanged', name, isExecutable });
  }
  return facts;
}

function isNew({ change, before }: FileChange): boolean {
  return change === 'created' || (change === 'renamed' && before === undefined);
}

const unfinished: readonly (readonly [path: string, what: string])[] = [
  ['MERGE_HEAD', 'a merge'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick'],
  ['REVERT_HEAD', 'a revert'],
  ['rebase-merge', 'a rebase'],
  ['rebase-apply', 'a rebase or patch series'],
  ['BISECT_LOG', 'a bisection'],
];

function unfinishedFacts(group: GitFolderChanges): GitFact[] {
  const facts: GitFact[] = [];
  for (const [path, what] of unfinished) {
    const change = group.changes.get(path)?.change;
    if (change === 'created') facts.push({ kind: 'unfinishedBegun', what });
    else if (change === 'deleted') facts.push({ kind: 'unfinishedEnded', what });
  }
  for (const [path, change] of group.changes) {
    const name = /^worktrees\/([^/]+)$/.exec(path)?.[1];
    if (name === undefined) continue;
    if (change.change === 'created') facts.push({ kind: 'worktreeAdded', name });
    else if (change.change === 'deleted') facts.push({ kind: 'worktreeRemoved', name });
  }
  return facts;
}
