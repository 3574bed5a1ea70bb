import { shortName } from '../../facts/gitNames.ts';
import type { FoundLoss } from '../../facts/loss.ts';
import type { Recovery } from '../../facts/recovery.ts';
import { withoutCredentials } from '../../programs/gitSettings.ts';
import { quoteWord } from '../../shell/quoteWord.ts';
import { beforeContent } from '../beforeContent.ts';
import { deletedFolders, destroyedContent } from '../destroyed.ts';
import { heldElsewhere } from '../recovery/heldElsewhere.ts';
import type { CommitFile } from './commitFiles.ts';
import {
  byClone,
  filesOf,
  fileWith,
  fromFiles,
  type HolderQuestion,
  type LostPlace,
  repositoryWith,
} from './commitHolders.ts';
import { commitsOf } from './commitsOf.ts';
import { linkedWorktrees } from './cutOffWorktrees.ts';
import { droppedVersions } from './droppedVersions.ts';
import { commitsLoss, stashLoss } from './gitCommits.ts';
import { askGit, endOf, fields, type GitRunner } from './gitPlumbing.ts';
import { type CommitLine, commitLines, maxListed, type RefSnapshot, reachedCommits, refSnapshot } from './gitRefs.ts';
import type { Findings, GitFolderTask } from './gitTask.ts';
import { isRemovedRemote, localFolder } from './storageChange.ts';

/** What is lost when a whole repository is deleted (`rm -rf .git`, a nested clone): commits that no remote has, stashes. */
export async function repositoryLoss(task: GitFolderTask): Promise<Findings> {
  const { input, group } = task;
  const { looker, signal } = input;
  const runner = { looker, signal };
  const place = group.root ?? group.folder;
  const found: Findings = { facts: [{ kind: 'repositoryDeleted', place }], loss: [] };
  const sizeBytes = [...group.changes.values()].reduce((sum, change) => sum + change.sizeBytes, 0);
  const packed = await packedWhole(task);
  if (packed) {
    found.loss.push(
      commitsLoss(group.folder, { because: { kind: 'packedWhole' }, recovery: packed, commits: noCommits, sizeBytes }),
    );
    return found;
  }
  const facts = await repositoryFacts(task, await refSnapshot(runner, group.folder, true));
  if ('failure' in facts) {
    const because = { kind: 'unreadableRepository', failure: facts.failure } as const;
    found.loss.push(commitsLoss(group.folder, { because, recovery: { kind: 'none' }, commits: noCommits, sizeBytes }));
    return found;
  }
  const loss = await commitsOfRepository(facts);
  if (loss) found.loss.push({ ...loss, sizeBytes });
  found.loss.push(...(await stashLosses(facts, facts.snapshot.stashes)));
  found.loss.push(...(await droppedVersions(task, facts.snapshot)));
  for (const { own, place: root } of await linkedWorktrees(task)) {
    const snapshot = await refSnapshot(runner, own, true);
    found.loss.push(...(await droppedVersions({ ...task, group: { ...group, root } }, snapshot)));
  }
  return found;
}

/** What of a repository goes, and who else may have it; `snapshot`: its names before. */
export async function repositoryFacts(
  task: GitFolderTask,
  snapshot: RefSnapshot,
): Promise<RepositoryFacts | { failure: string }> {
  const { input, group, others } = task;
  const runner = { looker: input.looker, signal: input.signal };
  const place = group.root ?? group.folder;
  const deleted = deletedFolders(input.files);
  const remotes = await remotesOf(runner, group.folder);
  const living = remotes.filter((address) => !isRemovedRemote(address, place, deleted));
  const lost = await unheldCommits(runner, group.folder, living.length > 0, []);
  const failure = lost.failure ?? snapshot.failure;
  if (failure !== undefined) return { failure };
  const isFolderKept = !deleted.has(place);
  const where = { place, isBare: group.root === undefined, isFolderKept, isBroken: group.fate === 'stays' };
  const question = { input, folder: group.folder, place, others };
  return { question, where, lost, snapshot, living, held: await filesOf(question) };
}

const noCommits = { count: 0, replacedBy: 0, inFiles: false };

/** Commits of branches, tags, notes and every worktree's HEAD that nothing named here has; `tips`: the ids of all these names. */
interface Unheld {
  commits: CommitLine[];
  tips: string[];
  failure?: string;
}

/** `withRemotes`: what a remote has does not count, nor what these ids reach. */
async function unheldCommits(
  runner: GitRunner,
  folder: string,
  withRemotes: boolean,
  held: readonly string[],
): Promise<Unheld> {
  const script = `export GIT_DIR=.
heads=$(for head in HEAD worktrees/*/HEAD; do g rev-parse -q --verify "$head"; done)
g rev-list --max-count=${maxListed} --pretty=tformat:%s --stdin --branches --tags --glob=refs/notes $heads ${withRemotes ? '--not --remotes' : ''}; ${endOf('commits')}
g rev-list --no-walk=unsorted --branches --tags --glob=refs/notes $heads; ${endOf('tips')}`;
  const stdin = Buffer.from(held.map((id) => `^${id}\n`).join(''));
  const answer = await askGit(runner, folder, script, { stdin });
  const tips = (answer.sections.get('tips')?.text ?? '').split('\n').filter((id) => id !== '');
  const failure = answer.failure === undefined ? {} : { failure: answer.failure };
  return { commits: commitLines(answer, 'commits'), tips, ...failure };
}

