import { posix } from 'node:path';
import { type EditedFile, examineEdited } from '../consequences/editedFiles.ts';
import { laterRuns } from '../consequences/laterRuns.ts';
import { findMentions } from '../consequences/mentions.ts';
import { syntaxDiagnostics } from '../consequences/syntax.ts';
import type { EffectFact } from '../facts/effect.ts';
import type { Failure } from '../facts/failure.ts';
import type { Limit } from '../facts/limit.ts';
import type { FoundLoss } from '../facts/loss.ts';
import type { Incompleteness, Risk } from '../facts/risk.ts';
import { analyseLoss } from '../loss/analyseLoss.ts';
import { type GitEffects, gitEffects } from '../loss/git/gitEffects.ts';
import { askStateAhead, type StateAhead } from '../loss/git/stateAhead.ts';
import { partedDatabases } from '../loss/recovery/partedDatabases.ts';
import { isGit } from '../programs/gitCommand.ts';
import type { Facts } from '../verdict/facts.ts';
import { staticFacts, writtenPrograms } from '../verdict/staticFacts.ts';
import type { Basis } from '../view/basis.ts';
import type { Looker } from '../view/view.ts';
import { absentPrograms } from './absentPrograms.ts';
import { copiedFile } from './copiedFile.ts';
import { type EventOf, isEnding, type PredictionEvent } from './event.ts';
import { type FactEvent, inWords } from './factEvent.ts';
import { emptyPrediction, worseLevel } from './fold.ts';
import { foldMany, lossEvent } from './foldMany.ts';
import { forwardPushes } from './forwardPushes.ts';
import { futureRisks } from './futureRisks.ts';
import { lostByWords } from './lostByWords.ts';
import { ownRemovals } from './ownRemovals.ts';
import { cutInPieces, type InPieces, inPieces, piecesOf } from './pieces.ts';
import type { Prediction } from './prediction.ts';
import type { PredictRequest, Rehearsal } from './rehearsal.ts';
import { spellingsOf } from './spellingsOf.ts';
import { missingOutputs, standingOutputs } from './standingOutputs.ts';
import { beforeDue, untilDue } from './untilDue.ts';
import { writtenWithTexts } from './writtenWithTexts.ts';

/** What the analyses after a rehearsal need besides the prediction. */
export interface Analysts {
  /** Looks at the real state, before the action. */
  looker: Looker;
  /** Computes the verdict's reasons from the facts. */
  judge(facts: Facts): Risk[];
}

/**
 * Adds to what a world says what would be lost, what happens to git, and the verdict; just before the ending.
 * The facts of a prediction that was cancelled are not judged.
 *
 * `withoutModel` predicts the same without a language model, once one was asked: what a model says can raise the verdict,
 * never lower it, because text of the workspace can tell it what to say.
 */
export function withVerdict(
  analysts: Analysts,
  request: PredictRequest,
  rehearsal: Rehearsal,
  withoutModel?: () => Promise<Prediction | undefined>,
): InPieces<PredictionEvent> {
  return inPieces(judged(analysts, request, rehearsal, withoutModel));
}

async function* judged(
  analysts: Analysts,
  request: PredictRequest,
  rehearsal: Rehearsal,
  withoutModel?: () => Promise<Prediction | undefined>,
): AsyncGenerator<readonly PredictionEvent[]> {
  const startedAt = performance.now();
  const ahead = askAhead(analysts, request);
  const prediction = emptyPrediction(request.action);
  const { due } = request;
  const failure: DueFailure = { kind: 'due' };
  const overdue: FactEvent = { type: 'failed', failure, durationMs: 0 };
  let plain: Promise<Prediction | undefined> | undefined;
  let hasEnded = false;
  let waitedMs = 0;
  let askedAt: number | undefined;
  // Facts that end without an ending were left because they were due.
  for (const pieces of [untilDue(piecesOf(rehearsal.events), due), [[overdue]]]) {
    if (hasEnded) break;
    for await (const piece of pieces) {
      let events: PredictionEvent[] = [];
      for (const told of piece) {
        const fact =
          told.type === 'cancelled' && due?.aborted
            ? overdue
            : mayBeCopied(told)
              ? await withCopied(told, request, prediction)
              : told;
        const event = inWords(fact);
        hasEnded ||= isEnding(event);
        // What comes first behind a question says that there is an answer.
        waitedMs += askedAt === undefined ? 0 : performance.now() - askedAt;
        askedAt = event.type === 'asks' ? performance.now() : undefined;
        if (!isEnding(event)) {
          if (event.type === 'question') plain ??= withoutModel?.();
          foldMany(prediction, event);
          events.push(event);
          continue;
        }
        // What is found out now takes time.
        yield events;
        events = [];
        let ending = event;
        if (event.type !== 'cancelled') {
          yield* weighed({ analysts, request, rehearsal, prediction, fact, failure, ahead, plain });
          if (due?.aborted) ending = inWords(overdue) as typeof event;
        }
        const durationMs = Math.round((performance.now() - startedAt - waitedMs) * 10) / 10;
        yield [request.signal.aborted ? { type: 'cancelled', durationMs } : { ...ending, durationMs }];
      }
      yield events;
    }
  }
}

