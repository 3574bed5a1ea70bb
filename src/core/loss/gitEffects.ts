import type { FileChange } from '../view/fileChange.ts';
import type { Looker, View } from '../view/view.ts';
import { describeMoves, describeStashes, headDetail } from './gitCommits.ts';
import { type GitFolderChanges, movedGitFolder, touchedGitFolders } from './gitFolders.ts';
import { sameIndex } from './gitIndex.ts';
import { describeRemovedObjects } from './gitPruning.ts';
import { type RefSnapshot, refSnapshot } from './gitRefs.ts';
import { settingChanges, withoutCredentials } from './gitSettings.ts';
import type { Findings, GitFolderTask } from './gitTask.ts';
import { countOf } from './gitWords.ts';
import type { Loss } from './loss.ts';
import { oneAtATime } from './oneAtATime.ts';
import { repositoryLoss } from './repositoryLoss.ts';

/** What `gitEffects` needs to know. All paths are absolute. */
export interface GitEffectsInput {
  /** The changes of the action, complete. */
  files: readonly FileChange[];
  view: View;
  /** Looks at the real files, before the action. */
  looker: Looker;
  /** Looks at the view, after the action. */
  inView: Looker;
  signal: AbortSignal;
}

/** What an action does to git. */
export interface GitEffects {
  /** Each `detail` is one clause, for example `deletes branch topic (was 1a2b3c4)`. */
  effects: { effect: 'git'; detail: string }[];
  /** Commits and stashes that no name reaches any more. Files are told by `analyseLoss`. */
  loss: Loss[];
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
  const groups = await touchedGitFolders(input.files);
  const asked = { ...input, inView: oneAtATime(input.inView) };
  const result: GitEffects = { effects: [], loss: [] };
  for (const group of groups) {
    if (input.signal.aborted) break;
    const found = await effectsOn({ input: asked, group });
    const suffix = groups.length > 1 ? ` in ${group.root ?? group.folder}` : '';
    result.effects.push(...found.details.map((detail) => ({ effect: 'git' as const, detail: `${detail}${suffix}` })));
    result.loss.push(...found.loss);
  }
  return result;
}

async function effectsOn(task: GitFolderTask): Promise<Findings> {
  const { group, input } = task;
  const place = group.root ?? group.folder;
  if (group.fate === 'appears') return { details: [`makes a git repository in ${place}`], loss: [] };
  if (group.fate === 'disappears') {
    const moved = await movedGitFolder(group.folder, input.files, input.view);
    if (moved !== undefined) return { details: [], loss: [] };
    return repositoryLoss({ looker: input.looker, signal: input.signal }, group, input.files);
  }
  const found: Findings = { details: [], loss: [] };
  found.details.push(...(await settingDetails(task)), ...hookDetails(group), ...unfinishedDetails(group));
  await compareRepository(task, found);
  return found;
}

const names = /^(HEAD|packed-refs|refs\/.+|reftable\/.+|logs\/refs\/stash|worktrees\/[^/]+\/HEAD)$/;

async function compareRepository(task: GitFolderTask, found: Findings): Promise<void> {
  const { group, input } = task;
  const paths = [...group.changes].filter(([, change]) => change.type !== 'directory');
  const namesChanged = paths.some(([path]) => names.test(path));
  const objectsRemoved = paths.some(([path, change]) => change.change === 'deleted' && /^objects\/[^i]/.test(path));
  const logsCut = paths.some(([path, change]) => path.startsWith('logs/') && isCut(change));
  const indexChanged = group.changes.has('index') && !(await isSameIndex(task));
  if (!namesChanged && !objectsRemoved && !logsCut && !indexChanged) return compareWorktrees(task, found);

  const real = { looker: input.looker, signal: input.signal };
  const inView = { looker: input.inView, signal: input.signal };
  const [before, after] = await Promise.all([
    refSnapshot(real, group.folder, indexChanged),
    refSnapshot(inView, group.folder, indexChanged),
  ]);
  const failure = before.failure ?? after.failure;
  if (failure !== undefined) {
    found.details.push(`changes git’s storage in a way that could not be read: ${failure}`);
    return;
  }
  if (namesChanged || before.head !== after.head) await describeMoves(task, before, after, found);
  await describeStashes(task, before, after, found);
  if (indexChanged) found.details.push(...indexDetails(before, after));
  await compareWorktrees(task, found);
  if (objectsRemoved || logsCut) await describeRemovedObjects(task, objectsRemoved, before.stashes, found);
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
    const head = headDetail(before, after);
    const details = [...(head === undefined ? [] : [head]), ...indexDetails(before, after)];
    found.details.push(...details.map((detail) => `${detail} in worktree ${tree}`));
  }
}

