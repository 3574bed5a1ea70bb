import type { Level } from '../facts/level.ts';
import type { FoundLoss, Going, LossClass } from '../facts/loss.ts';
import { holdsSomething, isLostForGood, isWayBack } from '../facts/recovery.ts';
import type { Amount, Risk } from '../facts/risk.ts';
import { folderReader } from '../loss/bytePath.ts';
import { isUserSettings } from '../loss/git/gitEffects.ts';
import { isOwnLog, programOf } from '../programs/programOf.ts';
import { classifyTarget, isAtOrAbove, isTemporaryPath, type Place, specialRoot } from '../programs/targets.ts';
import { quoteWord } from '../shell/quoteWord.ts';
import type { FileChange } from '../view/fileChange.ts';
import { goesBetweenCommits, isCommitted } from './betweenCommits.ts';
import { pathsAsEvidence } from './evidence.ts';
import type { Facts } from './facts.ts';

/** What a fact's place is judged from. */
export function placeOf(facts: Facts): Place {
  const cwd = facts.action.kind === 'command' ? facts.action.cwd : (facts.workspaceFolders[0] ?? '/');
  return { cwd, home: facts.home, workspaceFolders: facts.workspaceFolders };
}

/** Risks that the changed files and the losses of a prediction prove. */
export function fileRisks(facts: Facts): Risk[] {
  const place = placeOf(facts);
  return [...commitRisks(facts.loss), ...lossRisks(facts, place), ...placeRisks(facts, place), ...modeRisks(facts)];
}

/** Whether the files of the prediction show that something was deleted, overwritten or lost, git's own files aside. */
export function showsHarm(facts: Facts): boolean {
  return facts.loss.length > 0 || facts.files.some((file) => file.change !== 'created' && !inGit(file.path));
}

/** Whether a path is one of git's own files. */
export function inGit(path: string): boolean {
  return path.includes('.git') && /(^|\/)\.git(\/|$)/.test(path);
}

/** Lost commits and stashes. What is still in the files, or in the commits that replace them, is less than lost work. */
function commitRisks(losses: readonly FoundLoss[]): Risk[] {
  const risks: Risk[] = [];
  const takenAway: FoundLoss[] = [];
  for (const loss of losses) {
    if (!isKeptInGit(loss)) continue;
    if (isWayBack(loss.recovery)) {
      takenAway.push(loss);
      continue;
    }
    const of = loss.class === 'stash' ? 'stash' : 'commits';
    const fact = { kind: 'workLost', of, name: loss.path, because: loss.because } as const;
    risks.push({ level: loss.going === 'edited' ? 'caution' : 'danger', fact, ...pathsAsEvidence([loss.path]) });
  }
  risks.push(...versionRisks(takenAway.filter(isStagedVersion)));
  for (const level of ['danger', 'caution'] as const) {
    const ofLevel = takenAway.filter((loss) => !isStagedVersion(loss) && commitLevel(loss) === level);
    for (const some of byRecovery(ofLevel)) {
      const because = some.map((loss) => loss.because);
      const fact = { kind: 'workTakenAway', because, recovery: some[0].recovery } as const;
      risks.push({ level, fact, ...pathsOf(some) });
    }
  }
  return risks;
}

/** Work that git alone has: commits, stashes, versions in its index. */
function isKeptInGit(loss: FoundLoss): boolean {
  return loss.class === 'commits' || loss.class === 'stash' || isStagedVersion(loss);
}

function isStagedVersion({ because }: FoundLoss): boolean {
  return because.kind === 'stagedVersion';
}

/** Staged versions that go. Most of what is only edited since stands in the file. */
function versionRisks(losses: readonly FoundLoss[]): Risk[] {
  const [first, ...others] = losses.filter(({ going }) => going !== 'edited');
  if (first === undefined) return [];
  const all = [first, ...others];
  return [
    {
      level: 'caution',
      fact: { kind: 'workTakenAway', because: all.map(({ because }) => because), recovery: sourceOf(first.recovery) },
      ...pathsOf(all),
    },
  ];
}

/** Losses by their way back, in order. */
function byRecovery(losses: readonly FoundLoss[]): [FoundLoss, ...FoundLoss[]][] {
  const groups = new Map<string, [FoundLoss, ...FoundLoss[]]>();
  for (const loss of losses) {
    const way = JSON.stringify(loss.recovery);
    const group = groups.get(way);
    if (group) group.push(loss);
    else groups.set(way, [loss]);
  }
  return [...groups.values()];
}

