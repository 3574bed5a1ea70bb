import { version } from '../../../package.json';
import { keepLost } from '../safetyNet/keepLost.ts';
import { netFolder, usualNetBytes } from '../safetyNet/netUse.ts';
import { commandShell } from '../shell/shells.ts';
import { memoryFolder, usualLimits } from '../worlds/remembered/memoryStore.ts';
import { answerHook, type HookOutcome } from './answerHook.ts';
import { createCallLog } from './calls/callLog.ts';
import type { HookAnswer, HookCall } from './hookCall.ts';
import { hookFolder } from './hookFolder.ts';
import type { TellWhen } from './judgeCall.ts';
import { createLaterNotes } from './laterNotes.ts';
import { createObservedCalls } from './observedCalls.ts';
import { type CallerOfOne, oneCallForetell } from './oneCallForetell.ts';
import { createReleases } from './release.ts';

/** Keeping what a call would lose may take so long, in milliseconds: the agent waits. */
const keepMs = 300;

/** What is needed to answer one call in a process of its own. */
export interface CallSurroundings extends CallerOfOne {
  cwd: string;
  tell: TellWhen;
  /** Room for what its calls would lose, which is kept for a week; 0: nothing is. In bytes; default: 1 GiB. */
  keepBytes?: number;
  wallMs: number;
  signal: AbortSignal;
  /** When it is aborted, what is known by then has to do. */
  due?: AbortSignal | undefined;
}

/** Answers one call, with an engine that is made for it. */
export async function answerCall(call: HookCall, around: CallSurroundings): Promise<HookOutcome> {
  const { launcher, env, cwd, tell, keepBytes = usualNetBytes, wallMs, signal, due, launchers } = around;
  const calls = createObservedCalls(hookFolder(env), { folder: memoryFolder(env), cwd });
  const notes = createLaterNotes(hookFolder(env));
  const log = call.by && createCallLog(hookFolder(env), call.by, call.cwd ?? cwd);
  if (call.observed) {
    createReleases(hookFolder(env)).made(call.id);
    const entry = await calls.made(call, call.observed, Date.now());
    log?.made(call, call.observed, entry, Date.now());
    const toAgent = call.readsAfterwards ? notes.take(call) : undefined;
    const answer: HookAnswer = toAgent === undefined ? { kind: 'nothing' } : { kind: 'note', toAgent, toUser: '' };
    return { answer, close: async () => {} };
  }
  launchers?.expect();
  const shell = commandShell(env['SHELL']);
  const key = log?.asked(call, { cwd: call.cwd ?? cwd, shell }, Date.now());
  const foretell = oneCallForetell(around);
  const saidOf = (answer: HookAnswer) => ({ answer, isLate: signal.aborted, now: Date.now() });
  let net: string | undefined;
  let isLogged = key === undefined;
  const { answer, close } = await answerHook(call, {
    ...{ foretell, env, cwd, shell, tell, wallMs, signal, due },
    memory: { folder: memoryFolder(env), version, ...usualLimits },
    now: Date.now,
    kept: async (made, prediction) => {
      calls.predicted(made, prediction, Date.now());
      const use = { folder: netFolder(env), mostBytes: keepBytes, launcher };
      const until = Date.now() + keepMs;
      const asked = {
        action: prediction.action,
        cwd: call.cwd ?? cwd,
        for: { kind: 'agent' as const },
        now: Date.now(),
        until,
      };
      // What cannot be kept must not stand in the way of the answer.
      net = (await keepLost(prediction, use, asked).catch(() => undefined))?.id;
    },
    behind: async (prediction, view, answered) => {
      if (key === undefined || isLogged) return;
      isLogged = true;
      await log?.predicted(key, { prediction, view, ...(net === undefined ? {} : { net }) }, saidOf(answered));
    },
  });
  if (answer.kind === 'note' && call.readsAfterwards) notes.keep(call, answer.toAgent, Date.now());
  return {
    answer,
    async close() {
      await close();
      if (key !== undefined && !isLogged) log?.answered(key, saidOf(answer));
      await foretell.dispose();
    },
  };
}
