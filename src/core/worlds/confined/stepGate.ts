import type { StoppedProgram } from '../../prediction/rehearsal.ts';
import type { Admission } from './admission.ts';
import type { Dependence } from './certainty/dependence.ts';
import { assumption } from './gate/askedOutcomes.ts';
import { createAskOutside } from './gate/askOutside.ts';
import { createGatekeeper, type Gatekeeper } from './gate/gatekeeper.ts';
import { instead } from './gate/instead.ts';
import type { StepAsking } from './pastStep.ts';
import { createPackagePlanner } from './planned/packages.ts';
import { readsInLoop } from './scriptWords.ts';
import { standInsOf } from './stepCommand.ts';
import type { StepContext } from './stepContext.ts';
import type { Gated } from './wire/launcher.ts';

/** Who answers for the programs that one prediction stops, in all of its runs. */
export function createStepGate(
  { parts, request, state, channel }: StepContext,
  admission: Admission,
  dependence: Dependence,
  keepPath: (path: string) => boolean,
  asking: StepAsking,
): Gatekeeper {
  const { action, consent, signal } = request;
  const script = action.kind === 'command' && request.terminal === undefined ? action.script : undefined;
  const handOver =
    request.handOver &&
    (async (program: StoppedProgram) => {
      if (!asking.isOver) return request.handOver?.(program) ?? assumption({ kind: 'noModel' });
      asking.hasMissed = true;
      return assumption({ kind: 'noAnswer' });
    });
  const standIns = { shown: standInsOf(request, 'shown'), check: standInsOf(request, 'check') };
  const gatekeeper = createGatekeeper({
    ...{ handOver, consent, signal, dependence, keepPath, known: admission.known },
    outside: createAskOutside({
      ...{ looks: request.looks, env: request.env, columns: request.terminal?.columns, keepPath },
      isUntouched: () => state.steps === 0 || (!state.changed && state.unsure === false),
      run: (gated, outside) => parts.lookOutside(gated, outside, signal),
    }),
    look: (gated) => parts.lookAtGated(gated, signal),
    lookThrough: instead,
    plan: createPackagePlanner(parts.runInCopy, signal),
    beginsAgain: (launcher, gated) => admission.beginsAgain(launcher, gated),
    standIn: request.standIn,
    isCheck: (launcher) => launcher === state.checker,
    standIns: (launcher) => (launcher === state.checker ? standIns.check : standIns.shown),
    shellWords: script === undefined ? [] : ['-c', script],
    sharesStdin: action.kind === 'command' && readsInLoop(action.script),
    tell: (event) => channel.push(event),
  });
  // Whoever answers, or asks others, is told of no value that is not so, and the same in all runs.
  const made = new Set([...standIns.shown, ...standIns.check]);
  const told = (gated: Gated): Gated => ({ ...gated, env: gated.env.filter((variable) => !made.has(variable)) });
  return {
    letIn: (launcher, gated, record) => gatekeeper.letIn(launcher, told(gated), record),
    answer: (launcher, gated, record, failures) => gatekeeper.answer(launcher, told(gated), record, failures),
  };
}
