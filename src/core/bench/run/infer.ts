import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Foretell } from '../../foretell.ts';
import type { ChatMessage, LanguageProvider, SamplingParameters } from '../../worlds/language/client/provider.ts';
import { domains } from '../../worlds/language/prompt/turns/turn.ts';
import { loadTemplate, type TemplateFolder } from '../../worlds/language/template/templates.ts';
import { type BenchLine, type BenchProblem, type BenchRow, countRows, keyOf, readBenchRows } from './benchRow.ts';
import { failedLine, InferLine, inferRow, isSettled } from './inferRow.ts';
import { inParallel } from './inParallel.ts';
import { indexLines } from './lineIndex.ts';
import { appendLines } from './lines.ts';
import { type BadLine, beginPass } from './passState.ts';
import { lineName, writePredictions } from './predictionsFile.ts';
import { cachingProvider } from './responseCache.ts';
import { replaceSystemPrompt } from './rowTemplate.ts';
import type { RunRecord } from './runFolder.ts';
import { createRunCounter, type RunProgress } from './runProgress.ts';

/** A model that is asked. */
export interface AskedModel {
  /** For people and for the folder: letters, digits, `.`, `_`, `-`. */
  name: string;
  provider: LanguageProvider;
  /** The model's name and its server, as they decide what it replies. */
  model: string;
  url: string;
  parameters?: SamplingParameters;
}

/** A model and how it is asked: one column of a run. */
export interface Variant extends AskedModel {
  /** Templates in the place of the rows' own system prompts; absent: the rows' own, as the benchmark wants it. */
  template?: TemplateFolder;
}

/** What asking about rows needs, whoever is asked. `Line`: what is kept of a row. */
export interface AskingOptions<Line> {
  /** Where templates are: of rows that may have been made from them, or of the judge. */
  templateFolders: readonly TemplateFolder[];
  /** How many rows are asked at once. */
  concurrency: number;
  /** How often rows are asked again that failed for a moment. */
  rounds: number;
  /** Replies are kept here; absent: nowhere. */
  cacheFolder?: string;
  /** Only rows that this takes; default: all. */
  takes?: (row: BenchRow) => boolean;
  onRow?: (line: Line, row: BenchRow) => void;
  onProgress?: (progress: RunProgress) => void;
  signal: AbortSignal;
}

/** What a run of one variant needs. */
export interface InferOptions extends AskingOptions<InferLine> {
  foretell: Pick<Foretell, 'predict'>;
  /** Benchmark files, absolute. */
  files: readonly string[];
  /** Folder of the variant, absolute; made if it is not there. */
  folder: string;
  variant: Variant;
}

/** How a run ended. `stopped`: it makes no sense to go on; one sentence. */
export interface RunEnding {
  ending: 'done' | 'cancelled' | 'stopped';
  problem?: string;
  rows: number;
  /** Rows with a result; `failed` of them have one that cannot be used. */
  done: number;
  failed: number;
  /** Lines of the files that are no rows. */
  bad: BadLine[];
}

/** What decides the reply to a row besides the row. */
function identityOf(
  { model, url, parameters = {} }: { model: string; url: string; parameters?: object | undefined },
  templateTexts: Readonly<Record<string, string>>,
): string {
  return keyOf([model, url, Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1)), templateTexts]);
}

/** What decides the replies of a variant, as the record of its run has it; a problem where its templates are gone. */
export async function variantIdentity({
  model,
  url,
  template,
  parameters,
}: RunRecord['variants'][number]): Promise<string | BenchProblem> {
  const templates = await templatesOf(template === undefined ? undefined : { source: 'configured', path: template });
  return 'problem' in templates ? templates : identityOf({ model, url, parameters }, templates.texts);
}

/**
 * Predicts all rows of the files with one variant. Every finished row is added to `infer.jsonl` in the folder at once; rows
 * that have their result there are not asked again, so a run that was killed or cancelled goes on where it was. At the end
 * (also of a cancelled run) `predictions.jsonl` is written, in the form and order of the evaluation script. Rejects only
 * where the folder cannot be written.
 */
export async function inferRows(options: InferOptions): Promise<RunEnding | BenchProblem> {
  const { files, folder, variant, signal } = options;
  const templates = await templatesOf(variant.template);
  if ('problem' in templates) return templates;
  await mkdir(folder, { recursive: true });
  const identity = identityOf(variant, templates.texts);
  const file = path.join(folder, 'infer.jsonl');
  const messagesOf = await messageMaker(templates, options.templateFolders);
  const total = await countWanted(options);
  /** Keys of the lines of the files. */
  const keys = new Map<string, string>();
  let stopped: string | undefined;
  let ending: RunEnding = { ending: 'done', rows: total, done: 0, failed: 0, bad: [] };
  for (let round = 0; round <= options.rounds; round += 1) {
    const pass = await inferPass({ ...options, identity, file, messagesOf, total, keys });
    stopped = pass.stopped;
    ending = { ...ending, done: pass.done, bad: pass.bad };
    if (signal.aborted || stopped !== undefined || !pass.hasPassing) break;
  }
  const written = await writePredictions({
    files,
    target: path.join(folder, 'predictions.jsonl'),
    inferFile: file,
    identity,
    keys,
  });
  ending = { ...ending, done: written.rows, failed: written.failed };
  if (stopped !== undefined) return { ...ending, ending: 'stopped', problem: stopped };
  return signal.aborted ? { ...ending, ending: 'cancelled' } : ending;
}

