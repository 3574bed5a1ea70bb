import type { Admission } from './admission.ts';
import type { Dependence } from './certainty/dependence.ts';
import { createGatekeeper, type Gatekeeper } from './gate/gatekeeper.ts';
import { instead } from './gate/instead.ts';
import { createPackagePlanner } from './planned/packages.ts';
import { readsInLoop } from './scriptWords.ts';
import type { StepContext } from './stepContext.ts';

/** Who answers for the programs that one prediction stops, in all of its runs. */
export function createStepGate(
  { parts, request, state, channel }: StepContext,
  admission: Admission,
  dependence: Dependence,
  keepPath: (path: string) => boolean,
): Gatekeeper {
  const { action, handOver, consent, signal } = request;
  return createGatekeeper({
    ...{ handOver, consent, signal, dependence, keepPath, known: admission.known },
    look: (gated) => parts.lookAtGated(gated, signal),
    lookThrough: instead,
    plan: createPackagePlanner(parts.runInCopy, signal),
    beginsAgain: (launcher, gated) => admission.beginsAgain(launcher, gated),
    isCheck: (launcher) => launcher === state.checker,
    sharesStdin: action.kind === 'command' && readsInLoop(action.script),
    tell: (event) => channel.push(event),
  });
}
