import { createHash } from 'node:crypto';
import path from 'node:path';
import type { AssumedPart, AssumptionReason } from '../../../facts/assumption.ts';
import type { FactEvent } from '../../../prediction/factEvent.ts';
import type { ProgramOutcome, StoppedProgram } from '../../../prediction/worldModel.ts';
import { inlineCodeOf, interpreterOf } from '../../../programs/inlineCode.ts';
import { describeProgram } from '../../../programs/knownPrograms.ts';
import { plainlyWrites, scriptFileOf } from '../../../programs/plainWrites.ts';
import { programOf } from '../../../programs/programOf.ts';
import type { Dependence } from '../certainty/dependence.ts';
import { aMomentLater } from '../certainty/moment.ts';
import { taint } from '../certainty/taint.ts';
import { toFileChanges } from '../changes.ts';
import type { Gated, Launcher, LauncherEffect } from '../wire/launcher.ts';
import { addGated, baseName, type RecordedProgram, type RunRecord, type Stand } from '../wire/runRecord.ts';

/** A program that can be started in the place of a gated one, because it is what that one would start. */
export interface Instead {
  path: string;
  argv: string[];
  env: string[];
  /** Printed before it starts, as the gated program would. */
  stdout: string;
  /** It prints nothing else, changes nothing and ends as that one does. */
  exact: boolean;
  /** What is seen of it then. */
  stand: Stand;
  /** What is assumed about the program that was looked through. */
  assumes: AssumedPart;
}

/** Who answers for programs that may not run. */
export interface GatekeeperOptions {
  handOver?: (program: StoppedProgram) => Promise<ProgramOutcome>;
  /** Runs one inert program on the real machine; `undefined` when it would have changed something. */
  look(gated: Gated): Promise<{ outcome: ProgramOutcome; signals: LauncherEffect[] } | undefined>;
  /** What the gated program would start, where that is known. */
  lookThrough(launcher: Launcher, gated: Gated): Promise<Instead | undefined>;
  keepPath(path: string): boolean;
  /** Whether a run in this view is there to find out what is volatile. */
  isCheck(launcher: Launcher): boolean;
  /** What depends on a stopped program. */
  dependence: Dependence;
  /** Other programs of the script may read from the same standard input, so that it must not be used up. */
  sharesStdin: boolean;
  /** Shows something while an answer is made. */
  tell(event: FactEvent): void;
  signal: AbortSignal;
}

/** Exit codes that programs are assumed to have, by the text of their arguments; everything else succeeds. */
export type AssumedFailures = ReadonlyMap<string, number>;

/** Answers for stopped programs. */
export interface Gatekeeper {
  /** Decides about one stopped program and answers the launcher. Never rejects. */
  answer(launcher: Launcher, gated: Gated, record: RunRecord, failures: AssumedFailures): Promise<void>;
}

const nothing = new Uint8Array();

/** Most of a program's standard input that is shown to whoever answers for it, in bytes. */
const maxStdinBytes = 256 * 1024;
/** Most of a script that is looked through for calls that write, in bytes. */
const maxCodeBytes = 256 * 1024;
/** Changed files are told apart by their contents as long as they are no larger than this together, in bytes. */
const maxHashedBytes = 64 * 1024 ** 2;

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64');
}

/** The key under which the same question is asked only once. */
export function questionKey(argv: readonly string[]): string {
  return argv.join('\0');
}

/**
 * Answers for programs that may not run, the same in every run of one prediction: by look mode (programs that read the
 * process or mount table), by what they would start (`npm run x`), by the world model, or by an assumption.
 */