/** The place that brings them all back, or one of several and how many there are. */
function waysBack(losses: readonly [FoundLoss, ...FoundLoss[]]): { recovery: FoundLoss['recovery']; ways?: number } {
  const { recovery } = losses[0];
  const each = byRecovery(losses).map(([loss]) => sourceOf(loss.recovery));
  if (each.length === 1) return { recovery };
  const ways = new Set(each.map((source) => JSON.stringify(source))).size;
  return ways === 1 ? { recovery: sourceOf(recovery) } : { recovery, ways };
}

/** Where it comes from, without what holds for a single file: its id in git, and the command. */
function sourceOf(recovery: FoundLoss['recovery']): FoundLoss['recovery'] {
  switch (recovery.kind) {
    case 'none':
    case 'unknown':
    case 'editor':
      return recovery;
    case 'index':
    case 'objectDatabase':
    case 'storedByAction':
      return { kind: recovery.kind };
    default: {
      const { command: _, ...source } = recovery;
      return source;
    }
  }
}

function commitLevel({ class: lossClass, commits, recovery }: FoundLoss): Level {
  // The repository is one clone, or one archive, away.
  if (recovery.kind === 'remote' || recovery.kind === 'file') return 'caution';
  if (lossClass === 'commits' && commits !== undefined && (commits.replacedBy > 0 || commits.inFiles)) return 'caution';
  return 'danger';
}

function lossRisks(facts: Facts, place: Place): Risk[] {
  const files = facts.loss.filter((loss) => !isKeptInGit(loss));
  const rebuilt = files.filter((loss) => loss.class === 'reproducible' && isWayBack(loss.recovery));
  const risks = [
    ...forGoodRisks(files, facts, place),
    ...takenAwayRisks(goesBetweenCommits(facts) ? files.filter((loss) => !isCommitted(loss)) : files),
  ];
  if (rebuilt.length > 0 && rebuilt.length === files.length)
    risks.push({
      level: 'safe',
      fact: { kind: 'builtFilesLost', amount: amountOf(rebuilt) },
      ...pathsOf(rebuilt),
    });
  return risks;
}

/** Files that nothing brings back. */
function forGoodRisks(files: readonly FoundLoss[], facts: Facts, place: Place): Risk[] {
  const risks: Risk[] = [];
  const forGood = files.filter((loss) => isLostForGood(loss) && holdsSomething(loss));
  const [logs, others] = parted(forGood, (loss) => isOwnLog(loss.path, place.home) && !inWorkspace(loss.path, facts));
  const [temporary, lasting] = parted(others, (loss) => isTemporary(loss, place) && !inWorkspace(loss.path, facts));
  for (const going of goings) {
    const some = lasting.filter((loss) => (loss.going ?? 'deleted') === going);
    for (const alike of parted(some, ({ recovery }) => recovery.kind === 'none')) {
      const [light, heavy] = parted(alike, (loss) => going !== 'edited' && weighsLittle(loss, place));
      const level = going === 'edited' ? 'caution' : 'danger';
      if (heavy.length > 0) risks.push({ level, ...filesLost(going, heavy) });
      if (light.length > 0) risks.push({ level: 'caution', ...filesLost(going, light) });
    }
  }
  // A program that makes room for its next log, as npm does in every run.
  if (logs.length > 0) {
    const fact = { kind: 'ownLogsLost', amount: amountOf(logs) } as const;
    risks.push({ level: 'safe', fact, ...pathsOf(logs) });
  }
  if (temporary.length > 0) {
    const fact = { kind: 'temporaryFilesLost', amount: amountOf(temporary) } as const;
    risks.push({ level: 'caution', fact, ...pathsOf(temporary) });
  }
  return risks;
}

/** Among temporary files, and not what somebody works on in a repository there, or has in a home directory. */
function isTemporary({ path, class: of }: FoundLoss, { home }: Place): boolean {
  if (isAtOrAbove(home, path)) return false;
  return isTemporaryPath(path) && of !== 'modified' && of !== 'index' && of !== 'untracked';
}

/** Files that can be brought back. */
function takenAwayRisks(files: readonly FoundLoss[]): Risk[] {
  const risks: Risk[] = [];
  // What the action itself packs into an archive is as good as moved.
  const [packed, unpacked] = parted(files, ({ recovery }) => recovery.kind === 'file' && recovery.format !== undefined);
  const back = unpacked.filter((loss) => isWayBack(loss.recovery) && loss.class !== 'reproducible');
  for (const going of goings) {
    // What is edited is still there; but of content that only git's next gc waits for, somebody should know.
    const counts = ({ recovery }: FoundLoss) => going !== 'edited' || recovery.kind === 'objectDatabase';
    const [first, ...others] = back.filter((loss) => (loss.going ?? 'deleted') === going && counts(loss));
    if (first === undefined) continue;
    const losses = [first, ...others] as const;
    const fact = { kind: 'filesTakenAway', going, amount: amountOf(losses), ...waysBack(losses) } as const;
    risks.push({ level: 'caution', fact, ...pathsOf(losses) });
  }
  const [inArchive, ...more] = packed;
  if (inArchive !== undefined) {
    const fact = { kind: 'filesPacked', amount: amountOf(packed), ...waysBack([inArchive, ...more]) } as const;
    risks.push({ level: 'safe', fact, ...pathsOf(packed) });
  }
  return risks;
}

