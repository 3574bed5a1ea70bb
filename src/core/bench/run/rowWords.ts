import { type Domain, domains } from '../../worlds/language/prompt/turns/turn.ts';
import { type BenchRow, readBenchRow } from './benchRow.ts';

/** In which words a benchmark asks, by domain. */
export interface RowWords {
  /** System prompts as they stand in the rows; of domains whose prompts hold nothing of the single trajectory. */
  templates: Partial<Record<Domain, string>>;
  /** What follows the action of the turn that is asked, with the blank line before it. */
  suffixes: Partial<Record<Domain, string>>;
}

/** Their prompts have the tools of the trajectory in them. */
const withTools: readonly Domain[] = ['mcp', 'search', 'swe'];

/** Finds the words of a benchmark in its rows, one a line: what all rows of a domain end with is no action of theirs. */
export function readRowWords(text: string): RowWords {
  const rows = text.split('\n').flatMap((line): BenchRow[] => {
    const read = readBenchRow(line);
    return read.ok ? [read.row] : [];
  });
  const words: RowWords = { templates: {}, suffixes: {} };
  for (const domain of domains) {
    const own = rows.filter((row) => row.domain === domain);
    const suffix = suffixOf(own.map(({ messages }) => messages.at(-1)?.content ?? ''));
    if (suffix !== undefined) words.suffixes[domain] = suffix;
    const system = own[0]?.messages.find(({ role }) => role === 'system')?.content;
    if (system !== undefined && !withTools.includes(domain)) words.templates[domain] = system;
  }
  return words;
}

function suffixOf(asked: readonly string[]): string | undefined {
  const [first = '', ...others] = [...new Set(asked)];
  if (others.length === 0) {
    // One row alone tells where its action ends only by the fence around it.
    const fence = first.lastIndexOf('\n```\n\n');
    return fence < 0 ? undefined : first.slice(fence + '\n```'.length);
  }
  let length = first.length;
  for (const other of others) {
    let same = 0;
    while (same < length && first[first.length - 1 - same] === other[other.length - 1 - same]) same += 1;
    length = same;
  }
  const common = first.slice(first.length - length);
  const fence = common.lastIndexOf('\n```\n\n');
  const at = fence < 0 ? common.indexOf('\n\n') : fence + '\n```'.length;
  return at < 0 ? undefined : common.slice(at);
}
