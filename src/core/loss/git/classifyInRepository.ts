import type { LossReason } from '../../facts/loss.ts';
import type { Recovery } from '../../facts/recovery.ts';
import { quoteWord } from '../../shell/quoteWord.ts';
import type { Looker, View } from '../../view/view.ts';
import { type BeforeContent, blobId, withoutCarriageReturns } from '../beforeContent.ts';
import { breathe } from '../breathe.ts';
import { type BytePath, folderOf, fromBytePath, nameOf, toBytePath } from '../bytePath.ts';
import type { Destroyed } from '../destroyed.ts';
import type { Finding } from '../finding.ts';
import type { ReproductionFinder } from '../recovery/reproducible.ts';
import type { Reproduction } from '../recovery/reproduction.ts';
import { comparePointers, filtersOf } from './filteredFiles.ts';
import type { Repository } from './findRepositories.ts';
import { type GitRunner, repositorySettings } from './gitPlumbing.ts';
import { type GitState, gitState } from './gitState.ts';
import {
  blobHolders,
  existingObjects,
  headHolders,
  largeBlobIds,
  type Pushed,
  unpushedPaths,
  versions,
} from './gitStorage.ts';
import type { GitThere } from './gitThere.ts';
import { indexedIds } from './listedIndex.ts';
import { reachedObjects } from './reachedObjects.ts';
import { mayHaveRemoteNames } from './remoteNames.ts';
import type { RepositoryTask, StorageChange } from './repositoryTask.ts';
import type { StateAhead } from './stateAhead.ts';
import { addVersionsAfter } from './versionsAfter.ts';

/** Whom the classification asks. */
export interface ClassifyTools {
  runner: GitRunner;
  /** Runs git in the view, after the action. */
  inView: Looker | undefined;
  before: BeforeContent;
  view: View;
  /** Git had, or may have had, a part in the action. */
  gitRan: boolean;
  reproductions: ReproductionFinder;
  /** What was asked while the action was still rehearsed. */
  ahead?: StateAhead | undefined;
  /** How git is called for a repository by whoever takes a way back. */
  gitThere(repository: Repository): Promise<GitThere>;
}

/** Content that is not simply what HEAD or the index has. */
interface Doubtful {
  item: Destroyed;
  path: BytePath;
  class: 'modified' | 'untracked' | 'ignored';
  /** Ids of the versions that git certainly has. */
  versionIds: string[];
  /** Those of them that a remote has, where the repository goes. */
  onRemoteIds?: string[];
  headId?: string | undefined;
  id?: string;
  idWithoutReturns?: string;
  /** The filter between it and git. */
  filter?: string | undefined;
}

/** Says of each destroyed path of a repository where it can be brought back from. */
export async function classifyInRepository(task: RepositoryTask, tools: ClassifyTools): Promise<Finding[]> {
  const { repository, items, topmost } = task;
  const settings = await repositorySettings(tools.runner, repository.root, repository.commonFolder);
  const known = await tools.ahead?.of(repository, topmost);
  const state = known ?? (await gitState(tools.runner, repository, settings, topmost));
  if (state.failure !== undefined)
    return items.map((item) => unknown(item, { kind: 'gitFailed', failure: state.failure ?? '' }));

  const paths = items.flatMap((item) => (item.type === 'file' ? relativePath(repository, item) : []));
  const filtering = filtersOf(tools.runner, repository, settings, paths);
  const [filters, git] = await Promise.all([filtering, tools.gitThere(repository)]);
  const findings: Finding[] = [];
  const committed: { item: Destroyed; path: BytePath; id: string }[] = [];
  const doubtful: Doubtful[] = [];
  for (const [index, item] of items.entries()) {
    const pause = breathe(index);
    if (pause !== undefined) await pause;
    const path = relativePath(repository, item);
    const filter = filters.get(path);
    const place = filter === undefined ? placeOf(path, state) : behindFilter(placeOf(path, state));
    if (place.kind === 'committed') committed.push({ item, path, id: place.id });
    else if (place.kind === 'index') findings.push(inIndex(item, place.id, task.storage, git));
    else {
      const found =
        place.kind !== 'modified' &&
        place.versionIds.length === 0 &&
        !tools.reproductions.isNone(item.path, repository.root, place.kind === 'ignored') &&
        (await tools.reproductions.find(item.path, repository.root, place.kind === 'ignored'));
      if (found) findings.push(reproducible(item, found));
      else doubtful.push({ item, path, filter, class: place.kind, versionIds: place.versionIds, headId: place.headId });
    }
  }
  const remoteIsGone = [...settings.remotes.values()].some((address) => task.storage.removesRemote(address));
  const pushedOf = (paths: number) => pushedPart(task, tools, state, remoteIsGone, paths);
  const early = task.storage.destroyed ? await pushedOf(committed.length + doubtful.length) : undefined;
  if (early)
    for (const doubt of doubtful)
      doubt.onRemoteIds = early(doubt.path) ? doubt.versionIds.filter((id) => id === doubt.headId) : [];
  const undoubted = await settleDoubts({ task, tools, state, git }, doubtful, findings);
  committed.push(...undoubted);
  const pushed = early ?? (await pushedOf(committed.length));
  settleCommitted({ task, state, git }, pushed, committed, findings);
  await settleIndexed(findings, task, tools, git);
  await addVersionsAfter(findings, task, tools);
  return withoutPruned(findings, task, tools);
}

