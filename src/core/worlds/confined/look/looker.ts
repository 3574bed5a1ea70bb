import type { ProgramOutcome } from '../../../prediction/rehearsal.ts';
import { defaultLimits } from '../../../prediction/request.ts';
import type { OutsideLook } from '../../../programs/outsideLook.ts';
import type { Looker } from '../../../view/view.ts';
import type { InertFiles } from '../gate/inert.ts';
import type { RunInCopy } from '../planned/packages.ts';
import { openView } from '../run.ts';
import type { StreamName } from '../wire/codes.ts';
import { isOver } from '../wire/events.ts';
import { type Caller, type Gated, Launcher, type LauncherEffect } from '../wire/launcher.ts';
import type { Reach } from '../wire/requestFrames.ts';
import { createLookViews } from './lookViews.ts';

interface Looked {
  exitCode: number;
  stdout: Buffer;
  stderr: Buffer;
  signals: LauncherEffect[];
  /** It tried to start what may not run, or to reach others. */
  isCurbed: boolean;
}

interface LookRun {
  argv: readonly string[];
  env: readonly string[];
  cwd: string;
  stdin?: Uint8Array | undefined;
  limitMs: number;
  signal?: AbortSignal | undefined;
  /** Whom it reaches; nobody else is answered. */
  reach?: Reach;
  /** What it changes is changed in a copy, which is thrown away; absent: every change ends it. */
  inCopy?: true;
}

const failed: Looked = { exitCode: -1, stdout: Buffer.alloc(0), stderr: Buffer.alloc(0), signals: [], isCurbed: true };

/** Builds a view for a look; `undefined`: no launcher can be started, which is told elsewhere. */
function openLook(
  launch: () => Launcher,
  inert: InertFiles,
  { limitMs, inCopy, reach }: Pick<LookRun, 'limitMs' | 'inCopy' | 'reach'>,
) {
  const opened = openView(launch, {
    mode: inCopy ? 'copy' : 'look',
    shifted: false,
    openGate: false,
    reach,
    inert,
    limits: { ...defaultLimits, wallMs: limitMs, outputBytes: 256 * 1024 ** 2 },
  });
  return opened.catch(() => undefined);
}

/** Runs one program in a view of its own. */
async function lookOnce(launch: () => Launcher, inert: InertFiles, run: LookRun): Promise<Looked> {
  const launcher = await openLook(launch, inert, run);
  if (!(launcher instanceof Launcher)) return failed;
  try {
    return await lookIn(launcher, run);
  } finally {
    void launcher.close();
  }
}

/** Runs one program. Those that it would start and that are not inert fail as if they were missing. */
async function lookIn(launcher: Launcher, run: LookRun): Promise<Looked> {
  const stop = () => void launcher.close();
  run.signal?.addEventListener('abort', stop, { once: true });
  const pieces: { stream: StreamName; bytes: Uint8Array }[] = [];
  const signals: LauncherEffect[] = [];
  let isCurbed = false;
  try {
    if (run.signal?.aborted) return failed;
    const running = launcher.run(
      {
        argv: run.argv,
        env: run.env,
        cwd: run.cwd,
        columns: 0,
        rows: 0,
        stdin: run.stdin ? 'input' : 'null',
        newLayer: false,
      },
      (event) => {
        if (event.type === 'output') pieces.push(event);
        else if (event.type === 'gated') {
          isCurbed = true;
          launcher.answer(event.token, { kind: 'fails', error: 'ENOENT' });
        } else if (event.type === 'effect' && event.kind === 'signals') signals.push(event);
        else if (event.type === 'effect' && event.kind === 'connects') isCurbed = true;
      },
    );
    if (run.stdin) {
      for (let at = 0; at < run.stdin.length; at += 65_536) launcher.input(run.stdin.subarray(at, at + 65_536), false);
      launcher.input(new Uint8Array(), true);
    }
    const finished = await running;
    if (!isOver(finished) || finished.outputCut) return failed;
    const collect = (stream: StreamName) =>
      Buffer.concat(pieces.filter((piece) => piece.stream === stream).map((piece) => piece.bytes));
    return { exitCode: finished.exitCode, stdout: collect('stdout'), stderr: collect('stderr'), signals, isCurbed };
  } catch {
    return failed;
  } finally {
    run.signal?.removeEventListener('abort', stop);
  }
}

