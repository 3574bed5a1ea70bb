import type { Action } from '../../action/action.ts';
import type { StepObservation, TrajectoryStep } from '../../trajectory/step/step.ts';
import type { AgentCall } from './agentCall.ts';
import type { CallDetails } from './callDetails.ts';
import type { CallSession } from './readCalls.ts';

/** The calls of a session as the steps of a trajectory, one after the other; `detailsOf`: what is kept besides, by the key. */
export function stepsOfCalls(
  { id, calls }: Pick<CallSession, 'id' | 'calls'>,
  detailsOf: (key: string) => CallDetails | undefined,
): TrajectoryStep[] {
  let after: string | undefined;
  return calls.map((call, index) => {
    const step = stepOf(call, `${id}#${index + 1}`, id, after, detailsOf(call.asked.key));
    after = step.id;
    return step;
  });
}

function stepOf(
  { asked, answered, made }: AgentCall,
  id: string,
  trajectory: string,
  after: string | undefined,
  details: CallDetails | undefined,
): TrajectoryStep {
  const uncertain = [
    ...(asked.deed ? [] : ['The call was too long to be kept; only its title is here.']),
    ...(asked.secrets > 0 ? ['Secrets were taken out of the call, so that it is another one now.'] : []),
    ...(made?.output?.some(({ stream }) => stream === 'terminal')
      ? ['The agent told both streams as one: what went to standard error stands under standard output.']
      : []),
  ];
  return {
    ...{ version: 1, id, trajectory, at: asked.at },
    ...(after === undefined ? {} : { after }),
    domain: asked.kind === 'command' ? 'terminal' : 'swe',
    action: actionOf(asked),
    ...(details ? { prediction: details.step } : {}),
    ...(made ? { observation: observationOf(made) } : {}),
    ...(uncertain.length > 0 ? { uncertain } : {}),
    ...(answered?.answer === 'deny' ? { note: 'Foretell denied this call.' } : {}),
  };
}

/** The action of a call; one that was not kept whole is a turn in words. */
function actionOf({ deed, cwd, title, kind }: AgentCall['asked']): Action {
  if (!deed)
    return { kind: 'turn', domain: kind === 'command' ? 'terminal' : 'swe', turn: { kind: 'text', text: title }, cwd };
  if (deed.kind === 'command') return { kind: 'command', script: deed.script, shell: deed.shell, cwd };
  return { kind: 'edit', changes: [], cwd, calls: [deed.call], agent: deed.agent };
}

function observationOf({ at, output, exitCode }: NonNullable<AgentCall['made']>): StepObservation {
  const pieces = (output ?? []).map(({ stream, text }) => ({
    stream: stream === 'terminal' ? ('stdout' as const) : stream,
    text,
    basis: 'observed' as const,
  }));
  return {
    text: pieces.map(({ text }) => text).join(''),
    basis: 'observed',
    facts: {
      output: pieces.filter(({ text }) => text !== ''),
      ...(exitCode === undefined ? {} : { exitCode }),
      files: [],
      effects: [],
    },
    known: [...(output ? (['output'] as const) : []), ...(exitCode === undefined ? [] : (['exitCode'] as const))],
    at,
    source: 'agent',
  };
}
