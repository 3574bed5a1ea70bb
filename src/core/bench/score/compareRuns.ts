import { countOf } from '../../view/quantity.ts';
import type { ScoredVariant } from '../run/benchRun.ts';
import { type Dimension, dimensions } from '../run/judgeReply.ts';
import { type Clustered, type Estimate, estimate } from './bootstrap.ts';
import { domainTitle, fixed2 } from './officialScore.ts';
import { type ScoredRow, strictValue } from './scoreRun.ts';

/** The difference of one measure over rows that both have: B minus A, in points of 0–100. */
export interface PairedDifference {
  title: string;
  a: number;
  b: number;
  difference: Estimate;
  /** Zero is outside of the interval. */
  isClear: boolean;
  /** How many rows are better in B, and in A. */
  better: number;
  worse: number;
}

/** Two runs, compared row by row. */
export interface RunComparison {
  a: string;
  b: string;
  /** Rows that both have, and rows that only one has. */
  shared: number;
  onlyA: number;
  onlyB: number;
  differences: PairedDifference[];
  /** The same for each domain: the judge where there is one, else the factual score. */
  domains: PairedDifference[];
  /** Rows that changed most, by the same measure. */
  most: { row: ScoredRow; a: number; b: number }[];
}

type Measure = (row: ScoredRow) => number | undefined;
type Pair = { a: ScoredRow; b: ScoredRow };

const measures: readonly { title: string; of: Measure }[] = [
  { title: 'Judge, valid in both', of: (row) => row.total },
  ...dimensions.map((name: Dimension) => ({ title: `Judge: ${name}`, of: (row: ScoredRow) => row.scores[name] })),
  { title: 'Factual score', of: (row) => percent(row.facts?.score) },
  { title: 'Exactly the real observation', of: (row) => percent(Number(row.facts?.exact ?? Number.NaN)) },
  { title: 'Exact standard output', of: (row) => percent(Number(row.facts?.exactStdout ?? Number.NaN)) },
  { title: 'Exit code', of: (row) => percent(Number(row.facts?.exitCode ?? Number.NaN)) },
  { title: 'Changed files', of: (row) => percent(Number(row.facts?.effects ?? Number.NaN)) },
  { title: 'Real lines that were said', of: (row) => percent(row.facts?.recall) },
];

const percent = (share: number | undefined): number | undefined =>
  share === undefined || Number.isNaN(share) ? undefined : share * 100;

/** Compares two scored runs on the rows that both have. */
export function compareRuns(
  a: Pick<ScoredVariant, 'name' | 'rows' | 'score'>,
  b: Pick<ScoredVariant, 'name' | 'rows' | 'score'>,
): RunComparison {
  const inB = new Map(b.rows.map((row) => [row.key, row]));
  const pairs = a.rows.flatMap((row): Pair[] => {
    const other = inB.get(row.key);
    return other ? [{ a: row, b: other }] : [];
  });
  const keys = new Set(pairs.map((pair) => pair.a.key));
  const isJudged = a.score.isJudged && b.score.isJudged;
  const strict = { title: 'Judge, failed and cut rows as 0', of: (row: ScoredRow) => strictValue(row) };
  const all = isJudged ? [strict, ...measures] : measures;
  const main = isJudged ? strict : { title: 'Factual score', of: (row: ScoredRow) => percent(row.facts?.score) };
  const domains = [...new Set(pairs.map((pair) => pair.a.domain))].sort();
  return {
    a: a.name,
    b: b.name,
    shared: pairs.length,
    onlyA: a.rows.filter(({ key }) => !keys.has(key)).length,
    onlyB: b.rows.filter(({ key }) => !keys.has(key)).length,
    differences: all.flatMap(({ title, of }) => difference(title, pairs, of)),
    domains: domains.flatMap((domain) =>
      difference(
        `${domainTitle(domain)}: ${main.title}`,
        pairs.filter((pair) => pair.a.domain === domain),
        main.of,
      ),
    ),
    most: pairs
      .map((pair) => ({ row: pair.a, a: main.of(pair.a) ?? 0, b: main.of(pair.b) ?? 0 }))
      .filter((pair) => pair.a !== pair.b)
      .sort(
        (one, other) => Math.abs(other.b - other.a) - Math.abs(one.b - one.a) || (one.row.key < other.row.key ? -1 : 1),
      )
      .slice(0, 20),
  };
}

function difference(title: string, pairs: readonly Pair[], of: Measure): PairedDifference[] {
  const values: (Clustered & { a: number; b: number })[] = [];
  for (const pair of pairs) {
    const [a, b] = [of(pair.a), of(pair.b)];
    if (a === undefined || b === undefined) continue;
    values.push({ cluster: pair.a.trajectory, stratum: pair.a.domain, value: b - a, a, b });
  }
  const found = estimate(values);
  if (!found) return [];
  const mean = (side: 'a' | 'b') => values.reduce((sum, one) => sum + one[side], 0) / values.length;
  return [
    {
      title,
      a: mean('a'),
      b: mean('b'),
      difference: found,
      isClear: found.low !== undefined && found.high !== undefined && (found.low > 0 || found.high < 0),
      better: values.filter(({ value }) => value > 0).length,
      worse: values.filter(({ value }) => value < 0).length,
    },
  ];
}

/** The comparison as text. */
export function comparisonText(comparison: RunComparison): string {
  const { a, b, shared, onlyA, onlyB, differences, domains, most } = comparison;
  const signed = (value: number) => `${value >= 0 ? '+' : ''}${fixed2(value)}`;
  const rows = [
    ['', 'A', 'B', 'B − A [95 % by trajectory]', 'B better', 'A better', ''],
    ...[...differences, ...domains].map((one) => [
      one.title,
      fixed2(one.a),
      fixed2(one.b),
      `${signed(one.difference.mean)}${one.difference.low === undefined || one.difference.high === undefined ? '' : ` [${signed(one.difference.low)}, ${signed(one.difference.high)}]`}`,
      String(one.better),
      String(one.worse),
      one.isClear ? 'clear' : '',
    ]),
  ];
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  const lines = rows.map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd());
  const alone = onlyA + onlyB > 0 ? ` (${onlyA} only in A and ${onlyB} only in B are left out)` : '';
  const changed = most.map(
    ({ row, a: before, b: after }) => `  ${row.trajectory}, turn ${row.turn}: ${fixed2(before)} → ${fixed2(after)}`,
  );
  return [
    `A: ${a}`,
    `B: ${b}`,
    `${countOf(shared, 'row')} that both have${alone}`,
    ...lines,
    ...(changed.length > 0 ? ['Rows that differ most:', ...changed] : ['No row differs.']),
    '',
  ].join('\n');
}
