import * as z from 'zod/mini';
import { TokenUsage } from '../../prediction/question.ts';
import { type BenchProblem, readBenchRows } from '../run/benchRow.ts';
import { LineFailure } from '../run/inferRow.ts';
import { type Dimension, dimensions } from '../run/judgeReply.ts';
import { type Clustered, type Estimate, estimate } from './bootstrap.ts';
import { factualRow, type RowFacts } from './factualRow.ts';
import { domainOfTask, normalised, officialScore } from './officialScore.ts';
import { quantile } from './statistics.ts';

const Score = z.optional(z.union([z.number(), z.boolean()]));

/** What is read of a line of `predictions.jsonl` or `judged.jsonl`, of ours or of the evaluation script. */
const ScoredLine = z.looseObject({
  task: z.optional(z.string()),
  gen: z._default(z.string(), ''),
  failed: Score,
  total_score: Score,
  format: Score,
  factuality: Score,
  consistency: Score,
  realism: Score,
  quality: Score,
  reward: z.optional(z.number()),
  foretell: z.optional(
    z.looseObject({
      finish: z.optional(z.string()),
      failure: z.optional(LineFailure),
      usage: z.optional(TokenUsage),
      durationMs: z.optional(z.number()),
      model: z.optional(z.string()),
    }),
  ),
  foretell_judge: z.optional(z.looseObject({ usage: z.optional(TokenUsage), model: z.optional(z.string()) })),
});

/** Prices per million tokens, in whatever currency. */
export interface Prices {
  input: number;
  /** Of the input, what came from the server's cache; absent: the same as `input`. */
  cachedInput?: number;
  output: number;
}

/** One row of a run, as far as it is counted. Scores 0–100. */
export interface ScoredRow {
  key: string;
  domain: string;
  trajectory: string;
  turn: number;
  /** There is no score of it though there should be: no prediction, or no readable judgement. */
  failed: boolean;
  /** The budget ended the reply. */
  truncated: boolean;
  failure?: LineFailure;
  total?: number;
  scores: Partial<Record<Dimension, number>>;
  facts?: RowFacts;
  usage?: TokenUsage;
  judgeUsage?: TokenUsage;
  durationMs?: number;
}

/** Means of rows, 0–100, with intervals of 95 % by trajectory. Absent: no row tells it. */
export interface Means {
  /** Of rows that were judged. */
  total?: Estimate;
  dimensions: Partial<Record<Dimension, Estimate>>;
  /** Of all rows; those that failed or were cut count as 0. */
  strict?: Estimate;
  /** Against what really happened, without a judge; rows without a prediction count as 0. */
  factual?: Estimate;
  exact?: Estimate;
  exactStdout?: Estimate;
  exitCode?: Estimate;
  effects?: Estimate;
  recall?: Estimate;
}

/** How many rows there are, and what became of them. */
export interface RowCounts {
  rows: number;
  judged: number;
  failed: number;
  truncated: number;
}

/** Tokens of a run; `estimated`: how many rows only have our estimate. */
export interface TokenTotals {
  prompt: number;
  cached: number;
  completion: number;
  reasoning: number;
  estimated: number;
}

/** Everything that is known of a run of one model. The same for the same rows, in whatever order they were finished. */
export interface RunScore {
  version: 1;
  isJudged: boolean;
  counts: RowCounts;
  /** `micro`: over all rows, as the evaluation script prints it. `macro`: the mean of the domains, as it is published. */
  micro: Means;
  macro: Means;
  domains: Record<string, Means & { counts: RowCounts }>;
  /** What the evaluation script says: numbers before rounding, and its text. Absent: nothing was judged. */
  official?: {
    overall?: number;
    domains: Record<string, Partial<Record<Dimension | 'total_score', number>>>;
    text: string;
  };
  tokens: TokenTotals;
  judgeTokens: TokenTotals;
  cost?: { model?: number; judge?: number };
  failures: Record<string, number>;
}

/** A score with the rows that it comes from, and how long replies took (milliseconds). */
export interface ScoredRun {
  score: RunScore;
  rows: ScoredRow[];
  latency?: { p50: number; p95: number };
}

/**
 * Scores a file of judged rows, or of predictions that were not judged. Of each row only its numbers are kept. Lines that
 * are no rows are told in `bad`.
 */
