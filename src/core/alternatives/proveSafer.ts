import type { CommandAction } from '../action/action.ts';
import type { Keeping } from '../facts/alternative.ts';
import type { Level } from '../facts/level.ts';
import { isLostForGood } from '../facts/recovery.ts';
import { type Foretell, foldAll } from '../foretell.ts';
import type { Prediction, Reason } from '../prediction/prediction.ts';
import { changedRepositories, endStateOf, incomparable, stateDifferences } from './endState.ts';
import { type RehearsedAlternative, rehearseAlternatives, type SharedRequest } from './rehearseAlternatives.ts';
import { type Candidate, type KeepingPlace, saferCandidates } from './saferCandidates.ts';

/**
 * A command whose rehearsal proves that it leaves the same files, git state and exit code as the given one, but for what it
 * keeps, and that it loses nothing for good.
 */
export interface Safer {
  script: string;
  keeps: Keeping[];
  level: Level;
  /** What the given command would lose for good, and this one does not: how many paths, sets of commits and stashes. */
  saves: number;
  /** Reasons of danger that stay. */
  remains: Reason[];
  prediction: Prediction;
}

/** Whether there is anything to be made safer: it is danger, and all of it is known. */
export function mayBeSafer({ action, verdict, ending }: Prediction): boolean {
  return action.kind === 'command' && verdict.level === 'danger' && ending === 'done';
}

/** How a proof is made. */
export interface ProofOptions {
  /** Candidates of others, for example of a model; they have to prove the same. */
  more?: readonly Candidate[];
  /** The prediction is of this moment and has digests: the given command need not be rehearsed again. */
  isOfNow?: boolean;
  /** So many that are no danger themselves are looked for; default 2. */
  enough?: number;
}

/**
 * Safer commands in the place of a dangerous one, best first: each is rehearsed, and only what is proven is given. `place`:
 * where they may keep something.
 */
export async function proveSafer(
  foretell: Foretell,
  prediction: Prediction,
  request: SharedRequest,
  place: KeepingPlace,
  { more = [], isOfNow = false, enough = 2 }: ProofOptions = {},
): Promise<Safer[]> {
  const { action } = prediction;
  if (action.kind !== 'command' || !mayBeSafer(prediction)) return [];
  const groups = [...saferCandidates(action, prediction, place), ...(more.length > 0 ? [[...more]] : [])];
  if (groups.length === 0) return [];
  const silent: SharedRequest = { ...request };
  delete silent.language;
  const given = (isOfNow && rehearsedWithoutGit(action, prediction)) || (await rehearseOne(foretell, action, silent));
  const { rehearsed: original, repositories } = given;
  if (!original?.state) return [];
  const proven: Safer[] = [];
  for (const group of groups) {
    for (const candidate of group) {
      if (request.signal.aborted) return [];
      const safer = await prove(foretell, { original, repositories, action }, candidate, silent);
      if (!safer) continue;
      proven.push(safer);
      break;
    }
    if (proven.filter(({ level }) => level !== 'danger').length >= enough) break;
  }
  // The rules stand in the order in which people prefer them, but what is danger itself comes last.
  return [...proven.filter((one) => one.level !== 'danger'), ...proven.filter((one) => one.level === 'danger')];
}

interface Given {
  original: RehearsedAlternative;
  repositories: readonly string[];
  action: CommandAction;
}

interface RehearsedOne {
  rehearsed: RehearsedAlternative | undefined;
  repositories: readonly string[];
}

/** In a session, whose state git is asked about. */
async function rehearseOne(
  foretell: Foretell,
  action: CommandAction,
  request: SharedRequest,
  known: readonly string[] = [],
): Promise<RehearsedOne> {
  const { alternatives, repositories } = await rehearseAlternatives(foretell, [action], request, known);
  return { rehearsed: alternatives[0], repositories };
}

/** A prediction that reaches into no repository says all of the state behind it; `undefined`: git has to be asked. */
function rehearsedWithoutGit(action: CommandAction, prediction: Prediction): RehearsedOne | undefined {
  if (changedRepositories([prediction]).length > 0) return undefined;
  const because = incomparable(prediction);
  const state = because ? undefined : endStateOf(prediction, [], undefined);
  return { rehearsed: { action, prediction, state, because }, repositories: [] };
}

async function rehearseCandidate(
  foretell: Foretell,
  action: CommandAction,
  request: SharedRequest,
  repositories: readonly string[],
): Promise<RehearsedAlternative | undefined> {
  if (repositories.length === 0) {
    const { events, view } = foretell.predict({ ...request, action, hash: true });
    const prediction = await foldAll(action, events);
    void view.close();
    const alone = rehearsedWithoutGit(action, prediction);
    if (alone) return alone.rehearsed;
  }
  return (await rehearseOne(foretell, action, request, repositories)).rehearsed;
}

async function prove(
  foretell: Foretell,
  { original, repositories, action }: Given,
  { script, keeps }: Candidate,
  request: SharedRequest,
): Promise<Safer | undefined> {
  const tried = await rehearseCandidate(foretell, { ...action, script }, request, repositories);
  if (!tried?.state || !original.state) return undefined;
  const place = keeps.find((one) => 'path' in one)?.path;
  const besides = {
    path: place,
    names: keeps.flatMap((one) => (one.kind === 'names' ? one.names : [])),
    stash: keeps.some((one) => one.kind === 'stash'),
  };
  if (stateDifferences(tried.state, original.state, besides).length > 0) return undefined;
  const { prediction } = tried;
  if (prediction.loss.some(isLostForGood)) return undefined;
  const dangers = (one: Prediction) => one.verdict.reasons.filter(({ level }) => level === 'danger');
  const before = new Set(dangers(original.prediction).map(keyOf));
  // That something is kept is no danger of its own.
  const isOfKept = ({ evidence }: Reason) =>
    place !== undefined && evidence.length > 0 && evidence.every((one) => one === place || one.startsWith(`${place}/`));
  const remains = dangers(prediction).filter((reason) => !isOfKept(reason));
  if (remains.some((reason) => !before.has(keyOf(reason)))) return undefined;
  const saves = original.prediction.loss.filter(isLostForGood).length;
  if (saves === 0 && remains.length >= before.size) return undefined;
  return { script, keeps, level: prediction.verdict.level ?? 'caution', saves, remains, prediction };
}

/** What a reason is about, without the numbers: a safer command may do less of it. */
function keyOf({ kind, fact }: Reason): string {
  return `${kind} ${fact.kind === 'placeChanged' ? fact.place : ''}`;
}
