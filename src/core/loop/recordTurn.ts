import type { TurnAction } from '../action/turnAction.ts';
import type { StepMessage, TrajectoryStep } from '../trajectory/step/step.ts';
import type { TakenTurn } from '../worlds/language/world/ledger.ts';
import type { World } from '../worlds/language/world/world.ts';
import type { EnvironmentOptions } from './environmentOptions.ts';
import type { OpenSession } from './openSessions.ts';

/** What came of a turn: it was imagined, or really observed. */
export interface TurnOutcome
  extends Pick<TrajectoryStep, 'prediction' | 'observation' | 'model' | 'reply' | 'messages'> {
  /** What it brought for what is known of the world. */
  taken: TakenTurn;
}

/** Tells a turn that was taken, as a step of a trajectory, where somebody wants to know. */
export function recordTurn(
  { options, now }: { options: Pick<EnvironmentOptions, 'record'>; now: () => number },
  session: OpenSession,
  turn: TurnAction,
  { messages, taken, ...outcome }: TurnOutcome,
): void {
  if (!options.record) return;
  const { request, domain, lastStep } = session;
  const trajectory = session.resets === 0 ? session.id : `${session.id}-${session.resets + 1}`;
  const id = `${trajectory}.${session.turn}`;
  const count = messages && lastStep ? sharedCount(lastStep.messages, messages) : 0;
  const isFirst = session.turn === 1;
  const notes = [
    ...(request.task === undefined ? [] : [`Task: ${request.task}`]),
    ...(request.faults ? [`Faults: ${JSON.stringify(request.faults)}`] : []),
  ];
  options.record({
    version: 1,
    id,
    trajectory,
    ...(isFirst ? {} : { after: `${trajectory}.${session.turn - 1}` }),
    at: new Date(now()).toISOString(),
    domain,
    action: { kind: 'turn', domain, turn, ...(request.cwd === undefined ? {} : { cwd: request.cwd }) },
    ...(isFirst && session.initialState !== '' ? { state: session.initialState } : {}),
    ...(isFirst && notes.length > 0 ? { note: notes.join('\n') } : {}),
    ...(request.perturbations ? { perturbations: request.perturbations } : {}),
    ...(request.perturbationText ? { perturbationText: request.perturbationText } : {}),
    ...(request.fictionalWorld ? { fictionalWorld: request.fictionalWorld } : {}),
    ...worldOfStep(isFirst ? request.world : undefined, taken),
    ...(messages ? { messages: messages.slice(count) } : {}),
    ...(messages && lastStep && count > 0 ? { begins: { step: lastStep.id, count } } : {}),
    ...outcome,
  });
  if (messages) session.lastStep = { id, messages };
}

function sharedCount(before: readonly StepMessage[], after: readonly StepMessage[]): number {
  let count = 0;
  while (count < before.length && count < after.length && before[count]?.content === after[count]?.content) count += 1;
  return count;
}

/** What of the world is kept in a step: in the first one also how it was described. */
function worldOfStep(described: World | undefined, { facts, contradictions }: TakenTurn) {
  if (!described && facts.length === 0 && contradictions.length === 0) return {};
  return { world: { ...(described ? { described } : {}), facts, contradictions } };
}
