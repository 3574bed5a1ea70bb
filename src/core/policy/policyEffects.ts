import fs from 'node:fs';
import path from 'node:path';
import type { Effect } from '../facts/effect.ts';
import type { GitFact } from '../facts/gitFact.ts';
import type { GitPart, PolicyEffect, UnknownPart } from '../facts/policyFact.ts';
import { isLostForGood, isWayBack } from '../facts/recovery.ts';
import type { RiskFact, RiskKind } from '../facts/risk.ts';
import type { PredictedFile } from '../prediction/parts.ts';
import type { Prediction } from '../prediction/prediction.ts';
import { isGit } from '../programs/gitCommand.ts';
import type { Basis } from '../view/basis.ts';

/** What is known of a call besides its prediction. */
export interface EffectGrounds {
  /** Where relative patterns begin; see `projectRoot`. */
  root: string | undefined;
  /** Everything that would be lost for good was written by the agent itself. */
  isOwnWork?: boolean;
}

/** Facts that are exact: of others nothing is allowed. */
const exact: ReadonlySet<Basis> = new Set(['rehearsed', 'computed', 'remembered']);

/**
 * All that an action does, as a policy sees it. What is not certain is an effect of its own, and so is each reason of the
 * verdict that no effect stands for: whoever admits all effects of the list admits everything that is known and unknown.
 */
export function policyEffects(prediction: Prediction, grounds: EffectGrounds): PolicyEffect[] {
  const { effects, loss, programs, verdict } = prediction;
  const gitRan = programs.some(({ argv }) => isGit(argv[0] ?? '', true));
  const found: PolicyEffect[] = [
    ...unknownEffects(prediction),
    ...prediction.files.flatMap((file) => fileEffects(file, grounds, gitRan)),
    ...loss.map(({ path: what, recovery }): PolicyEffect => {
      const isOwn = isLostForGood({ recovery }) && grounds.isOwnWork === true;
      return { kind: 'loses', what, way: isOwn ? 'own' : isWayBack(recovery) ? recovery.kind : 'none' };
    }),
    ...effects.flatMap((effect) => markEffects(effect, grounds)),
    ...programs.flatMap(({ argv, byConsent }): PolicyEffect[] => (byConsent ? [{ kind: 'letIn', argv }] : [])),
    ...verdict.reasons.flatMap(({ level, kind, fact }): PolicyEffect[] =>
      level === 'safe' || isCovered(kind, fact) ? [] : [{ kind: 'judged', level, risk: kind }],
    ),
  ];
  if (prediction.exitCode !== undefined) found.push({ kind: 'exits', code: prediction.exitCode });
  if (isRemembered(prediction)) found.push({ kind: 'remembered' });
  return withoutRepetitions(found);
}

function unknownEffects(prediction: Prediction): PolicyEffect[] {
  const { action, ending, programs, assumptions, questions, futures, exitBasis, exitCode, output } = prediction;
  const unknown = (part: UnknownPart, basis?: Basis): PolicyEffect => ({
    kind: 'unknown',
    part,
    ...(basis === undefined ? {} : { basis }),
  });
  const found: PolicyEffect[] = [];
  if (ending !== 'done' || prediction.verdict.level === undefined) found.push(unknown({ of: 'ending' }));
  for (const { argv, basis } of programs) if (!exact.has(basis)) found.push(unknown({ of: 'program', argv }, basis));
  for (const { argv } of assumptions) found.push(unknown({ of: 'program', argv }, 'assumed'));
  if (questions.length > 0 || futures !== undefined) found.push(unknown({ of: 'model' }));
  const isRun = action.kind !== 'edit' || exitCode !== undefined;
  if (isRun && (exitBasis === undefined || !exact.has(exitBasis))) found.push(unknown({ of: 'exit' }, exitBasis));
  if (output.some(({ offline }) => offline)) found.push(unknown({ of: 'network' }));
  return found;
}

function isRemembered({ engine, programs, exitBasis }: Prediction): boolean {
  return engine === 'remembered' || exitBasis === 'remembered' || programs.some(({ basis }) => basis === 'remembered');
}

/** Whether a path is one of git's own files. */
const inGit = (file: string) => /(^|\/)\.git(\/|$)/.test(file);

