import path from 'node:path';
import type { AssumedPart, AssumptionReason, WayToKnow } from '../../../facts/assumption.ts';
import type { OutcomeChange, ProgramOutcome, StandIn } from '../../../prediction/rehearsal.ts';
import { describeProgram } from '../../../programs/describeProgram.ts';
import { inlineCodeOf, interpreterOf } from '../../../programs/inlineCode.ts';
import { leavesFiles } from '../../../programs/leavesFiles.ts';
import { plainlyWrites, scriptFileOf } from '../../../programs/plainlyWrites.ts';
import { programOf } from '../../../programs/programOf.ts';
import { aMomentLater } from '../certainty/moment.ts';
import { taint } from '../certainty/taint.ts';
import { callsBehind } from '../planned/startedByStopped.ts';
import type { Gated, Launcher } from '../wire/launcher.ts';
import { addGated, baseName, type RecordedProgram, type RunRecord } from '../wire/runRecord.ts';
import { assumption, createAskedOutcomes, stdinOf } from './askedOutcomes.ts';
import type { AssumedFailures, GatekeeperOptions } from './gatekeeperOptions.ts';
import { letIn, mayBeLetIn } from './letIn.ts';
import { asksForOwn } from './ofThisRun.ts';
import { type Overwritten, overwritesNothing, overwritesOf, overwritten } from './overwritten.ts';
import { plainEdit } from './plainEdit.ts';
import { spokenWith } from './spokenWith.ts';
import { isStandInFor, standInFor } from './standIn.ts';

/** Answers for stopped programs. */
export interface Gatekeeper {
  /**
   * Lets a program in to which the user consented or that is known by its words, or ends a run that cannot; false: it has to be
   * answered for.
   */
  letIn(launcher: Launcher, gated: Gated, record: RunRecord): boolean | Promise<boolean>;
  /** Decides about one stopped program and answers the launcher. Never rejects. */
  answer(launcher: Launcher, gated: Gated, record: RunRecord, failures: AssumedFailures): Promise<void>;
}

const nothing = new Uint8Array();

/** Most of a script that is looked through for calls that write, in bytes. */
const maxCodeBytes = 256 * 1024;
/** The key under which the same question is asked only once. */
export function questionKey(argv: readonly string[]): string {
  return argv.join('\0');
}

/**
 * Answers for programs that may not run, the same in every run of one prediction: by look mode (programs that read the
 * process or mount table), by what they would start (`npm run x`), by the world model, or by an assumption.
 */
