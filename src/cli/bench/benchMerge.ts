import fs from 'node:fs';
import path from 'node:path';
import { statusIfKnown } from '../../core/view/statusIfKnown.ts';
import { type Flags, helpFlag, optionsText } from '../helpText.ts';
import { openOutput } from '../outputFile.ts';
import { type Problem, readArguments } from '../readArguments.ts';
import type { BenchProcess, BenchWord } from './benchProcess.ts';

const flags = {
  out: {
    type: 'string',
    short: 'o',
    value: 'DIR|FILE',
    help: 'the new run, or the new file of steps (needed)',
  },
  force: { type: 'boolean', help: 'overwrite FILE' },
  ...helpFlag,
} as const satisfies Flags;

const usage = `Usage: foretell bench merge -o DIR RUN…
       foretell bench merge -o FILE STEPS…

Puts the parts together that were made with --shard: folders of infer, judge and run, or files of collect, in the order of
their shards. The result is what one run without --shard would have written; nothing is asked or rehearsed again.

${optionsText({ Options: flags })}`;

/** `foretell bench merge`. */
export const mergeWord: BenchWord = {
  summary: 'put the parts together that were made with --shard',
  async run(args, around) {
    const parsed = readArguments(args, flags, { word: 'foretell bench merge' });
    if ('problem' in parsed) return complain(parsed, around);
    const { values, positionals } = parsed;
    if (values.help) {
      await around.say(usage);
      return 0;
    }
    if (values.out === undefined)
      return complain({ problem: 'Say where the result goes: -o DIR, or -o FILE.' }, around);
    if (positionals.length === 0) return complain({ problem: 'Give the parts that were made with --shard.' }, around);
    const out = path.resolve(around.cwd, values.out);
    const parts = positionals.map((part) => path.resolve(around.cwd, part));
    const ended = statusIfKnown(parts[0] ?? '')?.isFile()
      ? await mergeFiles(out, parts, values.force ?? false)
      : await mergeFolders(out, parts, around);
    return typeof ended === 'number' ? ended : complain(ended, around);
  },
};

function complain({ problem }: Problem, { tell }: BenchProcess): number {
  tell(`foretell bench merge: ${problem}`);
  return 64;
}

async function mergeFolders(out: string, parts: readonly string[], { tell }: BenchProcess): Promise<number | Problem> {
  const { mergeRuns } = await import('../../core/bench/run/mergeRuns.ts');
  const merged = await mergeRuns(out, parts);
  if ('problem' in merged) return merged;
  for (const { variant, rows, done, failed } of merged) {
    const without = failed > 0 ? `, ${failed} of them failed` : '';
    tell(`${variant}: ${done} of ${rows} rows are predicted${without} (${path.join(out, variant)}).`);
  }
  return 0;
}

/** Steps are lines, and shards follow each other. */
async function mergeFiles(out: string, parts: readonly string[], force: boolean): Promise<number | Problem> {
  const texts: string[] = [];
  for (const part of parts) {
    try {
      const text = fs.readFileSync(part, 'utf8');
      texts.push(text === '' || text.endsWith('\n') ? text : `${text}\n`);
    } catch (error) {
      return { problem: `${part} cannot be read (${(error as NodeJS.ErrnoException).code}).` };
    }
  }
  const output = openOutput(out, force);
  if ('problem' in output) return output;
  await output.write(texts.join(''));
  await output.close();
  return 0;
}
