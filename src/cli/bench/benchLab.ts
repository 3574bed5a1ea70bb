import path from 'node:path';
import { scoreText } from '../../core/bench/report/scoreText.ts';
import { writeReports } from '../../core/bench/report/writeReports.ts';
import { type BenchRow, benchFiles } from '../../core/bench/run/benchRow.ts';
import { inferRun, judgeRun, type ScoredVariant, scoreRun, type VariantEnding } from '../../core/bench/run/benchRun.ts';
import type { Variant } from '../../core/bench/run/infer.ts';
import { judgeFiles, judgeRows } from '../../core/bench/run/judge.ts';
import type { JudgeStyle } from '../../core/bench/run/judgePrompt.ts';
import { folderName, lockRun } from '../../core/bench/run/runFolder.ts';
import { progressText } from '../../core/bench/run/runProgress.ts';
import { isInShard, type Shard } from '../../core/bench/run/shard.ts';
import { compareRuns, comparisonText } from '../../core/bench/score/compareRuns.ts';
import { domains } from '../../core/worlds/language/prompt/turns/turn.ts';
import { type Flags, helpFlag, optionsText } from '../helpText.ts';
import { samplingFlags, samplingOf } from '../modelOptions.ts';
import { numberOf, textOf, textsOf, type Values } from '../optionValues.ts';
import { type Problem, readArguments } from '../readArguments.ts';
import { inferFlags, judgeFlags, runningFlags } from './benchLabOptions.ts';
import { cacheFolderOf, connect, pricesOf, shardOf, templateFoldersOf } from './benchOptions.ts';
import type { BenchProcess, BenchWord } from './benchProcess.ts';

/** Exit statuses: all rows have a result; it could not be done; cancelled (128 + SIGINT); wrong usage. */
const exits = { done: 0, failed: 3, cancelled: 130, usage: 64 } as const;

type Work = (flags: { values: Values; positionals: string[] }, around: BenchProcess) => Promise<number | Problem>;

function word(name: string, summary: string, usage: string, flags: Flags, work: Work): BenchWord {
  return {
    summary,
    async run(args, around) {
      const all: Flags = { ...flags, ...helpFlag };
      const read = readArguments(args, all, { word: `foretell bench ${name}` });
      if ('problem' in read) return complain(around, name, read.problem);
      if (read.values['help']) {
        await around.say(`Usage: foretell bench ${usage}\n\n${optionsText({ Options: all })}`);
        return exits.done;
      }
      const ended = await work(read, around);
      return typeof ended === 'number' ? ended : complain(around, name, ended.problem);
    },
  };
}

function complain(around: BenchProcess, name: string, problem: string): number {
  around.tell(`foretell bench ${name}: ${problem}`);
  return exits.usage;
}

/** Words that infer, judge and score. */
export const labWords = {
  infer: word(
    'infer',
    'predict the rows of benchmark files',
    `infer [options] FILE|DIR…

Predicts every row of <domain>_test.jsonl files. Each finished row is on disk at once, so a run that was cancelled or
killed goes on where it was: give the same command again. Writes DIR/<model>/predictions.jsonl, which the evaluation
script of AgentWorldBench reads too.`,
    { ...inferFlags, ...runningFlags },
    infer,
  ),
  judge: word(
    'judge',
    'let a model judge the predictions of a run',
    `judge [options] RUN|predictions.jsonl

Judges every prediction of a run, or of a file that the evaluation script made, and writes judged.jsonl beside it.`,
    {
      out: { type: 'string', short: 'o', value: 'DIR', help: 'where judgements of a file go (default: its folder)' },
      ...judgeFlags,
      ...samplingFlags,
      ...runningFlags,
    },
    judge,
  ),
  score: word(
    'score',
    'print the scores of a run: official, macro and micro, strict, factual',
    `score [--json] RUN|judged.jsonl|predictions.jsonl…

Prints what the evaluation script prints, character by character, and beside it: means over rows (micro) and over domains
(macro) with intervals of 95 % by trajectory, failed and cut rows counted as 0, and scores against what really happened,
which need no judge.`,
    { json: { type: 'boolean', help: 'one JSON object' } },
    score,
  ),
  run: word(
    'run',
    'infer, judge and score, with a report',
    `run [options] FILE|DIR…

Predicts, judges (with --judge-url), scores and writes report.html, report.md and rows.csv into the folder of the run.`,
    { ...inferFlags, ...judgeFlags, ...runningFlags },
    runAll,
  ),
  report: word(
    'report',
    'write a run as HTML, Markdown and CSV',
    `report RUN|judged.jsonl [--out DIR]

Writes report.html (one file, no script), report.md and rows.csv.`,
    { out: { type: 'string', short: 'o', value: 'DIR', help: 'where they go (default: the folder of the run)' } },
    report,
  ),
  compare: word(
    'compare',
    'compare two runs row by row',
    `compare [--json] A B

Compares two variants on the rows that both have: differences with intervals of 95 % by trajectory. A and B are a variant's
folder in a run, a run with one variant, or a judged.jsonl or predictions.jsonl, also of the evaluation script.`,
    { json: { type: 'boolean', help: 'one JSON object' } },
    compare,
  ),
} as const satisfies Record<string, BenchWord>;