/** What of a repository goes, and who may have it. */
export interface RepositoryFacts {
  question: HolderQuestion;
  where: LostPlace;
  lost: Unheld;
  snapshot: RefSnapshot;
  /** Addresses of the remotes that stay. */
  living: readonly string[];
  held: readonly CommitFile[];
}

/** The commits of a repository that goes: lost, or where else they are. */
export async function commitsOfRepository(facts: RepositoryFacts): Promise<FoundLoss | undefined> {
  const { question, where, lost, snapshot, living, held } = facts;
  const { folder, input, place } = question;
  const isCut = lost.commits.length >= maxListed;
  const ids = isCut ? lost.tips : lost.commits.map(({ id }) => id);
  const [remote] = living;
  if (ids.length === 0) {
    if (remote === undefined) return undefined;
    const command = byClone(localFolder(remote, place) ?? withoutCredentials(remote), where);
    const recovery = { kind: 'remote', address: withoutCredentials(remote), by: 'clone', command } as const;
    return commitsLoss(folder, { because: { kind: 'allOnRemote' }, recovery, commits: noCommits });
  }
  const branch = snapshot.branch && shortName(snapshot.branch);
  const file = await fileWith(question, held, ids);
  if (file) {
    const recovery = fromFiles([file], where, branch);
    return commitsLoss(folder, { because: { kind: 'allInFile' }, recovery, commits: noCommits });
  }
  const beside = await repositoryWith(question, { ids, isCut });
  if (beside !== undefined) {
    const command = byClone(beside, where);
    const recovery = { kind: 'remote', address: beside, by: 'clone', isHere: true, command } as const;
    return commitsLoss(folder, { because: { kind: 'allBeside' }, recovery, commits: noCommits });
  }
  const heads = held.flatMap((one) => [...one.heads.values()]);
  const runner = { looker: input.looker, signal: input.signal };
  const unheld = heads.length > 0 ? await unheldCommits(runner, folder, living.length > 0, heads) : lost;
  const asked = new Set(lost.commits.map(({ id }) => id));
  const left = isCut ? unheld.commits : unheld.commits.filter(({ id }) => asked.has(id));
  const [first, ...others] = held;
  if (first && left.length === 0 && unheld.failure === undefined) {
    const recovery = fromFiles([first, ...others], where, branch);
    return commitsLoss(folder, { because: { kind: 'allInFiles' }, recovery, commits: noCommits });
  }
  const because = { kind: 'onNoRemote', commits: commitsOf(left, maxListed), hasRemote: living.length > 0 } as const;
  const commits = { ...noCommits, count: left.length };
  return commitsLoss(folder, { because, recovery: { kind: 'none' }, commits });
}

/** Stashes go with it, but what a file holds (the newest), or another repository that the action reaches into. */
export async function stashLosses(
  { question: { input, others }, held, snapshot }: RepositoryFacts,
  stashes: readonly { id: string; message: string }[],
): Promise<FoundLoss[]> {
  if (stashes.length === 0) return [];
  const ways = new Map<string, Recovery>();
  for (const other of others) {
    const address = other.replace(/\/\.git$/, '');
    const inView = { looker: input.inView, signal: input.signal };
    const ids = stashes.map(({ id }) => id);
    for (const id of await reachedCommits(inView, other, ids))
      ways.set(id, { kind: 'remote', address, by: 'fetch', isHere: true, command: stashFrom(address, id) });
  }
  for (const { file, format, heads } of held) {
    const id = heads.get('refs/stash');
    if (id === undefined) continue;
    const command = format === 'bundle' ? { command: stashFrom(file, 'refs/stash') } : {};
    ways.set(id, { kind: 'file', file, format, ...command });
  }
  return stashes.map(({ id, message }) =>
    stashLoss(
      { name: `stash@{${snapshot.stashes.findIndex((one) => one.id === id)}}`, message },
      ways.get(id) ?? { kind: 'none' },
    ),
  );
}

const stashFrom = (from: string, name: string) => `git fetch ${quoteWord(from)} ${name} && git stash store FETCH_HEAD`;

/** Larger repositories are not looked for in archives, in bytes and files. */
const mostPacked = { bytes: 64 * 1024 * 1024, files: 5_000 };

/** Where all that a repository is made of is kept by the action: `tar czf a.tgz project && rm -rf project`. */
async function packedWhole({ input, group }: GitFolderTask): Promise<Recovery | undefined> {
  const { files, view, inView, signal } = input;
  const items = destroyedContent([...group.changes].flatMap(([path, change]) => (parts.test(path) ? [change] : [])));
  const bytes = items.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (items.length === 0 || items.length > mostPacked.files || bytes > mostPacked.bytes) return undefined;
  const held = await heldElsewhere(items, { files, view, inView, signal }, beforeContent(view, signal));
  const holders = items.map(({ path }) => held.get(path));
  const [first] = holders;
  const isWhole = holders.every((holder) => holder?.member !== undefined && holder.file === first?.file);
  if (!first || !isWhole) return undefined;
  return { kind: 'file', file: first.file, ...(first.format === undefined ? {} : { format: first.format }) };
}

/** Without these a repository is not what it was. */
const parts = /^(HEAD|packed-refs|shallow|(objects|refs)\/.+|logs\/refs\/stash)$/;

async function remotesOf(runner: GitRunner, folder: string): Promise<string[]> {
  const script = `export GIT_DIR=.\n{ g config -z --get-regexp '^remote\\..*\\.url$' || true; }; ${endOf('remotes')}`;
  const answer = await askGit(runner, folder, script);
  return fields(answer.sections.get('remotes')?.text ?? '').map((record) => record.slice(record.indexOf('\n') + 1));
}
