import { setMaxListeners } from 'node:events';
import type { RecordedTurn } from '../../action/action.ts';
import { type Foretell, foldAll } from '../../foretell.ts';
import type { Prediction } from '../../prediction/prediction.ts';
import { stepPrediction, type TrajectoryStep } from '../../trajectory/step/step.ts';
import { type DiffRow, diffRows } from '../../view/lineDiff.ts';
import type { LanguageProvider } from '../../worlds/language/client/provider.ts';
import { commandOf } from '../../worlds/language/prompt/turns/turnText.ts';
import { createStepShower, type PromptSettings, type StepShower } from '../collect/rows.ts';
import { type Estimate, estimate } from '../score/bootstrap.ts';
import type { FactualScore } from '../score/factualScore.ts';
import { scoreAttempt } from '../score/scoreStep.ts';

/** One way to ask: which template, style, conditions and parameters. */
export interface TuneVariant {
  name: string;
  language: PromptSettings;
  /** A system prompt in the place of the domain's. */
  template?: string;
  /** Turns that show the workspace come first; default true. */
  isGrounded?: boolean;
}

/** One model that is asked. */
export interface TuneModel {
  name: string;
  provider: LanguageProvider;
}

/** One answer, and how good it is. */
export interface TuneCell {
  step: string;
  variant: string;
  model: string;
  /** `unknown`: the model says that it cannot know. What is not `answered` counts as a score of 0. */
  outcome: 'answered' | 'unknown' | 'failed';
  /** Why it is not answered, as a sentence. */
  why?: string;
  /** The observation that was predicted. */
  text?: string;
  score?: FactualScore;
  /** The lines that differ, predicted beside true, with a line around them. Empty: the same. */
  difference: DiffRow[];
  promptTokens: number;
  completionTokens: number;
  durationMs: number;
}

/** All answers of one variant and model. */
export interface TuneSummary {
  variant: string;
  model: string;
  /** Of the scores, unanswered ones as 0, with an interval over whole trajectories. */
  score: Estimate | undefined;
  /** How many are exactly so. */
  exact: number;
  answered: number;
  asked: number;
  promptTokens: number;
  completionTokens: number;
  meanMs: number;
}

/** The whole table. */
export interface TuneReport {
  steps: { id: string; trajectory: string; domain: string; title: string; truth: string }[];
  variants: string[];
  models: string[];
  /** In the order of steps, variants, models. */
  cells: TuneCell[];
  /** The best one first. */
  summaries: TuneSummary[];
  /** Steps that could not be asked, with the reason. */
  leftOut: { step: string; why: string }[];
}

/** What is asked. */
export interface TuneOptions {
  foretell: Pick<Foretell, 'predict' | 'looker'>;
  /** Those without a true observation are left out. */
  steps: readonly TrajectoryStep[];
  variants: readonly TuneVariant[];
  models: readonly TuneModel[];
  /** Questions at once, to all models together; default 4. */
  concurrency?: number;
  onCell?(cell: TuneCell, done: number, all: number): void;
  signal: AbortSignal;
}

/**
 * Asks every model every step in every variant and scores the answers against the true observations. The questions go
 * through `foretell.predict`, so what is measured is what a prediction does. Never rejects for an answer.
 */
export async function tune(options: TuneOptions): Promise<TuneReport> {
  const { foretell, variants, models, signal } = options;
  setMaxListeners(0, signal);
  const byId = new Map(options.steps.map((step) => [step.id, step]));
  const steps = options.steps.filter(({ observation }) => observation);
  const leftOut: TuneReport['leftOut'] = options.steps
    .filter(({ observation }) => !observation)
    .map(({ id }) => ({ step: id, why: 'It has no true observation.' }));
  const jobs = steps.flatMap((step) =>
    variants.flatMap((variant) => models.map((model) => ({ step, variant, model }))),
  );
  const showers = new Map(
    variants.map((variant) => {
      const { language, isGrounded = true } = variant;
      return [variant, createStepShower({ foretell, language, isGrounded, signal })];
    }),
  );
  // All models of a step and variant are shown the same, which is looked up once.
  const lookedUp = new Map<string, { shown: ReturnType<StepShower>; uses: number }>();
  const shownOnce = ({ step, variant }: Job, look: () => ReturnType<StepShower>) => {
    const key = JSON.stringify([step.id, variant.name]);
    const known = lookedUp.get(key) ?? { shown: look(), uses: 0 };
    known.uses += 1;
    if (known.uses < models.length) lookedUp.set(key, known);
    else lookedUp.delete(key);
    return known.shown;
  };
  const cells: (TuneCell | undefined)[] = jobs.map(() => undefined);
  let done = 0;
  let next = 0;
  async function work(): Promise<void> {
    for (let index = next++; index < jobs.length && !signal.aborted; index = next++) {
      const job = jobs[index];
      const shower = job && showers.get(job.variant);
      if (!shower) return;
      const shown = await shownOnce(job, () => shower(job.step, byId));
      done += 1;
      if ('why' in shown) {
        if (!leftOut.some(({ step }) => step === job.step.id)) leftOut.push({ step: job.step.id, why: shown.why });
        continue;
      }
      const turn = {
        turns: shown.turns,
        ...(shown.currentState === undefined ? {} : { currentState: shown.currentState }),
        ...(job.variant.template === undefined ? {} : { template: job.variant.template }),
      };
      const cell = await ask(foretell, job, turn, signal);
      if (signal.aborted) return;
      cells[index] = cell;
      options.onCell?.(cell, done, jobs.length);
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, options.concurrency ?? 4) }, work));
  const asked = cells.filter((cell) => cell !== undefined);
  return {
    steps: steps.map((step) => ({
      id: step.id,
      trajectory: step.trajectory,
      domain: step.domain,
      title: titleOf(step),
      truth: step.observation?.text ?? '',
    })),
    variants: variants.map(({ name }) => name),
    models: models.map(({ name }) => name),
    cells: asked,
    summaries: summariesOf(options, asked),
    leftOut,
  };
}