async function variantsOf(values: Values, around: BenchProcess): Promise<Variant[] | Problem> {
  const parameters = samplingOf(values);
  if ('problem' in parameters) return parameters;
  const url = textOf(values, 'model-url');
  const given = textsOf(values, 'model');
  const wanted = (given.length > 0 ? given : [undefined]).map((text) => {
    const at = text?.indexOf('=http') ?? -1;
    return at < 0 || text === undefined
      ? { model: text, url }
      : { model: text.slice(0, at) || undefined, url: text.slice(at + 1) };
  });
  const templates = textsOf(values, 'prompts');
  const variants: Variant[] = [];
  for (const one of wanted) {
    if (one.url === undefined) return { problem: 'There is no model; give its server with --model-url URL.' };
    const keyNames = ['FORETELL_API_KEY'];
    const connected = await connect({ url: one.url, model: one.model, keyNames, parameters }, around.signal);
    if ('problem' in connected) return connected;
    for (const warning of connected.warnings) around.tell(warning);
    const { provider, model } = connected;
    for (const template of templates.length > 0 ? templates : ['rows']) {
      const isRows = template === 'rows';
      const name = folderName(isRows ? model : `${model}+${path.basename(template)}`);
      const number = variants.filter((other) => other.name === name || other.name.startsWith(`${name}.`)).length;
      variants.push({
        name: number === 0 ? name : `${name}.${number + 1}`,
        provider,
        model,
        url: one.url,
        parameters,
        ...(isRows ? {} : { template: { source: 'configured', path: path.resolve(around.cwd, template) } }),
      });
    }
  }
  return variants;
}

async function running(values: Values, around: BenchProcess) {
  const concurrency = numberOf(values, 'jobs', { least: 1, whole: true });
  if (typeof concurrency === 'object') return concurrency;
  const rounds = numberOf(values, 'retries', { whole: true });
  if (typeof rounds === 'object') return rounds;
  const limit = numberOf(values, 'limit', { least: 1, whole: true });
  if (typeof limit === 'object') return limit;
  const chosen = textOf(values, 'domain')?.split(',');
  const unknown = chosen?.find((name) => !domains.some((one) => one === name));
  if (unknown !== undefined) {
    return { problem: `There is no domain called ${unknown}; choose from ${domains.join(', ')}.` };
  }
  const shard = shardOf(values);
  if (shard && 'problem' in shard) return shard;
  const isAll = limit === undefined && !chosen && !shard;
  const takes = isAll ? undefined : rowFilter(limit ?? Number.POSITIVE_INFINITY, chosen, shard);
  const cacheFolder = cacheFolderOf(values, around.cwd);
  return {
    concurrency: concurrency ?? 32,
    rounds: rounds ?? 1,
    ...(takes ? { takes } : {}),
    ...(cacheFolder === undefined ? {} : { cacheFolder }),
    onProgress: (progress: Parameters<typeof progressText>[0]) => around.progress(progressText(progress)),
    signal: around.signal,
  };
}

/** Takes the first rows of each domain, and of these those of a part. A row that was taken once is taken again in every pass. */
function rowFilter(
  limit: number,
  chosen: readonly string[] | undefined,
  shard: Shard | undefined,
): (row: BenchRow) => boolean {
  const taken = new Map<string, Set<string>>();
  return ({ domain, key }) => {
    if (chosen && !chosen.includes(domain)) return false;
    const keys = taken.get(domain) ?? new Set();
    taken.set(domain, keys);
    if (!keys.has(key) && keys.size >= limit) return false;
    keys.add(key);
    return !shard || isInShard(shard, key);
  };
}