function fileEffects(file: PredictedFile, { root }: EffectGrounds, gitRan: boolean): PolicyEffect[] {
  const { change, from, type, basis, before, mode } = file;
  const folder = type === 'directory' ? { isFolder: true as const } : {};
  const names = [file.path, ...(from === undefined ? [] : [from])];
  const found: PolicyEffect[] = [];
  if (!exact.has(basis)) found.push({ kind: 'unknown', part: { of: 'path', path: file.path }, basis });
  if (names.every(inGit)) return [...found, gitFiles(file, names, { root, gitRan })];
  // A name that chance makes is another one next time.
  if (file.volatile) found.push({ kind: 'unknown', part: { of: 'path', path: file.path } });
  for (const name of names.flatMap(spelledAndReal)) {
    if (change === 'mode') found.push({ kind: 'permissions', path: name, ...folder });
    else if (change === 'deleted') found.push({ kind: 'deletes', path: name, ...folder });
    else found.push({ kind: 'writes', path: name, ...folder });
  }
  const changesMode = before !== undefined && before.type === type && before.mode !== mode && change !== 'mode';
  // Whoever has moved or rewritten a file may have changed who can run it as well.
  if (changesMode) found.push({ kind: 'permissions', path: file.path, ...folder });
  const replacesFolder = before?.type === 'directory' && type !== 'directory';
  if (replacesFolder) found.push({ kind: 'deletes', path: file.path });
  return found;
}

/** The path as it is said, and where it really leads. */
function spelledAndReal(file: string): string[] {
  const rest = [path.basename(file)];
  for (let at = path.dirname(file); ; at = path.dirname(at)) {
    try {
      const real = path.join(fs.realpathSync(at), ...rest);
      return real === file ? [file] : [file, real];
    } catch {
      if (at === path.dirname(at)) return [file];
      rest.unshift(path.basename(at));
    }
  }
}

function gitFiles(
  { change, type }: PredictedFile,
  names: readonly string[],
  { root, gitRan }: { root: string | undefined; gitRan: boolean },
): PolicyEffect {
  const isBelow =
    root !== undefined && names.every((name) => name.startsWith(`${root}/.git/`) || name === `${root}/.git`);
  const isLock = names.some((name) => name.endsWith('.lock'));
  const decides = type !== 'directory' && names.some((name) => decidingFiles.test(name));
  // Git takes its locks away itself, and one that is left over is removed by hand.
  const isByHand = isLock ? change !== 'deleted' : !gitRan;
  const part = decides ? 'settings' : isByHand ? 'records' : 'upkeep';
  return { kind: 'git', part, ...(isBelow ? {} : { isElsewhere: true }) };
}

/** Files of git that decide what it does, hides or runs later, whoever writes them. */
const decidingFiles =
  /\/(info\/(attributes|exclude|grafts|sparse-checkout)|objects\/info\/(http-)?alternates|config(\.worktree)?|hooks\/[^/]*(?<!\.sample)|git-rebase-todo|sequencer\/todo)$/;

function markEffects(effect: Effect, { root }: EffectGrounds): PolicyEffect[] {
  const { basis, expectedOf } = effect;
  const isExact = exact.has(basis) && expectedOf === undefined;
  const unknown: PolicyEffect = { kind: 'unknown', part: { of: 'effect', effect: effect.effect }, basis };
  return [...(isExact ? [] : [unknown]), ...effectsOfMark(effect, root)];
}

function effectsOfMark(effect: Effect, root: string | undefined): PolicyEffect[] {
  const { git, fact } = effect;
  if (git) return gitEffects(git, root);
  switch (fact?.kind) {
    case 'connects':
      return [{ kind: 'connects', to: fact.to, ...reachOf(fact.to) }];
    case 'listens':
      return [{ kind: 'listens', on: fact.on }];
    case 'leavesRunning':
      return [{ kind: 'leavesRunning', argv: fact.argv }];
    case 'runsLater':
      return [
        { kind: 'marks', effect: effect.effect, path: fact.first, ...(fact.count > 1 ? { more: fact.count - 1 } : {}) },
      ];
    case 'neverEnds':
    case 'goesOn':
      return [{ kind: 'unknown', part: { of: 'ending' } }];
    case 'attributes':
      return fact.count === 1 ? [{ kind: 'permissions', path: fact.first }] : [{ kind: 'marks', effect: 'permission' }];
    default:
      return [{ kind: 'marks', effect: effect.effect }];
  }
}