export async function scoreFile(
  file: string,
  options: { prices?: Prices; judgePrices?: Prices } = {},
): Promise<(ScoredRun & { bad: { number: number; problem: string }[] }) | BenchProblem> {
  const rows: ScoredRow[] = [];
  const bad: { number: number; problem: string }[] = [];
  const official = officialScore();
  let isJudged = false;
  try {
    for await (const line of readBenchRows([file])) {
      const read = line.ok ? ScoredLine.safeParse(JSON.parse(line.text)) : undefined;
      if (!line.ok || !read?.success) {
        const problem = line.ok ? 'Its scores are no numbers.' : line.problem;
        bad.push({ number: line.number, problem });
        continue;
      }
      const fields = read.data;
      const { foretell, foretell_judge } = fields;
      const score = (name: Dimension | 'total_score') => Number(fields[name] ?? 0);
      isJudged ||= fields.failed !== undefined;
      const scores = Object.fromEntries(dimensions.map((name) => [name, score(name)]));
      official.add({
        ...(fields.task === undefined ? {} : { task: fields.task }),
        ...(fields.failed === undefined ? {} : { failed: fields.failed }),
        ...scores,
        total_score: score('total_score'),
      });
      const { row } = line;
      const isValid = Number(fields.failed ?? 1) === 0;
      const facts = factualRow(row, fields.gen);
      const failure = foretell?.failure;
      rows.push({
        key: row.key,
        domain: domainOfTask(row.row.task),
        trajectory: row.trajectory,
        turn: row.turn,
        failed: fields.failed === undefined ? fields.gen === '' : !isValid,
        truncated: foretell?.finish === 'length',
        ...(failure ? { failure } : {}),
        ...(isValid && score('total_score') !== 0 ? { total: normalised(score('total_score')) } : {}),
        scores: Object.fromEntries(
          dimensions.flatMap((name) => (isValid && score(name) !== 0 ? [[name, normalised(score(name))]] : [])),
        ),
        ...(facts ? { facts } : {}),
        ...(foretell?.usage ? { usage: foretell.usage } : {}),
        ...(foretell_judge?.usage ? { judgeUsage: foretell_judge.usage } : {}),
        ...(foretell?.durationMs === undefined ? {} : { durationMs: foretell.durationMs }),
      });
    }
  } catch (error) {
    return { problem: `${file} cannot be read (${(error as NodeJS.ErrnoException).code}); give another file.` };
  }
  if (rows.length === 0) return { problem: `${file} has no rows of AgentWorldBench; give judged.jsonl or a run.` };
  const numbers = official.numbers();
  const officialPart = {
    ...(numbers.overall === undefined ? {} : { overall: numbers.overall }),
    domains: Object.fromEntries(Object.entries(numbers.domains).map(([name, { scores }]) => [name, scores])),
    text: official.text(),
  };
  const score = scoreRows(rows, isJudged, options);
  const durations = rows.flatMap(({ durationMs }) => (durationMs === undefined ? [] : [durationMs]));
  return {
    score: isJudged ? { ...score, official: officialPart } : score,
    rows,
    bad,
    ...(durations.length > 0 ? { latency: { p50: quantile(durations, 0.5), p95: quantile(durations, 0.95) } } : {}),
  };
}