export function createGatekeeper(options: GatekeeperOptions): Gatekeeper {
  const asked = createAskedOutcomes(options);
  // The copy is tried first; in look mode nothing can be let in.
  let canLetIn = false;

  async function answer(launcher: Launcher, gated: Gated, record: RunRecord, failures: AssumedFailures): Promise<void> {
    const program = addGated(record, gated);
    if (gated.reason === 'changed') return;
    if (gated.reason === 'readsTables' && (await answerByLook(options, launcher, gated, record, program))) return;
    const forced = failures.get(questionKey(program.argv));
    if (
      forced === undefined &&
      gated.reason !== 'foreignLibrary' &&
      (await answerInstead(options, launcher, gated, record, program))
    )
      return;
    const seen = forced === undefined ? await options.outside.outcomeOf(launcher, gated, record) : undefined;
    const edit = forced === undefined && !seen ? await editOf(options, launcher, gated, program.argv) : undefined;
    const answered =
      forced === undefined
        ? (seen ?? edit ?? (await asked.outcomeOf(launcher, gated, program, record)))
        : typeof forced === 'number'
          ? { ...assumption({ kind: 'noModel' }), exitCode: forced }
          : forced;
    const caller = spokenWith(gated, program, record);
    const isImagining = answered.basis === 'imagined';
    const overwrites = await (answered.exitCode === 0 && (isGuess(answered) || isImagining)
      ? overwritten(launcher, [program, ...(caller ? [caller] : [])], answered.changes)
      : overwritesNothing);
    const unsaid = overwrites.changes.map((change) => (isImagining ? { ...change, isUnasked: true as const } : change));
    const outcome = { ...answered, changes: [...answered.changes, ...unsaid] };
    if (!isImagining) addNames(record, overwrites.names);
    if (outcome.futures) record.futures.push({ id: program.id, argv: program.argv, ...outcome.futures });
    // What nobody said of an imagined program is assumed, and so is what follows from it.
    const isImagined = outcome.basis === 'imagined' && outcome.assumes === undefined;
    record.unsure = isImagined && record.unsure !== 'assumed' ? 'imagined' : 'assumed';
    program.answeredBy = outcome.basis;
    if (seen) record.lookedAt = true;
    if (outcome.waits) program.waits = true;
    // Those that still run may read what it prints, or wait for it: how they end rests on it as well.
    for (const other of record.programs) if (other !== program && other.exitCode === undefined) other.unsure = true;
    if (outcome.basis === 'assumed' || outcome.assumes !== undefined)
      await assume(options, launcher, gated, record, { program, outcome, canLetIn, overwrites });
    for (const change of outcome.changes) {
      await putChange(launcher, change);
      if (change.isUnasked && change.after) record.unasked.set(change.path, change.after.length);
      else record.unasked.delete(change.path);
    }
    if (outcome.changes.length > 0) record.imaginedChanges = true;
    write(launcher, gated, outcome);
  }

  const admit: Gatekeeper['letIn'] = (launcher, gated, record) => {
    if (options.beginsAgain(launcher, gated)) return true;
    canLetIn ||= launcher.letsIn;
    const isIn = letIn(options.consent, launcher, gated, record);
    const orKnown = (isSo: boolean) => isSo || options.known.letIn(launcher, gated, record);
    return typeof isIn === 'boolean' ? orKnown(isIn) : isIn.then(orKnown);
  };

  async function standIn(known: StandIn, launcher: Launcher, gated: Gated, record: RunRecord): Promise<void> {
    const how = { record, isCheck: options.isCheck(launcher) };
    if (await standInFor(known, launcher, gated, how)) return;
    if (!(await admit(launcher, gated, record))) await answer(launcher, gated, record, new Map());
  }

  return {
    letIn(launcher, gated, record) {
      const known = options.standIn;
      if (!known || !launcher.isCopy || !isStandInFor(known, gated)) return admit(launcher, gated, record);
      // What cannot be put there ends the run: none of it is claimed then.
      void standIn(known, launcher, gated, record).catch(() => launcher.cancel());
      return true;
    },
    async answer(launcher, gated, record, failures) {
      try {
        await answer(launcher, gated, record, failures);
      } catch {
        // The launcher has ended: whoever waits for the run is told.
      }
    },
  };
}

/** What a snippet leaves that only edits files, where no model is asked; what it prints must be nobody's input, because it is not followed. */
async function editOf(
  options: GatekeeperOptions,
  launcher: Launcher,
  gated: Gated,
  argv: readonly string[],
): Promise<ProgramOutcome | undefined> {
  if (options.handOver) return undefined;
  const edit = await plainEdit(launcher, gated, argv, await codeOf(options, launcher, gated, argv));
  if (!edit) return undefined;
  const isHeard = gated.stdout === 'file' || options.dependence.isRead(argv);
  return edit.prints && isHeard ? undefined : edit.outcome;
}

/** Nobody said what a program does. */
function isGuess({ basis, assumes }: ProgramOutcome): boolean {
  return basis === 'assumed' && assumes === undefined;
}

/** A stopped program of which something is assumed. */
interface Assumed {
  program: RecordedProgram;
  outcome: ProgramOutcome;
  canLetIn: boolean;
  /** What it writes anew by its words. */
  overwrites: Overwritten;
}

