import type { RecordedTurn } from '../action/action.ts';
import type { TurnAction } from '../action/turnAction.ts';
import { type Foretell, foldAll } from '../foretell.ts';
import type { Prediction } from '../prediction/prediction.ts';
import { messagesOf } from '../prediction/question.ts';
import { type StepMessage, stepPrediction } from '../trajectory/step/step.ts';
import { renderToolDefinitions } from '../worlds/language/prompt/toolDefinitions.ts';
import { parseScreen } from '../worlds/language/prompt/turns/turnTextScreen.ts';
import type { EnvironmentOptions } from './environmentOptions.ts';
import { type EnvironmentFailure, failure, type SteppedSession } from './environmentTypes.ts';
import { turnTokens } from './fitTurns.ts';
import { fitHistory, type OpenSession } from './openSessions.ts';

const defaultContextTokens = 131_072;

/** Who predicts the turns of sessions, and how. */
export interface SessionWorld {
  foretell: Pick<Foretell, 'predict'>;
  options: EnvironmentOptions;
  mostTurns: number;
  now: () => number;
}

/** Predicts what an action leads to and takes it into the session. A turn that fails leaves the session as it was. */
export async function imagineInSession(
  world: SessionWorld,
  session: OpenSession,
  turn: TurnAction,
  signal: AbortSignal,
): Promise<SteppedSession | EnvironmentFailure> {
  const { options, mostTurns } = world;
  const { language } = options;
  const status = await language.provider.status(signal);
  const contextTokens = options.contextTokens ?? (status.ok ? status.contextTokens : undefined) ?? defaultContextTokens;
  // A quarter of the context is the reply's, unless it may have less.
  const reserve = Math.min(language.parameters?.maxOutputTokens ?? contextTokens / 4, contextTokens / 4);
  const actionTokens = turnTokens(turn);
  fitHistory(session, contextTokens - reserve - session.baseTokens - actionTokens);
  let prediction = await ask(world, session, turn, signal);
  if (prediction.failureCode === 'prompt-too-long' && session.history.length > 0) {
    // Our estimate was too low: once more with half of it.
    fitHistory(session, session.history.reduce((sum, { tokens }) => sum + tokens, 0) - 1);
    prediction = await ask(world, session, turn, signal);
  }
  const observation = answeredBy(prediction)?.reply?.observation;
  const [question] = prediction.questions;
  if (question) {
    const shown = session.history.reduce((sum, { tokens }) => sum + tokens, 0) + actionTokens;
    session.baseTokens = Math.max(0, question.tokens.count - shown);
  }
  const usage = answeredBy(prediction)?.reply?.usage;
  for (const { reply } of prediction.questions) {
    session.promptTokens += reply?.usage?.promptTokens ?? 0;
    session.completionTokens += reply?.usage?.completionTokens ?? 0;
  }
  if (prediction.ending !== 'done' || observation === undefined) return failureOf(prediction);
  session.turn += 1;
  session.observation = observation;
  session.history.push({
    turn: { action: turn, observation, part: 'history' },
    tokens: turnTokens(turn, observation),
  });
  record(world, session, turn, prediction, observation);
  const screen = turn.kind === 'keystrokes' ? parseScreen(observation, turn.keystrokes).exitCode : undefined;
  const exitCode = prediction.exitCode ?? screen;
  return {
    ok: true,
    turn: session.turn,
    observation,
    ...(exitCode === undefined ? {} : { exitCode }),
    done: session.turn >= mostTurns,
    tokens: usage,
    leftOutTurns: session.leftOut,
  };
}

async function ask(
  { foretell, options: { language } }: SessionWorld,
  session: OpenSession,
  turn: TurnAction,
  signal: AbortSignal,
): Promise<Prediction> {
  const { request, domain } = session;
  const action: RecordedTurn = {
    kind: 'turn',
    domain,
    turn,
    ...(request.cwd === undefined ? {} : { cwd: request.cwd }),
  };
  const state = session.grounding.length > 0 ? session.initialState : session.stateBefore;
  const values = request.tools
    ? { tool_definitions: renderToolDefinitions(request.tools), demonstrations: '' }
    : undefined;
  const { events } = foretell.predict({
    action,
    signal,
    language: {
      ...language,
      ...(request.dialect ? { dialect: request.dialect } : {}),
      conditions: request.perturbations ?? language.conditions ?? [],
      conditionText: request.perturbationText ?? language.conditionText ?? '',
      turn: {
        turns: [...session.grounding, ...session.history.map((one) => one.turn), { action: turn, part: 'action' }],
        ...(state === '' ? {} : { currentState: state }),
        ...(values ? { values } : {}),
        ...(request.fictionalWorld === undefined ? {} : { fictionalWorld: request.fictionalWorld }),
      },
    },
  });
  return foldAll(action, events);
}

function record(
  { options, now }: SessionWorld,
  session: OpenSession,
  turn: TurnAction,
  prediction: Prediction,
  observation: string,
): void {
  if (!options.record) return;
  const { request, domain, lastStep } = session;
  const trajectory = session.resets === 0 ? session.id : `${session.id}-${session.resets + 1}`;
  const id = `${trajectory}.${session.turn}`;
  const question = answeredBy(prediction);
  const messages = question && options.recordsMessages ? messagesOf(prediction.questions, question) : undefined;
  const count = messages && lastStep ? sharedCount(lastStep.messages, messages) : 0;
  const isFirst = session.turn === 1;
  options.record({
    version: 1,
    id,
    trajectory,
    ...(isFirst ? {} : { after: `${trajectory}.${session.turn - 1}` }),
    at: new Date(now()).toISOString(),
    domain,
    action: { kind: 'turn', domain, turn, ...(request.cwd === undefined ? {} : { cwd: request.cwd }) },
    ...(isFirst && session.initialState !== '' ? { state: session.initialState } : {}),
    ...(isFirst && request.task !== undefined ? { note: `Task: ${request.task}` } : {}),
    ...(question?.reply ? { model: question.reply.model, reply: question.reply } : {}),
    ...(request.perturbations ? { perturbations: request.perturbations } : {}),
    ...(request.perturbationText ? { perturbationText: request.perturbationText } : {}),
    ...(request.fictionalWorld ? { fictionalWorld: request.fictionalWorld } : {}),
    ...(messages ? { messages: messages.slice(count) } : {}),
    ...(messages && lastStep && count > 0 ? { begins: { step: lastStep.id, count } } : {}),
    prediction: stepPrediction(prediction, observation),
  });
  if (messages) session.lastStep = { id, messages };
}

/** The question whose answer counts: of several samples the one that was elected, of one that was asked once more the last. */
function answeredBy({ questions }: Prediction): Prediction['questions'][number] | undefined {
  return questions.find(({ reply }) => reply?.agreement) ?? questions.at(-1);
}

function failureOf(prediction: Prediction): EnvironmentFailure {
  const { ending, endingReason, failureCode } = prediction;
  if (ending === 'cancelled' || failureCode === 'cancelled') return failure('cancelled', 'It was cancelled.');
  if (ending === 'abstained') return failure('unknown', endingReason ?? 'The model cannot know what this leads to.');
  const message = endingReason ?? 'The model gave no observation; try again.';
  return { ...failure('model', message), ...(failureCode === undefined ? {} : { cause: failureCode }) };
}

function sharedCount(before: readonly StepMessage[], after: readonly StepMessage[]): number {
  let count = 0;
  while (count < before.length && count < after.length && before[count]?.content === after[count]?.content) count += 1;
  return count;
}
