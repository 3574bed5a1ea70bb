import { createHash } from 'node:crypto';
import type { AssumptionReason } from '../../../facts/assumption.ts';
import type { ProgramOutcome } from '../../../prediction/rehearsal.ts';
import { toFileChanges } from '../changes.ts';
import type { Gated, Launcher } from '../wire/launcher.ts';
import type { RecordedProgram, RunRecord } from '../wire/runRecord.ts';
import type { GatekeeperOptions } from './gatekeeperOptions.ts';
import { inputOf } from './inputOf.ts';

const nothing = new Uint8Array();

/** Changed files are told apart by their contents as long as they are no larger than this together, in bytes. */
const maxHashedBytes = 64 * 1024 ** 2;

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64');
}

/** What was said of programs in one prediction: the same question in the same state is asked once. */
export interface AskedOutcomes {
  outcomeOf(launcher: Launcher, gated: Gated, program: RecordedProgram, record: RunRecord): Promise<ProgramOutcome>;
}

/** Asks the world model; where there is none, it is assumed that the program succeeds and does nothing. */
export function createAskedOutcomes(options: GatekeeperOptions): AskedOutcomes {
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
    const stdin = await stdinOf(launcher, gated, options.sharesStdin);
    const listing = await launcher.list('none');
    const changes = toFileChanges(listing.changes, options.keepPath);
    // The same question in the same state is asked once: loops, and the second run of the same command.
    const state = changes.map((one) => [one.path, one.change, one.mode, one.sizeBytes, one.target, one.from]);
    const question = digestOf([gated.cwd, program.argv, Buffer.from(stdin.bytes).toString('base64')]);
    const sizeBytes = changes.reduce((sum, one) => sum + (one.change === 'deleted' ? 0 : one.sizeBytes), 0);
    const hashed = sizeBytes > 0 && sizeBytes <= maxHashedBytes ? await launcher.list('new') : listing;
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

  return { outcomeOf };
}

/** What waits on standard input. The program that is stood in for would have read it, and its writer goes on. */
export async function stdinOf(
  launcher: Launcher,
  gated: Gated,
  sharesStdin: boolean,
): Promise<{ bytes: Uint8Array; eof: boolean }> {
  const carriesInput = gated.stdin === 'pipe' || gated.stdin === 'file';
  if (!carriesInput || sharesStdin) return { bytes: nothing, eof: true };
  return inputOf(launcher, gated);
}

/** What is assumed of a program of which nobody said anything. */
export function assumption(because: AssumptionReason): ProgramOutcome {
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
