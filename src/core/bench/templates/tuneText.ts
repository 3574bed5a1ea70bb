import type { DiffRow } from '../../view/lineDiff.ts';
import { countOf } from '../../view/quantity.ts';
import type { TuneCell, TuneReport, TuneSummary } from './tune.ts';

/** How much of the differences is shown: cells with one, and lines of each. */
export interface TuneTextOptions {
  mostCells: number;
  mostLines: number;
}

const percent = (value: number | undefined) => (value === undefined ? '–' : `${(value * 100).toFixed(1)}`);

function scoreCell({ score }: TuneSummary): string {
  if (!score) return '–';
  return score.low === undefined
    ? percent(score.mean)
    : `${percent(score.mean)} [${percent(score.low)}–${percent(score.high)}]`;
}

const heads = ['variant', 'model', 'score [95 %]', 'exact', 'answered', 'prompt tokens', 'reply tokens', 'ms each'];

function summaryRow(one: TuneSummary): string[] {
  return [
    one.variant,
    one.model,
    scoreCell(one),
    `${one.exact} of ${one.asked}`,
    `${one.answered} of ${one.asked}`,
    String(one.promptTokens),
    String(one.completionTokens),
    String(one.meanMs),
  ];
}

/** Cells of each step beside each other: a column for each variant and model. */
function stepRows(report: TuneReport): { heads: string[]; rows: string[][] } {
  const columns = report.variants.flatMap((variant) => report.models.map((model) => ({ variant, model })));
  const cells = new Map(report.cells.map((cell) => [JSON.stringify([cell.step, cell.variant, cell.model]), cell]));
  const isOne = report.models.length === 1;
  const rows = report.steps.map(({ id, title }) => [
    title,
    id,
    ...columns.map(({ variant, model }) => cellText(cells.get(JSON.stringify([id, variant, model])))),
  ]);
  return {
    heads: ['command', 'step', ...columns.map(({ variant, model }) => (isOne ? variant : `${variant} · ${model}`))],
    rows,
  };
}

function cellText(cell: TuneCell | undefined): string {
  if (!cell) return '';
  return cell.outcome === 'answered' ? percent(cell.score?.score) : cell.outcome;
}

/** The worst answers first, with the lines that differ. */
function differing(report: TuneReport, most: number): TuneCell[] {
  return report.cells
    .filter((cell) => cell.difference.length > 0 || cell.outcome !== 'answered')
    .sort((a, b) => (a.score?.score ?? -1) - (b.score?.score ?? -1))
    .slice(0, most);
}

const signs: Record<DiffRow['kind'], string> = { same: ' ', predicted: '-', truth: '+', gap: '…' };

function diffLines(rows: readonly DiffRow[], most: number): string[] {
  const lines = rows
    .slice(0, most)
    .map(({ kind, text }) => (kind === 'gap' ? `… ${countOf(Number(text), 'line')}` : `${signs[kind]} ${text}`));
  return rows.length > most ? [...lines, `… ${rows.length - most} more`] : lines;
}

/** The table for a terminal. */
export function tuneText(report: TuneReport, options: TuneTextOptions): string {
  const steps = stepRows(report);
  const titles = new Map(report.steps.map(({ id, title }) => [id, title]));
  const parts = [
    aligned([heads, ...report.summaries.map(summaryRow)]),
    aligned([steps.heads, ...steps.rows].map((row) => row.map((text) => text.slice(0, 60)))),
  ];
  for (const cell of differing(report, options.mostCells)) {
    const lines = cell.why === undefined ? diffLines(cell.difference, options.mostLines) : [cell.why];
    parts.push(
      `${titles.get(cell.step) ?? ''}  (${cell.step}, ${cell.variant}, ${cell.model}: ${cellText(cell)})\n${lines.map((line) => `    ${line}`).join('\n')}\n`,
    );
  }
  if (report.cells.some(({ difference }) => difference.length > 0)) parts.push('(- predicted, + true)\n');
  for (const { step, why } of report.leftOut) parts.push(`${step} was left out: ${why}\n`);
  return parts.join('\n');
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map(
      (row) =>
        `${row
          .map((text, column) => text.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** The same as Markdown. */
export function tuneMarkdown(report: TuneReport, options: TuneTextOptions): string {
  const steps = stepRows(report);
  const titles = new Map(report.steps.map(({ id, title }) => [id, title]));
  const sections = [
    '# Variants × commands × models\n',
    markdownTable(heads, report.summaries.map(summaryRow)),
    '## By command\n',
    markdownTable(steps.heads, steps.rows),
    '## What differs\n',
  ];
  for (const cell of differing(report, options.mostCells)) {
    const lines = cell.why === undefined ? diffLines(cell.difference, options.mostLines) : [cell.why];
    // A fence must be longer than every run of backticks in it.
    const longest = Math.max(2, ...lines.flatMap((line) => [...line.matchAll(/`+/g)].map(([run]) => run.length)));
    const fence = '`'.repeat(longest + 1);
    sections.push(
      `### ${inCell(titles.get(cell.step) ?? '')}\n\n${inCell(cell.step)}, ${inCell(cell.variant)}, ${inCell(cell.model)}: ${cellText(cell)}\n\n${fence}diff\n${lines.join('\n')}\n${fence}\n`,
    );
  }
  if (report.leftOut.length > 0)
    sections.push(
      markdownTable(
        ['left out', 'why'],
        report.leftOut.map(({ step, why }) => [step, why]),
      ),
    );
  return sections.join('\n');
}

function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(inCell).join(' | ')} |`;
  return `${[line(columns), `| ${columns.map(() => '---').join(' | ')} |`, ...rows.map(line)].join('\n')}\n`;
}

/** Text that a cell of a table cannot be broken with, and that is no markup. */
function inCell(text: string): string {
  return text
    .replace(/[\\`*_[\]<>|#&~]/g, (sign) => (sign === '<' ? '&lt;' : sign === '&' ? '&amp;' : `\\${sign}`))
    .replace(/\s+/g, ' ');
}

/** One line an answer (RFC 4180). */
export function tuneCsv(report: TuneReport): string {
  const titles = new Map(report.steps.map((step) => [step.id, step]));
  const columns = [
    'step',
    'domain',
    'command',
    'variant',
    'model',
    'outcome',
    'score',
    'exact',
    'line_recall',
    'exit_code_same',
    'prompt_tokens',
    'completion_tokens',
    'duration_ms',
    'difference',
  ];
  const rows = report.cells.map((cell) => {
    const step = titles.get(cell.step);
    const { score } = cell;
    const numbers = [cell.promptTokens, cell.completionTokens, cell.durationMs].map(String);
    const isExact = cell.outcome === 'answered' && cell.difference.length === 0;
    return [
      ...[cell.step, step?.domain ?? '', step?.title ?? '', cell.variant, cell.model, cell.outcome],
      ...[
        score ? score.score.toFixed(4) : '0',
        String(isExact),
        score ? score.lines.recall.toFixed(4) : '',
        score ? String(score.exitCode.same) : '',
      ],
      ...numbers,
      cell.why ?? diffLines(cell.difference, 20).join('\n'),
    ];
  });
  return [columns, ...rows].map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
}

function quoted(text: string): string {
  // A spreadsheet would take what begins like this for a formula.
  const plain = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
