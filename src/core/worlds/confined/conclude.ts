import type { WithheldVariable } from '../../context/environment.ts';
import type { Doubt } from '../../facts/doubt.ts';
import type { FoundEffect } from '../../facts/effect.ts';
import type { Failure } from '../../facts/failure.ts';
import type { FactEvent } from '../../prediction/factEvent.ts';
import type { Limits } from '../../prediction/rehearsal.ts';
import { programOf } from '../../programs/programOf.ts';
import type { ScriptBounds } from '../../programs/scriptBounds.ts';
import type { Basis } from '../../view/basis.ts';
import type { FileChange } from '../../view/fileChange.ts';
import { boundsOf, withBound } from './certainty/bounds.ts';
import { isSilentByChance, joinOutput, outputEvents, volatileLines } from './certainty/compare.ts';
import { contendedPath } from './certainty/contended.ts';
import { doubtErrors, isEndUnknown } from './certainty/dependence.ts';
import { showsDurations } from './certainty/durations.ts';
import { guessedFolder } from './certainty/guessedSizes.ts';
import { linkDoubts } from './certainty/linkCounts.ts';
import { freshPaths, keepMade, type MadeSoFar } from './certainty/madeTimes.ts';
import { readsMoment } from './certainty/moment.ts';
import { type NetworkPart, networkPart, noNetwork } from './certainty/network.ts';
import { noRoom } from './certainty/noRoom.ts';
import { leaveNotServedUnknown } from './certainty/notServed.ts';
import { isByChance, printsByChance } from './certainty/order.ts';
import { outputLeft } from './certainty/outputLeft.ts';
import { ownFoldersRead } from './certainty/ownFolders.ts';
import { markPacks } from './certainty/packing.ts';
import { readsOf } from './certainty/readsOf.ts';
import { refusedFiles } from './certainty/refusedFiles.ts';
import { storedChangedReadTimes, storedOwnTimes } from './certainty/storedTimes.ts';
import { withheldShown } from './certainty/withheldShown.ts';
import { isMade, markMeasured, markNetworkErrors, markTimes } from './certainty/writtenContents.ts';
import { markVolatileChanges, toFileChanges } from './changes.ts';
import { endedWithout } from './gate/spokenWith.ts';
import type { OtherwiseOptions } from './otherwise.ts';
import { decidedElse } from './planned/decidedElse.ts';
import { planEvents } from './planned/packages.ts';
import { startedByStopped } from './planned/startedByStopped.ts';
import type { HeldView } from './views.ts';
import {
  basisOf,
  countsAsReading,
  effectsOf,
  failureOf,
  fileEvents,
  isOver,
  labelOf,
  programEvents,
} from './wire/events.ts';
import type { Finished, Listing } from './wire/launcher.ts';
import { baseName, type RunRecord } from './wire/runRecord.ts';

/** One more run of the same command, in a view of its own. */
export interface Again {
  record: RunRecord;
  listing: Listing;
  /** A path that this run made, with the same clock, and the one that is shown did not. */
  makes?: string;
}

/** The run that is shown, and what it is compared with. */
export interface Outcome {
  record: RunRecord;
  /** Another run of the same command; what it has differently is volatile. May be the same record. */
  other: RunRecord;
  /** Which one names every path; default: the record. */
  namer?: RunRecord;
  /** One more, of which only the output is compared: it was given the machine's state of another moment. */
  later?: RunRecord | undefined;
  /** More of them, where two runs agree by chance on what goes in no certain order. */
  repeats?: readonly Again[];
  /** There was no time for as many as they take to tell. */
  isUndecided?: true;
  /** What was changed; absent where nothing was. */
  listing?: Listing;
  otherListing?: Listing | undefined;
  /** `false`: there is no other run, and this one was given another clock and other process numbers. */
  isCompared?: false;
  /** One run was enough: nothing of it can be volatile. */
  isSteady?: true | undefined;
  /** What was changed already when the first program was answered for by anything but a rehearsal. */
  baseline?: Listing | undefined;
  held: HeldView;
}

