import { parseReply } from '../../worlds/language/reply/parseReply.ts';
import { readBenchRows } from '../run/benchRow.ts';
import { type ScoredRow, strictValue } from '../score/scoreRun.ts';

/** A row of a run with its texts, for people to look at. */
export interface Example {
  row: ScoredRow;
  /** The end of the prompt: what was done. */
  action: string;
  predicted: string;
  real: string;
  /** What the judge found wrong. */
  weaknesses: string[];
}

/** Texts longer than this are cut in the middle, in UTF-16 code units. */
const longestText = 4000;

/** The rows of a file that were predicted worst, and those that failed; at most `most`. */
export async function worstExamples(file: string, rows: readonly ScoredRow[], most: number): Promise<Example[]> {
  const worth = (row: ScoredRow) => strictValue(row) + (row.facts?.score ?? 0) * 100;
  const chosen = [...rows].sort((a, b) => worth(a) - worth(b) || (a.key < b.key ? -1 : 1)).slice(0, most);
  const wanted = new Map(chosen.map((row) => [row.key, row]));
  const found = new Map<string, Example>();
  for await (const line of readBenchRows([file])) {
    const row = line.ok ? wanted.get(line.row.key) : undefined;
    if (!row || !line.ok) continue;
    const { gen, weaknesses } = JSON.parse(line.text) as { gen?: unknown; weaknesses?: unknown };
    const text = typeof gen === 'string' ? gen : '';
    found.set(row.key, {
      row,
      action: shortened(line.row.messages.at(-1)?.content ?? ''),
      predicted: text === '' ? '' : shortened(parseReply(text).observation),
      real: shortened(line.row.truth ?? ''),
      weaknesses: Array.isArray(weaknesses) ? weaknesses.filter((one) => typeof one === 'string').slice(0, 5) : [],
    });
    if (found.size === wanted.size) break;
  }
  return chosen.flatMap(({ key }) => found.get(key) ?? []);
}

function shortened(text: string): string {
  if (text.length <= longestText) return text;
  const half = longestText / 2;
  return `${text.slice(0, half)}\n… ${(text.length - longestText).toLocaleString('en-US')} characters left out …\n${text.slice(-half)}`;
}