/** Lets the analyses of `loss` and `context` ask git and others about the real files. */
export function createLooker(launch: () => Launcher, inert: () => InertFiles, caller: Caller): Looker {
  const views = createLookViews((limitMs) => openLook(launch, inert(), { limitMs }));

  async function look(run: LookRun): Promise<Looked> {
    const launcher = await views.take(run.limitMs);
    if (!(launcher instanceof Launcher)) return failed;
    const looked = await lookIn(launcher, run);
    // What waited may have been killed meanwhile.
    if (looked === failed && !launcher.isAlive && !run.signal?.aborted) return lookOnce(launch, inert(), run);
    views.giveBack(launcher, run.limitMs);
    return looked;
  }

  return {
    async look(argv, options) {
      const env = { ...plainEnvironment(caller), ...options.env };
      const looked = await look({
        argv,
        env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
        cwd: options.cwd,
        stdin: options.stdin,
        limitMs: options.limitMs ?? 10_000,
        signal: options.signal,
      });
      return { exitCode: looked.exitCode, stdout: looked.stdout, stderr: looked.stderr.toString('utf8') };
    },
  };
}

/** Little of an environment: what decides where programs and configuration are. */
export function plainEnvironment({ env }: Caller): Record<string, string> {
  const result: Record<string, string> = { LC_ALL: 'C.UTF-8' };
  for (const name of ['PATH', 'HOME', 'USER', 'XDG_CONFIG_HOME']) {
    const value = env[name];
    if (value !== undefined) result[name] = value;
  }
  return result;
}

/** Answers for a stopped program by running it on the real machine; `undefined` when it tried to change something. */
export async function lookAtProgram(
  launch: () => Launcher,
  inert: InertFiles,
  gated: Gated,
  signal: AbortSignal,
): Promise<{ outcome: ProgramOutcome; signals: LauncherEffect[] } | undefined> {
  const looked = await lookOnce(launch, inert, {
    argv: gated.argv,
    env: gated.env,
    cwd: gated.cwd,
    limitMs: 5_000,
    signal,
  });
  if (looked.exitCode < 0) return undefined;
  const { exitCode, stdout, stderr, signals } = looked;
  return { outcome: { exitCode, stdout, stderr, changes: [], basis: 'rehearsed' }, signals };
}

/** Runs one program of the system in a copy of its own: without a network; what it starts has to be inert, or one of `helpers`. */
export function createRunInCopy(launch: () => Launcher, inert: () => InertFiles, caller: Caller): RunInCopy {
  return async (argv, helpers, signal, added) => {
    const [program = ''] = argv;
    const { inert: files, ...others } = inert();
    const env = Object.entries({ ...plainEnvironment(caller), ...added }).map(([name, value]) => `${name}=${value}`);
    const run = { argv, env, cwd: '/', limitMs: 30_000, signal, inCopy: true } as const;
    const looked = await lookOnce(launch, { ...others, inert: [...files, program, ...helpers] }, run);
    return looked.exitCode < 0 ? undefined : looked;
  };
}

/** How long a look outside may take, in milliseconds: a server of this machine, GitHub. */
const outsideMs = { localhost: 5_000, github: 20_000 };
/** More of an answer is not looked at. */
const mostAnswered = 8 * 1024 ** 2;

/**
 * Asks a server of this machine, or GitHub, by running the program on the real machine, where every change would end it. `undefined`
 * where it came to no answer, or tried for more than that.
 */
export async function lookOutside(
  launch: () => Launcher,
  inert: InertFiles,
  { gated, outside, signal }: { gated: Gated; outside: OutsideLook; signal: AbortSignal },
): Promise<Pick<ProgramOutcome, 'exitCode' | 'stdout' | 'stderr'> | undefined> {
  const looked = await lookOnce(
    launch,
    { ...inert, inert: [...inert.inert, gated.realPath] },
    {
      argv: [gated.realPath, ...outside.argv.slice(1)],
      env: [...gated.env, ...Object.entries(outside.env).map(([name, value]) => `${name}=${value}`)],
      cwd: gated.cwd,
      limitMs: outsideMs[outside.look],
      reach: outside.to === 'github' ? 'network' : outside.to,
      signal,
    },
  );
  const { exitCode, stdout, stderr, signals, isCurbed } = looked;
  if (exitCode < 0 || isCurbed || signals.length > 0 || stdout.length + stderr.length > mostAnswered) return undefined;
  return { exitCode, stdout, stderr };
}