/** `tcp 1.2.3.4:80`, `udp [::1]:53`, `unix /path`: a form of ours, see `EffectFact`. */
function reachOf(to: string): { reach: 'loopback' | 'elsewhere'; host?: string } {
  const [kind = '', ...rest] = to.split(' ');
  const place = rest.join(' ');
  if (kind === 'unix') return { reach: 'elsewhere' };
  const host = place.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  const isLoopback = /^127\.\d+\.\d+\.\d+$/.test(host) || host === '::1' || host === 'localhost';
  return { reach: isLoopback ? 'loopback' : 'elsewhere', host };
}

function gitEffects(fact: GitFact, root: string | undefined): PolicyEffect[] {
  const part = gitPart(fact);
  if (part === undefined) return [{ kind: 'unknown', part: { of: 'effect', effect: 'git' } }];
  const place = fact.repository ?? fact.worktree;
  const isElsewhere = root === undefined || (place !== undefined && place !== root && !place.startsWith(`${root}/`));
  return [{ kind: 'git', part, ...(isElsewhere ? { isElsewhere: true } : {}) }];
}

/** `undefined`: nobody knows what changes. */
function gitPart(fact: GitFact): GitPart | undefined {
  switch (fact.kind) {
    case 'staged':
    case 'unstaged':
    case 'secretsTracked':
    case 'conflictsLeft':
    case 'conflictsResolved':
      return 'index';
    case 'refCreated':
      return isOfRemote(fact.ref) ? 'remote' : 'commits';
    case 'refMoved':
      return isOfRemote(fact.ref) ? 'remote' : fact.dropped.count > 0 || fact.dropped.isCut ? 'refs' : 'commits';
    case 'refDeleted':
    case 'refRenamed':
    case 'moreRefs':
      return 'refs';
    case 'headSwitched':
    case 'headDetached':
      return 'head';
    case 'stashPut':
    case 'stashApplied':
    case 'stashDropped':
      return 'stash';
    case 'unfinishedBegun':
    case 'unfinishedEnded':
      return 'unfinished';
    case 'worktreeAdded':
    case 'worktreeRemoved':
    case 'worktreesCutOff':
    case 'submodulesCutOff':
    case 'submoduleMovedAway':
      return 'worktrees';
    case 'settingSet':
    case 'settingRemoved':
      return 'settings';
    case 'hookAdded':
    case 'hookChanged':
    case 'hookRemoved':
      return 'hooks';
    case 'objectsPacked':
      return 'objects';
    case 'objectsRemoved':
    case 'packsRemoved':
      return 'objectsRemoved';
    case 'repositoryMade':
    case 'repositoryDeleted':
    case 'repositoryMoved':
      return 'repository';
    case 'recordsByHand':
      return 'records';
    case 'settingsUnreadable':
    case 'unreadable':
      return undefined;
  }
}

function isOfRemote(ref: string): boolean {
  return ref.startsWith('refs/remotes/');
}

/** Reasons that are made of losses, effects and the exit status alone, which are effects here. */
const covered: ReadonlySet<RiskKind> = new Set<RiskKind>([
  ...(['fails', 'workLost', 'workTakenAway', 'filesLost', 'temporaryFilesLost', 'ownLogsLost'] as const),
  ...(['filesTakenAway', 'filesPacked', 'builtFilesLost', 'effect', 'moreEffects', 'overwrites'] as const),
]);

function isCovered(kind: RiskKind, fact: RiskFact): boolean {
  // That a place lies outside of the project is what patterns of paths say.
  if (fact.kind === 'placeChanged') return fact.place === 'outside';
  return covered.has(kind);
}

function withoutRepetitions(effects: readonly PolicyEffect[]): PolicyEffect[] {
  return [...new Map(effects.map((effect) => [JSON.stringify(effect), effect])).values()];
}
