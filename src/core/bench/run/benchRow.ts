import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import type { RecordedTurn } from '../../action/action.ts';
import type { TurnAction } from '../../action/turnAction.ts';
import { StepFacts } from '../../trajectory/step/step.ts';
import type { ChatMessage } from '../../worlds/language/client/provider.ts';
import { type AgentWorldRow, fromAgentWorldRow } from '../../worlds/language/prompt/promptRow.ts';
import { withoutMarker } from '../../worlds/language/reply/parseReply.ts';
import { domainOfTask } from '../score/officialScore.ts';
import { type FileLine, readLines } from './lines.ts';

/** A row of a benchmark file. */
export interface BenchRow {
  /** 24 hexadecimal digits over everything that a prediction and its score depend on; the same in every file. */
  key: string;
  domain: string;
  /** Rows of one trajectory share it. */
  trajectory: string;
  /** Counts from 1. */
  turn: number;
  row: AgentWorldRow;
  /** What is sent, by the rule of the benchmark. */
  messages: readonly ChatMessage[];
  action: RecordedTurn;
  /** What really happened, without the marker; absent where the row does not tell. */
  truth?: string;
  /** The parts of it, where the row tells them (a field `facts`). */
  facts?: StepFacts;
}

/** A line of a benchmark file: its row, or what is wrong with it in one sentence. */
export type BenchLine = FileLine & { file: string } & ({ ok: true; row: BenchRow } | { ok: false; problem: string });

/** A file or folder that cannot be used; one sentence with a next step. */
export interface BenchProblem {
  problem: string;
}

/**
 * The benchmark files among paths: of a folder its `*_test.jsonl`, by name, as the evaluation script takes them; files as
 * they are. Paths are absolute.
 */
export async function benchFiles(paths: readonly string[]): Promise<{ files: string[] } | BenchProblem> {
  const files: string[] = [];
  for (const place of paths) {
    try {
      if (!(await stat(place)).isDirectory()) {
        files.push(place);
        continue;
      }
      const names = (await readdir(place)).filter((name) => name.endsWith('_test.jsonl')).sort();
      if (names.length === 0) return { problem: `${place} has no *_test.jsonl; give a folder or files that are rows.` };
      files.push(...names.map((name) => path.join(place, name)));
    } catch (error) {
      return { problem: `${place} cannot be read (${(error as NodeJS.ErrnoException).code}); give another path.` };
    }
  }
  return { files };
}

/** Reads benchmark files line by line, in order; blank lines are left out. */
export async function* readBenchRows(files: readonly string[]): AsyncGenerator<BenchLine> {
  for (const file of files) {
    for await (const line of readLines(file)) {
      if (line.text.trim() !== '') yield { ...line, file, ...readBenchRow(line.text) };
    }
  }
}

/** How many lines that are not blank the files have. */
export async function countRows(files: readonly string[]): Promise<number> {
  let count = 0;
  for (const file of files) for await (const { text } of readLines(file)) if (text.trim() !== '') count += 1;
  return count;
}

/** Reads one line. */
export function readBenchRow(text: string): { ok: true; row: BenchRow } | { ok: false; problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, problem: 'This is not JSON.' };
  }
  const read = fromAgentWorldRow(value);
  if (!read.ok) return { ok: false, problem: read.message };
  const { row, messages } = read;
  const turn = Math.max(Math.trunc(row.turn_idx), 1);
  const domain = domainOfTask(row.task);
  const response = row.response[turn - 1];
  const facts = FactsOfRow.safeParse(value);
  const last = messages.at(-1)?.content ?? '';
  return {
    ok: true,
    row: {
      key: keyOf([
        domain,
        String(row.id),
        turn,
        messages.map(({ role, content }) => [role, content]),
        response ?? null,
      ]),
      domain,
      trajectory: `${domain}/${row.id}`,
      turn,
      row,
      messages,
      action: { kind: 'turn', domain, turn: actionOf(last) },
      ...(response === undefined ? {} : { truth: withoutMarker(response).observation }),
      ...(facts.success && facts.data.facts ? { facts: facts.data.facts } : {}),
    },
  };
}

const FactsOfRow = z.looseObject({ facts: z.optional(StepFacts) });

/** A digest of anything that JSON can hold, short enough for a line and long enough to be unique. */
export function keyOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 24);
}

const KeystrokeList = z.array(z.object({ keystrokes: z.string(), duration: z._default(z.number(), 0) }));
const Call = z.object({ name: z.string(), arguments: z._default(z.unknown(), {}) });
const Arguments = z.record(z.string(), z.unknown());

/** The action of a turn as the benchmark writes it: keystrokes, a call of a tool, or text. */
export function actionOf(prompt: string): TurnAction {
  const section = prompt.slice(Math.max(0, prompt.lastIndexOf('**Action:**')));
  const body = fencedIn(section);
  const value = body === undefined ? undefined : jsonOf(body);
  const keystrokes = KeystrokeList.safeParse(value);
  if (keystrokes.success) return { kind: 'keystrokes', keystrokes: keystrokes.data };
  const call = Call.safeParse(value);
  if (!call.success) return { kind: 'text', text: (body ?? section.replace('**Action:**', '')).trim() };
  const given = call.data.arguments;
  const parsed = Arguments.safeParse(typeof given === 'string' ? jsonOf(given) : given);
  return { kind: 'tool', name: call.data.name, arguments: parsed.success ? parsed.data : { value: given } };
}

function fencedIn(text: string): string | undefined {
  const start = text.indexOf('```');
  const from = start < 0 ? -1 : text.indexOf('\n', start);
  // A line of JSON never begins with a backtick, so the first line that does ends the fence.
  const end = from < 0 ? -1 : text.indexOf('\n```', from);
  return end < 0 ? undefined : text.slice(from + 1, end);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
