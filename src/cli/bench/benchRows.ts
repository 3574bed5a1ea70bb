import fs from 'node:fs';
import path from 'node:path';
import type { TrajectoryStep } from '../../core/trajectory/step/step.ts';
import { countOf } from '../../core/view/quantity.ts';
import { type Flags, helpFlag, optionsText } from '../helpText.ts';
import { promptFlags, promptSettings } from '../modelOptions.ts';
import { type OutputFile, openOutput } from '../outputFile.ts';
import { readWord } from '../readArguments.ts';
import type { BenchProcess, BenchWord } from './benchProcess.ts';

const flags = {
  out: { type: 'string', short: 'o', value: 'DIR', help: 'where the rows go (needed)' },
  ...promptFlags,
  'no-grounding': { type: 'boolean', help: 'without turns that show the workspace' },
  jobs: { type: 'string', value: 'N', help: 'how many at once (default: 4)' },
  force: { type: 'boolean', help: 'overwrite the files in DIR' },
  ...helpFlag,
} as const satisfies Flags;

const usage = `Usage: foretell bench rows STEPS… -o DIR [options]

Makes rows of AgentWorldBench (DIR/terminal_test.jsonl, DIR/swe_test.jsonl) out of trajectories with true observations.
Each row has turns that show the workspace as it is, the steps before, and the step whose observation is to be predicted:
the same text that a prediction would send.

${optionsText({ Options: flags })}`;

/** `foretell bench rows`. */
export const rowsWord: BenchWord = {
  summary: 'rows of AgentWorldBench out of trajectories with true observations',
  run: runRows,
};

async function runRows(args: string[], around: BenchProcess): Promise<number> {
  const read = await readWord(args, flags, { word: 'foretell bench rows', usage }, around);
  if ('status' in read) return read.status;
  const { values, positionals, wrong: complain } = read;
  const settings = promptSettings(values, around);
  if ('problem' in settings) return complain(settings.problem);
  const jobs = Number(values.jobs ?? 4);
  if (!Number.isInteger(jobs) || jobs < 1) return complain(`--jobs takes a whole number from 1, not ${values.jobs}.`);
  if (positionals.length === 0) return complain('Give at least one file of steps (*.trajectory.jsonl).');
  if (values.out === undefined) return complain('Say where the rows go: -o DIR.');
  const steps: TrajectoryStep[] = [];
  for (const name of positionals) {
    const read = await readSteps(path.resolve(around.cwd, name), around);
    if ('problem' in read) return complain(read.problem);
    steps.push(...read.steps);
  }
  if (steps.length === 0) return complain('There is no step in these files.');
  const folder = path.resolve(around.cwd, values.out);
  const files = new Map<string, OutputFile>();
  for (const domain of ['terminal', 'swe']) {
    if (!steps.some((step) => step.domain === domain)) continue;
    const file = openOutput(path.join(folder, `${domain}_test.jsonl`), values.force ?? false);
    if ('problem' in file) return complain(file.problem);
    files.set(domain, file);
  }
  const { makeRows } = await import('../../core/bench/collect/rows.ts');
  const foretell = around.foretell(2 * jobs);
  const startedAt = performance.now();
  let made = 0;
  const reasons = new Map<string, number>();
  try {
    const counts = await makeRows(steps, {
      foretell,
      language: settings,
      isGrounded: !values['no-grounding'],
      concurrency: jobs,
      async onRow(row, step) {
        made += 1;
        around.progress(`${made} rows of ${steps.length} steps`);
        await files.get(step.domain)?.write(`${JSON.stringify(row)}\n`);
      },
      onLeftOut: (_, why) => reasons.set(why, (reasons.get(why) ?? 0) + 1),
      signal: around.signal,
    });
    const seconds = (performance.now() - startedAt) / 1000;
    const rate = Math.round((counts.rows / seconds) * 60).toLocaleString('en');
    const told = [...reasons].map(([why, count]) => `  ${count} left out: ${why}\n`).join('');
    const silent = steps.filter(({ observation }) => !observation).length;
    const unobserved = silent > 0 ? `  ${silent} left out: no true observation\n` : '';
    await around.say(
      `${countOf(counts.rows, 'row')} in ${seconds.toFixed(1)} s (${rate} a minute)\n${unobserved}${told}${[...files.keys()].map((domain) => `${path.join(folder, `${domain}_test.jsonl`)}\n`).join('')}`,
    );
    return around.signal.aborted ? 130 : counts.rows > 0 ? 0 : 3;
  } finally {
    await Promise.all([...files.values()].map((file) => file.close()));
    await foretell.dispose();
  }
}

/** Steps of a trajectory file; lines that are none are told and skipped. */
export async function readSteps(
  file: string,
  around: Pick<BenchProcess, 'tell'>,
): Promise<{ steps: TrajectoryStep[] } | { problem: string }> {
  const { readTrajectory } = await import('../../core/trajectory/file/trajectoryFile.ts');
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    return { problem: `${file} cannot be read (${(error as NodeJS.ErrnoException).code}).` };
  }
  const steps: TrajectoryStep[] = [];
  for (const [index, line] of readTrajectory(text).lines.entries()) {
    if (line.kind === 'step') steps.push(line.step);
    else if (line.kind === 'bad') around.tell(`${file}:${index + 1}: ${line.problem} It is skipped.`);
  }
  return { steps };
}
