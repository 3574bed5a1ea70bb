import type { ScoredVariant } from '../run/benchRun.ts';
import { dimensions } from '../run/judgeReply.ts';
import type { Estimate } from '../score/bootstrap.ts';
import { domainTitle, fixed2 } from '../score/officialScore.ts';
import type { Means, RunScore, TokenTotals } from '../score/scoreRun.ts';

/** What is shown of a mean: its name, and where it stands. */
export const shownMeans = [
  { title: 'Judge, valid rows', short: 'judge', of: (means: Means) => means.total },
  { title: 'Judge, failed and cut rows as 0', short: 'strict', of: (means: Means) => means.strict },
  { title: 'Factual score', short: 'factual', of: (means: Means) => means.factual },
  { title: 'Exactly the real observation', short: 'exact', of: (means: Means) => means.exact },
  { title: 'Exact standard output', short: 'stdout', of: (means: Means) => means.exactStdout },
  { title: 'Exit code', short: 'exit code', of: (means: Means) => means.exitCode },
  { title: 'Changed files', short: 'files', of: (means: Means) => means.effects },
  { title: 'Real lines that were said', short: 'recall', of: (means: Means) => means.recall },
] as const;

/** One line of a table of scores. */
export interface ScoreLine {
  title: string;
  means: Means;
  counts: RunScore['counts'];
}

/** A line for each domain, and the two means over all of them. */
export function scoreLines({ domains, micro, macro, counts }: RunScore): ScoreLine[] {
  return [
    ...Object.entries(domains).map(([domain, means]) => ({ title: domainTitle(domain), means, counts: means.counts })),
    { title: 'All rows (micro)', means: micro, counts },
    { title: 'Mean of domains (macro)', means: macro, counts },
  ];
}

/** `56.39 [54.10, 58.72]`, or `–` where nothing is known. */
export function estimateText(estimate: Estimate | undefined): string {
  if (!estimate) return '–';
  const { mean, low, high } = estimate;
  const interval = low === undefined || high === undefined ? '' : ` [${fixed2(low)}, ${fixed2(high)}]`;
  return `${fixed2(mean)}${interval}`;
}

/** Tokens as somebody says them: `12,345`. */
const amount = (count: number): string => count.toLocaleString('en-US');

/** `1.2 M prompt …` in one line; empty where nothing is known. */
export function tokensText({ prompt, cached, completion, reasoning, estimated }: TokenTotals): string {
  if (prompt + completion === 0) return '';
  const parts = [`${amount(prompt)} prompt${cached > 0 ? ` (${amount(cached)} cached)` : ''}`];
  parts.push(`${amount(completion)} completion${reasoning > 0 ? ` (${amount(reasoning)} reasoning)` : ''}`);
  if (estimated > 0) parts.push(`estimated in ${amount(estimated)} rows`);
  return parts.join(', ');
}

/** What a run cost, with four digits that count. */
export const costText = (cost: number): string => (cost >= 100 ? cost.toFixed(2) : cost.toPrecision(4));

/** The score of one variant as text: the official block first, what stands beside it below. */
export function scoreText({ name, score, choices }: Pick<ScoredVariant, 'name' | 'score' | 'choices'>): string {
  const blocks: string[] = [];
  if (score.official) blocks.push(score.official.text.replace(/^\n/, ''));
  blocks.push(`${name}: ${countsText(score)}\n${meansTable(score)}`);
  for (const [style, choice] of Object.entries(choices)) {
    const what = style === 'turing' ? 'Taken for the real response' : 'Closer to the truth than the reference';
    const domains = Object.entries(choice.domains).map(
      ([domain, one]) => `${domainTitle(domain)} ${estimateText(one)}`,
    );
    blocks.push(
      `${what}: ${estimateText(choice.chosen)} % (50 is chance; ${choice.rows - choice.failed} of ${choice.rows} rows)\n  ${domains.join('; ')}\n`,
    );
  }
  const costs = [
    ...(tokensText(score.tokens) ? [`Tokens of the model: ${tokensText(score.tokens)}`] : []),
    ...(tokensText(score.judgeTokens) ? [`Tokens of the judge: ${tokensText(score.judgeTokens)}`] : []),
    ...(score.cost?.model === undefined ? [] : [`Cost of the model: ${costText(score.cost.model)}`]),
    ...(score.cost?.judge === undefined ? [] : [`Cost of the judge: ${costText(score.cost.judge)}`]),
  ];
  if (costs.length > 0) blocks.push(`${costs.join('\n')}\n`);
  const failures = Object.entries(score.failures).map(([code, count]) => `${code} ${count}`);
  if (failures.length > 0) blocks.push(`Failures: ${failures.join(', ')}\n`);
  return blocks.join('\n');
}

function countsText({ counts }: RunScore): string {
  const { rows, judged, failed, truncated } = counts;
  return `${rows} rows, ${judged} judged, ${failed} failed, ${truncated} cut by the budget`;
}

function meansTable(score: RunScore): string {
  const columns = [
    ...Object.entries(score.domains).map(([name, means]) => ({ title: domainTitle(name), means })),
    { title: 'micro', means: score.micro },
    { title: 'macro', means: score.macro },
  ];
  const shown = shownMeans.filter(({ of }) => of(score.micro));
  const rows = [
    ['0–100 [95 % by trajectory]', ...shown.map(({ short }) => short)],
    ...columns.map(({ title, means }) => [title, ...shown.map(({ of }) => estimateText(of(means)))]),
  ];
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  const lines = rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '));
  return `${lines.map((line) => `  ${line.trimEnd()}\n`).join('')}${dimensionLines(score)}`;
}

function dimensionLines({ micro, macro, isJudged }: RunScore): string {
  if (!isJudged) return '';
  const line = (title: string, means: Means) =>
    `  ${title}: ${dimensions.map((name) => `${name} ${estimateText(means.dimensions[name])}`).join(', ')}\n`;
  return line('micro', micro) + line('macro', macro);
}
