import * as z from 'zod/mini';
import { Action } from '../../action/action.ts';
import { Contradiction, WorldFact } from '../../facts/contradiction.ts';
import { Effect } from '../../facts/effect.ts';
import { Ending, Output, PredictedFile } from '../../prediction/parts.ts';
import type { Prediction } from '../../prediction/prediction.ts';
import { Reply } from '../../prediction/question.ts';
import { Basis } from '../../view/basis.ts';
import { World } from '../../worlds/language/world/world.ts';

/** A message of a chat. */
export const StepMessage = z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() });
export type StepMessage = z.infer<typeof StepMessage>;

/** What an action did or would do, as it is compared. The same fields as in a prediction. */
export const StepFacts = z.looseObject({
  output: z.array(Output),
  /** Absent: not known. */
  exitCode: z.optional(z.number()),
  files: z.array(PredictedFile),
  effects: z.array(Effect),
});
export type StepFacts = z.infer<typeof StepFacts>;

/** A prediction as it is kept in a step: its facts, and how it ended. */
export const StepPrediction = z.extend(StepFacts, {
  /** Name of the world that predicted. */
  engine: z.string(),
  ending: Ending,
  /** Sentence of an ending that is not `done`. */
  reason: z.optional(z.string()),
  /** What a model would be shown as the observation; absent where the facts are all there is. */
  text: z.optional(z.string()),
  /** Working directory afterwards. */
  cwd: z.optional(z.string()),
});
export type StepPrediction = z.infer<typeof StepPrediction>;

/** What really happened. */
export const StepObservation = z.looseObject({
  /** As the agent was shown it, in the form of its tool or terminal. */
  text: z.string(),
  /** `observed`: a real run; `rehearsed`, `computed`: the engine's word on a copy. */
  basis: Basis,
  /** Where known in parts. */
  facts: z.optional(StepFacts),
  /** Which parts of `facts` are known, where not all are: the others are empty because nobody looked. */
  known: z.optional(z.array(z.enum(['output', 'exitCode', 'files', 'effects']))),
  /** ISO 8601: when it was observed, rehearsed or written. */
  at: z.optional(z.string()),
  /** For example `foretell`, `claude-code`, `asciicast`. */
  source: z.optional(z.string()),
});
export type StepObservation = z.infer<typeof StepObservation>;

/** How good a prediction is. */
export const StepScores = z.looseObject({
  /** 0–1 against the observation, see `factualScore`; further fields say how it came about. */
  factual: z.optional(z.looseObject({ score: z.number() })),
  /** 1–5 for each dimension that the judge gave; `total` is the mean of these. */
  judge: z.optional(
    z.looseObject({
      model: z.string(),
      dimensions: z.record(z.string(), z.number()),
      total: z.optional(z.number()),
      /** The judge's reply. */
      raw: z.optional(z.string()),
      failure: z.optional(z.string()),
    }),
  ),
});
export type StepScores = z.infer<typeof StepScores>;

/** One try at predicting a step: how it was asked, what came, how good it was. */
export const StepAttempt = z.looseObject({
  /** ISO 8601. */
  at: z.optional(z.string()),
  model: z.optional(z.string()),
  /** The template: path or name, and the sha256 of its text. */
  template: z.optional(z.object({ name: z.string(), sha256: z.string() })),
  /** Ids of conditions, and the user's own words. */
  perturbations: z.optional(z.array(z.string())),
  perturbationText: z.optional(z.string()),
  fictionalWorld: z.optional(z.string()),
  parameters: z.optional(z.record(z.string(), z.unknown())),
  /** The prompt. Where the step before has the first `count` messages already, only those that follow. */
  messages: z.optional(z.array(StepMessage)),
  begins: z.optional(z.object({ step: z.string(), count: z.number() })),
  reply: z.optional(Reply),
  prediction: z.optional(StepPrediction),
  scores: z.optional(StepScores),
});
export type StepAttempt = z.infer<typeof StepAttempt>;

/** A message of an agent's own chat, in the form of OpenAI's API; what else it has is kept. */
export const AgentMessage = z.looseObject({ role: z.string() });
export type AgentMessage = z.infer<typeof AgentMessage>;

/** What the agent that took a step said and was told, so that its chat can be written again. */
export const StepAgent = z.looseObject({
  /**
   * Messages of its chat since the results of the step before, up to and with the one that makes the call. Absent where
   * the step before made its call in the same message.
   */
  messages: z.optional(z.array(AgentMessage)),
  /** Id of its call in the last message of this or an earlier step. */
  call: z.optional(z.string()),
  /** The message with the result, where it says more than role, id and the observation's text. */
  result: z.optional(AgentMessage),
  /** What it said after the last step. */
  after: z.optional(z.array(AgentMessage)),
  /** Its model; `model` of the step is the one that predicts. */
  model: z.optional(z.string()),
  /** What it thought before, where that is not part of the messages. */
  thought: z.optional(z.string()),
  /** What else belongs to the chat as a whole, such as `tools`; in its first step. */
  chat: z.optional(z.record(z.string(), z.unknown())),
});
export type StepAgent = z.infer<typeof StepAgent>;

