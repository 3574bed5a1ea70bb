import type { ProgramOutcome, StoppedProgram } from '../../prediction/worldModel.ts';
import type { Gated, Launcher } from './launcher.ts';
import { addGated, namedArgv, type RecordedProgram, type RunRecord } from './runRecord.ts';

/** A program that can be started in the place of a gated one, because it is what that one would start. */
export interface Instead {
  path: string;
  argv: string[];
  env: string[];
  /** Printed before it starts, as the gated program would. */
  stdout: string;
  /** What is assumed about the program that was looked through, as a clause. */
  assumed: string;
}

/** Who answers for programs that may not run. */
export interface GatekeeperOptions {
  handOver?: (program: StoppedProgram) => Promise<ProgramOutcome>;
  /** Runs one inert program on the real machine; `undefined` when it would have changed something. */
  look(gated: Gated): Promise<{ outcome: ProgramOutcome; signals: string[] } | undefined>;
  /** What the gated program would start, where that is known. */
  lookThrough(launcher: Launcher, gated: Gated): Promise<Instead | undefined>;
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

  async function outcomeOf(launcher: Launcher, gated: Gated): Promise<ProgramOutcome> {
    const { handOver, signal } = options;
    if (!handOver) return assumption('no model is configured');
    const key = `${gated.cwd}\0${questionKey(gated.argv)}`;
    const known = outcomes.get(key);
    if (known) return known;
    const asked = handOver({
      argv: namedArgv(gated),
      cwd: gated.cwd,
      env: environmentOf(gated.env),
      readStdin: (maxBytes) => launcher.readStdin(gated.token, maxBytes),
      signal,
    }).catch((error: unknown) => assumption(`the world model failed: ${String(error)}`));
    outcomes.set(key, asked);
    return asked;
  }

  async function answer(launcher: Launcher, gated: Gated, record: RunRecord, failures: AssumedFailures): Promise<void> {
    const program = addGated(record, gated);
    if (gated.reason === 5) return;
    if (gated.reason === 4 && (await answerByLook(launcher, gated, record, program))) return;
    const forced = failures.get(questionKey(program.argv));
    if (forced === undefined && gated.reason !== 2 && (await answerInstead(launcher, gated, record, program))) return;
    const outcome = forced === undefined ? await outcomeOf(launcher, gated) : { ...assumption(''), exitCode: forced };
    record.unsure = outcome.basis === 'imagined' && record.unsure !== 'assumed' ? 'imagined' : 'assumed';
    program.answeredBy = outcome.basis;
    if (outcome.basis === 'assumed') {
      const assumed = `exits ${outcome.exitCode}, prints nothing, changes nothing`;
      record.assumptions.push({ id: program.id, argv: program.argv, assumed, why: outcome.why ?? '' });
    }
    for (const change of outcome.changes) {
      await launcher.put(change.path, change.after === null ? 'delete' : 'file', change.after ?? nothing);
    }
    write(launcher, gated, outcome);
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
    delete program.gatedBecause;
    program.answeredBy = 'rehearsed';
    for (const detail of result.signals) {
      record.effects.push({
        type: 'effect',
        kind: 2,
        pid: gated.pid,
        detail,
        number: 0,
        unsure: record.unsure !== false,
      });
    }
    write(launcher, gated, result.outcome);
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
    program.answeredBy = 'assumed';
    record.unsure = 'assumed';
    record.assumptions.push({
      id: program.id,
      argv: program.argv,
      assumed: instead.assumed,
      why: 'it was looked through',
    });
    if (instead.stdout) launcher.write(gated.token, 1, Buffer.from(instead.stdout));
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

function write(launcher: Launcher, gated: Gated, outcome: ProgramOutcome): void {
  launcher.write(gated.token, 1, outcome.stdout);
  launcher.write(gated.token, 2, outcome.stderr);
  launcher.answer(gated.token, { kind: 'exit', code: outcome.exitCode });
}

function assumption(why: string): ProgramOutcome {
  return { stdout: nothing, stderr: nothing, exitCode: 0, changes: [], basis: 'assumed', why };
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