/** What the events need besides the runs. */
export interface ConcludeOptions {
  keepPath(path: string): boolean;
  /** Each piece of output has an event of its own: each is what one call of a tool says. */
  keepsPieces?: boolean;
  limits: Limits;
  startedAt: Date;
  /** What the steps before it have made; what this one makes is added. */
  made: MadeSoFar;
  /** The text of the command. */
  script: string;
  /** Both streams go to one terminal. */
  isTerminal: boolean;
  /** Programs ran that are not known to be inert. */
  isForeign: boolean;
  /** The machine has no network, so that what a run says without one is so. */
  hasNoNetwork: boolean;
  /** A program ran that shows the times of files. */
  showsStatus: boolean;
  /** Packs of git may come out otherwise, although two runs agree on them. */
  packsInThreads: boolean;
  /** Lines come in an order that a race decides, although two runs agree on it. */
  inAnyOrder: boolean;
  /** Chance decides which of its programs begins. */
  startsTogether: boolean;
  /** Variables that were kept back. */
  withheld?: readonly WithheldVariable[];
  /** What is not certain for reasons that the runs do not show. */
  doubts: readonly Doubt[];
  push(event: FactEvent): void;
  otherwise(shown: OtherwiseOptions['shown']): Promise<FactEvent[]>;
  /** Where the command comes to by other samples of what was imagined. */
  futures?(shown: OtherwiseOptions['shown']): Promise<FactEvent[]>;
  /**
   * Tells the programs of a run that a limit ended, and what the script would still have done; or what the processes go on to do
   * that it left running. Resolves to the first program that would still be started.
   */
  unfinished?(
    changed: readonly FileChange[],
    leftRunning?: readonly (readonly string[])[],
  ): Promise<readonly string[] | undefined>;
}

/** What a prediction leaves to the next one. */
interface Left {
  /** The copy is otherwise than the real files would be. */
  isOtherwise: boolean;
}