/** Those for which something holds, and the others; asked once each, because there can be 50,000. */
function parted(losses: readonly FoundLoss[], holds: (loss: FoundLoss) => boolean): [FoundLoss[], FoundLoss[]] {
  const parts: [FoundLoss[], FoundLoss[]] = [[], []];
  for (const loss of losses) parts[holds(loss) ? 0 : 1].push(loss);
  return parts;
}

const goings = ['deleted', 'replaced', 'edited'] as const;

/** Of what git was told to ignore, so little is no work: a line or two. */
const littleBytes = 128;
const littleLines = 2;

/** Ignored by git, and a leftover of some program or hardly anything; a key or a setting is never little. */
function weighsLittle(loss: FoundLoss, place: Place): boolean {
  const isLittle = loss.class === 'ignored' && loss.sizeBytes <= littleBytes && (loss.lines ?? 0) <= littleLines;
  if (loss.class !== 'leftover' && !isLittle) return false;
  if (!mayBeSpecial.test(loss.path)) return true;
  const classes = classifyTarget(loss.path, place);
  return !(['secret', 'startup', 'guard'] as const).some((special) => classes.has(special));
}

function filesLost(going: Going, losses: readonly FoundLoss[]): Pick<Risk, 'fact' | 'evidence'> {
  const isNowhere = losses.every((loss) => loss.class === 'outside-repository');
  const isUnknown = losses.some(({ recovery }) => recovery.kind === 'unknown');
  const fact = {
    kind: 'filesLost',
    going,
    amount: amountOf(losses),
    isNowhere,
    ...(isUnknown ? { isUnknown } : {}),
  } as const;
  return { fact, ...pathsOf(losses) };
}

const uncommittedClasses: ReadonlySet<LossClass> = new Set([
  'modified',
  'untracked',
  'index',
  'ignored',
  'leftover',
  'unsaved',
]);

/** Names of one file are one; where its first name is told in another sentence, the next one stands for it. */
function amountOf(names: readonly FoundLoss[]): Amount {
  const seen = new Set<string>();
  const isFirst = ({ path, because }: FoundLoss) => {
    const file = because.kind === 'otherName' ? because.of : path;
    return !seen.has(file) && seen.add(file);
  };
  // Each path stands there once.
  const losses = names.some(({ because }) => because.kind === 'otherName') ? names.filter(isFirst) : names;
  return {
    files: losses.length,
    lines: losses.reduce((sum, loss) => sum + (loss.lines ?? 0), 0),
    sizeBytes: losses.reduce((sum, loss) => sum + loss.sizeBytes, 0),
    isUncommitted: losses.every((loss) => uncommittedClasses.has(loss.class)),
    ...(losses.every(({ lines, sizeBytes }) => lines === 0 && sizeBytes > 0) ? { isOrder: true as const } : {}),
  };
}

function pathsOf(losses: readonly FoundLoss[]): Pick<Risk, 'evidence' | 'unnamed'> {
  return pathsAsEvidence(losses.map((loss) => loss.path));
}

// The worst class that a path has decides; each path counts once.
const placeRules = [
  { level: 'danger', place: 'device' },
  { level: 'danger', place: 'startup' },
  { level: 'danger', place: 'secret' },
  { level: 'danger', place: 'guard' },
  { level: 'danger', place: 'system' },
  { level: 'caution', place: 'pipeline' },
  { level: 'caution', place: 'outside' },
] as const;
/** What is gone starts nothing any more. */
const deletedRules = [
  ...placeRules.filter(({ place }) => place !== 'startup' && place !== 'pipeline' && place !== 'outside'),
  { level: 'caution', place: 'startup' },
  ...placeRules.filter(({ place }) => place === 'pipeline' || place === 'outside'),
] as const;
type PlaceRule = (typeof placeRules | typeof deletedRules)[number];

