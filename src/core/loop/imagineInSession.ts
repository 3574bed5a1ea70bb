import type { RecordedTurn } from '../action/action.ts';
import type { TurnAction } from '../action/turnAction.ts';
import { type Foretell, foldAll } from '../foretell.ts';
import type { Prediction } from '../prediction/prediction.ts';
import { messagesOf } from '../prediction/question.ts';
import { stepPrediction } from '../trajectory/step/step.ts';
import { conditionsFor } from '../worlds/language/conditions/conditionPresets.ts';
import { renderToolDefinitions } from '../worlds/language/prompt/toolDefinitions.ts';
import type { Domain } from '../worlds/language/prompt/turns/turn.ts';
import { parseScreen } from '../worlds/language/prompt/turns/turnTextScreen.ts';
import { renderEstablished, renderWorld } from '../worlds/language/world/world.ts';
import type { EnvironmentOptions } from './environmentOptions.ts';
import { type EnvironmentFailure, failure, type SteppedSession } from './environmentTypes.ts';
import { turnTokens } from './fitTurns.ts';
import { fitHistory, type OpenSession } from './openSessions.ts';
import { recordTurn } from './recordTurn.ts';

const defaultContextTokens = 131_072;

/** Who predicts the turns of sessions, and how. */
export interface SessionWorld {
  foretell: Pick<Foretell, 'predict' | 'openSession'>;
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
  if (!language)
    return failure('unknown', 'No model is configured that could imagine this; start the service with --model-url.');
  const status = await language.provider.status(signal);
  const contextTokens = options.contextTokens ?? (status.ok ? status.contextTokens : undefined) ?? defaultContextTokens;
  // A quarter of the context is the reply's, unless it may have less.
  const reserve = Math.min(language.parameters?.maxOutputTokens ?? contextTokens / 4, contextTokens / 4);
  const actionTokens = turnTokens(turn);
  fitHistory(session, contextTokens - reserve - session.baseTokens - actionTokens);
  let prediction = await ask({ foretell: world.foretell, language }, session, turn, signal);
  if (prediction.failureCode === 'prompt-too-long' && session.history.length > 0) {
    // Our estimate was too low: once more with half of it.
    fitHistory(session, session.history.reduce((sum, { tokens }) => sum + tokens, 0) - 1);
    prediction = await ask({ foretell: world.foretell, language }, session, turn, signal);
  }
  const { observation, compliance } = answeredBy(prediction)?.reply ?? {};
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
  const taken = session.ledger.take({ action: turn, observation });
  const answered = answeredBy(prediction);
  recordTurn(world, session, turn, {
    prediction: stepPrediction(prediction, observation),
    taken,
    ...(answered?.reply ? { model: answered.reply.model, reply: answered.reply } : {}),
    ...(answered && options.recordsMessages ? { messages: messagesOf(prediction.questions, answered) } : {}),
  });
  const screen = turn.kind === 'keystrokes' ? parseScreen(observation, turn.keystrokes).exitCode : undefined;
  const exitCode = prediction.exitCode ?? screen;
  return {
    ok: true,
    turn: session.turn,
    observation,
    ...(exitCode === undefined ? {} : { exitCode }),
    done: session.turn >= mostTurns,
    tokens: usage,
    ...(compliance ? { compliance } : {}),
    ...(taken.contradictions.length > 0 ? { contradictions: taken.contradictions } : {}),
    leftOutTurns: session.leftOut,
    basis: 'imagined',
  };
}

async function ask(
  {
    foretell,
    language,
  }: { foretell: Pick<Foretell, 'predict'>; language: NonNullable<EnvironmentOptions['language']> },
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
  const fictionalWorld = worldText(session);
  const values = request.tools
    ? { tool_definitions: renderToolDefinitions(request.tools), demonstrations: '' }
    : undefined;
  const { events } = foretell.predict({
    action,
    signal,
    language: {
      ...language,
      ...(request.dialect ? { dialect: request.dialect } : {}),
      conditions: request.perturbations ?? conditionsIn(domain, language.conditions),
      ...(request.seed === undefined ? {} : { parameters: { ...language.parameters, seed: request.seed } }),
      conditionText: request.perturbationText ?? language.conditionText ?? '',
      turn: {
        turns: [...session.grounding, ...session.history.map((one) => one.turn), { action: turn, part: 'action' }],
        ...(state === '' ? {} : { currentState: state }),
        ...(values ? { values } : {}),
        ...(fictionalWorld === '' ? {} : { fictionalWorld }),
      },
    },
  });
  return foldAll(action, events);
}

/** Of the conditions of an environment those that can hold in a domain. */
function conditionsIn(domain: Domain, ids: readonly string[] = []): string[] {
  const presets = conditionsFor([domain]);
  return ids.filter((id) => presets.some((one) => one.id === id));
}

/** What the model is told of the world: its description, its things, and what turns have shown that were left out. */
function worldText({ request, leftOut, ledger }: OpenSession): string {
  const gone = leftOut === 0 ? [] : ledger.facts().filter(({ since }) => since > 0 && since <= leftOut);
  return [request.fictionalWorld ?? '', request.world ? renderWorld(request.world) : '', renderEstablished(gone)]
    .filter((text) => text.trim() !== '')
    .join('\n\n');
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