type DueFailure = Extract<Failure, { kind: 'due' }>;

interface Weighing {
  analysts: Analysts;
  request: PredictRequest;
  rehearsal: Rehearsal;
  prediction: Prediction;
  /** How the rehearsal ended. */
  fact: FactEvent;
  /** Is told where nobody could wait, with what was not found out. */
  failure: DueFailure;
  ahead: Promise<StateAhead | undefined>;
  plain: Promise<Prediction | undefined> | undefined;
}

/** What would be lost, what happens to git, and the verdict. */
async function* weighed(weighing: Weighing): AsyncGenerator<readonly PredictionEvent[]> {
  const { analysts, request, rehearsal, prediction, fact, failure, ahead, plain } = weighing;
  const { due } = request;
  const folded = (events: readonly PredictionEvent[]) => {
    for (const event of events) foldMany(prediction, event);
    return events;
  };
  const inRisks = (risks: Iterable<Risk>) => Array.from(risks, (risk) => inWords({ type: 'risk', ...risk }));
  const losses = await beforeDue(lossEvents(analysts, request, rehearsal, { prediction, ahead: await ahead }), due);
  if (!losses) failure.unweighed = true;
  for (const some of cutInPieces(losses ?? []))
    yield folded(some.map((found) => (found.type === 'loss' && 'why' in found ? found : inWords(found))));
  for await (const diagnostic of untilDue(diagnostics(request, rehearsal, prediction), due)) yield folded([diagnostic]);
  const incomplete = incompletenessOf(fact, prediction);
  const found = await beforeDue(examine(analysts, request, rehearsal, prediction), due);
  const examined = { ...(found ?? unexamined(request)), incomplete: due?.aborted ? { failure } : incomplete };
  yield folded(inRisks(risksOf(analysts, request, prediction, examined)));
  const facts = factsOf(request, prediction, examined);
  const ofFutures = beforeDue(futureRisks(prediction, request, { ...analysts, facts }), due);
  yield folded(inRisks((await ofFutures) ?? []));
  const withoutIt = plain && (await beforeDue(plain, due));
  yield inRisks(raisedBy(withoutIt?.verdict.reasons, prediction));
  for await (const mention of untilDue(mentions(analysts, request, rehearsal, prediction), due)) yield [mention];
  if (due?.aborted) yield inRisks(raisedByWords(analysts, request, prediction));
}

/** Looks at what the verdict needs besides the facts. */
async function examine(
  analysts: Analysts,
  request: PredictRequest,
  rehearsal: Rehearsal,
  prediction: Prediction,
): Promise<Omit<Examined, 'incomplete'>> {
  const edited = await editedFiles(request, rehearsal, prediction);
  const written = await writtenWithTexts(request, rehearsal.view);
  const { signal } = request;
  const known = {
    written,
    standing: await standingOutputs(prediction, rehearsal.view),
    missing: await missingOutputs(written, prediction, rehearsal.view, request.userId),
    absent: await absentPrograms(written, request, prediction, rehearsal.view),
    ownRemovals: await ownRemovals(prediction, rehearsal.view),
    otherSpellings: await spellingsOf(prediction, request, written),
    forwardPushes: await forwardPushes(prediction, { ...analysts, inView: rehearsal.inView, signal }),
  };
  return { edited, known };
}

/** The same where there is no time for it. */
function unexamined(request: PredictRequest): Omit<Examined, 'incomplete'> {
  return { edited: [], known: { written: writtenPrograms(request) } };
}

/** Asks git about what the words of a command destroy, once the rehearsal has begun: it is not to wait for that. */
async function askAhead({ looker }: Analysts, request: PredictRequest): Promise<StateAhead | undefined> {
  await new Promise((begun) => setImmediate(begun));
  const paths = lostByWords(writtenPrograms(request));
  return paths.length > 0 ? askStateAhead({ looker, signal: request.signal }, paths) : undefined;
}