/** What the action takes out of the index is only in git's object database then. */
async function settleIndexed(
  findings: readonly Finding[],
  task: RepositoryTask,
  tools: ClassifyTools,
  git: GitThere,
): Promise<void> {
  const indexed = findings.filter(({ recovery }) => recovery.kind === 'index');
  if (indexed.length === 0 || !task.storage.indexChanged) return;
  const left = tools.inView
    ? await indexedIds({ ...tools.runner, looker: tools.inView }, task.repository.root, 'worktree')
    : new Set<string>();
  for (const finding of indexed) {
    const { id = '' } = finding;
    if (left.has(id)) continue;
    finding.class = 'elsewhere-in-git';
    finding.because = { kind: 'elsewhereInGit' };
    finding.recovery = { kind: 'objectDatabase', id, command: printed(id, finding.item, git) };
  }
}

/** Takes back what was promised from objects that the action removes. */
async function withoutPruned(findings: Finding[], task: RepositoryTask, tools: ClassifyTools): Promise<Finding[]> {
  if (!task.storage.removesObjects || task.storage.destroyed) return findings;
  const promised = findings.filter((finding) => finding.id !== undefined && !finding.onRemote);
  const left = await existingObjects(
    tools,
    task,
    promised.map((finding) => finding.id ?? ''),
  );
  for (const finding of promised) {
    if (left.has(finding.id ?? '')) continue;
    finding.recovery = { kind: 'none' };
    finding.isCopyRemoved = true;
  }
  return findings;
}

function relativePath(repository: Repository, item: Destroyed): BytePath {
  return toBytePath(item.path.slice(repository.root === '/' ? 1 : repository.root.length + 1));
}

type PlaceInGit =
  | { kind: 'committed'; id: string }
  | { kind: 'index'; id: string }
  | { kind: 'modified' | 'untracked' | 'ignored'; versionIds: string[]; headId?: string };

const nothing = /^0*$/;

function placeOf(path: BytePath, state: GitState): PlaceInGit {
  const tracked = state.tracked(path);
  const changed = state.changed.get(path);
  if (tracked && !changed && !tracked.unwatched) return { kind: 'committed', id: tracked.id };
  const versionIds = [changed?.indexId, changed?.headId, tracked?.id].filter(
    (id) => id !== undefined && !nothing.test(id),
  );
  const doubt = { versionIds: [...new Set(versionIds as string[])], ...(changed ? { headId: changed.headId } : {}) };
  if (!tracked) {
    if (changed && !state.untracked.has(path) && !state.isIgnored(path)) return { kind: 'modified', ...doubt };
    // What git lists neither as tracked nor as untracked, it ignores.
    return state.untracked.has(path) || changed ? { kind: 'untracked', ...doubt } : { kind: 'ignored', ...doubt };
  }
  if (changed?.dirty) return { kind: 'modified', ...doubt };
  if (tracked.unwatched) return { kind: 'modified', ...doubt, headId: changed?.headId ?? tracked.id };
  if (changed && changed.headId !== changed.indexId) return { kind: 'index', id: tracked.id };
  return { kind: 'committed', id: tracked.id };
}

/** What git has in another form is in doubt, also where nothing was changed since. */
function behindFilter(place: PlaceInGit): PlaceInGit {
  if (place.kind === 'committed') return { kind: 'modified', versionIds: [place.id], headId: place.id };
  return place.kind === 'index' ? { kind: 'modified', versionIds: [place.id] } : place;
}

/**
 * Compares doubtful content with everything that git has. Returns what turned out to be committed after all; adds the
 * rest to `findings`.
 */