const runFolderOf = (values: Values, around: BenchProcess) =>
  path.resolve(around.cwd, textOf(values, 'out') ?? 'foretell-bench');

async function infer(
  { values, positionals }: { values: Values; positionals: string[] },
  around: BenchProcess,
): Promise<number | Problem> {
  if (positionals.length === 0) return { problem: 'There are no files; give <domain>_test.jsonl or their folder.' };
  const found = await benchFiles(positionals.map((place) => path.resolve(around.cwd, place)));
  if ('problem' in found) return found;
  const options = await running(values, around);
  if ('problem' in options) return options;
  const prices = pricesOf(values, 'price');
  if (prices && 'problem' in prices) return prices;
  const variants = await variantsOf(values, around);
  if ('problem' in variants) return variants;
  const folder = runFolderOf(values, around);
  const endings = await inferRun(folder, variants, {
    foretell: around.foretell(),
    files: found.files,
    templateFolders: templateFoldersOf(textsOf(values, 'row-prompts'), around.cwd, around.extensionFolder),
    ...options,
    ...(prices ? { prices } : {}),
  });
  if ('problem' in endings) return endings;
  return tellEndings(endings, 'infer', folder, around);
}

function tellEndings(endings: VariantEnding[], what: 'infer' | 'judge', folder: string, around: BenchProcess): number {
  for (const { variant, ending, problem, rows, done, failed, bad } of endings) {
    for (const line of bad.slice(0, 20)) around.tell(`${line.file}:${line.number}: ${line.problem}`);
    if (bad.length > 20) around.tell(`${bad.length - 20} more lines are no rows.`);
    const where = path.join(folder, variant);
    const without = failed > 0 ? `, ${failed} of them failed` : '';
    const said = `${variant}: ${done} of ${rows} rows ${what === 'infer' ? 'are predicted' : 'are judged'}${without} (${where}).`;
    if (ending === 'done') around.tell(said);
    else if (ending === 'cancelled') around.tell(`${said} Cancelled; the same command goes on from here.`);
    else around.tell(`${said} Stopped: ${problem} The same command goes on from here.`);
  }
  const last = endings.at(-1)?.ending;
  return last === 'done' ? exits.done : last === 'cancelled' ? exits.cancelled : exits.failed;
}

async function judge(
  { values, positionals }: { values: Values; positionals: string[] },
  around: BenchProcess,
): Promise<number | Problem> {
  const [place, ...others] = positionals;
  if (place === undefined || others.length > 0)
    return { problem: 'Give the folder of one run, or one predictions.jsonl.' };
  return judgePlace(path.resolve(around.cwd, place), values, around);
}

async function judgePlace(place: string, values: Values, around: BenchProcess): Promise<number | Problem> {
  const options = await running(values, around);
  if ('problem' in options) return options;
  const style = styleOf(values);
  if (typeof style === 'object') return style;
  const attempts = numberOf(values, 'attempts', { least: 1, whole: true });
  if (typeof attempts === 'object') return attempts;
  const prices = pricesOf(values, 'judge-price');
  if (prices && 'problem' in prices) return prices;
  const parameters = samplingOf(values);
  if ('problem' in parameters) return parameters;
  const url = textOf(values, 'judge-url');
  if (url === undefined) return { problem: 'There is no judge; give its server with --judge-url URL.' };
  const wanted = { url, model: textOf(values, 'judge-model'), keyNames: ['FORETELL_JUDGE_API_KEY'], parameters };
  const connected = await connect(wanted, around.signal);
  if ('problem' in connected) return connected;
  const isFile = place.endsWith('.jsonl');
  const reference = textOf(values, 'reference');
  const { provider, model } = connected;
  const judging = {
    judge: { name: model, provider, model, url, parameters },
    style,
    ...(reference === undefined ? {} : { reference: referencePath(reference, place, around.cwd) }),
    templateFolders: templateFoldersOf(textsOf(values, 'judge-prompts'), around.cwd, around.extensionFolder),
    attempts: attempts ?? 3,
    ...options,
    ...(prices ? { prices } : {}),
  };
  if (!isFile) {
    const endings = await judgeRun(place, judging);
    return 'problem' in endings ? endings : tellEndings(endings, 'judge', place, around);
  }
  const out = textOf(values, 'out');
  const folder = out === undefined ? path.dirname(place) : path.resolve(around.cwd, out);
  const lock = lockRun(folder);
  if ('problem' in lock) return lock;
  try {
    const ending = await judgeRows({ ...judging, predictions: place, folder });
    if (!('ending' in ending)) return ending;
    const code = tellEndings([{ variant: '.', ...ending }], 'judge', folder, around);
    if (style === 'rubric' && code === exits.done)
      return await scorePlaces([path.join(folder, judgeFiles(style).judged)], around);
    return code;
  } finally {
    lock.release();
  }
}