// Everything in a workspace that could be a key, a start file or settings has one of these in its path. The full
// question costs 10 µs a path, and there can be 50,000.
const mayBeSpecial =
  /\/\.|key|pem|secret|token|credential|cert|shadow|sudoers|cookies|logins|cron|systemd|init\.d|profile\.d|rc\.local|preload|Launch|autostart|fish|\/(AGENTS|CLAUDE|GEMINI)|id_|auth\.|kubeconfig|pipelines|Jenkinsfile|appveyor|mcp|opencode|code-workspace|\.(p12|pfx|jks|kdbx|ppk|asc|gpg|env|conf)$/i;

const mayBeSpecialFrom = new RegExp(mayBeSpecial, 'gi');

/**
 * Answers for many files in a row whether they lie in the workspace, are none of git's own and have nothing special in their path.
 * What holds for a folder is asked once; every special part of a path lies between two slashes or begins with one.
 */
function ordinaryPaths(facts: Facts): (path: string) => boolean {
  const folderOfPath = folderReader();
  const folders = new Map<string, boolean>();
  return (path) => {
    const folder = folderOfPath(path);
    let isOrdinary = folders.get(folder);
    if (isOrdinary === undefined) {
      isOrdinary = inWorkspace(folder, facts) && !inGit(folder) && !mayBeSpecial.test(folder);
      folders.set(folder, isOrdinary);
    }
    mayBeSpecialFrom.lastIndex = folder.length;
    return isOrdinary && !mayBeSpecialFrom.test(path);
  };
}

function placeRisks(facts: Facts, place: Place): Risk[] {
  const byRule = new Map<string, { rule: PlaceRule; files: FileChange[] }>();
  const isOrdinary = ordinaryPaths(facts);
  const isInNew = newFolders(facts.files);
  for (const file of facts.files) {
    const { path, type } = file;
    if (isOrdinary(path)) continue;
    // Git's own files are told by the effects on git; its examples of hooks do nothing.
    if (inGit(path) && (!/\.git\/hooks\/./.test(path) || path.endsWith('.sample') || type === 'directory')) continue;
    const within = inWorkspace(path, facts);
    if (!within && isOwnLog(path, place.home)) continue;
    if (within && !mayBeSpecial.test(path)) continue;
    const classes = classifyTarget(path, place);
    // What is set there is told, and judged, as settings of git.
    if (isUserSettings(path)) classes.delete('startup');
    // Of an edit the same is said by what it is marked with.
    if (facts.action.kind === 'edit') classes.delete('pipeline');
    if (within) {
      classes.delete('outside');
      classes.delete('system');
    }
    const isTemporary = classes.has('temporary') && !within && !isAtOrAbove(place.home, path);
    // A folder holds what its files hold, and these are told too. What lies among temporary files, or in a project that comes
    // into being (a clone, a worktree, a copy), nobody looks for.
    if (type === 'directory' || isTemporary || isInNew(path)) for (const one of byNames) classes.delete(one);
    if (onlyCloses(file)) classes.delete('secret');
    // What programs keep there they make again (the FHS, 5.5).
    if (file.change === 'created' && path.startsWith('/var/cache/')) classes.delete('system');
    const isDeleted = file.change === 'deleted';
    const rule = (isDeleted ? deletedRules : placeRules).find(
      (one) => classes.has(one.place) && !(classes.has('temporary') && one.place === 'outside'),
    );
    if (!rule) continue;
    const key = `${rule.place} ${isDeleted}`;
    const found = byRule.get(key);
    if (found) found.files.push(file);
    else byRule.set(key, { rule, files: [file] });
  }
  return [...byRule.values()].map(({ rule, files }) => ({
    // A workspace's own `.env` is work as other work is: what is lost of it is told by the losses.
    level:
      ((rule.place === 'secret' || rule.place === 'guard') && files.every(({ path }) => inWorkspace(path, facts))) ||
      (rule.place === 'secret' && areNewKeys(files, facts))
        ? 'caution'
        : rule.level,
    fact: {
      kind: 'placeChanged',
      place: rule.place,
      ...counted(files),
      ...(files[0]?.change === 'deleted' ? { isDeleted: true } : {}),
      ...(files.every(({ change }) => change === 'created') ? { isCreated: true } : {}),
    },
    ...pathsAsEvidence(files.map(({ path }) => path)),
  }));
}

/** They are made by a program that is there to make keys, and nothing stood there. */
function areNewKeys(files: readonly FileChange[], { programs }: Facts): boolean {
  const isMade = programs.some(({ argv, exitCode }) => exitCode === 0 && programOf(argv[0] ?? '')?.makesKeys === true);
  return isMade && files.every(({ change }) => change === 'created');
}