export function createGatekeeper(options: GatekeeperOptions): Gatekeeper {
  const outcomes = new Map<string, Promise<ProgramOutcome>>();
  const versions = new WeakMap<RunRecord, Map<string, string[]>>();

  /**
   * Counts the conditions in which the same question comes up in one run. They differ from run to run, where files hold the
   * time, or where programs of a pipe are not equally fast: the second of one run is taken for the second of the next.
   */
  function versionOf(record: RunRecord, question: string, conditions: string): number {
    const seen = versions.get(record) ?? new Map<string, string[]>();
    versions.set(record, seen);
    const known = seen.get(question) ?? [];
    seen.set(question, known);
    const at = known.indexOf(conditions);
    return at >= 0 ? at : known.push(conditions) - 1;
  }

  async function outcomeOf(
    launcher: Launcher,
    gated: Gated,
    program: RecordedProgram,
    record: RunRecord,
  ): Promise<ProgramOutcome> {
    const { handOver, signal } = options;
    if (!handOver) return assumption({ kind: 'noModel' });
    const stdin = await stdinOf(launcher, gated);
    const listing = await launcher.list(false);
    const changes = toFileChanges(listing.changes, options.keepPath);
    // The same question in the same state is asked once: loops, and the second run of the same command.
    const state = changes.map((one) => [one.path, one.change, one.mode, one.sizeBytes, one.target, one.from]);
    const question = digestOf([gated.cwd, program.argv, Buffer.from(stdin.bytes).toString('base64')]);
    const sizeBytes = changes.reduce((sum, one) => sum + (one.change === 'deleted' ? 0 : one.sizeBytes), 0);
    const hashed = sizeBytes > 0 && sizeBytes <= maxHashedBytes ? await launcher.list(true) : listing;
    const hashes = hashed.changes.map((one) => one.sha256);
    // `_` is the last word of the command before, and a shell takes one from SHLVL for the last command of a script.
    const { _, SHLVL: _level, ...variables } = environmentOf(gated.env);
    const key = `${question} ${versionOf(record, question, digestOf([variables, state, hashes]))}`;
    const known = outcomes.get(key);
    if (known) return known;
    const asked = handOver({
      id: program.id,
      argv: program.argv,
      cwd: gated.cwd,
      env: environmentOf(gated.env),
      readStdin: async () => stdin,
      readFile: (path, maxBytes) => launcher.read(path, 'after', maxBytes),
      changes: async () => changes,
      tell: options.tell,
      signal,
    }).catch((error: unknown) => assumption({ kind: 'worldFailed', error: String(error) }));
    outcomes.set(key, asked);
    return asked;
  }

  /** What waits on standard input. The program that is stood in for would have read it, and its writer goes on. */
  async function stdinOf(launcher: Launcher, gated: Gated): Promise<{ bytes: Uint8Array; eof: boolean }> {
    const carriesInput = gated.stdin === 'pipe' || gated.stdin === 'file';
    if (!carriesInput || options.sharesStdin) return { bytes: nothing, eof: true };
    return launcher.readStdin(gated.token, maxStdinBytes);
  }

  async function answer(launcher: Launcher, gated: Gated, record: RunRecord, failures: AssumedFailures): Promise<void> {
    const program = addGated(record, gated);
    if (gated.reason === 'changed') return;
    if (gated.reason === 'readsTables' && (await answerByLook(launcher, gated, record, program))) return;
    const forced = failures.get(questionKey(program.argv));
    if (
      forced === undefined &&
      gated.reason !== 'foreignLibrary' &&
      (await answerInstead(launcher, gated, record, program))
    )
      return;
    const outcome =
      forced === undefined
        ? await outcomeOf(launcher, gated, program, record)
        : { ...assumption({ kind: 'noModel' }), exitCode: forced };
    // What nobody said of an imagined program is assumed, and so is what follows from it.
    const isImagined = outcome.basis === 'imagined' && outcome.assumes === undefined;
    record.unsure = isImagined && record.unsure !== 'assumed' ? 'imagined' : 'assumed';
    program.answeredBy = outcome.basis;
    if (outcome.waits) program.waits = true;
    // Those that still run may read what it prints, or wait for it: how they end rests on it as well.
    for (const other of record.programs) if (other !== program && other.exitCode === undefined) other.unsure = true;
    if (outcome.basis === 'assumed' || outcome.assumes !== undefined)
      await assume(launcher, gated, record, { program, outcome });
    for (const change of outcome.changes) await putChange(launcher, change);
    if (outcome.changes.length > 0) record.imaginedChanges = true;
    write(launcher, gated, outcome);
  }

  /** Takes down what is assumed of a program, and what is not even assumed of one that nobody predicted. */
  async function assume(
    launcher: Launcher,
    gated: Gated,
    record: RunRecord,
    { program, outcome }: { program: RecordedProgram; outcome: ProgramOutcome },
  ): Promise<void> {
    const { argv } = program;
    const { because = { kind: 'noAnswer' } } = outcome;
    const isGuessed = outcome.basis === 'assumed';
    const unknown = isGuessed ? await unknownOf(launcher, gated, record, argv) : [];
    const { known, level, effects } = describeProgram(argv, gated.cwd);
    record.assumptions.push({
      ...{ id: program.id, argv, assumes: outcome.assumes ?? assumedOf(outcome.exitCode, unknown), because },
      ...(isGuessed || outcome.exitIsAssumed === true ? { otherwise: outcome.exitCode === 0 ? 1 : 0 } : {}),
      ...(unknown.length > 0 ? { unknown } : {}),
      mayWrite: isGuessed && !(known && level === 'safe' && effects.length === 0),
    });
  }

  /** What of a program nobody may assume to be nothing. What follows and depends on that is not known from here on. */
  async function unknownOf(
    launcher: Launcher,
    gated: Gated,
    record: RunRecord,
    argv: string[],
  ): Promise<('output' | 'changes')[]> {
    const writes = plainlyWrites(argv, await codeOf(launcher, gated, argv));
    const printsIntoFile = gated.stdout === 'file' || gated.stderr === 'file';
    const isRead = options.dependence.isRead(argv);
    if (printsIntoFile) addNames(record, options.dependence.printsInto(argv));
    if (writes || printsIntoFile) record.blind.push(argv);
    if (isRead || (record.blind.length > 0 && options.dependence.shellReads)) taint(record, [...record.blind, argv]);
    return [...(isRead || printsIntoFile ? (['output'] as const) : []), ...(writes ? (['changes'] as const) : [])];
  }

  /** The code that an interpreter would run, as far as it can be read. */
  async function codeOf(launcher: Launcher, gated: Gated, argv: readonly string[]): Promise<string | undefined> {
    if (interpreterOf(argv[0] ?? '') === undefined) return undefined;
    const inline = inlineCodeOf(argv, undefined);
    if (inline !== undefined) return inline;
    const script = scriptFileOf(argv);
    if (script !== undefined) {
      const bytes = await launcher.read(path.resolve(gated.cwd, script), 'after', maxCodeBytes);
      return bytes && Buffer.from(bytes).toString('utf8');
    }
    const { bytes } = await stdinOf(launcher, gated);
    return inlineCodeOf(argv, Buffer.from(bytes).toString('utf8'));
  }

  async function answerByLook(
    launcher: Launcher,
    gated: Gated,
    record: RunRecord,
    program: RecordedProgram,
  ): Promise<boolean> {
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
      const { assumes } = instead;
      const because: AssumptionReason = { kind: 'lookedThrough' };
      record.assumptions.push({ id: program.id, argv: program.argv, assumes: [assumes], because });
    }
    if (instead.stdout) launcher.write(gated.token, 'stdout', Buffer.from(instead.stdout));
    launcher.answer(gated.token, { kind: 'instead', path: instead.path, argv: instead.argv, env: instead.env });
    return true;
  }

  return {
    async answer(launcher, gated, record, failures) {
      try {
        await answer(launcher, gated, record, failures);
      } catch {
        // The launcher has ended: whoever waits for the run is told.
      }
    },
  };
}

