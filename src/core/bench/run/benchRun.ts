import fs from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type ChoiceScore, type Prices, type ScoredRun, scoreChoices, scoreFile } from '../score/scoreRun.ts';
import type { BenchProblem } from './benchRow.ts';
import { type InferOptions, inferRows, type RunEnding, type Variant } from './infer.ts';
import { type JudgeOptions, judgeFiles, judgeRows } from './judge.ts';
import type { JudgeStyle } from './judgePrompt.ts';
import { lockRun, type RunRecord, readRun, updateRun } from './runFolder.ts';

/** What came of one variant of a run. */
export interface VariantEnding extends RunEnding {
  variant: string;
}

/**
 * Predicts the rows with every variant, one after the other, each into its own folder of the run. Stops at the first that
 * cannot go on or is cancelled.
 */
export async function inferRun(
  folder: string,
  variants: readonly Variant[],
  options: Omit<InferOptions, 'folder' | 'variant'> & { prices?: Prices },
): Promise<VariantEnding[] | BenchProblem> {
  const lock = lockRun(folder);
  if ('problem' in lock) return lock;
  try {
    const record = await updateRun(folder, {
      files: [...options.files],
      variants: variants.map(({ name, model, url, parameters, template }) => ({
        name,
        model,
        url,
        ...(template ? { template: template.path } : {}),
        ...(parameters ? { parameters: { ...parameters } } : {}),
      })),
      ...(options.prices ? { prices: options.prices } : {}),
    });
    if ('problem' in record) return record as BenchProblem;
    const endings: VariantEnding[] = [];
    for (const variant of variants) {
      const ending = await inferRows({ ...options, variant, folder: path.join(folder, variant.name) });
      if (!('ending' in ending)) return ending;
      endings.push({ variant: variant.name, ...ending });
      if (ending.ending !== 'done') break;
    }
    return endings;
  } finally {
    lock.release();
  }
}

/** Judges the predictions of every variant of a run that has some. */
export async function judgeRun(
  folder: string,
  options: Omit<JudgeOptions, 'predictions' | 'folder'> & { prices?: Prices },
): Promise<VariantEnding[] | BenchProblem> {
  const record = await readRun(folder);
  if (!record || 'problem' in record) {
    return (record as BenchProblem | undefined) ?? { problem: `${folder} holds no run; give the --out of one.` };
  }
  const lock = lockRun(folder);
  if ('problem' in lock) return lock;
  try {
    const { judge, prices } = options;
    const updated = await updateRun(folder, {
      judge: { model: judge.model, url: judge.url },
      ...(prices ? { judgePrices: prices } : {}),
    });
    if ('problem' in updated) return updated as BenchProblem;
    const endings: VariantEnding[] = [];
    for (const { name } of record.variants) {
      const predictions = path.join(folder, name, 'predictions.jsonl');
      // A reference is not compared with itself.
      if (!fs.existsSync(predictions) || predictions === options.reference) continue;
      const ending = await judgeRows({ ...options, predictions, folder: path.join(folder, name) });
      if (!('ending' in ending)) return ending;
      endings.push({ variant: name, ...ending });
      if (ending.ending !== 'done') break;
    }
    if (endings.length > 0) return endings;
    return { problem: `${folder} has no predictions yet; foretell bench infer makes them.` };
  } finally {
    lock.release();
  }
}

/** A scored variant of a run. */
export interface ScoredVariant extends ScoredRun {
  name: string;
  /** The file that was scored: judged rows, or predictions where nothing was judged. */
  file: string;
  choices: Partial<Record<Exclude<JudgeStyle, 'rubric'>, ChoiceScore>>;
}

/** A scored run: a folder of ours, or a file of the evaluation script, which counts as one variant. */
export interface ScoredBench {
  record?: RunRecord;
  variants: ScoredVariant[];
}

/** Scores everything that a run has. Writes `score.json` beside what was scored in a run's folder; files are left alone. */
export async function scoreRun(place: string): Promise<ScoredBench | BenchProblem> {
  if (fs.existsSync(place) && !fs.statSync(place).isDirectory()) {
    const scored = await scoreFile(place);
    if ('problem' in scored) return scored;
    return { variants: [{ name: path.basename(place), file: place, choices: {}, ...scored }] };
  }
  const record = await readRun(place);
  if (record && 'problem' in record) return record as BenchProblem;
  const names = record ? (record as RunRecord).variants.map(({ name }) => name) : ['.'];
  const run = record as RunRecord | undefined;
  const variants: ScoredVariant[] = [];
  for (const name of names) {
    const folder = path.join(place, name);
    const files = [judgeFiles('rubric').judged, 'predictions.jsonl'].map((file) => path.join(folder, file));
    const file = files.find((one) => fs.existsSync(one));
    if (file === undefined) continue;
    const scored = await scoreFile(file, {
      ...(run?.prices ? { prices: pricesOf(run.prices) } : {}),
      ...(run?.judgePrices ? { judgePrices: pricesOf(run.judgePrices) } : {}),
    });
    if ('problem' in scored) return scored;
    const choices: ScoredVariant['choices'] = {};
    for (const style of ['turing', 'reference'] as const) {
      const judged = path.join(folder, judgeFiles(style).judged);
      const found = fs.existsSync(judged) ? await scoreChoices(judged) : undefined;
      if (found && !('problem' in found)) choices[style] = found;
    }
    await writeFile(path.join(folder, 'score.json'), `${JSON.stringify({ ...scored.score, choices }, null, 2)}\n`);
    variants.push({ name: name === '.' ? path.basename(place) : name, file, choices, ...scored });
  }
  if (variants.length > 0) return { ...(run ? { record: run } : {}), variants };
  return { problem: `${place} has nothing to score; foretell bench infer makes predictions, bench judge judges them.` };
}

function pricesOf({ input, cachedInput, output }: NonNullable<RunRecord['prices']>): Prices {
  return { input, output, ...(cachedInput === undefined ? {} : { cachedInput }) };
}