type Templates = { texts: Record<string, string>; paths: Record<string, string> };

async function templatesOf(folder: TemplateFolder | undefined): Promise<Templates | BenchProblem> {
  const templates: Templates = { texts: {}, paths: {} };
  if (!folder) return templates;
  for (const domain of domains) {
    const read = await loadTemplate(domain, 'system', [folder]);
    if (read.ok) {
      templates.texts[domain] = read.text;
      templates.paths[domain] = read.path;
    } else if (read.code !== 'template-missing') return { problem: read.message };
  }
  if (Object.keys(templates.texts).length > 0) return templates;
  return { problem: `${folder.path} has no <domain>/system_prompt.txt; give a folder of templates.` };
}

type MessageMaker = (row: BenchRow) => readonly ChatMessage[] | { problem: string };

async function messageMaker(templates: Templates, known: readonly TemplateFolder[]): Promise<MessageMaker> {
  const knownTexts: Record<string, string[]> = {};
  for (const domain of Object.keys(templates.texts)) {
    const read = await Promise.all(
      known.map((folder) => domains.find((one) => one === domain) && loadTemplate(domain as 'swe', 'system', [folder])),
    );
    knownTexts[domain] = [
      ...read.flatMap((one) => (one?.ok ? [one.text] : [])),
      ...(templates.texts[domain] === undefined ? [] : [templates.texts[domain]]),
    ];
  }
  return (row) => {
    const text = templates.texts[row.domain];
    if (text === undefined) return row.messages;
    const template = { text, path: templates.paths[row.domain] ?? '' };
    const made = replaceSystemPrompt(row.row.system_str, template, knownTexts[row.domain] ?? []);
    if ('problem' in made) return made;
    return [{ role: 'system', content: made.text }, ...row.messages.filter(({ role }) => role !== 'system')];
  };
}

async function countWanted({ files, takes }: InferOptions): Promise<number> {
  if (!takes) return countRows(files);
  let count = 0;
  for await (const line of readBenchRows(files)) if (line.ok && takes(line.row)) count += 1;
  return count;
}

interface Pass extends InferOptions {
  identity: string;
  file: string;
  messagesOf: MessageMaker;
  total: number;
  keys: Map<string, string>;
}

/** Asks for one row, where it was not kept. */
async function askRow(
  pass: Pass,
  row: BenchRow,
  messages: Exclude<ReturnType<MessageMaker>, { problem: string }>,
  signal: AbortSignal,
): Promise<InferLine | undefined> {
  const { variant, identity } = pass;
  let isCached = false;
  const provider =
    pass.cacheFolder === undefined
      ? variant.provider
      : cachingProvider(variant.provider, {
          folder: pass.cacheFolder,
          identity: { model: variant.model, url: variant.url, ...variant.parameters },
          onHit: () => {
            isCached = true;
          },
        });
  const language = {
    provider,
    templateFolders: [],
    ...(variant.parameters ? { parameters: variant.parameters } : {}),
  };
  const line = await inferRow(pass.foretell, row, { language, messages, identity, signal });
  return line && isCached ? { ...line, cached: true } : line;
}

async function inferPass(pass: Pass) {
  const { file, identity, variant, total } = pass;
  const settled = new Set<string>();
  const known = await indexLines(file, (value) => {
    const line = InferLine.safeParse(value);
    return line.success && line.data.identity === identity
      ? { key: line.data.key, what: isSettled(line.data) }
      : undefined;
  });
  for (const [key, { what }] of known) if (what) settled.add(key);
  const counter = createRunCounter({ stage: 'infer', variant: variant.name, total }, () => performance.now());
  const { result, signal, watch } = beginPass(pass.signal);
  const writer = appendLines(file);

  function finished(line: InferLine, row: BenchRow): void {
    writer.append(JSON.stringify(line));
    if (!isSettled(line)) result.hasPassing = true;
    counter.add({
      failed: line.failure !== undefined,
      truncated: line.finish === 'length',
      cached: line.cached === true,
      usage: line.usage,
    });
    pass.onRow?.(line, row);
    if (counter.isDue()) pass.onProgress?.(counter.progress());
  }

  async function* wanted(): AsyncGenerator<BenchLine & { ok: true }> {
    for await (const line of readBenchRows(pass.files)) {
      if (line.ok) pass.keys.set(lineName(line.file, line.number), line.row.key);
      if (!line.ok) result.bad.push({ file: line.file, number: line.number, problem: line.problem });
      else if (pass.takes && !pass.takes(line.row)) continue;
      else if (settled.has(line.row.key)) counter.skip();
      else {
        // The same row twice is asked once.
        settled.add(line.row.key);
        yield line;
      }
    }
  }

  try {
    await inParallel(wanted(), pass.concurrency, signal, async ({ row }) => {
      const messages = pass.messagesOf(row);
      const head = { version: 1 as const, identity, key: row.key, domain: row.domain, trajectory: row.trajectory };
      if ('problem' in messages) {
        const failure = { code: 'template-unfilled', message: messages.problem };
        finished(failedLine({ ...head, turn: row.turn }, failure, 0), row);
        return;
      }
      const line = await askRow(pass, row, messages, signal);
      // What was cancelled, or stopped because nothing works, is asked again when the run is taken up.
      if (!line || (signal.aborted && line.failure)) return;
      finished(line, row);
      watch(line.failure);
    });
  } finally {
    await writer.close();
  }
  result.done = counter.progress().done;
  return result;
}