async function lossEvents(
  analysts: Analysts,
  request: PredictRequest,
  rehearsal: Rehearsal,
  { prediction, ahead }: { prediction: Prediction; ahead: StateAhead | undefined },
): Promise<Iterable<FactEvent | EventOf<'loss'>>> {
  const shared = {
    files: prediction.files,
    view: rehearsal.view,
    looker: analysts.looker,
    inView: rehearsal.inView,
    signal: request.signal,
    gitRan: mayBeGit(prediction),
    standsIn: [request.action.cwd, prediction.cwd].filter((folder) => folder !== undefined),
  };
  const named = namedPaths(prediction);
  const [losses, git, later, parted] = await Promise.all([
    analyseLoss({
      ...shared,
      localHistoryFolders: request.localHistoryFolders,
      unsavedPaths: request.unsavedPaths,
      namedPaths: named,
      ahead,
    }),
    gitEffects(shared),
    laterRuns(shared),
    partedDatabases(shared, named),
  ]);
  const basis = basisOfEffects(request, prediction);
  return toldOnes({ losses, git, facts: [...later, ...parted] }, basis);
}

/** Made one after the other: there may be 50,000 losses, and nobody keeps their events. */
function* toldOnes(
  { losses, git, facts }: { losses: readonly FoundLoss[]; git: GitEffects; facts: readonly EffectFact[] },
  basis: Basis,
): Generator<FactEvent | EventOf<'loss'>> {
  for (const fact of facts) yield { type: 'effect', fact, basis };
  for (const fact of git.facts) yield { type: 'effect', git: fact, basis };
  for (const loss of losses) yield lossEvent(loss);
  for (const loss of git.loss) yield lossEvent(loss);
}

/** What the words of the programs name, if they are paths: one of them may be a copy of what another one is. */
function namedPaths({ programs }: Prediction): string[] {
  const paths = programs.flatMap(({ argv, cwd }) =>
    argv.slice(1).flatMap((word) => (word.startsWith('-') || word === '' ? [] : [posix.resolve(cwd, word)])),
  );
  return [...new Set(paths)];
}

function basisOfEffects(request: PredictRequest, prediction: Prediction): Basis {
  const { assumptions, files } = prediction;
  if (assumptions.length > 0 || files.some(({ basis }) => basis === 'assumed')) return 'assumed';
  if (isImagined(prediction)) return 'imagined';
  if (prediction.engine === 'remembered') return 'remembered';
  return files.some(({ basis }) => basis === 'computed') ? 'computed' : basisOfRun(request);
}

/** Whether git, or a program of which nobody knows what it does, had a part in it. */
function mayBeGit({ programs, engine }: Prediction): boolean {
  if (engine === 'language') return true;
  const isKnown = (basis: Basis) => basis === 'rehearsed' || basis === 'computed' || basis === 'remembered';
  return programs.some(({ argv, basis }) => !isKnown(basis) || isGit(argv[0] ?? '', true));
}

/** An edit is computed, unless a tool applied a patch. */
function basisOfRun({ action }: PredictRequest): 'computed' | 'rehearsed' {
  return action.kind === 'edit' && !action.patch ? 'computed' : 'rehearsed';
}

/** Why a prediction that ends so does not say everything; `undefined`: it does. */
function incompletenessOf(ending: FactEvent, prediction: Prediction): Incompleteness | undefined {
  if (ending.type === 'abstained') return { doubt: ending.doubt };
  if (ending.type === 'failed') return { failure: ending.failure };
  return isImagined(prediction) ? {} : undefined;
}

/** What was found out for the verdict besides the prediction. */
interface Examined {
  incomplete: Incompleteness | undefined;
  edited: readonly EditedFile[];
  known: Pick<
    Facts,
    'written' | 'standing' | 'missing' | 'absent' | 'ownRemovals' | 'forwardPushes' | 'otherSpellings'
  >;
}

/** What the facts of the prediction mean. */
function risksOf(analysts: Analysts, request: PredictRequest, prediction: Prediction, examined: Examined): Risk[] {
  const { action } = request;
  const { incomplete, known } = examined;
  if (action.kind === 'command' && ranNothing(prediction) && (incomplete?.doubt || incomplete?.failure)) {
    // Nothing was run: what the text alone says is all there is, and it is assumed.
    return analysts.judge(staticFacts({ action, ...placeOf(request, incomplete), written: known.written ?? [] }));
  }
  // The world may have said already what is wrong with an edit; then nothing is said of its being harmless.
  const isTold = prediction.verdict.level !== undefined && prediction.verdict.level !== 'safe';
  return analysts.judge(factsOf(request, prediction, examined)).filter((risk) => !isTold || risk.level !== 'safe');
}

/** Of such an end more may be known; nothing else waits for that, of which there may be 50,000. */
function mayBeCopied({ type }: FactEvent): boolean {
  return type === 'done' || type === 'failed';
}

