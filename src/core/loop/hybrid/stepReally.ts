import type { TurnAction } from '../../action/turnAction.ts';
import { trueObservation } from '../../bench/collect/trueStep.ts';
import { stepPrediction } from '../../trajectory/step/step.ts';
import { parseScreen } from '../../worlds/language/prompt/turns/turnTextScreen.ts';
import {
  type EnvironmentFailure,
  type EpisodeReward,
  failure,
  finishTool,
  type SteppedSession,
} from '../environmentTypes.ts';
import { turnTokens } from '../fitTurns.ts';
import { imagineInSession, type SessionWorld } from '../imagineInSession.ts';
import type { OpenSession } from '../openSessions.ts';
import { recordTurn, type TurnOutcome } from '../recordTurn.ts';
import { judgeByRubric } from '../reward/judgeRubric.ts';
import { askRules, rewardOf } from '../reward/rewardRules.ts';
import type { RealTurn } from './realSession.ts';

const cancelled = failure('cancelled', 'It was cancelled.');

/** Takes an action in the real shell of a session; what cannot be taken there is imagined, or nobody knows it. */
export async function stepReally(
  world: SessionWorld,
  session: OpenSession,
  turn: TurnAction,
  signal: AbortSignal,
): Promise<SteppedSession | EnvironmentFailure> {
  const { real, request } = session;
  const { language } = world.options;
  if (!real) return imagineInSession(world, session, turn, signal);
  const asked = language && {
    ...language,
    conditions: request.perturbations ?? language.conditions ?? [],
    conditionText: request.perturbationText ?? language.conditionText ?? '',
  };
  const acted = await real.act(turn, asked, signal);
  if (signal.aborted) return cancelled;
  if (!('why' in acted && !('text' in acted))) return tookTurn(world, session, turn, acted);
  const imagined = language ? await imagineInSession(world, session, turn, signal) : undefined;
  if (imagined && (imagined.ok || imagined.code !== 'unknown')) {
    if (imagined.ok) real.doubt('An earlier action was imagined, and what it may have changed is not in the copy.');
    return imagined;
  }
  real.doubt('Nobody knows what an earlier action led to.');
  return unknownTurn(world, session, turn, imagined?.message ?? acted.why);
}

function tookTurn(world: SessionWorld, session: OpenSession, turn: TurnAction, acted: RealTurn): SteppedSession {
  const { text, basis, why, prediction, hadSecret } = acted;
  const isTrue = basis === 'rehearsed' || basis === 'computed' || basis === 'remembered';
  const observed = trueObservation(prediction, acted);
  const outcome: Told['outcome'] = isTrue
    ? { observation: hadSecret ? { text, basis, source: 'foretell' } : { ...observed, text, basis } }
    : { prediction: stepPrediction(prediction, text) };
  const screen = turn.kind === 'keystrokes' ? parseScreen(text, turn.keystrokes).exitCode : undefined;
  const exitCode = basis === 'unknown' ? undefined : (prediction.exitCode ?? screen);
  return told(world, session, turn, { text, outcome, basis, why, exitCode });
}

/** What nobody knows is an observation too. */
function unknownTurn(world: SessionWorld, session: OpenSession, turn: TurnAction, why: string): SteppedSession {
  return told(world, session, turn, { text: `[unknown: ${why}]`, outcome: {}, basis: 'unknown', why });
}

interface Told {
  text: string;
  outcome: Omit<TurnOutcome, 'taken'>;
  basis: SteppedSession['basis'];
  why?: string | undefined;
  exitCode?: number | undefined;
}

function told(world: SessionWorld, session: OpenSession, turn: TurnAction, of: Told): SteppedSession {
  const { text, outcome, basis, why, exitCode } = of;
  session.turn += 1;
  session.observation = text;
  if (world.options.language)
    session.history.push({
      turn: { action: turn, observation: text, part: 'history' },
      tokens: turnTokens(turn, text),
    });
  // What nobody knows says nothing of the world.
  const taken =
    basis === 'unknown'
      ? { facts: [], contradictions: [], compared: 0 }
      : session.ledger.take({ action: turn, observation: text });
  recordTurn(world, session, turn, { ...outcome, taken });
  return {
    ok: true,
    turn: session.turn,
    observation: text,
    ...(exitCode === undefined ? {} : { exitCode }),
    done: session.turn >= world.mostTurns,
    tokens: undefined,
    leftOutTurns: session.leftOut,
    basis,
    ...(why === undefined ? {} : { why }),
  };
}

/** Whether an action says that the episode is over; a session may have a tool of its own that is called so. */
export function isFinish({ request }: OpenSession, action: TurnAction): action is TurnAction & { kind: 'tool' } {
  return (
    action.kind === 'tool' && action.name === finishTool && !request.tools?.some(({ name }) => name === finishTool)
  );
}

/** Ends an episode, because the agent says so. */
export async function finishedEpisode(
  world: SessionWorld,
  session: OpenSession,
  action: TurnAction & { kind: 'tool' },
  signal: AbortSignal,
): Promise<SteppedSession | EnvironmentFailure> {
  const { summary } = action.arguments;
  const finished: SteppedSession = {
    ok: true,
    turn: session.turn,
    observation: '',
    done: true,
    tokens: undefined,
    leftOutTurns: session.leftOut,
    basis: 'computed',
  };
  session.isOver = true;
  return withReward(world, session, finished, signal, typeof summary === 'string' ? summary : undefined);
}

/** The same with what the episode is worth, where the session asked for that. */
export async function withReward(
  world: SessionWorld,
  session: OpenSession,
  taken: SteppedSession | EnvironmentFailure,
  signal: AbortSignal,
  summary?: string,
): Promise<SteppedSession | EnvironmentFailure> {
  const { reward } = session.request;
  if (!taken.ok) return taken;
  if (!session.isOver) {
    const isKnown = taken.basis !== 'unknown' && taken.basis !== 'assumed';
    const { observation: text, exitCode } = taken;
    session.last = { text, isKnown, ...(exitCode === undefined ? {} : { exitCode }) };
  }
  if (!reward) return taken;
  return { ...taken, reward: await rewardNow(world, session, { isOver: taken.done, summary, signal }) };
}

async function rewardNow(
  { options }: SessionWorld,
  session: OpenSession,
  { isOver, summary, signal }: { isOver: boolean; summary: string | undefined; signal: AbortSignal },
): Promise<EpisodeReward> {
  const { real, request, last } = session;
  const { rules = [], rubric, rubricWeight = 1 } = request.reward ?? {};
  const outcomes = await askRules(
    rules,
    {
      folder: request.cwd ?? '/',
      ...(last ? { last } : {}),
      isExact: real?.isExact() ?? false,
      read: async (file) => real?.read(file),
      check: async (script) => {
        if (!real) throw new Error('A rule about files was let through without a copy.');
        return real.check(script, signal);
      },
    },
    isOver,
  );
  const holds = outcomes.map((one) => one.holds);
  if (rubric === undefined) return { value: rewardOf(outcomes), rules: holds };
  // Before the end nobody is asked, and the rubric has earned nothing yet.
  if (!isOver || !options.language)
    return { value: rewardOf(outcomes, { score: 0, weight: rubricWeight }), rules: holds };
  const turns = session.history.map(({ turn }) => ({ action: turn.action, observation: turn.observation ?? '' }));
  const { provider } = options.language;
  const judged = await judgeByRubric({ provider, rubric, task: request.task, turns, summary, signal });
  const score = 'score' in judged ? judged.score : 0;
  return { value: rewardOf(outcomes, { score, weight: rubricWeight }), rules: holds, rubric: judged };
}