/** Makes the events of a prediction from its runs, down to the ending. */
export async function conclude(outcome: Outcome, options: ConcludeOptions): Promise<Left> {
  const { record, other, listing, repeats = [] } = outcome;
  const { push, startsTogether } = options;
  const { finished } = record;
  if (!finished) return asItIs;
  const took = () => Date.now() - options.startedAt.getTime();
  const network = await unservedPart(outcome, options);
  if (isEndUnknown(record, finished.exitCode)) doubtErrors(record, options.isTerminal);
  if (!options.keepsPieces) joinOutput(record);
  const changes = toFileChanges(listing?.changes ?? [], options.keepPath);
  for (const one of otherListings(outcome)) markVolatileChanges(changes, toFileChanges(one, options.keepPath));
  const meanwhile = new Set(
    (listing?.effects ?? []).filter(({ kind }) => kind === 'changedMeanwhile').map(({ detail }) => detail),
  );
  const byChance = isByChance(record, options.script) || (await isLeftToCode(outcome));
  for (const change of changes) change.volatile ||= meanwhile.has(change.path) || (byChance && isMade(change));
  if (options.packsInThreads) await markPacks(changes, outcome.held.view);
  if (network.notices.length > 0) await markNetworkErrors(changes, outcome.held);
  const goesOn = record.endedBy?.kind === 'goesOn' ? record.endedBy : undefined;
  const failure = record.endedBy ? failureBy(record.endedBy) : failureOf(finished, options.limits);
  const leftRunning = !goesOn && isOver(finished) ? finished.leftRunning.map(({ argv }) => argv) : [];
  markVolatilePrograms(record, outcome.isCompared === false ? undefined : other);
  let next: readonly string[] | undefined;
  // Nobody waits any more for what was cancelled.
  const isCut = failure ? record.endedBy !== undefined || finished.how !== 'cancelled' : wasCut(record, options);
  if (isCut && options.unfinished) await options.unfinished(changes);
  else if (failure || leftRunning.length === 0 || !options.unfinished) {
    for (const event of programEvents(record)) push(event);
  } else next = await options.unfinished(changes, leftRunning);
  const ofMoment = outcome.isCompared === false || readsMoment(record, options.script, outcome.later === undefined);
  const span = { fromMs: options.startedAt.getTime(), toMs: Date.now() };
  const spans = changes.length > 0 ? [...options.made.spans, span] : options.made.spans;
  const fresh = freshPaths(changes);
  const hasOwnTimes = storedOwnTimes(record, [options.made.paths, fresh]);
  const storesNew = hasOwnTimes || (await storedChangedReadTimes(record, options.startedAt));
  if (options.showsStatus || ofMoment || storesNew)
    await markTimes(changes, outcome.held, { spans, ofMoment, storesNew });
  const isTimed = showsDurations(record, options.script);
  await markMeasured(changes, outcome.held, { ...options, isTimed, spans, tookMs: took() });
  const isVolatileLine = volatileLines({
    ...options,
    isTimed,
    inAnyOrder: options.inAnyOrder || byChance,
    spans,
    pacedLines: record.programs.flatMap(({ argv }) => programOf(argv[0] ?? '')?.pacedLines ?? []),
    readsMoment: ofMoment || hasOwnTimes,
    tookMs: took(),
  });
  const others = [other, ...(outcome.later ? [outcome.later] : []), ...repeats.map((again) => again.record)];
  const bounds = boundsOf(record, options.script);
  for (const event of outputEvents(record, others, { isVolatileLine, startsTogether }))
    for (const bounded of withBound(event, bounds)) push(bounded);
  if (changes.length > 0) keepMade(options.made, fresh, span);
  markUnasked(changes, record);
  for (const event of fileEvents(changes, fileBasis(outcome, changes))) push(event);
  const { effects, doubts: found, notices } = effectsOf(record, listing?.effects ?? []);
  const doubts = [...withTables(found, other), ...ownFoldersRead(outcome), ...network.doubts, ...options.doubts];
  for (const effect of effects) push({ type: 'effect', ...effect });
  for (const event of await planEvents(record, changes)) push(event);
  notices.push(...network.notices, ...(await withheldShown(outcome, changes, options.withheld)));
  for (const fact of notices) push({ type: 'notice', fact });
  if (failure) {
    push({ type: 'failed', failure, durationMs: took() });
    return asItIs;
  }
  if (record.assumptions.length > 0)
    for (const event of await options.otherwise({ record, changes, listing })) push(event);
  if (record.futures.length > 0 && options.futures) {
    for (const event of await options.futures({ record, changes, listing })) push(event);
  }
  if (finished.how === 'stopped') {
    doubts.push({ kind: 'needsMachine', what: finished.detail });
  } else if (goesOn) {
    push({ type: 'effect', ...goingOn(record, goesOn.afterMs) });
    doubts.push({ kind: 'goesOn', afterMs: goesOn.afterMs });
  } else push(network.isEndUnknown ? unknownExit(finished) : exitEvent(record, finished, bounds));
  if (next) doubts.push({ kind: 'runsOn', argv: [...next] });
  if (listing && !listing.complete) {
    doubts.push({ kind: 'notAllListed', because: listing.why });
  }
  doubts.push(...varying(outcome, others, goesOn !== undefined, options));
  for (const doubt of refusedFiles(record, changes)) {
    if (doubt.kind === 'mountBusy')
      push({ type: 'effect', fact: { kind: 'removesDevice', path: doubt.path }, basis: 'computed' });
    doubts.push(doubt);
  }
  if (listing && !outcome.held.countsLinks) doubts.push(...linkDoubts(record, listing, options.script));
  doubts.push(...copiedObjects(changes), ...(await noRoom(changes)));
  push(endingOf(record, doubts, took()));
  return leftBy(doubts);
}

/** Doubts, and those of tables that only the other run read. */
function withTables(doubts: readonly Doubt[], other: RunRecord): Doubt[] {
  const isNew = ({ path }: { path: string }) => !doubts.some((one) => 'path' in one && one.path === path);
  return [...doubts, ...tablesReadBy(other).filter(isNew)];
}

