import { readdirSync } from 'node:fs';
import type { FoundLoss } from '../facts/loss.ts';
import { isLostForGood } from '../facts/recovery.ts';
import { quoteWord } from '../shell/quoteWord.ts';
import type { FileChange } from '../view/fileChange.ts';
import type { Comparison, Looker, View } from '../view/view.ts';
import { type BeforeContent, beforeContent } from './beforeContent.ts';
import { breathe, foldersInOneGo } from './breathe.ts';
import { below, folderOf, folderReader, isNotText, nameOf } from './bytePath.ts';
import { databaseTexts } from './databaseText.ts';
import {
  type Destroyed,
  deletedFolders,
  destroyedContent,
  isGitInternal,
  isOwnHook,
  placeAfter,
  topmost,
} from './destroyed.ts';
import type { Finding } from './finding.ts';
import { type ClassifyTools, classifyInRepository, reproducible } from './git/classifyInRepository.ts';
import { type Repository, repositoryFinder } from './git/findRepositories.ts';
import { bareRepositories } from './git/gitFolders.ts';
import { gitThere } from './git/gitThere.ts';
import { settleHeldCommitted } from './git/heldCommitted.ts';
import { isLostLargeObject, settleLargeObjects } from './git/largeObjects.ts';
import type { RepositoryTask } from './git/repositoryTask.ts';
import type { StateAhead } from './git/stateAhead.ts';
import { storageChange } from './git/storageChange.ts';
import { goingBySize, goingCompared, goingOf } from './going.ts';
import { inTurns } from './inTurns.ts';
import { oneAtATime } from './oneAtATime.ts';
import { besideIt } from './recovery/besideIt.ts';
import { keptInDatabases, statesOf } from './recovery/databaseLogs.ts';
import { type Holder, heldElsewhere, holderCommand } from './recovery/heldElsewhere.ts';
import { type KeptVersion, localHistory } from './recovery/localHistory.ts';
import { madeTexts, standsOnIn } from './recovery/madeTexts.ts';
import { tellNamesOnce } from './recovery/otherNames.ts';
import { reproductionFinder } from './recovery/reproducible.ts';
import type { Reproduction } from './recovery/reproduction.ts';
import { heldOrUnpacked } from './recovery/standsUnpacked.ts';
import { movedOrCopied, onlyAddedTo } from './recovery/survivingCopies.ts';
import { linesLost, maxAfterBytes, maxTextBytes, onlyAdds } from './textLines.ts';

/** What `analyseLoss` needs to know. All paths are absolute. */
export interface LossInput {
  /** The changes of the action, complete: a deleted folder with everything in it. */
  files: readonly FileChange[];
  view: View;
  /** Looks at the real files, before the action. */
  looker: Looker;
  /** Looks at the view, after the action. Needed only to say which git objects survive a `git gc` or `git prune`. */
  inView?: Looker;
  /** VS Code's `User/History` folders. */
  localHistoryFolders?: readonly string[];
  /** Files that are open in an editor with unsaved changes. */
  unsavedPaths?: readonly string[];
  /** Absolute paths that the programs of the action name: one of them may be a copy that was there before (`mv a b`). */
  namedPaths?: readonly string[];
  /** What git was asked while the action was still rehearsed. */
  ahead?: StateAhead | undefined;
  /** Git had, or may have had, a part in the action. */
  gitRan?: boolean;
  /** Where the user stands who would take a way back. */
  standsIn?: readonly string[] | undefined;
  signal: AbortSignal;
}

/** Up to so many overwritten files are compared before git is asked; usually it need not be asked then. */
const fewOverwritten = 16;

/** Up to so many deleted files are looked for in archives before git is asked; of more, those that git does not have. */
const fewDeleted = 64;

/**
 * For every file and symbolic link that the action deletes or overwrites: can it be brought back, and from where.
 *
 * One entry a path, sorted by path. Content that is still there afterwards (moved, copied, only added to) has none. Git is
 * asked through `looker` alone, with everything off that could run a program; nothing is asked when nothing is destroyed.
 * Git's own storage is left to `gitEffects`, except hooks that somebody wrote. An aborted `signal` ends it early with
 * what is known then; it does not throw.
 */
