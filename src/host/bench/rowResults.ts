import * as vscode from 'vscode';
import type { BenchRow } from '../../core/bench/run/benchRow.ts';
import type { InferLine } from '../../core/bench/run/inferRow.ts';
import type { JudgeLine } from '../../core/bench/run/judgeRow.ts';
import type { RowFacts } from '../../core/bench/score/factualRow.ts';
import type { BenchItems } from './benchItems.ts';
import type { BenchSettings } from './benchSettings.ts';

/** Tells the Test Explorer what becomes of rows. */
export interface RowResults {
  enqueue(wanted: ReadonlyMap<string, ReadonlySet<string>>): void;
  inferred(line: InferLine, row: BenchRow): void;
  judged(line: JudgeLine, row: BenchRow): void;
  /** Nothing more comes, because of this. */
  stop(problem: string): void;
  /** Rows that have no result are skipped. */
  finish(): void;
}

/** Longest text of a difference, in UTF-16 code units. */
const longestText = 100_000;

export async function createRowResults(of: {
  testRun: vscode.TestRun;
  items: BenchItems;
  files: readonly string[];
  settings: BenchSettings;
  isJudged: boolean;
}): Promise<RowResults> {
  const { testRun, items, files, settings, isJudged } = of;
  const [{ factualRow }, { parseReply }, { normalised }] = await Promise.all([
    import('../../core/bench/score/factualRow.ts'),
    import('../../core/worlds/language/reply/parseReply.ts'),
    import('../../core/bench/score/officialScore.ts'),
  ]);
  const open = new Set<vscode.TestItem>();
  /** What a judged row is shown with, until it is judged. */
  const predicted = new Map<string, InferLine>();

  const itemsOf = (key: string) =>
    files.flatMap((file) => items.itemOf(file, key) ?? []).filter((item) => open.has(item));

  function end(row: BenchRow, durationMs: number, tell: (item: vscode.TestItem, durationMs: number) => void): void {
    for (const item of itemsOf(row.key)) {
      open.delete(item);
      tell(item, durationMs);
    }
  }

  function failedAt(row: BenchRow, why: string, durationMs: number): void {
    end(row, durationMs, (item) => testRun.errored(item, new vscode.TestMessage(why), durationMs));
  }

  return {
    enqueue(wanted) {
      for (const [file, keys] of wanted) {
        for (const key of keys) {
          const item = items.itemOf(file, key);
          if (!item) continue;
          open.add(item);
          testRun.enqueued(item);
        }
      }
    },
    inferred(line, row) {
      const { failure, gen, durationMs } = line;
      if (failure && gen === '') return failedAt(row, failure.message, durationMs);
      if (isJudged) {
        // The first variant is shown; others are in the report.
        if (!predicted.has(row.key)) predicted.set(row.key, line);
        for (const item of itemsOf(row.key)) testRun.started(item);
        return;
      }
      const facts = factualRow(row, gen);
      if (!facts) return failedAt(row, 'The row does not tell what really happened.', durationMs);
      const score = Math.round(facts.score * 1000) / 10;
      const text = factsText(facts, score, line);
      end(row, durationMs, (item) => {
        if (score >= settings.passFactual && line.finish !== 'length') testRun.passed(item, durationMs);
        else testRun.failed(item, message(text, row, parseReply(gen).observation, item), durationMs);
      });
    },
    judged(line, row) {
      const before = predicted.get(row.key);
      predicted.delete(row.key);
      const durationMs = line.durationMs + (before?.durationMs ?? 0);
      if (!line.success || line.total === undefined) {
        return failedAt(row, line.failure?.message ?? 'The row could not be judged.', durationMs);
      }
      const score = normalised(line.total);
      const text = judgementText(line, score);
      end(row, durationMs, (item) => {
        if (score >= settings.passJudge) testRun.passed(item, durationMs);
        else testRun.failed(item, message(text, row, parseReply(before?.gen ?? '').observation, item), durationMs);
      });
    },
    stop(problem) {
      testRun.appendOutput(`${problem}\r\n`);
      void vscode.window.showErrorMessage(problem);
    },
    finish() {
      for (const item of open) testRun.skipped(item);
      open.clear();
    },
  };
}

/** What a judge said, in a few words. */
function judgementText({ scores = {}, weaknesses = [] }: JudgeLine, score: number): string {
  const each = Object.entries(scores).map(([name, one]) => `${name} ${one}`);
  return [`judge ${score.toFixed(1)} (${each.join(', ')})`, ...weaknesses].join('\n');
}

/** How far a prediction is true, in a few words. */
function factsText(facts: RowFacts, score: number, { finish }: InferLine): string {
  const parts = [
    `factual score ${score}`,
    `${Math.round(facts.recall * 100)} % of the real lines`,
    ...(facts.exactStdout === false ? ['another standard output'] : []),
    ...(facts.exitCode === false ? ['another exit code'] : []),
    ...(facts.effects === false ? ['another change of files'] : []),
    ...(finish === 'length' ? ['the budget ended the reply'] : []),
  ];
  return parts.join(', ');
}

/** A difference between what really happened and what was said. */
function message(text: string, row: BenchRow, said: string, item: vscode.TestItem): vscode.TestMessage {
  const made = vscode.TestMessage.diff(text, (row.truth ?? '').slice(0, longestText), said.slice(0, longestText));
  if (item.uri && item.range) made.location = new vscode.Location(item.uri, item.range);
  return made;
}