/** What is not certain because runs of the same command did not agree. */
function varying(
  outcome: Outcome,
  others: readonly RunRecord[],
  goesOn: boolean,
  { startsTogether, script, keepPath }: Pick<ConcludeOptions, 'startsTogether' | 'script' | 'keepPath'>,
): Doubt[] {
  const { record, other, repeats = [] } = outcome;
  const doubts: Doubt[] = [];
  const isOther = ({ finished }: RunRecord) => finished && finished.exitCode !== record.finished?.exitCode;
  if (!goesOn && others.some(isOther)) doubts.push({ kind: 'exitCodeVaries' });
  const makes = repeats.find((again) => again.makes !== undefined)?.makes;
  if (makes !== undefined) doubts.push({ kind: 'madeByChance', path: makes });
  const contended = contendedPath(record, script);
  if (contended !== undefined) doubts.push({ kind: 'contended', path: contended });
  if (startsTogether && isSilentByChance(record, other)) doubts.push({ kind: 'outputVaries' });
  doubts.push(...outputLeft([record, other]));
  const guessed = guessedFolder(outcome, keepPath);
  if (guessed !== undefined) doubts.push({ kind: 'showsCopyStatus', path: guessed });
  return doubts;
}

/** What the network has to do with a run, and whether how it ended is unknown for want of what else a rehearsal does not serve. */
async function unservedPart(
  { record, held }: Outcome,
  { hasNoNetwork, isForeign, script }: Pick<ConcludeOptions, 'hasNoNetwork' | 'isForeign' | 'script'>,
): Promise<NetworkPart> {
  const network = hasNoNetwork ? noNetwork : await networkPart(record, isForeign, script, readBehind(held));
  return leaveNotServedUnknown(record) ? { ...network, isEndUnknown: true } : network;
}

async function isLeftToCode(outcome: Outcome): Promise<boolean> {
  const { record, held, isUndecided } = outcome;
  return isUndecided || printsByChance(record, readsOf(outcome)?.paths ?? [], readBehind(held));
}

function readBehind({ view }: HeldView) {
  return (file: string, mostBytes: number) => view.read(file, 'after', mostBytes);
}

function otherListings({ otherListing, repeats = [] }: Outcome): Listing['changes'][] {
  return [...(otherListing ? [otherListing] : []), ...repeats.map(({ listing }) => listing)].map(
    ({ changes }) => changes,
  );
}

const asItIs: Left = { isOtherwise: false };

const leavesOtherwise: ReadonlySet<Doubt['kind']> = new Set(['hardLinks', 'otherOwner', 'moveTooLarge']);

function leftBy(doubts: readonly Doubt[]): Left {
  return { isOtherwise: doubts.some(({ kind }) => leavesOtherwise.has(kind)) };
}

/**
 * What failed for want of an answer would succeed with one, and the script go on, or go another way; or what was stopped would start
 * programs whose words tell what they do to files.
 */
function wasCut(record: RunRecord, { script }: ConcludeOptions): boolean {
  const { programs } = record;
  if (endedWithout(record) || decidedElse(script, programs).size > 0) return true;
  return startedByStopped(programs).length > 0;
}

// git writes objects with mode 0444; only the copy of one that could not be linked has another.
const gitObject = /\/objects\/([0-9a-f]{2}\/[0-9a-f]{38,62}|pack\/pack-[0-9a-f]+\.(pack|idx|rev))$/;

function copiedObjects(changes: readonly FileChange[]): Doubt[] {
  const copied = changes.find(
    (change) => change.change === 'created' && change.mode !== '0444' && gitObject.test(change.path),
  );
  return copied ? [{ kind: 'gitLinks', path: copied.path }] : [];
}

function endingOf(record: RunRecord, doubts: readonly Doubt[], durationMs: number): FactEvent {
  const [doubt] = doubts;
  if (doubt) return { type: 'abstained', doubt, durationMs };
  // What somebody answered is the least that is not known.
  const { assumptions } = record;
  const assumption = assumptions.find(({ because }) => because.kind !== 'lookedAt') ?? assumptions[0];
  if (!assumption && record.unsure === 'assumed') {
    return { type: 'abstained', doubt: { kind: 'earlierAssumption' }, durationMs };
  }
  if (!assumption) return { type: 'done', durationMs };
  const { argv, assumes, unknown } = assumption;
  const label = labelOf(record.programs[assumption.id - 1]);
  const rests = { argv, ...label, assumes, ...(unknown === undefined ? {} : { unknown }) };
  return { type: 'abstained', doubt: { kind: 'assumption', ...rests }, durationMs };
}