async function settleDoubts(
  { task, tools, state, git }: { task: RepositoryTask; tools: ClassifyTools; state: GitState; git: GitThere },
  doubtful: readonly Doubtful[],
  findings: Finding[],
): Promise<{ item: Destroyed; path: BytePath; id: string }[]> {
  if (doubtful.length === 0) return [];
  const idLength = state.head?.length ?? doubtful.find((doubt) => doubt.versionIds[0])?.versionIds[0]?.length ?? 40;
  await identify(task, tools, doubtful, idLength);
  const committed: { item: Destroyed; path: BytePath; id: string }[] = [];
  const open: Doubtful[] = [];
  const isSame = ({ id, idWithoutReturns }: Doubtful, one: string) => one === id || one === idWithoutReturns;
  const filtered = doubtful.filter((doubt) => doubt.filter && !doubt.versionIds.some((id) => isSame(doubt, id)));
  const pointed = await comparePointers(tools.runner, task.repository, filtered);
  for (const doubt of doubtful) {
    const pointer = pointed.get(doubt.path);
    const known = doubt.versionIds.find(
      (id) => isSame(doubt, id) || (typeof pointer === 'object' && pointer.same === id),
    );
    if (known === undefined && doubt.filter !== undefined && doubt.versionIds.length > 0 && pointer !== 'other')
      findings.push(unknown(doubt.item, { kind: 'filtered', filter: doubt.filter }));
    else if (known === undefined) open.push(doubt);
    else if (known === doubt.headId) committed.push({ item: doubt.item, path: doubt.path, id: known });
    else
      findings.push(
        inIndex(doubt.item, known, task.storage, git, typeof pointer === 'object' ? doubt.path : undefined),
      );
  }
  const ids = open.flatMap((doubt) => [doubt.id, doubt.idWithoutReturns]).filter((id) => id !== undefined);
  const baseIds = open.flatMap((doubt) => (doubt.item.type === 'file' ? (doubt.onRemoteIds ?? doubt.versionIds) : []));
  const [existing, bases] = await Promise.all([
    task.storage.destroyed ? new Set<string>() : existingObjects(tools, task, ids),
    versions(tools.runner, task.repository, baseIds),
  ]);
  const stored: { doubt: Doubtful; id: string }[] = [];
  for (const doubt of open) {
    const id = [doubt.id, doubt.idWithoutReturns].find((one) => one !== undefined && existing.has(one));
    if (id !== undefined) stored.push({ doubt, id });
    else findings.push(lost(doubt, bases));
  }
  if (stored.length === 0) return committed;
  const holders = await blobHolders(
    tools,
    task,
    stored.map(({ doubt, id }) => ({ path: doubt.path, id })),
  );
  const loose = stored.filter(({ doubt }) => !holders.has(doubt.path));
  const inHead = await headHolders(
    tools,
    task,
    loose.map(({ id }) => id),
  );
  const holderOf = (doubt: Doubtful, id: string) => holders.get(doubt.path) ?? inHead.get(id);
  const added = stored.filter(({ doubt, id }) => task.storage.addedIds.has(id) && holderOf(doubt, id) === undefined);
  const reached = await reachedObjects(
    tools,
    task,
    added.map(({ id }) => id),
  );
  for (const { doubt, id } of stored)
    findings.push(elsewhere({ item: doubt.item, id, git }, holderOf(doubt, id), reached));
  return committed;
}

/** Gives every doubtful content its object id, from what is read anyway, or for large files by asking git. */
async function identify(task: RepositoryTask, tools: ClassifyTools, doubtful: readonly Doubtful[], idLength: number) {
  // What was read is looked at while the rest is.
  const reading = tools.before.prepare(doubtful.map((doubt) => doubt.item));
  const unread: Doubtful[] = [];
  for (const doubt of doubtful) {
    const content = await tools.before.of(doubt.item);
    if (!content) {
      if (doubt.item.type === 'file') unread.push(doubt);
      continue;
    }
    doubt.id = blobId(content, idLength);
    const unix = withoutCarriageReturns(content);
    if (unix) doubt.idWithoutReturns = blobId(unix, idLength);
  }
  await reading;
  if (unread.length === 0) return;
  const ids = await largeBlobIds(tools.runner, task.repository, unread);
  for (const doubt of unread) {
    const id = ids.get(doubt.path);
    if (id !== undefined) doubt.id = id;
  }
}

function lost(doubt: Doubtful, bases: ReadonlyMap<string, Uint8Array>): Finding {
  const survivors = doubt.versionIds.map((id) => bases.get(id)).filter((base) => base !== undefined);
  const isLeftover = doubt.class === 'ignored' && leftover.test(nameOf(doubt.item.path));
  const lossClass = isLeftover ? 'leftover' : doubt.class;
  const { item, versionIds } = doubt;
  return { item, class: lossClass, because: reasons[lossClass], recovery: noWayBack, survivors, versionIds };
}

// Of thousands of losses one object each.
const noWayBack = { kind: 'none' } as const;
const reasons = {
  modified: { kind: 'modified' },
  untracked: { kind: 'untracked' },
  ignored: { kind: 'ignored' },
  leftover: { kind: 'leftover' },
} as const;