/** Says of a run that had no room on the disk which file it would have had to copy, where that is clear. */
async function withCopied(told: FactEvent, request: PredictRequest, { exitCode }: Prediction): Promise<FactEvent> {
  const { diskBytes } = request.limits;
  // The kernel takes a copy back for which there is no room, and the command sees a full disk that is none.
  if (told.type === 'done' && exitCode !== undefined && exitCode !== 0) {
    const written = writtenPrograms(request).map((one) => ({ ...one, argv: [] }));
    const copied = await copiedFile(written, diskBytes);
    if (!copied) return told;
    return { type: 'failed', failure: { kind: 'diskLimit', copied }, durationMs: told.durationMs };
  }
  if (told.type !== 'failed' || told.failure.kind !== 'diskLimit') return told;
  const copied = await copiedFile(writtenPrograms(request), diskBytes);
  return copied ? { ...told, failure: { ...told.failure, copied } } : told;
}

/** Where it would be run, and what of it is not known. */
function placeOf({ workspaceFolders, home, userId, env }: PredictRequest, incomplete: Incompleteness | undefined) {
  const failure = incomplete?.failure;
  // What is only copied for the rehearsal fills no disk.
  const isOurs = failure?.kind === 'diskLimit' && failure.copied !== undefined;
  const limit = failure && !isOurs ? limits[failure.kind] : undefined;
  return { workspaceFolders, home, userId, env, incomplete, limit };
}

function factsOf(request: PredictRequest, prediction: Prediction, { incomplete, edited, known }: Examined): Facts {
  const { action } = request;
  return {
    action,
    ...placeOf(request, incomplete),
    ...known,
    programs: prediction.programs,
    files: prediction.files,
    effects: prediction.effects,
    loss: prediction.loss,
    errors: request.terminal ? '' : textOf(prediction, 'stderr'),
    ...(action.kind === 'edit'
      ? { edited, said: textOf(prediction, 'stdout'), diagnostics: prediction.diagnostics ?? [] }
      : {}),
    ...(prediction.exitCode === undefined ? {} : { exitCode: prediction.exitCode }),
    exitBasis: prediction.exitBasis,
  };
}

const limits: Readonly<Partial<Record<Failure['kind'], Limit>>> = {
  timeLimit: 'time',
  processLimit: 'processes',
  memoryLimit: 'memory',
  diskLimit: 'disk',
};

/** Syntax errors that an edit makes or fixes. */
async function* diagnostics(
  { action, signal }: PredictRequest,
  { view }: Rehearsal,
  { files }: Prediction,
): AsyncGenerator<PredictionEvent> {
  if (action.kind !== 'edit') return;
  for await (const diagnostic of syntaxDiagnostics(files, view, signal)) yield { type: 'diagnostic', ...diagnostic };
}

/** Lines elsewhere that name what an edit changes: after the verdict, because searching a large workspace takes its time. */
async function* mentions(
  { looker }: Analysts,
  { action, workspaceFolders, signal }: PredictRequest,
  { view }: Rehearsal,
  { files }: Prediction,
): AsyncGenerator<PredictionEvent> {
  if (action.kind !== 'edit') return;
  for (const mention of await findMentions({ files, view, looker, workspaceFolders, signal }))
    yield { type: 'mention', ...mention };
}

/** What is special about the files of an edit; a command has none. */
async function editedFiles(
  { action, workspaceFolders, unsavedPaths, signal }: PredictRequest,
  { view }: Rehearsal,
  { files }: Prediction,
): Promise<EditedFile[]> {
  if (action.kind !== 'edit') return [];
  return examineEdited({ files, view, workspaceFolders, unsavedPaths, signal });
}

function textOf({ output }: Prediction, stream: 'stdout' | 'stderr'): string {
  return output
    .filter((piece) => piece.stream === stream)
    .map((piece) => piece.text ?? '')
    .join('');
}

function isImagined({ engine, programs }: Prediction): boolean {
  return engine === 'language' || programs.some((program) => program.basis === 'imagined');
}

/** Reasons of the prediction without a model that are worse than all that was found with one. */
function raisedBy(reasons: Prediction['verdict']['reasons'] | undefined, prediction: Prediction): Risk[] {
  const level = prediction.verdict.level;
  return (reasons ?? [])
    .filter((reason) => worseLevel(level, reason.level) !== level)
    .map((reason) => ({
      level: reason.level,
      fact: reason.fact,
      evidence: reason.evidence.map((name) => ({ kind: 'name', name })),
      ...(reason.unnamed === undefined ? {} : { unnamed: reason.unnamed }),
      withoutModel: true,
    }));
}

/** What the words alone say, where that is worse than what was found in time. */
function raisedByWords({ judge }: Analysts, request: PredictRequest, { verdict }: Prediction): Risk[] {
  const { action } = request;
  if (action.kind !== 'command') return [];
  const risks = judge(staticFacts({ action, ...placeOf(request, undefined), written: writtenPrograms(request) }));
  return risks.filter(({ level }) => worseLevel(verdict.level, level) !== verdict.level);
}

function ranNothing({ programs, files, output, exitCode }: Prediction): boolean {
  return programs.length === 0 && files.length === 0 && output.length === 0 && exitCode === undefined;
}
