import { toFileChanges } from './changes.ts';
import type { Outcome } from './conclude.ts';
import { pathsOf } from './otherwise.ts';
import type { PastStep } from './pastStep.ts';
import { runOnce } from './run.ts';
import type { StepContext } from './stepContext.ts';
import type { Launcher } from './wire/launcher.ts';
import { letAnyIn } from './wire/runRecord.ts';

/** In a longer session every branch would take too many runs. */
const mostSteps = 8;

/** How a step is made, and who answers in it. */
export interface MadeStep extends Pick<PastStep, 'command' | 'gatekeeper' | 'asking' | 'keepPath'> {
  letsKnownIn: boolean;
  /** A patch is given to its tool. */
  isPatch: boolean;
}

/** Keeps a step that is over for the branches of later ones, where it can be made again just so. */
export function keepStep(
  { request, state }: StepContext,
  { record, listing }: Pick<Outcome, 'record' | 'listing'>,
  { command, gatekeeper, asking, keepPath, isPatch }: MadeStep,
): void {
  const { action, openGate, faults, terminal } = request;
  if (!state.continues || action.kind !== 'command' || isPatch || openGate || faults) return;
  if (record.asked || letAnyIn(record) || record.finished?.how !== 'exited') return;
  const env = [...command.env, ...(state.carried?.env ?? [])];
  state.past.push({
    ...{ command: { ...command, env }, terminal, gatekeeper, asking, keepPath },
    exitCode: record.finished.exitCode,
    left: pathsOf(toFileChanges(listing?.changes ?? [], keepPath)),
  });
}

/** The steps before the one under way, in their order; `undefined`: they cannot all be made again. */
export function stepsBefore({ state }: StepContext): readonly PastStep[] | undefined {
  return state.past.length === state.steps && state.steps <= mostSteps ? state.past : undefined;
}

/** For all of them, in milliseconds. */
const limitMs = 5_000;

/**
 * Makes steps of a session again in a new copy. False: they came out otherwise, so that what would follow is another session,
 * or take too long.
 */
export async function makeAgain(steps: readonly PastStep[], launcher: Launcher): Promise<boolean> {
  const startedAt = performance.now();
  for (const [index, { command, terminal, gatekeeper, asking, keepPath, exitCode, left }] of steps.entries()) {
    asking.isOver = true;
    asking.hasMissed = false;
    const record = await runOnce(launcher, {
      ...command,
      terminal,
      newLayer: index > 0,
      gatekeeper,
      failures: new Map(),
      onAsks: async () => undefined,
    });
    if (performance.now() - startedAt > limitMs) return false;
    if (asking.hasMissed || record.finished?.how !== 'exited' || record.finished.exitCode !== exitCode) return false;
    const { changes } = await launcher.list('none');
    if (pathsOf(toFileChanges(changes, keepPath)) !== left) return false;
  }
  return true;
}
