import { createHash } from 'node:crypto';
import { type Foretell, foldAll } from '../foretell.ts';
import type { Prediction } from '../prediction/prediction.ts';
import { messagesOf as sentMessages } from '../prediction/question.ts';
import { type StepAttempt, stepPrediction, type TrajectoryStep } from '../trajectory/step.ts';
import { stepWithTemplate } from '../trajectory/stepWithTemplate.ts';
import { turnOfAction } from '../trajectory/turnOfAction.ts';
import { factsOfObservation } from '../worlds/language/imagineTurn.ts';
import type { LanguageRequest } from '../worlds/language/languageRequest.ts';
import { type Domain, domains } from '../worlds/language/turn.ts';
import { type ComparedFacts, type FactualScore, factualScore, outputLines } from './factualScore.ts';

/** A version of a system prompt. */
export interface TriedTemplate {
  /** For people. */
  name: string;
  text: string;
}

/** What came of one step with one template. */
export interface TriedStep {
  step: TrajectoryStep;
  attempt: StepAttempt;
  /** Absent: there is nothing to compare, or no answer. */
  score?: FactualScore;
  /** Lines that had to be said and were not, and lines that were said and are not true; each as often as that. */
  missing: string[];
  extra: string[];
  /** Why there is no answer: one sentence. */
  reason?: string;
}

/** What `tryTemplate` needs besides the template. */
export interface TryTemplateOptions {
  foretell: Pick<Foretell, 'predict'>;
  language: LanguageRequest;
  /** All steps of the file, to find what came before. */
  all: ReadonlyMap<string, TrajectoryStep>;
  /** Those that are predicted. */
  steps: readonly TrajectoryStep[];
  /** Templates that kept prompts may have been made of. */
  known: readonly string[];
  signal: AbortSignal;
  /** How many are asked at once; default 4. */
  atOnce?: number;
  /** One more has ended. */
  onDone?: (tried: TriedStep) => void;
}

/**
 * Predicts steps with a template, through the one way in which everything is predicted, and scores each against what was
 * observed. In the order of `steps`; after an abort only those that were done. Never rejects for a model's failure.
 */
export async function tryTemplate(options: TryTemplateOptions, template: TriedTemplate): Promise<TriedStep[]> {
  const done: (TriedStep | undefined)[] = [];
  let next = 0;
  async function work(): Promise<void> {
    for (let index = next++; index < options.steps.length && !options.signal.aborted; index = next++) {
      const step = options.steps[index];
      if (!step) continue;
      const tried = await tryStep(options, step, template);
      if (options.signal.aborted && tried.attempt.prediction?.ending === 'cancelled') return;
      done[index] = tried;
      options.onDone?.(tried);
    }
  }
  await Promise.all(Array.from({ length: options.atOnce ?? 4 }, work));
  return done.flatMap((tried) => tried ?? []);
}

async function tryStep(
  { foretell, language, all, known, signal }: TryTemplateOptions,
  step: TrajectoryStep,
  template: TriedTemplate,
): Promise<TriedStep> {
  const dialect = language.dialect ?? 'qwen';
  const way = wayOf(language, template);
  const nothing = { step, missing: [], extra: [] };
  const asked = await stepWithTemplate(all, step, { template: template.text, known, dialect });
  if (!asked.ok) return { ...nothing, attempt: way, reason: `The step ${step.id} was not asked: ${asked.problem}` };
  const { whole: _, changedMessages: __, ...rest } = language;
  const request = { ...rest, samples: 1, countsBlocks: false, turn: asked.prompt };
  const { events, view } = foretell.predict({ action: asked.action, language: request, signal });
  const prediction = await foldAll(asked.action, events);
  void view.close();
  const attempt = { ...way, ...attemptOf(prediction) };
  if (prediction.ending !== 'done') {
    return { ...nothing, attempt, reason: prediction.endingReason ?? 'It was cancelled.' };
  }
  const said = prediction.questions[0]?.reply?.observation;
  const sides = said === undefined ? undefined : comparedSides(step, said, dialect);
  if (!sides) return { ...nothing, attempt };
  const score = factualScore(sides.predicted, sides.truth);
  return { step, attempt: { ...attempt, scores: { factual: { ...score } } }, score, ...differences(sides) };
}

/** How something is asked with a template, as an attempt keeps it. */
export function wayOf(language: LanguageRequest, template: TriedTemplate): StepAttempt {
  return {
    at: new Date().toISOString(),
    template: { name: template.name, sha256: createHash('sha256').update(template.text).digest('hex') },
    ...(language.perturbations?.length ? { perturbations: [...language.perturbations] } : {}),
    ...(language.perturbationText ? { perturbationText: language.perturbationText } : {}),
    ...(language.parameters ? { parameters: { ...language.parameters } } : {}),
  };
}

