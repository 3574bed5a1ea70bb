import type { ScoredVariant } from '../run/benchRun.ts';
import { dimensions } from '../run/judgeReply.ts';
import type { ScoredRow } from '../score/scoreRun.ts';

const columns: readonly { name: string; of: (row: ScoredRow) => string | number | boolean | undefined }[] = [
  { name: 'domain', of: (row) => row.domain },
  { name: 'trajectory', of: (row) => row.trajectory },
  { name: 'turn', of: (row) => row.turn },
  { name: 'key', of: (row) => row.key },
  { name: 'failed', of: (row) => row.failed },
  { name: 'truncated', of: (row) => row.truncated },
  { name: 'failure', of: (row) => row.failure?.code },
  { name: 'total', of: (row) => row.total },
  ...dimensions.map((name) => ({ name, of: (row: ScoredRow) => row.scores[name] })),
  { name: 'factual', of: (row) => (row.facts ? row.facts.score * 100 : undefined) },
  { name: 'exact', of: (row) => row.facts?.exact },
  { name: 'exact_stdout', of: (row) => row.facts?.exactStdout },
  { name: 'exit_code', of: (row) => row.facts?.exitCode },
  { name: 'changed_files', of: (row) => row.facts?.effects },
  { name: 'recall', of: (row) => (row.facts ? row.facts.recall * 100 : undefined) },
  { name: 'prompt_tokens', of: (row) => row.usage?.promptTokens },
  { name: 'completion_tokens', of: (row) => row.usage?.completionTokens },
  { name: 'judge_prompt_tokens', of: (row) => row.judgeUsage?.promptTokens },
  { name: 'judge_completion_tokens', of: (row) => row.judgeUsage?.completionTokens },
  { name: 'duration_ms', of: (row) => row.durationMs },
];

/** Every row of every variant as CSV (RFC 4180), with a heading; scores 0–100. */
export function* rowsCsv(variants: readonly Pick<ScoredVariant, 'name' | 'rows'>[]): Generator<string> {
  yield `${['variant', ...columns.map(({ name }) => name)].join(',')}\r\n`;
  for (const { name, rows } of variants) {
    for (const row of rows) yield `${[name, ...columns.map(({ of }) => of(row))].map(cell).join(',')}\r\n`;
  }
}

function cell(value: string | number | boolean | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(Math.round(value * 1e4) / 1e4);
  if (typeof value === 'boolean') return value ? '1' : '0';
  // A spreadsheet must not take a text for a formula.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
