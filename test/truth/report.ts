import type { CaseResult } from './runTruth.ts';

/** Numbers of one kind, or of all. */
export interface Tally {
  kind: string;
  total: number;
  /** Everything was claimed: `exact + wrong`. */
  claimed: number;
  exact: number;
  wrong: number;
  /** Among the wrong ones, those with a wrong file change. */
  wrongFiles: number;
  abstained: number;
  volatile: number;
}

/** Counts results by kind, with a last row `all`. Cases that cannot be judged are not counted. */
export function tally(results: readonly CaseResult[]): Tally[] {
  const valid = results.filter((result) => !result.invalid);
  const kinds = [...new Set(valid.map((result) => result.case.kind))].sort();
  return [
    ...kinds.map((kind) =>
      count(
        kind,
        valid.filter((result) => result.case.kind === kind),
      ),
    ),
    count('all', valid),
  ];
}

function count(kind: string, results: readonly CaseResult[]): Tally {
  const of = (outcome: string) => results.filter((result) => result.comparison.outcome === outcome).length;
  const wrongFiles = results.filter((result) =>
    result.comparison.differences.some((difference) => difference.part === 'file'),
  );
  const [exact, wrong] = [of('exact'), of('wrong')];
  return {
    kind,
    total: results.length,
    claimed: exact + wrong,
    exact,
    wrong,
    wrongFiles: wrongFiles.length,
    abstained: of('abstained'),
    volatile: of('volatile'),
  };
}

/** Share in percent with one decimal; rounded down, so that 100 % means all. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${(Math.floor((part / whole) * 1000) / 10).toFixed(1)} %`;
}

/** The table as Markdown. */
export function tallyTable(rows: readonly Tally[]): string {
  const head =
    '| kind | commands | claimed | exact | wrong | wrong files | abstained | volatile | coverage | exact of claimed |\n| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |';
  const lines = rows.map((row) => {
    const name = row.kind === 'all' ? '**all**' : row.kind;
    return `| ${name} | ${row.total} | ${row.claimed} | ${row.exact} | ${row.wrong} | ${row.wrongFiles} | ${row.abstained} | ${row.volatile} | ${percent(row.claimed, row.total)} | ${percent(row.exact, row.claimed)} |`;
  });
  return [head, ...lines].join('\n');
}

/** What the suite demands: see `judge`. */
export const demands = { exactOfClaimed: 0.998, coverage: 0.92 };

/**
 * What falls short: fewer than 99.8 % of the claims exact, any wrong file change, or a coverage below 92 %.
 * Empty when the suite passes.
 */
export function judge(all: Tally): string[] {
  const short: string[] = [];
  if (all.total === 0) short.push('no case was run');
  if (all.exact < demands.exactOfClaimed * all.claimed) short.push(`${all.wrong} of ${all.claimed} claims are wrong`);
  if (all.wrongFiles > 0) short.push(`${all.wrongFiles} commands with a wrong file change`);
  if (all.claimed < demands.coverage * all.total) short.push(`only ${percent(all.claimed, all.total)} is claimed`);
  return short;
}