function isCut(change: FileChange): boolean {
  if (change.change === 'deleted') return true;
  return change.before !== undefined && change.sizeBytes < change.before.sizeBytes;
}

/** So much of an index is read: 64 MiB, some 600,000 files. */
const maxIndexBytes = 64 * 1024 * 1024;

async function isSameIndex(task: GitFolderTask): Promise<boolean> {
  const path = `${task.group.folder}/index`;
  const [before, after] = await Promise.all([
    task.input.view.read(path, 'before', maxIndexBytes),
    task.input.view.read(path, 'after', maxIndexBytes),
  ]);
  return before !== undefined && after !== undefined && sameIndex(before, after) === true;
}

function indexDetails(before: RefSnapshot, after: RefSnapshot): string[] {
  const details: string[] = [];
  // After a commit or reset the same index means something else; then the moved branch says it all.
  if (before.head === after.head) {
    const staged = [...after.staged].filter(([path, id]) => before.staged.get(path) !== id).length;
    const unstaged = [...before.staged.keys()].filter((path) => !after.staged.has(path)).length;
    if (staged > 0) details.push(`stages ${countOf(staged, 'file')}`);
    if (unstaged > 0) details.push(`unstages ${countOf(unstaged, 'file')}`);
  }
  if (after.conflicts > 0 && after.conflicts !== before.conflicts) {
    details.push(`leaves ${countOf(after.conflicts, 'file')} with conflicts`);
  } else if (before.conflicts > 0 && after.conflicts === 0) {
    details.push(`marks ${countOf(before.conflicts, 'conflict')} as resolved`);
  }
  return details;
}

async function settingDetails(task: GitFolderTask): Promise<string[]> {
  const details: string[] = [];
  for (const name of ['config', 'config.worktree']) {
    if (!task.group.changes.has(name)) continue;
    const path = `${task.group.folder}/${name}`;
    const [before, after] = await Promise.all([
      task.input.view.read(path, 'before'),
      task.input.view.read(path, 'after'),
    ]);
    for (const change of settingChanges(asText(before), asText(after))) {
      const value = withoutCredentials(change.after ?? '');
      const what = change.after === undefined ? `removes setting ${change.key}` : `sets ${change.key} to “${value}”`;
      details.push(
        change.sensitive ? `${what}: from then on git runs programs or contacts places because of it` : what,
      );
    }
  }
  return details;
}

function asText(bytes: Uint8Array | undefined): string {
  return bytes ? Buffer.from(bytes).toString('utf8') : '';
}

function hookDetails(group: GitFolderChanges): string[] {
  const details: string[] = [];
  for (const [path, change] of group.changes) {
    const hook = /^hooks\/([^/]+)$/.exec(path)?.[1];
    if (hook === undefined || hook.endsWith('.sample') || change.type === 'directory') continue;
    const runs = Number.parseInt(change.mode, 8) & 0o111 ? ', which git will run' : ', which is not executable';
    if (change.change === 'deleted') details.push(`removes hook ${hook}`);
    else details.push(`${change.change === 'created' ? 'adds' : 'changes'} hook ${hook}${runs}`);
  }
  return details;
}

const unfinished: readonly (readonly [path: string, what: string])[] = [
  ['MERGE_HEAD', 'a merge'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick'],
  ['REVERT_HEAD', 'a revert'],
  ['rebase-merge', 'a rebase'],
  ['rebase-apply', 'a rebase or patch series'],
  ['BISECT_LOG', 'a bisection'],
];

function unfinishedDetails(group: GitFolderChanges): string[] {
  const details: string[] = [];
  for (const [path, what] of unfinished) {
    const change = group.changes.get(path)?.change;
    if (change === 'created') details.push(`leaves ${what} unfinished`);
    else if (change === 'deleted') details.push(`ends ${what}`);
  }
  for (const [path, change] of group.changes) {
    const tree = /^worktrees\/([^/]+)$/.exec(path)?.[1];
    if (tree === undefined) continue;
    if (change.change === 'created') details.push(`adds worktree ${tree}`);
    else if (change.change === 'deleted') details.push(`removes worktree ${tree}`);
  }
  return details;
}
