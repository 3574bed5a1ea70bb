import path from 'node:path';
import { version } from '../../../package.json';
import type { ShellName } from '../action/action.ts';
import { homeFolder } from '../context/user.ts';
import { createForetell } from '../foretell.ts';
import { memoryFolder, usualLimits } from '../worlds/remembered/memoryStore.ts';
import { answerHook } from './answerHook.ts';
import type { HookAnswer, HookCall } from './hookCall.ts';
import { hookFolder } from './hookFolder.ts';
import type { TellWhen } from './judgeCall.ts';
import { createObservedCalls } from './observedCalls.ts';

/** What is needed to answer one call in a process of its own. */
export interface CallSurroundings {
  /** Path of the launcher for this machine. */
  launcher: string;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  tell: TellWhen;
  wallMs: number;
  signal: AbortSignal;
}

/** Answers one call, with an engine that is made for it. */
export async function answerCall(call: HookCall, around: CallSurroundings): Promise<HookAnswer> {
  const { launcher, env, cwd, tell, wallMs, signal } = around;
  const calls = createObservedCalls(hookFolder(env));
  if (call.observed) {
    await calls.made(call, call.observed, Date.now());
    return { kind: 'nothing' };
  }
  const foretell = createForetell({
    launcher,
    storageFolder: path.join(env['XDG_CACHE_HOME'] ?? path.join(homeFolder(env), '.cache'), 'foretell'),
    ownHost: true,
    spareLaunchers: 0,
  });
  const { answer, close } = await answerHook(call, {
    foretell,
    env,
    cwd,
    shell: shellOf(env['SHELL']),
    tell,
    memory: { folder: memoryFolder(env), version, ...usualLimits },
    wallMs,
    signal,
    now: Date.now,
    kept: (made, prediction) => calls.predicted(made, prediction, Date.now()),
  });
  await close();
  await foretell.dispose();
  return answer;
}

/** Agents run commands by the user's shell where it speaks their language, else by bash. */
function shellOf(name = ''): ShellName {
  return path.basename(name) === 'zsh' ? 'zsh' : 'bash';
}