function scoreRows(
  rows: readonly ScoredRow[],
  isJudged: boolean,
  { prices, judgePrices }: { prices?: Prices; judgePrices?: Prices },
): RunScore {
  const byDomain = new Map<string, ScoredRow[]>();
  for (const row of rows) {
    const some = byDomain.get(row.domain);
    if (some) some.push(row);
    else byDomain.set(row.domain, [row]);
  }
  const failures: Record<string, number> = {};
  for (const { failure } of rows) if (failure) failures[failure.code] = (failures[failure.code] ?? 0) + 1;
  const tokens = tokensOf(rows.map(({ usage }) => usage));
  const judgeTokens = tokensOf(rows.map(({ judgeUsage }) => judgeUsage));
  const cost = {
    ...(prices ? { model: costOf(tokens, prices) } : {}),
    ...(judgePrices ? { judge: costOf(judgeTokens, judgePrices) } : {}),
  };
  return {
    version: 1,
    isJudged,
    counts: countsOf(rows),
    micro: meansOf(rows, isJudged, 'micro'),
    macro: meansOf(rows, isJudged, 'macro'),
    domains: Object.fromEntries(
      [...byDomain]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, some]) => [name, { counts: countsOf(some), ...meansOf(some, isJudged, 'micro') }]),
    ),
    tokens,
    judgeTokens,
    ...(prices || judgePrices ? { cost } : {}),
    failures: Object.fromEntries(Object.entries(failures).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function countsOf(rows: readonly ScoredRow[]): RowCounts {
  return {
    rows: rows.length,
    judged: rows.filter(({ total }) => total !== undefined).length,
    failed: rows.filter(({ failed }) => failed).length,
    truncated: rows.filter(({ truncated }) => truncated).length,
  };
}

/** The values of rows that have one. */
function valuesOf(rows: readonly ScoredRow[], of: (row: ScoredRow) => number | undefined): Clustered[] {
  return rows.flatMap((row) => {
    const value = of(row);
    return value === undefined ? [] : [{ cluster: row.trajectory, stratum: row.domain, value }];
  });
}

/** What a row is worth where nothing is forgiven. */
export const strictValue = ({ failed, truncated, total }: ScoredRow): number =>
  failed || truncated ? 0 : (total ?? 0);

function meansOf(rows: readonly ScoredRow[], isJudged: boolean, over: 'micro' | 'macro'): Means {
  const of = (value: (row: ScoredRow) => number | undefined) => estimate(valuesOf(rows, value), over);
  const share = (name: 'exact' | 'exactStdout' | 'exitCode' | 'effects') =>
    of(({ facts }) => (facts?.[name] === undefined ? undefined : Number(facts[name]) * 100));
  const known = {
    total: of(({ total }) => total),
    strict: isJudged ? of(strictValue) : undefined,
    factual: of(({ facts }) => (facts ? facts.score * 100 : undefined)),
    exact: share('exact'),
    exactStdout: share('exactStdout'),
    exitCode: share('exitCode'),
    effects: share('effects'),
    recall: of(({ facts }) => (facts ? facts.recall * 100 : undefined)),
  };
  const perDimension = dimensions.map((name) => [name, of(({ scores }) => scores[name])] as const);
  return {
    ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)),
    dimensions: Object.fromEntries(perDimension.filter(([, value]) => value !== undefined)),
  };
}

function tokensOf(usages: readonly (TokenUsage | undefined)[]): TokenTotals {
  const totals: TokenTotals = { prompt: 0, cached: 0, completion: 0, reasoning: 0, estimated: 0 };
  for (const usage of usages) {
    if (!usage) continue;
    totals.prompt += usage.promptTokens;
    totals.cached += usage.cachedTokens ?? 0;
    totals.completion += usage.completionTokens;
    totals.reasoning += usage.reasoningTokens ?? 0;
    totals.estimated += Number(!usage.exact);
  }
  return totals;
}

function costOf({ prompt, cached, completion }: TokenTotals, prices: Prices): number {
  const { input, cachedInput = input, output } = prices;
  return ((prompt - cached) * input + cached * cachedInput + completion * output) / 1e6;
}

/** How often a judge chose the prediction: over the real response (style `turing`) or over the reference's. */
export interface ChoiceScore {
  rows: number;
  failed: number;
  /** 0–100; 50 is what chance gives. Over all rows, and of each domain. */
  chosen?: Estimate;
  domains: Record<string, Estimate>;
}

/** Scores a file of judged rows of the styles in which a judge chooses. */
export async function scoreChoices(file: string): Promise<ChoiceScore | BenchProblem> {
  const values: Clustered[] = [];
  const counts = { rows: 0, failed: 0 };
  try {
    for await (const line of readBenchRows([file])) {
      if (!line.ok) continue;
      counts.rows += 1;
      const read = ScoredLine.safeParse(JSON.parse(line.text));
      const reward = read.success && Number(read.data.failed ?? 1) === 0 ? read.data.reward : undefined;
      if (reward === undefined) counts.failed += 1;
      else values.push({ cluster: line.row.trajectory, stratum: line.row.domain, value: reward * 100 });
    }
  } catch (error) {
    return { problem: `${file} cannot be read (${(error as NodeJS.ErrnoException).code}); give another file.` };
  }
  const chosen = estimate(values);
  const names = [...new Set(values.map(({ stratum }) => stratum))].sort();
  const domains = names.flatMap((name) => {
    const found = estimate(values.filter(({ stratum }) => stratum === name));
    return found ? [[name, found] as const] : [];
  });
  return { ...counts, ...(chosen ? { chosen } : {}), domains: Object.fromEntries(domains) };
}
