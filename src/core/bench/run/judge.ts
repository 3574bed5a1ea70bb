import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { parseMarked } from '../../worlds/language/reply/parseReply.ts';
import { type BenchLine, type BenchProblem, type BenchRow, countRows, keyOf, readBenchRows } from './benchRow.ts';
import type { AskedModel, AskingOptions, RunEnding } from './infer.ts';
import { isSettled } from './inferRow.ts';
import { inParallel } from './inParallel.ts';
import { type JudgeStyle, type JudgeTemplates, loadJudgeTemplates } from './judgePrompt.ts';
import { dimensions } from './judgeReply.ts';
import { JudgeLine, judgeRow } from './judgeRow.ts';
import { indexLines } from './lineIndex.ts';
import { appendLines, readStretch } from './lines.ts';
import { beginPass } from './passState.ts';
import { createLineFile, withFields } from './predictionsFile.ts';
import { cachingProvider } from './responseCache.ts';
import { createRunCounter } from './runProgress.ts';

/** Who judges. */
export type Judge = AskedModel;

/** What judging one file of predictions needs. */
export interface JudgeOptions extends AskingOptions<JudgeLine> {
  /** `predictions.jsonl` of ours or of the evaluation script, absolute. */
  predictions: string;
  /** Where the judgements go, absolute; made if it is not there. */
  folder: string;
  judge: Judge;
  style: JudgeStyle;
  /** Predictions of another model for the same rows; for the style `reference`. */
  reference?: string;
  /** How often a judge is asked whose reply cannot be read. The evaluation script: 3. */
  attempts: number;
}

const Prediction = z.looseObject({ gen: z._default(z.string(), '') });

/** Names of the files of a style, in a variant's folder. */
export function judgeFiles(style: JudgeStyle): { store: string; judged: string } {
  const suffix = style === 'rubric' ? '' : `-${style}`;
  return { store: `judge${suffix}.jsonl`, judged: `judged${suffix}.jsonl` };
}

/**
 * Judges every prediction of a file. Every finished row is added to `judge.jsonl` at once, and is not judged again when the
 * run is taken up. At the end `judged.jsonl` is written, in the form and order of the evaluation script. Rejects only where
 * the folder cannot be written.
 */
export async function judgeRows(options: JudgeOptions): Promise<RunEnding | BenchProblem> {
  const { predictions, folder, judge, style, signal } = options;
  const templates = await loadJudgeTemplates(style, options.templateFolders);
  if ('problem' in templates) return templates;
  const references = await referencesOf(options);
  if ('problem' in references) return references;
  const total = await countRows([predictions]);
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, judgeFiles(style).store);
  const parameters = Object.entries(judge.parameters ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const identity = keyOf([judge.model, judge.url, parameters, style, templates.system, templates.user]);
  let ending: RunEnding = { ending: 'done', rows: total, done: 0, failed: 0, bad: [] };
  let stopped: string | undefined;
  for (let round = 0; round <= options.rounds; round += 1) {
    const pass = await judgePass({ ...options, file, templates, references, identity, total });
    stopped = pass.stopped;
    ending = { ...ending, done: pass.done, bad: pass.bad };
    if (signal.aborted || stopped !== undefined || !pass.hasPassing) break;
  }
  const written = await writeJudged({ ...options, file, identity });
  ending = { ...ending, ...written };
  if (stopped !== undefined) return { ...ending, ending: 'stopped', problem: stopped };
  return signal.aborted ? { ...ending, ending: 'cancelled' } : ending;
}

interface References {
  /** What the other model replied to the row; `undefined`: nothing is known. */
  genOf(key: string): Promise<string | undefined>;
}

async function referencesOf({ style, reference }: JudgeOptions): Promise<References | BenchProblem> {
  if (style !== 'reference') return { genOf: async () => undefined };
  if (reference === undefined) return { problem: 'To compare with a reference, give its predictions.jsonl.' };
  const places = new Map<string, { offset: number; sizeBytes: number }>();
  try {
    for await (const line of readBenchRows([reference])) if (line.ok) places.set(line.row.key, line);
  } catch (error) {
    return { problem: `${reference} cannot be read (${(error as NodeJS.ErrnoException).code}); give another file.` };
  }
  return {
    async genOf(key) {
      const place = places.get(key);
      if (!place) return undefined;
      const [text] = await readStretch(reference, [{ offset: place.offset, sizeBytes: place.sizeBytes }]);
      return Prediction.parse(JSON.parse(text ?? '{}')).gen;
    },
  };
}

interface Pass extends JudgeOptions {
  file: string;
  templates: JudgeTemplates;
  references: References;
  identity: string;
  total: number;
}

/** Which judgements of a file count, by row. */
async function judgements(file: string, identity: string) {
  return indexLines(file, (value) => {
    const line = JudgeLine.safeParse(value);
    if (!line.success || line.data.identity !== identity) return undefined;
    return { key: line.data.key, what: { judged: line.data.judged, isSettled: isSettled(line.data) } };
  });
}