/** Words in which a clock, a number of a process or chance stands: another run has others. Without one nobody knows. */
function markVolatilePrograms({ programs }: RunRecord, other: RunRecord | undefined): void {
  const same = new Set(other?.programs.map(({ argv }) => argv.join('\0')));
  for (const program of programs) if (!same.has(program.argv.join('\0'))) program.isVolatile = true;
}

/** Of files of which only is said that they change, what stands in the copy is nobody's word. */
function markUnasked(changes: readonly FileChange[], { unasked }: RunRecord): void {
  for (const change of changes) {
    const bytes = change.change === 'deleted' ? undefined : unasked.get(change.path);
    // Another size: somebody has written it since.
    if (bytes === undefined || bytes !== change.sizeBytes) continue;
    change.content = 'notAsked';
    delete change.sha256;
    change.volatile = false;
  }
}

/** The other run also looks for tables of the machine, of which a view has its own; the one that is shown is not slowed by it. */
function tablesReadBy({ effects }: RunRecord): { kind: 'readsMachine'; path: string }[] {
  const paths = effects.flatMap((one) => (one.kind === 'readsTables' && countsAsReading(one) ? [one.detail] : []));
  return [...new Set(paths)].map((path) => ({ kind: 'readsMachine', path }));
}

function failureBy(endedBy: NonNullable<RunRecord['endedBy']>): Failure | undefined {
  return endedBy.kind === 'timeLimit' ? endedBy : undefined;
}

/** The program that everything waits for. */
function goingOn(record: RunRecord, afterMs: number): FoundEffect {
  const program = record.programs.find(({ exitCode, isOurs }) => exitCode === undefined && !isOurs);
  const what = program ? { argv: program.argv, ...labelOf(program) } : {};
  return { fact: { kind: 'goesOn', ...what, afterMs }, basis: basisOf(record, record.unsure !== false) };
}

function unknownExit({ cwd }: Finished): FactEvent {
  return { type: 'exit', basis: 'unknown', cwd };
}

/** The code, or what it depends on. */
function exitEvent(record: RunRecord, finished: Finished, bounds: ScriptBounds): FactEvent {
  const code = finished.exitCode;
  if (bounds.exitCode === code) return { type: 'exit', code, basis: 'computed', cwd: finished.cwd };
  if (isEndUnknown(record, code)) return unknownExit(finished);
  return { type: 'exit', code, basis: basisOf(record, record.unsure !== false), cwd: finished.cwd };
}

/**
 * Before the first answer that was not rehearsed, changes are rehearsed; after it they rest on that answer. What a program
 * writes that reads what nobody knows is unknown, and so is what a stopped program would have printed into a file.
 */
function fileBasis(
  { record, listing, baseline }: Outcome,
  changes: readonly FileChange[],
): (change: FileChange) => Basis {
  const then = new Map((baseline?.changes ?? []).map((one) => [one.path, one]));
  const now = new Map(then.size === 0 ? [] : (listing?.changes ?? []).map((one) => [one.path, one]));
  const basis = (change: FileChange): Basis => {
    const [before, after] = [then.get(change.path), now.get(change.path)];
    const isSettled =
      before !== undefined &&
      after !== undefined &&
      before.after.mtimeNanos === after.after.mtimeNanos &&
      before.after.sizeBytes === after.after.sizeBytes;
    const hasContent = change.type === 'file' && (change.change === 'created' || change.change === 'modified');
    const isPrinted = record.printedInto?.has(baseName(change.path)) ?? true;
    if (hasContent && (isPrinted || (record.dependsOn.length > 0 && !isSettled))) return 'unknown';
    return basisOf(record, record.unsure !== false && !isSettled);
  };
  // Behind a look: what somebody outside said at that moment.
  for (const change of record.lookedAt ? changes : [])
    change.volatile ||= isMade(change) && basis(change) === 'assumed';
  return basis;
}