/**
 * One step of a trajectory, version 1: one line of JSON. Additions are allowed, nothing is renamed; fields that this
 * version does not know are kept.
 */
export const TrajectoryStep = z.extend(StepAttempt, {
  version: z.literal(1),
  /** Unique in its file. */
  id: z.string(),
  /** The steps of one trajectory share it. A file can hold many. */
  trajectory: z.string(),
  /** `id` of the step before; absent: the first one. Two steps after the same one are a fork. */
  after: z.optional(z.string()),
  /** One of AgentWorldBench's seven. */
  domain: z.string(),
  action: Action,
  /** What the screen showed before the first turn. */
  state: z.optional(z.string()),
  /** What was true of the workspace: a sha256 over the observations of the context, the folder, the commit. */
  context: z.optional(
    z.looseObject({
      digest: z.string(),
      folder: z.optional(z.string()),
      commit: z.optional(z.string()),
    }),
  ),
  observation: z.optional(StepObservation),
  /** What it shows of a simulated world that was not known before, and what it says otherwise than before. */
  world: z.optional(
    z.looseObject({
      /** In the first step: how the world was described. */
      described: z.optional(World),
      facts: z.array(WorldFact),
      contradictions: z.array(Contradiction),
    }),
  ),
  /** Who acted. */
  agent: z.optional(StepAgent),
  /** The row of a benchmark that asks for this step: what of it is not in the messages. */
  row: z.optional(z.record(z.string(), z.unknown())),
  /** What an import could not be sure of, in sentences. */
  uncertain: z.optional(z.array(z.string())),
  /** ISO 8601: when a person last changed the action or the observation. What was made before rests on the older one. */
  edited: z.optional(z.object({ action: z.optional(z.string()), observation: z.optional(z.string()) })),
  /** Other tries at the same step: samples, other models, other templates. */
  others: z.optional(z.array(StepAttempt)),
  /** For people. */
  note: z.optional(z.string()),
});
export type TrajectoryStep = z.infer<typeof TrajectoryStep>;

/** Steps by their `id`, to look up what `begins` and `after` name. Of two with the same id the first counts. */
export function stepsById(steps: Iterable<TrajectoryStep>): Map<string, TrajectoryStep> {
  const byId = new Map<string, TrajectoryStep>();
  for (const step of steps) if (!byId.has(step.id)) byId.set(step.id, step);
  return byId;
}

/**
 * The whole prompt of a step or of another try at one: with the messages that an earlier step has already (`begins`).
 * `undefined` where it is not known: no messages are kept, or a step that it begins with is missing or too short.
 */
export function stepMessagesOf(
  steps: { get(id: string): TrajectoryStep | undefined } | Iterable<TrajectoryStep>,
  attempt: StepAttempt,
): StepMessage[] | undefined {
  const byId = 'get' in steps ? steps : stepsById(steps);
  const pieces: StepMessage[][] = [];
  const seen = new Set<StepAttempt>();
  let at: StepAttempt = attempt;
  // How many of the messages of `at` are wanted; all of them, to begin with.
  let wanted = Number.POSITIVE_INFINITY;
  for (;;) {
    const { begins } = at;
    const own = at.messages ?? [];
    if (seen.has(at) || (!at.messages && !begins)) return undefined;
    seen.add(at);
    const earlierCount = begins?.count ?? 0;
    if (wanted !== Number.POSITIVE_INFINITY && earlierCount + own.length < wanted) return undefined;
    pieces.push(own.slice(0, Math.max(0, wanted - earlierCount)));
    if (!begins || earlierCount === 0) return pieces.reverse().flat();
    const earlier = byId.get(begins.step);
    if (!earlier) return undefined;
    wanted = Math.min(wanted, earlierCount);
    at = earlier;
  }
}

/** What of a prediction is kept in a step. `text`: what a model would be shown, where that is known. */
export function stepPrediction(prediction: Prediction, text?: string): StepPrediction {
  const { output, exitCode, files, effects, engine, ending, endingReason, cwd } = prediction;
  return {
    output,
    ...(exitCode === undefined ? {} : { exitCode }),
    files,
    effects,
    engine,
    ending: ending ?? 'cancelled',
    ...(endingReason === undefined ? {} : { reason: endingReason }),
    ...(text === undefined ? {} : { text }),
    ...(cwd === undefined ? {} : { cwd }),
  };
}