export async function analyseLoss(input: LossInput): Promise<FoundLoss[]> {
  const destroyed = await destroyedByUser(input.files);
  if (destroyed.length === 0) return [];
  const before = beforeContent(input.view, input.signal);
  const gone = await notInDatabases(await notSurviving(destroyed, input, before), input);
  if (gone.length === 0 || input.signal.aborted) return [];

  const tools: ClassifyTools = {
    runner: { looker: input.looker, signal: input.signal },
    inView: input.inView && oneAtATime(input.inView),
    before,
    view: input.view,
    gitRan: input.gitRan ?? false,
    reproductions: reproductionFinder(),
    ahead: input.ahead,
    gitThere: (repository) => gitThere(repository, input.standsIn, input.files),
  };
  const holders = await holdersOf(gone.length <= fewDeleted ? gone : [], input, tools);
  const open = gone.filter((item) => !holders.get(item.path)?.isAlone);
  if (open.length === 0) return [];
  const findings = await settleLargeObjects(await classify(open, input, tools), input);
  withdrawReproductions(findings);
  const settled = await settleLost(findings, input, tools);
  const lasting = await settleHeld(settled, gone.length <= fewDeleted ? holders : undefined, input, tools);
  const left = lasting.filter((finding) => !(finding.standsOn && isLostForGood(finding)));
  await tellNamesOnce(left.filter(isLostForGood), input.view);
  return left.map(toLoss).sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

async function destroyedByUser(files: readonly FileChange[]): Promise<Destroyed[]> {
  const folders = deletedFolders(files);
  const isOwn = (path: string) => isOwnHook(path) || isLostLargeObject(path, folders);
  const all = destroyedContent(files).filter(({ path }) => !isGitInternal(path) || isOwn(path));
  const bare = await bareRepositories(files);
  if (bare.size === 0) return all;
  return all.filter((item) => ![...bare].some((folder) => item.path.startsWith(`${folder}/`)));
}

async function notSurviving(
  destroyed: readonly Destroyed[],
  input: LossInput,
  before: BeforeContent,
): Promise<Destroyed[]> {
  const moved = await movedOrCopied(destroyed, input.files, input.view, before);
  const left = destroyed.filter((item) => !moved.has(item.path));
  const overwritten = left.filter((item) => item.how === 'overwritten');
  if (overwritten.length === 0 || overwritten.length > fewOverwritten) return left;
  const kept = await onlyAddedTo(overwritten, input.view, before);
  return left.filter((item) => !kept.has(item.path));
}

async function notInDatabases(items: readonly Destroyed[], input: LossInput): Promise<Destroyed[]> {
  const kept = await keptInDatabases(items, input);
  return kept.size === 0 ? [...items] : items.filter(({ path }) => !kept.has(path));
}

async function classify(gone: readonly Destroyed[], input: LossInput, tools: ClassifyTools): Promise<Finding[]> {
  const deleted = deletedFolders(input.files);
  const withGit = new Set(input.files.filter((change) => change.path.endsWith('/.git')).map((c) => folderOf(c.path)));
  const finder = repositoryFinder(deleted, withGit);
  const groups = new Map<string, { repository: Repository; items: Destroyed[]; shown: Map<Destroyed, Destroyed> }>();
  const findings: Finding[] = [];
  let count = 0;
  for (const [folder, items] of byFolder(gone)) {
    const place = await finder.place(folder);
    for (const item of items) {
      const pause = breathe(count++);
      if (pause !== undefined) await pause;
      if (!place.repository) {
        const isNone = tools.reproductions.isNone(item.path, '/', false);
        findings.push(
          outsideRepository(item, isNone ? undefined : await tools.reproductions.find(item.path, '/', false)),
        );
        continue;
      }
      let group = groups.get(place.repository.root);
      if (!group) {
        group = { repository: place.repository, items: [], shown: new Map() };
        groups.set(place.repository.root, group);
      }
      // Git is asked about the real path; the reader sees the one of the change.
      const real = place.folder === folder ? item : { ...item, path: below(place.folder, nameOf(item.path)) };
      group.items.push(real);
      if (real !== item) group.shown.set(real, item);
    }
  }
  await inTurns([...groups.values()], async ({ repository, items, shown }) => {
    const task: RepositoryTask = {
      repository,
      items,
      topmost: topmost(
        items.map((item) => item.path),
        deleted,
      ),
      storage: storageChange(repository, input.files, deleted),
    };
    const found = await classifyInRepository(task, tools);
    if (task.storage.destroyed) await settleHeldCommitted(found, task, tools, input);
    for (const finding of found) {
      finding.item = shown.get(finding.item) ?? finding.item;
      findings.push(finding);
    }
  });
  return findings;
}

function byFolder(items: readonly Destroyed[]): Map<string, Destroyed[]> {
  const folders = new Map<string, Destroyed[]>();
  const folderOfItem = folderReader();
  for (const item of items) {
    const folder = folderOfItem(item.path);
    const list = folders.get(folder);
    if (list) list.push(item);
    else folders.set(folder, [item]);
  }
  return folders;
}

const becauseOutside = { kind: 'outsideRepository' } as const;
const noWayBack = { kind: 'none' } as const;

function outsideRepository(item: Destroyed, found: Reproduction | undefined): Finding {
  if (found) return reproducible(item, found);
  return { item, class: 'outside-repository', because: becauseOutside, recovery: noWayBack };
}

/** What would be made again from a file that is itself lost for good is lost too. */
function withdrawReproductions(findings: readonly Finding[]): void {
  if (!findings.some(({ madeFrom }) => madeFrom !== undefined)) return;
  const lost = new Set(findings.filter(isLostForGood).map((finding) => finding.item.path));
  for (const finding of findings) {
    if (finding.madeFrom === undefined || !lost.has(finding.madeFrom)) continue;
    finding.class = 'ignored';
    finding.because = { kind: 'makerLost', from: finding.madeFrom };
    finding.recovery = { kind: 'none' };
  }
}

/** Looks for the last ways back, counts lines, and drops what exists only in an earlier prediction. */
async function settleLost(
  findings: readonly Finding[],
  input: LossInput,
  { before, inView }: ClassifyTools,
): Promise<Finding[]> {
  const unsaved = new Set(input.unsavedPaths ?? []);
  const history = localHistory(input.localHistoryFolders ?? []);
  const open = findings.filter(isLostForGood);
  const missing = await missingOnes(open.map((finding) => finding.item));
  const dropped = new Set(missing.size > 0 ? open.filter((finding) => missing.has(finding.item.path)) : []);
  const lost = open.filter((finding) => !dropped.has(finding));
  const versions = new Map<Finding, KeptVersion[]>();
  if (input.localHistoryFolders?.length)
    await inTurns(lost, async (finding) => void versions.set(finding, await history.versions(finding.item.path)));
  const made = await madeTexts(
    lost.map(({ item }) => item),
    input,
  );
  const madeOf = ({ how }: Destroyed) => (how === 'deleted' ? made : []);
  const isKept = (finding: Finding) => (versions.get(finding)?.length ?? 0) + madeOf(finding.item).length > 0;
  const toRead = await countWhole(lost, before, isKept);
  await before.prepare(toRead.map((finding) => finding.item));

  await inTurns(toRead, async (finding) => {
    const { item } = finding;
    if (item.type === 'symlink') {
      const target = item.target ?? '';
      const command = `ln -sfn ${quoteWord(target)} ${quoteWord(item.path)}`;
      finding.recovery = { kind: 'linkTarget', target, command };
      return;
    }
    const compared = await before.compared(item);
    if (compared) {
      if (compared.how === 'gone') await takeComparison(finding, compared, input.view);
      else dropped.add(finding);
      return;
    }
    const content = await before.of(item);
    const survivors = [...(finding.survivors ?? []), ...madeOf(item)];
    const after =
      item.fileAfter && content ? await input.view.read(placeAfter(item), 'after', maxAfterBytes) : undefined;
    if (content && after && onlyAdds(content, after)) {
      dropped.add(finding);
      return;
    }
    if (content && standsOnIn(content, madeOf(item))) finding.standsOn = true;
    const states = content && after && item.movedTo === undefined ? { before: content, after } : undefined;
    const withLogs = () => statesOf(item.path, input.view);
    const rows = states && (await databaseTexts(item.path, states, { ...input, inView, withLogs }));
    if (rows && onlyAdds(rows.before, rows.after)) {
      dropped.add(finding);
      return;
    }
    if (content && after) {
      finding.going = goingOf(content, after, survivors, rows);
      survivors.push(after);
    }
    for (const version of (versions.get(finding) ?? []).slice(0, 3)) {
      const copy = await input.view.read(version.copy, 'before', maxTextBytes);
      if (!copy || !content) continue;
      survivors.push(copy);
      if (Buffer.compare(copy, content) !== 0) continue;
      finding.class = 'local-history';
      const command = `cp ${quoteWord(version.copy)} ${quoteWord(item.path)}`;
      finding.recovery = { kind: 'localHistory', savedAt: version.savedAt, copy: version.copy, command };
      return;
    }
    const lines = content && linesLost(content, survivors);
    // All of its lines may stand elsewhere, and only their order be gone.
    if (lines !== undefined && (lines > 0 || madeOf(item).length === 0)) finding.lines = lines;
  });
  for (const finding of unsaved.size > 0 ? findings : []) if (unsaved.has(finding.item.path)) addUnsaved(finding);
  return findings.filter((finding) => !dropped.has(finding));
}

/** What is read of a file that was compared without being read, to tell whether git has it: 64 MiB. */
const mostOfVersion = 64 * 1024 * 1024;

async function takeComparison(finding: Finding, compared: Comparison, view: View): Promise<void> {
  const { item, versionIds = [] } = finding;
  const isRead = versionIds.length > 0 && (item.sizeAfter ?? Number.POSITIVE_INFINITY) <= mostOfVersion;
  const after = isRead ? await view.read(placeAfter(item), 'after', mostOfVersion) : undefined;
  finding.going = goingCompared(item, compared, after, versionIds);
  // Of what git has an older version, lines may still stand there.
  if (versionIds.length === 0 && compared.linesGone !== undefined) finding.lines = compared.linesGone;
}

/** Of what is gone as a whole and survives nowhere, the number of its lines is enough. Returns the others. */
async function countWhole(
  lost: readonly Finding[],
  before: BeforeContent,
  isKept: (finding: Finding) => boolean,
): Promise<Finding[]> {
  const isWhole = ({ item, survivors }: Finding) => item.type === 'file' && !item.fileAfter && !survivors?.length;
  const whole = lost.filter((finding) => isWhole(finding) && !isKept(finding));
  const counts = whole.length > 0 ? await before.countLines(whole.map(({ item }) => item)) : undefined;
  if (!counts) return [...lost];
  for (const finding of whole) {
    const lines = counts.get(finding.item.path);
    if (lines !== undefined) finding.lines = lines;
  }
  const counted = new Set(whole);
  return lost.filter((finding) => !counted.has(finding));
}

function holdersOf(items: readonly Destroyed[], input: LossInput, tools: ClassifyTools): Promise<Map<string, Holder>> {
  const deleted = items.filter((item) => item.how === 'deleted');
  return heldOrUnpacked(deleted, { ...input, inView: tools.inView }, tools.before);
}

/** What is lost everywhere else may stand in an archive that the action made. What is only packed is as good as moved. */
async function settleHeld(
  findings: Finding[],
  known: ReadonlyMap<string, Holder> | undefined,
  input: LossInput,
  tools: ClassifyTools,
): Promise<Finding[]> {
  const lost = findings.filter(isLostForGood).map(({ item }) => item);
  const unknown = known ? lost.filter((item) => item.how !== 'deleted') : lost;
  const holders = new Map([
    ...(known ?? []),
    ...(await heldElsewhere(unknown, { ...input, inView: tools.inView }, tools.before)),
  ]);
  const open = lost.filter((item) => !holders.has(item.path));
  const beside = await besideIt(
    open.length <= fewDeleted ? open : [],
    { ...input, inView: tools.inView },
    tools.before,
  );
  for (const finding of findings) {
    const recovery = isLostForGood(finding) ? beside.get(finding.item.path) : undefined;
    if (!recovery) continue;
    finding.recovery = recovery;
    delete finding.lines;
  }
  return findings.filter((finding) => {
    const holder = isLostForGood(finding) ? holders.get(finding.item.path) : undefined;
    if (!holder) return true;
    const { file, format } = holder;
    const command = holderCommand(holder, finding.item.path);
    finding.recovery = {
      kind: 'file',
      file,
      ...(format === undefined ? {} : { format }),
      ...(command === undefined ? {} : { command }),
    };
    delete finding.lines;
    return !holder.isAlone;
  });
}

function addUnsaved(finding: Finding): void {
  finding.isOpenUnsaved = true;
  if (!isLostForGood(finding)) return;
  finding.class = 'unsaved';
  finding.recovery = { kind: 'editor' };
  delete finding.lines;
}

/** Which of these are not there in reality: a session goes on from predicted files, and those nobody can lose. */
async function missingOnes(items: readonly Destroyed[]): Promise<Set<string>> {
  const missing = new Set<string>();
  let asked = 0;
  for (const [folder, inFolder] of byFolder(items)) {
    await breathe(asked++, foldersInOneGo);
    const there = namesNow(folder);
    if (there) for (const { path } of inFolder) if (!there.has(nameOf(path)) && !isNotText(path)) missing.add(path);
  }
  return missing;
}

/** What a folder lists; without a thread, for which each of thousands of folders would wait. */
function namesNow(folder: string): ReadonlySet<string> | undefined {
  try {
    return isNotText(folder) ? undefined : new Set(readdirSync(folder));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? new Set() : undefined;
  }
}

function toLoss(finding: Finding): FoundLoss {
  const loss: FoundLoss = {
    path: finding.item.path,
    class: finding.class,
    because: finding.because,
    recovery: finding.recovery,
    going: finding.going ?? goingBySize(finding.item),
    sizeBytes: finding.item.sizeBytes,
  };
  if (finding.lines !== undefined) loss.lines = finding.lines;
  if (finding.isOpenUnsaved) loss.isOpenUnsaved = true;
  if (finding.isCopyRemoved) loss.isCopyRemoved = true;
  return loss;
}