/** Takes down what is assumed of a program, and what is not even assumed of one that nobody predicted. */
async function assume(
  options: GatekeeperOptions,
  launcher: Launcher,
  gated: Gated,
  record: RunRecord,
  { program, outcome, canLetIn, overwrites }: Assumed,
): Promise<void> {
  const { argv } = program;
  const { because = { kind: 'noAnswer' } } = outcome;
  const isGuessed = isGuess(outcome);
  const isEdit = outcome.assumes?.some(({ kind }) => kind === 'editsAsWritten') ?? false;
  const isSilent = outcome.assumes?.some(({ kind }) => kind === 'printsNothing') ?? false;
  const unknown = isGuessed
    ? await unknownOf(options, launcher, gated, record, program, overwrites.changes.length > 0)
    : isEdit && !isSilent
      ? (['output'] as const)
      : [];
  const { known, level, effects } = describeProgram(argv, gated.cwd);
  const leaves = leavesFiles(argv, gated.cwd);
  const plan = isGuessed ? options.plan(gated, record, program) : undefined;
  if (plan !== undefined) program.plan = plan;
  const ways: WayToKnow[] = [
    ...(canLetIn && mayBeLetIn(gated) ? (['rehearse'] as const) : []),
    ...(because.kind === 'noModel' ? (['connectModel'] as const) : []),
    ...[options.outside.wayOf(gated)].flatMap((way) => way ?? []),
  ];
  record.assumptions.push({
    id: program.id,
    argv,
    assumes: outcome.assumes ?? assumedOf(outcome.exitCode, unknown, ...overwritesOf(overwrites, gated.cwd), leaves),
    because,
    ways,
    ...(isGuessed || outcome.exitIsAssumed === true ? { otherwise: outcome.exitCode === 0 ? 1 : 0 } : {}),
    ...(unknown.length > 0 ? { unknown: [...unknown] } : {}),
    mayWrite: isGuessed && !(known && level === 'safe' && effects.length === 0),
  });
}

/** What of a program nobody may assume to be nothing. What follows and depends on that is not known from here on. */
async function unknownOf(
  options: GatekeeperOptions,
  launcher: Launcher,
  gated: Gated,
  record: RunRecord,
  program: RecordedProgram,
  overwrites: boolean,
): Promise<('output' | 'changes')[]> {
  const { argv } = program;
  if (spokenWith(gated, program, record)) program.isHelper = true;
  const writesThere = overwrites || callsBehind(argv, gated.cwd).length > 0;
  const writes = writesThere || plainlyWrites(argv, await codeOf(options, launcher, gated, argv));
  const printsIntoFile = gated.stdout === 'file' || gated.stderr === 'file';
  const isRead = options.dependence.isRead(argv) || program.isHelper === true;
  if (printsIntoFile) addNames(record, options.dependence.printsInto(argv));
  if (writes || printsIntoFile) record.blind.push(argv);
  if (isRead || (record.blind.length > 0 && options.dependence.shellReads)) taint(record, [...record.blind, argv]);
  return [...(isRead || printsIntoFile ? (['output'] as const) : []), ...(writes ? (['changes'] as const) : [])];
}

/** What stands on a standard input is read once. */
const codes = new WeakMap<Gated, Promise<string | undefined>>();

/** The code that an interpreter would run, as far as it can be read. */
function codeOf(
  options: GatekeeperOptions,
  launcher: Launcher,
  gated: Gated,
  argv: readonly string[],
): Promise<string | undefined> {
  const code = codes.get(gated) ?? readCode(options, launcher, gated, argv);
  codes.set(gated, code);
  return code;
}

async function readCode(
  options: GatekeeperOptions,
  launcher: Launcher,
  gated: Gated,
  argv: readonly string[],
): Promise<string | undefined> {
  if (interpreterOf(argv[0] ?? '') === undefined) return undefined;
  const inline = inlineCodeOf(argv, undefined);
  if (inline !== undefined) return inline;
  const script = scriptFileOf(argv);
  if (script !== undefined) {
    const bytes = await launcher.read(path.resolve(gated.cwd, script), 'after', maxCodeBytes);
    return bytes && Buffer.from(bytes).toString('utf8');
  }
  const { bytes } = await stdinOf(launcher, gated, options.sharesStdin);
  return inlineCodeOf(argv, Buffer.from(bytes).toString('utf8'));
}

