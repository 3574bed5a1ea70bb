import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { engineChoice } from '../engineChoice.ts';
import type { Identity } from './fixture.ts';
import { wordsWithin } from './identity.ts';
import { emptyLists, PredictionJson } from './prediction.ts';
import { credentialsOf } from './realRun.ts';

/** One request of the batch interface. */
export interface BatchRequest {
  id: string;
  script: string;
  /** Absent in a session: where the command before ended. */
  cwd?: string;
  env?: Record<string, string>;
  session?: string;
  /** Every program may run, still confined. */
  openGate?: boolean;
  timeLimitMs?: number;
}

/** A warm `foretell batch` process: asks for one prediction after the other. */
export interface Batch {
  predict(request: BatchRequest): Promise<PredictionJson>;
  /** Process id of the command line, for measuring its memory. */
  pid(): number | undefined;
  close(): Promise<void>;
}

export interface BatchOptions {
  /** The built command line. */
  cli: string;
  env: Record<string, string>;
  cwd: string;
  identity: Identity;
  /** Limit of one prediction in milliseconds; default 60,000. */
  limitMs?: number;
}

/**
 * Starts the batch interface as the given identity. It starts again when it died: a prediction that killed it, or that
 * took too long, is answered with ending `failed`.
 */
export function startBatch(options: BatchOptions): Batch {
  let child: ChildProcess | undefined;
  let waiting: { id: string; answer: (line: string | undefined, why: string) => void } | undefined;
  let errors = '';

  const start = (): ChildProcess => {
    const [program = '', ...words] = [...wordsWithin(options.identity), process.execPath, options.cli, 'batch'];
    const started = spawn(program, words, {
      cwd: options.cwd,
      env: { ...options.env, ...engineChoice() },
      stdio: ['pipe', 'pipe', 'pipe'],
      ...credentialsOf(options.identity),
    });
    errors = '';
    started.stderr?.on('data', (piece: Buffer) => {
      errors = (errors + piece.toString()).slice(-2_000);
    });
    // A write to a process that just died; its `close` says so.
    started.stdin?.on('error', () => {});
    if (started.stdout) createInterface({ input: started.stdout }).on('line', (line) => waiting?.answer(line, ''));
    started.on('close', (code, signal) => {
      if (child === started) child = undefined;
      waiting?.answer(undefined, `the batch process ended (${signal ?? code}): ${errors.trim()}`);
    });
    return started;
  };

  const ask = (request: BatchRequest): Promise<PredictionJson> =>
    new Promise((resolve) => {
      child ??= start();
      const timer = setTimeout(() => {
        child?.kill('SIGKILL');
        child = undefined;
        waiting?.answer(undefined, 'no answer in time');
      }, options.limitMs ?? 60_000);
      waiting = {
        id: request.id,
        answer: (line, why) => {
          clearTimeout(timer);
          waiting = undefined;
          resolve(line === undefined ? failure(request, why) : parseAnswer(request, line));
        },
      };
      child.stdin?.write(`${JSON.stringify(request)}\n`);
    });

  return {
    predict: ask,
    pid: () => child?.pid,
    close: () =>
      new Promise((resolve) => {
        if (!child) return resolve();
        child.once('close', () => resolve());
        child.stdin?.end();
      }),
  };
}

function parseAnswer(request: BatchRequest, line: string): PredictionJson {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return failure(request, `not JSON: ${line.slice(0, 200)}`);
  }
  const parsed = PredictionJson.safeParse(json);
  if (!parsed.success)
    return failure(request, `not a prediction: ${parsed.error.issues[0]?.path.join('.')} in ${line.slice(0, 300)}`);
  if (parsed.data.id !== undefined && parsed.data.id !== request.id)
    return failure(request, `answers ${parsed.data.id}`);
  return parsed.data;
}

function failure(request: BatchRequest, message: string): PredictionJson {
  return {
    version: 1,
    id: request.id,
    engine: '',
    ending: 'failed',
    reason: message,
    failure: 'batch',
    ...emptyLists(),
  };
}