// What programs write as they run, where git was told to ignore it: like the recipes of what a tool makes again, a kind
// of file that its name tells.
const leftover =
  /(\.(log(\.\d+)?|pid|lock|tmp|temp|sw[op]|bak|orig|rej|out|err|core|prof|trace)|~)$|^(\.DS_Store|Thumbs\.db|nohup\.out|core(\.\d+)?)$/i;

function unknown(item: Destroyed, because: Extract<LossReason, { kind: 'gitFailed' | 'filtered' }>): Finding {
  return { item, class: 'unknown', because, recovery: { kind: 'unknown' } };
}

/** `filtered`: a filter gives it back its form, for which it asks by this path. */
function inIndex(item: Destroyed, id: string, storage: StorageChange, git: GitThere, filtered?: BytePath): Finding {
  const finding = { item, class: 'index' as const, id };
  if (storage.destroyed) return { ...finding, because: { kind: 'stagedInDeleted' }, recovery: { kind: 'none' } };
  return {
    ...finding,
    because: { kind: 'staged' },
    recovery: { kind: 'index', id, command: printed(id, item, git, filtered) },
  };
}

/** `reached`: what the action adds to git and something in git reaches afterwards. */
function elsewhere(
  { item, id, git }: { item: Destroyed; id: string; git: GitThere },
  holder: string | undefined,
  reached: ReadonlySet<string>,
): Finding {
  const command = printed(id, item, git);
  const recovery: Recovery =
    holder !== undefined
      ? { kind: 'gitName', holder, command }
      : { kind: reached.has(id) ? 'storedByAction' : 'objectDatabase', id, command };
  return { item, class: 'elsewhere-in-git', because: { kind: 'elsewhereInGit' }, recovery, id };
}

/** The command that puts back what a blob holds: a file that could be run, or a link, is one again. */
function printed(
  id: string,
  { path, type, target = '', wasExecutable, isFolderGone }: Destroyed,
  { names }: GitThere,
  filtered?: BytePath,
): string {
  const to = quoteWord(path);
  const how = filtered === undefined ? '-p' : `--filters --path=${quoteWord(fromBytePath(filtered))}`;
  const written = `${names} cat-file ${how} ${id.slice(0, 10)} > ${to}${wasExecutable ? ` && chmod +x ${to}` : ''}`;
  const put = type === 'symlink' ? `ln -sfn ${quoteWord(target)} ${to}` : written;
  return isFolderGone ? `mkdir -p ${quoteWord(folderOf(path))} && ${put}` : put;
}

/** The finding for content that a tool makes again. */
export function reproducible(item: Destroyed, found: Reproduction): Finding {
  return {
    item,
    class: 'reproducible',
    because: { kind: 'madeByTool' },
    recovery: {
      kind: 'tool',
      tool: found.by,
      from: found.from,
      made: found.made,
      ...(found.command === undefined ? {} : { command: `cd ${quoteWord(folderOf(found.from))} && ${found.command}` }),
    },
    madeFrom: found.from,
  };
}

async function pushedPart(
  task: RepositoryTask,
  tools: ClassifyTools,
  state: GitState,
  remoteIsGone: boolean,
  committed: number,
): Promise<Pushed> {
  if (committed === 0 || remoteIsGone) return () => undefined;
  const { pushedTo } = state;
  if (pushedTo !== undefined) return () => ({ branch: pushedTo });
  if (!(await mayHaveRemoteNames(task.repository.commonFolder))) return () => undefined;
  return unpushedPaths(tools.runner, task);
}

/** Tells what is also on a remote from what only this repository has. */
function settleCommitted(
  { task, state, git }: { task: RepositoryTask; state: GitState; git: GitThere },
  pushed: Pushed,
  committed: readonly { item: Destroyed; path: BytePath; id: string }[],
  findings: Finding[],
): void {
  for (const { item, path, id } of committed) {
    const there = pushed(path);
    const commit = there?.commit ?? state.head ?? '';
    // Without its working tree, which went too, a worktree has nothing to check out into.
    const command =
      git.tree === undefined
        ? printed(id, item, git)
        : `${git.tree} checkout ${commit.slice(0, 10)} -- ${quoteWord(item.path)}`;
    // Git is not there any more to be asked: the loss of the repository says where it comes back from.
    const way = task.storage.destroyed ? {} : { command };
    if (there) {
      const recovery: Recovery = { kind: 'commit', commit, remoteBranch: there.branch, ...way };
      findings.push({ item, class: 'committed-pushed', because: { kind: 'pushed' }, recovery, id, onRemote: true });
    } else if (task.storage.destroyed) {
      findings.push({
        item,
        class: 'committed-local',
        because: { kind: 'committedInDeleted' },
        recovery: { kind: 'none' },
        id,
      });
    } else {
      findings.push({
        item,
        class: 'committed-local',
        because: { kind: 'committedHere' },
        recovery: { kind: 'commit', commit, command },
        id,
      });
    }
  }
}