function styleOf(values: Values): JudgeStyle | Problem {
  const style = textOf(values, 'style') ?? 'rubric';
  if (style === 'rubric' || style === 'turing' || style === 'reference') return style;
  return { problem: `--style takes rubric, turing or reference, not ${style}.` };
}

function referencePath(reference: string, run: string, cwd: string): string {
  return reference.endsWith('.jsonl') ? path.resolve(cwd, reference) : path.join(run, reference, 'predictions.jsonl');
}

async function score(
  { values, positionals }: { values: Values; positionals: string[] },
  around: BenchProcess,
): Promise<number | Problem> {
  if (positionals.length === 0) return { problem: 'Give the folder of a run, or judged.jsonl.' };
  const places = positionals.map((place) => path.resolve(around.cwd, place));
  return scorePlaces(places, around, values['json'] === true);
}

async function scorePlaces(places: readonly string[], around: BenchProcess, json = false): Promise<number | Problem> {
  const all: Record<string, unknown> = {};
  for (const place of places) {
    const scored = await scoreRun(place);
    if ('problem' in scored) return scored;
    for (const variant of scored.variants) {
      const bad = 'bad' in variant ? (variant.bad as { number: number; problem: string }[]) : [];
      for (const line of bad.slice(0, 20)) around.tell(`${variant.file}:${line.number}: ${line.problem}`);
      if (json) all[variant.name] = { ...variant.score, choices: variant.choices };
      else await around.say(`${scoreText(variant)}\n`);
    }
  }
  if (json) await around.say(`${JSON.stringify(all, null, 2)}\n`);
  return exits.done;
}

async function compare(
  { values, positionals }: { values: Values; positionals: string[] },
  around: BenchProcess,
): Promise<number | Problem> {
  if (positionals.length !== 2) return { problem: 'Give two runs to compare.' };
  const sides: ScoredVariant[] = [];
  for (const place of positionals) {
    const scored = await scoreRun(path.resolve(around.cwd, place));
    if ('problem' in scored) return scored;
    const [variant, ...others] = scored.variants;
    if (!variant || others.length > 0) {
      const names = scored.variants.map(({ name }) => path.join(place, name)).join(', ');
      return { problem: `${place} has several variants; choose one: ${names}.` };
    }
    sides.push({ ...variant, name: positionals[0] === positionals[1] ? variant.name : place });
  }
  const [a, b] = sides;
  if (!a || !b) return { problem: 'Give two runs to compare.' };
  const comparison = compareRuns(a, b);
  if (comparison.shared === 0) return { problem: 'The two have no row in common, so there is nothing to compare.' };
  await around.say(values['json'] === true ? `${JSON.stringify(comparison, null, 2)}\n` : comparisonText(comparison));
  return exits.done;
}

async function report(
  { values, positionals }: { values: Values; positionals: string[] },
  around: BenchProcess,
): Promise<number | Problem> {
  const [place, ...others] = positionals;
  if (place === undefined || others.length > 0) return { problem: 'Give the folder of one run, or one judged.jsonl.' };
  return reportPlace(path.resolve(around.cwd, place), textOf(values, 'out'), around);
}

async function reportPlace(place: string, out: string | undefined, around: BenchProcess): Promise<number | Problem> {
  const scored = await scoreRun(place);
  if ('problem' in scored) return scored;
  const folder =
    out === undefined ? (place.endsWith('.jsonl') ? path.dirname(place) : place) : path.resolve(around.cwd, out);
  const written = await writeReports(scored, folder);
  around.tell(`Report: ${written.html}`);
  return exits.done;
}

async function runAll(
  flags: { values: Values; positionals: string[] },
  around: BenchProcess,
): Promise<number | Problem> {
  const folder = runFolderOf(flags.values, around);
  const inferred = await infer(flags, around);
  if (inferred !== exits.done) return inferred;
  if (textOf(flags.values, 'judge-url') !== undefined) {
    const judged = await judgePlace(folder, flags.values, around);
    if (judged !== exits.done) return judged;
  }
  const scored = await scorePlaces([folder], around);
  if (scored !== exits.done) return scored;
  return reportPlace(folder, undefined, around);
}