interface Job {
  step: TrajectoryStep;
  variant: TuneVariant;
  model: TuneModel;
}

async function ask(
  foretell: TuneOptions['foretell'],
  { step, variant, model }: Job,
  turn: NonNullable<Parameters<Foretell['predict']>[0]['language']>['turn'],
  signal: AbortSignal,
): Promise<TuneCell> {
  const action = step.action as RecordedTurn;
  // What is compared is what a model makes of the prompt at once.
  const language = { ...variant.language, provider: model.provider, repairs: false, ...(turn ? { turn } : {}) };
  const prediction = await foldAll(action, foretell.predict({ action, language, signal }).events);
  const reply = prediction.questions.at(-1)?.reply;
  const cell: TuneCell = {
    step: step.id,
    variant: variant.name,
    model: model.name,
    outcome: outcomeOf(prediction),
    difference: [],
    promptTokens: reply?.usage?.promptTokens ?? 0,
    completionTokens: reply?.usage?.completionTokens ?? 0,
    durationMs: Math.round(prediction.durationMs ?? 0),
  };
  const text = reply?.observation;
  if (cell.outcome !== 'answered' || text === undefined) {
    return {
      ...cell,
      outcome: cell.outcome === 'answered' ? 'failed' : cell.outcome,
      why: prediction.endingReason ?? 'It gave no observation.',
    };
  }
  const truth = step.observation?.text ?? '';
  const score = scoreAttempt(step, { prediction: stepPrediction(prediction, text) });
  return { ...cell, text, ...(score ? { score } : {}), difference: differenceOf(text, truth) };
}

function outcomeOf({ ending }: Prediction): TuneCell['outcome'] {
  return ending === 'done' ? 'answered' : ending === 'abstained' ? 'unknown' : 'failed';
}

function differenceOf(text: string, truth: string): DiffRow[] {
  const lines = (whole: string) =>
    whole
      .trimEnd()
      .split('\n')
      .map((line) => line.trimEnd());
  const rows = diffRows(lines(text), lines(truth), 1);
  return rows.some(({ kind }) => kind === 'predicted' || kind === 'truth') ? rows : [];
}

/** The command of a step, on one line. */
function titleOf({ action }: TrajectoryStep): string {
  if (action.kind !== 'turn') return action.kind;
  const { turn } = action;
  const title = commandOf(turn) ?? (turn.kind === 'tool' ? turn.name : turn.kind === 'text' ? turn.text : '');
  return title.trim().split('\n')[0] ?? '';
}

function summariesOf({ steps, variants, models }: TuneOptions, cells: readonly TuneCell[]): TuneSummary[] {
  const trajectories = new Map(steps.map(({ id, trajectory, domain }) => [id, { trajectory, domain }]));
  const sum = (list: readonly number[]) => list.reduce((all, one) => all + one, 0);
  const summaries = variants.flatMap((variant) =>
    models.map((model): TuneSummary => {
      const own = cells.filter((cell) => cell.variant === variant.name && cell.model === model.name);
      const values = own.map((cell) => ({
        cluster: trajectories.get(cell.step)?.trajectory ?? cell.step,
        stratum: trajectories.get(cell.step)?.domain ?? '',
        value: cell.score?.score ?? 0,
      }));
      return {
        variant: variant.name,
        model: model.name,
        score: estimate(values),
        exact: own.filter((cell) => cell.outcome === 'answered' && cell.difference.length === 0).length,
        answered: own.filter(({ outcome }) => outcome === 'answered').length,
        asked: own.length,
        promptTokens: sum(own.map((cell) => cell.promptTokens)),
        completionTokens: sum(own.map((cell) => cell.completionTokens)),
        meanMs: own.length === 0 ? 0 : Math.round(sum(own.map((cell) => cell.durationMs)) / own.length),
      };
    }),
  );
  return summaries.sort((a, b) => (b.score?.mean ?? -1) - (a.score?.mean ?? -1));
}