/** What of a prediction an attempt keeps: its facts, and the first question with its answer. */
export function attemptOf(prediction: Prediction): StepAttempt {
  const [question] = prediction.questions;
  const { reply } = question ?? {};
  return {
    ...(reply?.model ? { model: reply.model } : {}),
    ...(question ? { messages: sentMessages(prediction.questions, question).map((one) => ({ ...one })) } : {}),
    ...(reply ? { reply } : {}),
    prediction: stepPrediction(prediction, reply?.observation),
  };
}

/** A prediction and what is true. */
export interface Sides {
  predicted: ComparedFacts;
  truth: ComparedFacts;
}

/** What an observation can say, on both sides: its output and, of a shell tool, the exit code. */
function comparedSides(step: TrajectoryStep, said: string, dialect: 'qwen' | 'claude'): Sides | undefined {
  const { observation } = step;
  const domain: Domain | undefined = domains.find((name) => name === step.domain);
  const turn = turnOfAction(step.action, step.domain, dialect);
  if (!observation || !domain || !turn) return undefined;
  const read = (text: string): ComparedFacts => {
    const facts: ComparedFacts = { output: [], files: [], effects: [] };
    for (const event of factsOfObservation({ kind: 'turn', domain, turn }, domain, text, dialect)) {
      if (event.type === 'exit') facts.exitCode = event.code;
      else facts.output.push({ stream: event.stream, text: event.text ?? '', basis: event.basis });
    }
    return facts;
  };
  const predicted = read(said);
  const { facts } = observation;
  // A command that was run has its facts; they say more than the words of a tool.
  const isShell = predicted.exitCode !== undefined && facts !== undefined;
  const known = facts && {
    output: facts.output,
    ...(facts.exitCode === undefined ? {} : { exitCode: facts.exitCode }),
    ...{ files: [], effects: [] },
  };
  return { predicted, truth: isShell && known ? known : read(observation.text) };
}

/** Lines that only one side has, each as often as it has it more. */
export function differences({ predicted, truth }: Sides): { missing: string[]; extra: string[] } {
  const linesOf = (facts: ComparedFacts) =>
    outputLines(facts)
      .filter((line) => !line.volatile && line.text.trim() !== '')
      .map((line) => line.text);
  const without = (lines: readonly string[], others: readonly string[]) => {
    const counts = new Map<string, number>();
    for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1);
    return lines.filter((line) => {
      const left = counts.get(line) ?? 0;
      counts.set(line, left - 1);
      return left <= 0;
    });
  };
  const [said, real] = [linesOf(predicted), linesOf(truth)];
  return { missing: without(real, said), extra: without(said, real) };
}

/** How many of `most` steps are taken of a list: evenly spread, always the same. */
export function spread<T>(items: readonly T[], most: number): T[] {
  if (items.length <= most) return [...items];
  return Array.from({ length: Math.max(0, most) }, (_, index) => items[Math.floor((index * items.length) / most)] as T);
}

/** Steps that have something to be compared with: the asked ones of a benchmark's rows, else all with an observation. */
export function stepsToTry(steps: readonly TrajectoryStep[], domain: string): TrajectoryStep[] {
  const own = steps.filter((step) => step.domain === domain && step.observation !== undefined);
  const rows = new Set(own.filter(({ row }) => row).map(({ trajectory }) => trajectory));
  return own.filter(({ row, trajectory }) => row !== undefined || !rows.has(trajectory));
}

/** What of a step belongs to an earlier attempt at it, or to the row that it was asked by. */
const ofAttempt = new Set<string>([
  ...(['messages', 'begins', 'reply', 'prediction', 'scores', 'others', 'row', 'model', 'template'] as const),
] satisfies (keyof TrajectoryStep)[]);

/**
 * Steps with what the templates made of them, as a trajectory of their own: each with its prompt whole, the first template
 * as its prediction and the others beside it, and what came before without its prompts.
 */
export function triedTrajectory(
  all: ReadonlyMap<string, TrajectoryStep>,
  tries: readonly (readonly TriedStep[])[],
): TrajectoryStep[] {
  const attempts = new Map<string, StepAttempt[]>();
  for (const { step, attempt } of tries.flat()) attempts.set(step.id, [...(attempts.get(step.id) ?? []), attempt]);
  const wanted = new Set<string>();
  for (const id of attempts.keys()) {
    for (let at = all.get(id); at && !wanted.has(at.id); at = at.after === undefined ? undefined : all.get(at.after)) {
      wanted.add(at.id);
    }
  }
  return [...all.values()]
    .filter(({ id }) => wanted.has(id))
    .map((step) => {
      const bare = Object.fromEntries(Object.entries(step).filter(([name]) => !ofAttempt.has(name))) as TrajectoryStep;
      const [first, ...others] = attempts.get(step.id) ?? [];
      return { ...bare, ...first, ...(others.length > 0 ? { others } : {}) };
    });
}
