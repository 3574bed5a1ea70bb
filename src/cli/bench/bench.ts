import { collectWord } from './benchCollect.ts';
import { labWords } from './benchLab.ts';
import { mergeWord } from './benchMerge.ts';
import type { BenchProcess, BenchWord } from './benchProcess.ts';
import { rowsWord } from './benchRows.ts';
import { tuneWord } from './benchTune.ts';

/** Every word, in the order of the help. */
const benchWords: Readonly<Record<string, BenchWord>> = {
  ...labWords,
  collect: collectWord,
  rows: rowsWord,
  tune: tuneWord,
  merge: mergeWord,
};

/** Whether the arguments of the command line ask for the bench, not for a program that is called so. */
export function asksForBench([first, second]: readonly string[]): boolean {
  return first === 'bench' && (second === undefined || ['--help', '-h'].includes(second) || second in benchWords);
}

/** Runs `foretell bench …`; `args` come after `bench`. */
export async function runBench(args: string[], around: BenchProcess): Promise<number> {
  const [name, ...rest] = args;
  const word = name === undefined ? undefined : benchWords[name];
  if (word) return word.run(rest, around);
  await around.say(benchUsage());
  return name === undefined ? 64 : 0;
}

function benchUsage(): string {
  const width = Math.max(...Object.keys(benchWords).map((name) => name.length));
  const lines = Object.entries(benchWords).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}\n`);
  return `Usage: foretell bench WORD [options]

Measures how well language models predict, on files of AgentWorldBench (<domain>_test.jsonl) and on your own commands.

${lines.join('')}
foretell bench WORD --help tells more about each.
`;
}