/** Writes what a model said into the copy, with the folders that it needs. What cannot be written there is left out. */
async function putChange(launcher: Launcher, { path, after, mode }: ProgramOutcome['changes'][number]): Promise<void> {
  if (after === null) {
    await launcher.put(path, 'delete', nothing);
    return;
  }
  for (let at = path.indexOf('/', 1); at > 0; at = path.indexOf('/', at + 1)) {
    const folder = path.slice(0, at);
    if (!(await launcher.stat(folder, 'after'))) await launcher.put(folder, 'directory', nothing, 0o755);
  }
  await launcher.put(path, 'file', after, mode);
}

function write(launcher: Launcher, gated: Gated, outcome: ProgramOutcome): void {
  launcher.write(gated.token, 'stdout', outcome.stdout);
  launcher.write(gated.token, 'stderr', outcome.stderr);
  launcher.answer(gated.token, { kind: 'exit', code: outcome.exitCode });
}

function addNames(record: RunRecord, names: ReadonlySet<string> | undefined): void {
  record.printedInto = names && record.printedInto && new Set([...record.printedInto, ...names]);
}

function assumedOf(exitCode: number, unknown: readonly ('output' | 'changes')[]): AssumedPart[] {
  return [
    { kind: 'exits', exitCode },
    ...(unknown.includes('output') ? [] : [{ kind: 'printsNothing' as const }]),
    ...(unknown.includes('changes') ? [] : [{ kind: 'changesNothing' as const }]),
  ];
}

function assumption(because: AssumptionReason): ProgramOutcome {
  return { stdout: nothing, stderr: nothing, exitCode: 0, changes: [], basis: 'assumed', because };
}

/** `NAME=value` strings as a record; later ones win. */
export function environmentOf(env: readonly string[]): Record<string, string> {
  const result: Record<string, string> = {};
  for (const entry of env) {
    const at = entry.indexOf('=');
    if (at > 0) result[entry.slice(0, at)] = entry.slice(at + 1);
  }
  return result;
}