async function answerByLook(
  options: GatekeeperOptions,
  launcher: Launcher,
  gated: Gated,
  record: RunRecord,
  program: RecordedProgram,
): Promise<boolean> {
  if (await asksForOwn(launcher, gated, record, options)) return false;
  // Asked anew in every run: what differs from run to run must show as volatile.
  const result = await options.look(gated);
  if (!result) return false;
  delete program.gate;
  program.answeredBy = 'rehearsed';
  for (const sent of result.signals) {
    record.effects.push({ ...sent, pid: gated.pid, unsure: record.unsure !== false });
  }
  const name = baseName(gated.realPath);
  const { outcome } = result;
  const isMomentary = programOf(name)?.momentary === true;
  if (isMomentary) record.momentary = true;
  const isOther = isMomentary && options.isCheck(launcher);
  write(launcher, gated, isOther ? { ...outcome, stdout: aMomentLater(outcome.stdout, name) } : outcome);
  return true;
}

async function answerInstead(
  options: GatekeeperOptions,
  launcher: Launcher,
  gated: Gated,
  record: RunRecord,
  program: RecordedProgram,
): Promise<boolean> {
  const instead = await options.lookThrough(launcher, gated);
  if (!instead) return false;
  program.lookedThrough = true;
  program.stand = instead.stand;
  program.answeredBy = instead.exact ? 'computed' : 'assumed';
  if (!instead.exact) {
    program.supposed = true;
    record.unsure = 'assumed';
    const overwrites = await overwritten(launcher, [program]);
    for (const change of overwrites.changes) await putChange(launcher, change);
    if (overwrites.changes.length > 0) record.imaginedChanges = true;
    addNames(record, overwrites.names);
    const also = overwritesOf(overwrites, gated.cwd);
    const because: AssumptionReason = { kind: 'lookedThrough' };
    const assumes = [instead.assumes, ...also];
    record.assumptions.push({ id: program.id, argv: program.argv, assumes, because });
  }
  if (instead.stdout) launcher.write(gated.token, 'stdout', Buffer.from(instead.stdout));
  const env = [...instead.env, ...options.standIns(launcher)];
  launcher.answer(gated.token, { kind: 'instead', path: instead.path, argv: instead.argv, env });
  return true;
}

/** Writes what a model said into the copy, with the folders that it needs. What cannot be written there is left out. */
async function putChange(launcher: Launcher, { path, after, mode, isFolder }: OutcomeChange): Promise<void> {
  if (after === null) {
    await launcher.put(path, 'delete', nothing);
    return;
  }
  for (let at = path.indexOf('/', 1); at > 0; at = path.indexOf('/', at + 1)) {
    const folder = path.slice(0, at);
    if (!(await launcher.stat(folder, 'after'))) await launcher.put(folder, 'directory', nothing, 0o755);
  }
  if (!isFolder) await launcher.put(path, 'file', after, mode);
  else if (!(await launcher.stat(path, 'after'))) await launcher.put(path, 'directory', nothing, 0o755);
}

function write(launcher: Launcher, gated: Gated, outcome: ProgramOutcome): void {
  launcher.write(gated.token, 'stdout', outcome.stdout);
  launcher.write(gated.token, 'stderr', outcome.stderr);
  launcher.answer(gated.token, { kind: 'exit', code: outcome.exitCode });
}

function addNames(record: RunRecord, names: ReadonlySet<string> | undefined): void {
  record.printedInto = names && record.printedInto && new Set([...record.printedInto, ...names]);
}

function assumedOf(
  exitCode: number,
  unknown: readonly ('output' | 'changes')[],
  ...more: readonly (AssumedPart | undefined)[]
): AssumedPart[] {
  return [
    { kind: 'exits', exitCode },
    ...(unknown.includes('output') ? [] : [{ kind: 'printsNothing' as const }]),
    ...(unknown.includes('changes') ? [] : [{ kind: 'changesNothing' as const }]),
    ...more.flatMap((part) => part ?? []),
  ];
}