async function judgePass(pass: Pass) {
  const { judge, identity, templates, style } = pass;
  const known = await judgements(pass.file, identity);
  const counter = createRunCounter({ stage: 'judge', variant: judge.name, total: pass.total }, () => performance.now());
  const { result, signal, watch } = beginPass(pass.signal);
  const writer = appendLines(pass.file);

  async function* wanted(): AsyncGenerator<BenchLine & { ok: true }> {
    for await (const line of readBenchRows([pass.predictions])) {
      if (!line.ok) result.bad.push({ file: line.file, number: line.number, problem: line.problem });
      else if (pass.takes && !pass.takes(line.row)) continue;
      else yield line;
    }
  }

  try {
    await inParallel(wanted(), pass.concurrency, signal, async ({ row, text }) => {
      const { gen } = Prediction.parse(JSON.parse(text));
      const referenceGen = await pass.references.genOf(row.key);
      const judged = keyOf([gen, referenceGen ?? null]);
      const before = known.get(row.key)?.what;
      // What was not predicted cannot be judged; the row fails, as in the evaluation script.
      const isHopeless = gen === '' || (style === 'reference' && !referenceGen) || row.truth === undefined;
      if (isHopeless || (before?.isSettled && before.judged === judged)) return counter.skip();
      let isCached = false;
      const line = await judgeRow({
        row,
        gen,
        ...(referenceGen === undefined ? {} : { referenceGen }),
        templates,
        identity,
        judged,
        provider: (attempt) =>
          pass.cacheFolder === undefined
            ? judge.provider
            : cachingProvider(judge.provider, {
                folder: pass.cacheFolder,
                identity: { model: judge.model, url: judge.url, attempt, ...judge.parameters },
                onHit: () => {
                  isCached = true;
                },
              }),
        ...(judge.parameters ? { parameters: judge.parameters } : {}),
        attempts: pass.attempts,
        signal,
      });
      if (!line || (signal.aborted && line.failure)) return;
      if (isCached) line.cached = true;
      writer.append(JSON.stringify(line));
      if (!isSettled(line)) result.hasPassing = true;
      counter.add({ failed: !line.success, truncated: false, cached: isCached, usage: line.usage });
      pass.onRow?.(line, row);
      if (counter.isDue()) pass.onProgress?.(counter.progress());
      watch(line.failure);
    });
  } finally {
    await writer.close();
  }
  result.done = counter.progress().done;
  return result;
}

/** Writes the judged file of a style from what is kept of it in `file`, in the order of the predictions. */
export async function writeJudged(
  options: Pick<JudgeOptions, 'predictions' | 'folder' | 'style'> & { file: string; identity: string },
): Promise<{ done: number; failed: number }> {
  const { style, folder, file } = options;
  const counts = { done: 0, failed: 0 };
  const known = await judgements(file, options.identity);
  const writer = createLineFile(path.join(folder, judgeFiles(style).judged));
  for await (const { ok, text, ...line } of readBenchRows([options.predictions])) {
    if (!ok || !('row' in line)) continue;
    const { gen } = Prediction.parse(JSON.parse(text));
    const place = known.get(line.row.key);
    const [stored] = place ? await readStretch(file, [place]) : [];
    const judgement = stored === undefined ? undefined : JudgeLine.parse(JSON.parse(stored));
    await writer.write(withFields(text, judgedFields(style, gen, line.row, judgement)));
    const isHopeless = gen === '' || line.row.truth === undefined;
    if (judgement || isHopeless) counts.done += 1;
    if (isHopeless || judgement?.success === false) counts.failed += 1;
  }
  await writer.close();
  return counts;
}

/** The fields that the evaluation script gives a judged row, and `foretell_judge` with what it does not keep. */
function judgedFields(
  style: JudgeStyle,
  gen: string,
  row: BenchRow,
  line: JudgeLine | undefined,
): Record<string, unknown> {
  if (gen === '') return { failed: 1, error_message: 'No model generation' };
  const extracted_output = parseMarked(gen).marked;
  if (!line) {
    const why = row.truth === undefined ? 'The row has no ground truth' : 'Not judged';
    return { total_score: 0, failed: 1, error_message: why, extracted_output };
  }
  const { model, attempts, usage, durationMs, cached, failure } = line;
  const foretell_judge = { model, attempts, usage, durationMs, cached, failure };
  if (!line.success) {
    const error_message = 'Judge scoring failed';
    return { total_score: 0, failed: 1, error_message, extracted_output, foretell_judge };
  }
  if (style !== 'rubric') {
    const { choice, choseProbed } = line;
    const reward = Number(choseProbed);
    return { choice, reward, failed: 0, extracted_output, judge_raw_output: line.raw, foretell_judge };
  }
  return {
    total_score: line.total,
    ...Object.fromEntries(dimensions.map((dimension) => [dimension, line.scores?.[dimension] ?? 0])),
    failed: 0,
    strengths: line.strengths,
    weaknesses: line.weaknesses,
    extracted_output,
    judge_raw_output: line.raw,
    foretell_judge,
  };
}