/** Nobody but its owner may do with it what he could not before. */
function onlyCloses({ change, mode, before }: FileChange): boolean {
  if (change !== 'mode' || before === undefined) return false;
  const [was, now] = [before.mode, mode].map((text) => Number.parseInt(text, 8));
  return was !== undefined && now !== undefined && was !== now && (now & ~was & 0o7077) === 0;
}

const byNames = ['secret', 'startup', 'guard', 'pipeline'] as const;

/** Answers whether the folder in which the special part of a path stands is made, or put in place as a whole, by the action itself. */
function newFolders(files: readonly FileChange[]): (path: string) => boolean {
  let made: Set<string> | undefined;
  return (path) => {
    made ??= new Set(
      files.flatMap(({ path, change, type }) =>
        type === 'directory' && (change === 'created' || change === 'renamed') ? path : [],
      ),
    );
    return made.size > 0 && made.has(specialRoot(path) ?? '');
  };
}

/** How many they are, and how many of them are folders. */
function counted(files: readonly FileChange[]): { files: number; folders?: number } {
  const folders = files.filter(({ type }) => type === 'directory').length;
  return { files: files.length, ...(folders > 0 ? { folders } : {}) };
}

function modeRisks(facts: Facts): Risk[] {
  const risks: Risk[] = [];
  const made = facts.files.filter((file) => file.change !== 'deleted' && file.type !== 'symlink');
  // Many files have few modes.
  const numbers = new Map<string, number>();
  const bitsOf = (mode: string) => {
    const known = numbers.get(mode) ?? Number.parseInt(mode, 8);
    numbers.set(mode, known);
    return known;
  };
  const gains = (file: FileChange, bits: number) =>
    (bitsOf(file.mode) & bits) !== 0 && (file.before === undefined || (bitsOf(file.before.mode) & bits) === 0);
  const special = made.filter((file) => file.type === 'file' && gains(file, 0o6000));
  const open = made.filter((file) => gains(file, 0o002) && (bitsOf(file.mode) & 0o1000) === 0);
  if (special.length > 0) {
    risks.push({
      level: 'danger',
      fact: { kind: 'runsAsOwner', files: special.length },
      ...pathsAsEvidence(special.map((file) => file.path)),
    });
  }
  if (open.length > 0) {
    risks.push({
      level: open.some((file) => file.change === 'mode') ? 'danger' : 'caution',
      fact: { kind: 'writableByAll', ...counted(open) },
      ...pathsAsEvidence(open.map((file) => file.path)),
    });
  }
  return [...risks, ...closedRisks(made, bitsOf)];
}

/** What was there and is closed to its owner afterwards: nothing of it is lost, and nobody but root gets at it until the mode is changed. */
function closedRisks(made: readonly FileChange[], bitsOf: (mode: string) => number): Risk[] {
  const isShut = ({ type, mode }: { type: FileChange['type']; mode: string }) => {
    const needed = type === 'directory' ? 0o500 : 0o400;
    return (bitsOf(mode) & needed) !== needed;
  };
  const shut = made.filter((file) => {
    if (!isShut(file)) return false;
    if (file.before !== undefined) return file.before.type === file.type && !isShut(file.before);
    if (file.change === 'renamed') return true;
    // A new one is of interest where something is moved into it.
    const isBelow = ({ change, path }: FileChange) => change === 'renamed' && path.startsWith(`${file.path}/`);
    return file.change === 'created' && file.type === 'directory' && made.some(isBelow);
  });
  const [first] = shut;
  if (first === undefined) return [];
  const paths = shut.map(({ path }) => path);
  const tops = outermost(paths);
  const words = tops.slice(0, mostNamed).map((path) => quoteWord(path));
  const named = `${words.join(' ')}${tops.length > words.length ? ' …' : ''}`;
  const isExact = shut.length === 1 && first.before !== undefined;
  const wayBack = isExact ? `chmod ${first.before?.mode ?? ''} ${named}` : `chmod -R u+rwX ${named}`;
  return [{ level: 'caution', fact: { kind: 'closedToOwner', ...counted(shut), wayBack }, ...pathsAsEvidence(paths) }];
}

/** So many paths a command names that is only told. */
const mostNamed = 3;

/** Those that lie below no other one. */
function outermost(paths: readonly string[]): string[] {
  const found: string[] = [];
  for (const path of [...paths].sort()) {
    const last = found.at(-1);
    if (last === undefined || !isAtOrAbove(last, path)) found.push(path);
  }
  return found;
}

function inWorkspace(path: string, facts: Facts): boolean {
  return facts.workspaceFolders.some((folder) => folder !== '/' && isAtOrAbove(folder, path));
}
