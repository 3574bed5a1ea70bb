import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { type Foretell, foldAll } from '../../foretell.ts';
import { type AttemptWay, attemptsOf } from '../../trajectory/attempts/attemptsOf.ts';
import { allAttempts, attemptsChange, withWholePrompt } from '../../trajectory/attempts/keptAttempts.ts';
import { type StepAttempt, stepsById, type TrajectoryStep } from '../../trajectory/step/step.ts';
import { stepWithTemplate } from '../../trajectory/step/stepWithTemplate.ts';
import { comparisonOf } from '../../trajectory/step/turnOfStep.ts';
import type { LanguageRequest } from '../../worlds/language/imagine/languageRequest.ts';
import { inParallel } from '../run/inParallel.ts';
import { type ComparedFacts, type FactualScore, factualScore, outputLines } from '../score/factualScore.ts';

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
  /** How many are asked at once; default 8. */
  atOnce?: number;
  /** One more has ended. */
  onDone?: (tried: TriedStep) => void;
}

/**
 * Predicts steps with a template, through the one way in which everything is predicted, and scores each against what was
 * observed. In the order of `steps`; after an abort only those that were done. Never rejects for a model's failure.
 */
export async function tryTemplate(options: TryTemplateOptions, template: TriedTemplate): Promise<TriedStep[]> {
  // Every question listens to it.
  setMaxListeners(0, options.signal);
  const done: (TriedStep | undefined)[] = [];
  async function* places() {
    yield* options.steps.entries();
  }
  await inParallel(places(), options.atOnce ?? 8, options.signal, async ([index, step]) => {
    const tried = await tryStep(options, step, template);
    if (options.signal.aborted && tried.attempt.prediction?.ending === 'cancelled') return;
    done[index] = tried;
    options.onDone?.(tried);
  });
  return done.flatMap((tried) => tried ?? []);
}

async function tryStep(
  { foretell, language, all, known, signal }: TryTemplateOptions,
  step: TrajectoryStep,
  template: TriedTemplate,
): Promise<TriedStep> {
  const nothing = { step, missing: [], extra: [] };
  const given = { template: template.text, known, dialect: language.dialect ?? 'qwen' };
  const asked = await stepWithTemplate(all, step, given);
  if (!asked.ok) {
    const reason = `The step ${step.id} was not asked: ${asked.problem}`;
    return { ...nothing, attempt: wayOf(language, template), reason };
  }
  const { whole: _, changedMessages: __, ...rest } = language;
  // A prompt that came with the step is sent as it came, but for the template.
  const conditions = 'messages' in asked.prompt ? { conditions: [], conditionText: '' } : {};
  const request = { ...rest, ...conditions, samples: 1, countsBlocks: false, turn: asked.prompt };
  const { events, view } = foretell.predict({ action: asked.action, language: request, signal });
  const prediction = await foldAll(asked.action, events);
  void view.close();
  const way = wayOf(request, template);
  const attempt: StepAttempt = attemptsOf(step, prediction, way)[0] ?? way;
  if (prediction.ending !== 'done') {
    return { ...nothing, attempt, reason: prediction.endingReason ?? 'It was cancelled.' };
  }
  const sides = comparisonOf(step, attempt);
  if (!sides) return { ...nothing, attempt };
  const score = factualScore(sides.predicted, sides.truth);
  return { step, attempt: { ...attempt, scores: { factual: { ...score } } }, score, ...differencesOf(sides) };
}

/** How something is asked with a template, as an attempt keeps it. */
export function wayOf(language: LanguageRequest, template: TriedTemplate): AttemptWay {
  return {
    at: new Date().toISOString(),
    template: { name: template.name, sha256: createHash('sha256').update(template.text).digest('hex') },
    ...(language.conditions?.length ? { perturbations: [...language.conditions] } : {}),
    ...(language.conditionText ? { perturbationText: language.conditionText } : {}),
    ...(language.parameters ? { parameters: { ...language.parameters } } : {}),
  };
}

/** Lines that only one side has, each as often as it has it more. */
export function differencesOf({ predicted, truth }: Record<'predicted' | 'truth', Pick<ComparedFacts, 'output'>>): {
  missing: string[];
  extra: string[];
} {
  const linesOf = (facts: Pick<ComparedFacts, 'output'>) =>
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

/** All steps of a file by their ids, as `tryTemplate` takes them. */
export const triedById = (steps: readonly TrajectoryStep[]) => stepsById(steps);

/** Steps that have something to be compared with: the asked ones of a benchmark's rows, else all with an observation. */
export function stepsToTry(steps: readonly TrajectoryStep[], domain: string): TrajectoryStep[] {
  const own = steps.filter((step) => step.domain === domain && step.observation !== undefined);
  const rows = new Set(own.filter(({ row }) => row).map(({ trajectory }) => trajectory));
  return own.filter(({ row, trajectory }) => row !== undefined || !rows.has(trajectory));
}

/**
 * Steps with what the templates made of them, as a trajectory of their own: the first template as what each shows, behind
 * it the others and what was there before, and the steps that came before without their prompts.
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
      const [shown = {}, ...others] = attempts.get(step.id) ?? [];
      const before = attempts.has(step.id)
        ? allAttempts(step).filter(({ messages, prediction }) => messages ?? prediction)
        : [];
      const kept = [...others, ...before.map((one) => withWholePrompt(one, all))];
      // The prompts of a run are read one by one, so none begins with that of another step.
      const change = {
        ...attemptsChange(step, { messages: undefined, ...shown } as StepAttempt, kept, undefined),
        ...(shown.messages ? {} : { begins: undefined }),
      };
      const entries = Object.entries({ ...step, ...change }).filter(([, value]) => value !== undefined);
      return Object.fromEntries(entries) as TrajectoryStep;
    });
}
