import { spawn } from 'node:child_process';
import { defaultLimits } from '../../src/core/prediction/request.ts';
import { resolveInert } from '../../src/core/worlds/confined/gate/inert.ts';
import { createFrameParser } from '../../src/core/worlds/confined/wire/frames.ts';
import { answerFrame, listFrame, runFrame, setupFrame } from '../../src/core/worlds/confined/wire/requestFrames.ts';
import type { Identity } from '../truth/fixture.ts';
import { credentialsOf } from '../truth/realRun.ts';

/** One command, run by the launcher alone. */
export interface ModeRun {
  launcher: string;
  mode: 'copy' | 'look';
  script: string;
  cwd: string;
  env: Record<string, string>;
  identity: Identity;
}

/**
 * Milliseconds from building the view to the end of the command, in copy mode with the list of what changed; the launcher
 * itself was started before, as the engine does. `undefined` when the mode cannot do it (look mode meets a change).
 */
export async function timeMode(run: ModeRun): Promise<number | undefined> {
  const child = spawn(run.launcher, [], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {},
    cwd: '/',
    ...credentialsOf(run.identity),
  });
  await new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  // The process exists; give it the time to reach its first read.
  await new Promise((resolve) => setTimeout(resolve, 20));
  const { inert } = inertOnce(run.env['PATH'] ?? '');
  const start = performance.now();
  const took = await new Promise<number | undefined>((resolve) => {
    const stop = () => resolve(undefined);
    child.on('close', stop);
    child.stdin.on('error', stop);
    const send = (frame: Buffer) => child.stdin.write(frame);
    child.stdout.on(
      'data',
      createFrameParser((event) => {
        if (event.type === 'refused') stop();
        else if (event.type === 'gated') send(answerFrame(event.token, { kind: 'exit', code: 0 }));
        else if (event.type === 'ready') {
          const env = Object.entries(run.env).map(([name, value]) => `${name}=${value}`);
          const argv = ['bash', '-c', run.script];
          send(runFrame({ argv, env, cwd: run.cwd, columns: 0, rows: 0, stdin: 'null', newLayer: false }));
        } else if (event.type === 'finished') {
          if (event.how !== 'exited') stop();
          else if (run.mode === 'look') resolve(performance.now() - start);
          else send(listFrame('none'));
        } else if (event.type === 'listed') resolve(performance.now() - start);
      }),
    );
    const wallMs = 120_000;
    const clock = { clockOffsetMs: 0, firstPid: 0 };
    const gate = { openGate: false, skipWaiting: true, reportEnvironment: false, inert, ask: [] };
    send(setupFrame({ mode: run.mode, ...defaultLimits, wallMs, ...clock, ...gate }));
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  if (child.exitCode === null && child.signalCode === null) {
    child.stdin.end();
    await closed;
  }
  return took;
}

let inertFiles: ReturnType<typeof resolveInert> | undefined;

function inertOnce(searchPath: string): ReturnType<typeof resolveInert> {
  inertFiles ??= resolveInert(searchPath);
  return inertFiles;
}
