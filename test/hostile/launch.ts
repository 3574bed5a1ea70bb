import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { launcherPath } from '../../src/core/launcherPath.ts';
import { resolveInert } from '../../src/core/worlds/confined/gate/inert.ts';
import { createFrameParser, type LauncherEvent } from '../../src/core/worlds/confined/wire/frames.ts';
import {
  type Answer,
  answerFrame,
  cancelFrame,
  listFrame,
  runFrame,
  type SetupRequest,
  setupFrame,
} from '../../src/core/worlds/confined/wire/requestFrames.ts';
import { copyMode } from '../engineChoice.ts';
import type { Canaries } from './canaries.ts';
import { spawnAs } from './identity.ts';

type EventNamed<T extends LauncherEvent['type']> = Extract<LauncherEvent, { type: T }>;

/** What one command did in the confinement, as the launcher told it. */
export interface Launched {
  events: LauncherEvent[];
  stdout: string;
  stderr: string;
  gated: EventNamed<'gated'>[];
  execs: EventNamed<'exec'>[];
  effects: EventNamed<'effect'>[];
  /** Of LIST, after the run. */
  changes: EventNamed<'change'>[];
  refused?: EventNamed<'refused'>;
  /** Every FINISHED that came: exactly one is right. */
  finished: EventNamed<'finished'>[];
  /** What the launcher wrote to its standard error, or why it ended by itself. */
  complaint: string;
  durationMs: number;
}

export interface LaunchOptions {
  mode: 'copy' | 'look';
  openGate: boolean;
  argv: readonly string[];
  setup?: Partial<SetupRequest>;
  environment?: Record<string, string>;
  cwd?: string;
  columns?: number;
  /** What is said about a stopped program; default: it exits with 0. */
  answer?: (program: EventNamed<'gated'>) => Answer;
  /** Descriptors that the launcher inherits besides 0, 1 and 2: files opened for writing. */
  inherited?: readonly number[];
  /** Called for every event while it runs. */
  onEvent?: (event: LauncherEvent, child: ChildProcess) => void;
  /** Hard limit of this test, above that of the launcher. */
  deadlineMs?: number;
  binary?: string;
  /** Program and arguments that start the launcher, as root; they become the identity themselves. */
  wrapper?: readonly string[];
  /** Real paths that are called inert besides the table. */
  moreInert?: readonly string[];
}

const projectFolder = path.resolve(process.env['FORETELL_PROJECT'] ?? process.cwd());
let inert: ReturnType<typeof resolveInert> | undefined;
let ownBinary: string | undefined;

/** The launcher that was built; copied once to where every user can execute it. */
export function launcherBinary(): string {
  if (ownBinary) return ownBinary;
  const built = launcherPath(process.env['FORETELL_DIST'] ?? path.join(projectFolder, 'dist'));
  if (!fs.existsSync(built)) throw new Error(`The launcher is not built: ${built}. Run: npm run build`);
  ownBinary = built;
  return built;
}

/** Runs one command through the launcher, alone, from SETUP to the end of the launcher. */
export async function launch(canaries: Canaries, options: LaunchOptions): Promise<Launched> {
  inert ??= resolveInert('/usr/local/bin:/usr/bin:/bin');
  const startedAt = performance.now();
  const result: Launched = {
    events: [],
    stdout: '',
    stderr: '',
    gated: [],
    execs: [],
    effects: [],
    changes: [],
    finished: [],
    complaint: '',
    durationMs: 0,
  };
  const [program = '', ...first] = [...(options.wrapper ?? []), options.binary ?? launcherBinary()];
  const child = spawn(program, first, {
    stdio: ['pipe', 'pipe', 'pipe', ...(options.inherited ?? [])],
    env: { FORETELL_CANARIES: canaries.environment['FORETELL_CANARIES'] ?? '' },
    cwd: '/',
    ...(options.wrapper ? {} : spawnAs(canaries.identity)),
  });
  const send = (frame: Buffer) => child.stdin?.write(frame);
  const take = (event: LauncherEvent) => {
    result.events.push(event);
    switch (event.type) {
      case 'ready':
        send(
          runFrame({
            argv: options.argv,
            env: Object.entries({ ...canaries.environment, ...options.environment }).map(
              ([name, value]) => `${name}=${value}`,
            ),
            cwd: options.cwd ?? canaries.workspace,
            columns: options.columns ?? 0,
            rows: options.columns ? 24 : 0,
            stdin: 'null',
            newLayer: true,
          }),
        );
        break;
      case 'refused':
        result.refused = event;
        child.stdin?.end();
        break;
      case 'exec':
        result.execs.push(event);
        break;
      case 'gated':
        result.gated.push(event);
        if (event.token !== 0) send(answerFrame(event.token, options.answer?.(event) ?? { kind: 'exit', code: 0 }));
        break;
      case 'effect':
        result.effects.push(event);
        break;
      case 'output':
        if (event.stream === 'stdout') result.stdout += Buffer.from(event.bytes).toString('latin1');
        else result.stderr += Buffer.from(event.bytes).toString('latin1');
        break;
      case 'finished':
        result.finished.push(event);
        send(listFrame('none'));
        break;
      case 'change':
        result.changes.push(event);
        break;
      case 'listed':
        child.stdin?.end();
        break;
    }
    options.onEvent?.(event, child);
  };
  const parse = createFrameParser(take);
  child.stdin?.on('error', () => {});
  child.stdout?.on('data', (chunk: Buffer) => {
    try {
      parse(chunk);
    } catch (error) {
      result.complaint += `${error}\n`;
      child.kill('SIGKILL');
    }
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    if (result.complaint.length < 4000) result.complaint += chunk.toString('latin1');
  });
  const closed = new Promise<void>((resolve) => {
    child.on('error', (error) => {
      result.complaint += error.message;
      resolve();
    });
    child.on('close', (code, signal) => {
      if (result.finished.length === 0) result.complaint += `the launcher ended (${signal ?? code})`;
      resolve();
    });
  });
  const deadline = setTimeout(() => {
    result.complaint += 'the launcher did not end in time';
    child.kill('SIGKILL');
  }, options.deadlineMs ?? 60_000);
  send(
    setupFrame({
      mode: options.mode === 'copy' ? copyMode() : options.mode,
      openGate: options.openGate,
      skipWaiting: false,
      reportEnvironment: false,
      diskBytes: 64 << 20,
      memoryBytes: 512 << 20,
      outputBytes: 1 << 20,
      wallMs: 5_000,
      processes: 200,
      clockOffsetMs: 0,
      firstPid: 0,
      inert: [...inert.inert, ...(options.moreInert ?? [])],
      ask: [],
      ...options.setup,
    }),
  );
  await closed;
  clearTimeout(deadline);
  result.durationMs = performance.now() - startedAt;
  return result;
}

export { cancelFrame };
