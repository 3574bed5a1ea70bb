import fs from 'node:fs';
import path from 'node:path';
import type { FailingSteps } from '../../core/loop/failure/failingSteps.ts';
import type { Failure } from '../../core/loop/failure/failure.ts';
import { folderProblem } from '../../core/prediction/request.ts';
import { printable } from '../../core/prediction/text/printable.ts';
import { countOf } from '../../core/view/quantity.ts';
import type { BenchProcess } from '../bench/benchProcess.ts';
import { type Flags, helpFlag, optionsText } from '../helpText.ts';
import { samplingFlags, samplingOf, serverFlags } from '../modelOptions.ts';
import { openOutput, statusOf } from '../outputFile.ts';
import { type Parsed, readWord } from '../readArguments.ts';
import { providerAt } from './loopWorld.ts';

const flags = {
  text: { type: 'string', value: 'TEXT', help: 'what the failure prints; a line … stands for any lines' },
  from: { type: 'string', value: 'FILE', help: 'the same from a file, or - for standard input' },
  exit: { type: 'string', value: 'N', help: 'its exit code (default: any but 0)' },
  out: { type: 'string', short: 'o', value: 'FILE', help: 'where the sequences go, each a trajectory (needed)' },
  count: { type: 'string', value: 'N', help: 'sequences that are asked for at once, 1 to 10 (default: 5)' },
  cwd: { type: 'string', value: 'DIR', help: 'where they begin; it is not changed (default: here)' },
  budget: { type: 'string', value: 'TOKENS', help: 'most tokens of workspace in the prompt (default: 8000)' },
  json: { type: 'boolean', help: 'the outcome as JSON' },
  force: { type: 'boolean', help: 'overwrite FILE' },
  ...serverFlags('server of the model; it speaks the OpenAI API (its key in FORETELL_API_KEY)'),
  ...samplingFlags,
  ...helpFlag,
} as const satisfies Flags;

const usage = `Usage: foretell failure --text TEXT --model-url URL -o FILE.trajectory.jsonl [options]

Finds sequences of commands that end in a failure: a model proposes them, each is rehearsed in the workspace, and only those
are kept whose rehearsal prints the failure, exactly and with nothing assumed. Their steps have true observations.

${optionsText({ Options: flags })}
Exit status: 0 a sequence was found, 1 none, 3 it went wrong, 64 wrong usage.
`;

/** `foretell failure`. */
export async function runFailureWord(args: string[], around: BenchProcess): Promise<number> {
  const rules = { word: 'foretell failure', usage, takesFiles: false };
  const parsed = await readWord(
    args,
    flags,
    { ...rules, isEnough: ({ values }) => Object.keys(values).length > 0 },
    around,
  );
  if ('status' in parsed) return parsed.status;
  const { values, wrong: complain } = parsed;
  const wish = readWish(values, around);
  if ('problem' in wish) return complain(wish.problem);
  const parameters = samplingOf(values);
  if ('problem' in parameters) return complain(parameters.problem);
  const out = path.resolve(around.cwd, values.out ?? '');
  // Nothing is written, and nothing overwritten, where nothing is found.
  if (!values.force && statusOf(out))
    return complain(`${out} is there already; choose another name, or overwrite it with --force.`);
  const [{ failingSteps }, { stepLine }] = await Promise.all([
    import('../../core/loop/failure/failingSteps.ts'),
    import('../../core/trajectory/file/trajectoryFile.ts'),
  ]);
  const foretell = around.foretell();
  try {
    const found = await failingSteps({
      foretell,
      ...wish,
      form: { domain: 'swe', dialect: 'qwen' },
      provider: providerAt(values['model-url'] ?? '', values.model),
      parameters,
      onProgress: ({ proposed, kept }) =>
        around.progress(`${countOf(proposed, 'sequence')} proposed, ${kept} of them proven`),
      signal: around.signal,
    });
    if ('problem' in found) {
      around.tell(`foretell: ${found.problem}`);
      return 3;
    }
    if (found.kept.length > 0) {
      const output = openOutput(out, values.force ?? false);
      if ('problem' in output) return complain(output.problem);
      await output.write(found.kept.flatMap(({ steps }) => steps.map((step) => `${stepLine(step)}\n`)).join(''));
      await output.close();
    }
    await around.say(values.json ? `${JSON.stringify(outcomeJson(found, out))}\n` : outcomeText(found, out));
    return found.kept.length > 0 ? 0 : 1;
  } finally {
    await foretell.dispose();
  }
}

interface Wish {
  failure: Failure;
  cwd: string;
  count: number;
  budgetTokens: number;
}

/** Reads what is wanted from the options; a problem is one sentence. */
function readWish(values: Parsed<typeof flags>['values'], around: BenchProcess): Wish | { problem: string } {
  const { text, from, exit } = values;
  if (text !== undefined && from !== undefined) return { problem: 'Give either --text or --from, not both.' };
  if (text === undefined && from === undefined && exit === undefined)
    return {
      problem: 'Say what the failure prints, with --text TEXT or --from FILE, or give its exit code with --exit N.',
    };
  const exitCode = exit === undefined ? undefined : wholeNumber(exit, 1, 255);
  if (exit !== undefined && exitCode === undefined)
    return { problem: `--exit takes a whole number from 1 to 255, not ${exit || 'an empty text'}.` };
  const count = wholeNumber(values.count ?? '5', 1, 10);
  if (count === undefined) return { problem: `--count takes a whole number from 1 to 10, not ${values.count}.` };
  const budgetTokens = wholeNumber(values.budget ?? '8000', 0, 1_000_000);
  if (budgetTokens === undefined) return { problem: `--budget takes a number of tokens, not ${values.budget}.` };
  if (values['model-url'] === undefined)
    return { problem: 'Sequences are proposed by a model; give its server with --model-url URL.' };
  if (values.out === undefined) return { problem: 'Say where the sequences go: -o FILE.trajectory.jsonl.' };
  const cwd = path.resolve(around.cwd, values.cwd ?? '.');
  const lost = folderProblem(cwd);
  if (lost !== undefined) return { problem: lost };
  const said = from === undefined ? { text: text ?? '' } : readText(from, around.cwd);
  if ('problem' in said) return said;
  return { failure: { text: said.text, ...(exitCode === undefined ? {} : { exitCode }) }, cwd, count, budgetTokens };
}

function wholeNumber(text: string, least: number, most: number): number | undefined {
  const value = Number(text);
  return text.trim() !== '' && Number.isInteger(value) && value >= least && value <= most ? value : undefined;
}

function readText(from: string, cwd: string): { text: string } | { problem: string } {
  try {
    return { text: fs.readFileSync(from === '-' ? 0 : path.resolve(cwd, from), 'utf8') };
  } catch (error) {
    return { problem: `${from} cannot be read (${(error as NodeJS.ErrnoException).code}).` };
  }
}

function outcomeJson({ kept, left }: FailingSteps, out: string) {
  return {
    ...(kept.length > 0 ? { out } : {}),
    found: kept.map(({ commands, steps }) => ({ trajectory: steps[0]?.trajectory, commands })),
    left,
  };
}

function outcomeText({ kept, left }: FailingSteps, out: string): string {
  const lines = kept.flatMap(({ commands }) => [...commands.map((command) => `  $ ${printable(command)}`), '']);
  const others = left.length > 0 ? ` ${countOf(left.length, 'other')} did not.` : '';
  if (kept.length === 0) {
    const tried = left.flatMap(({ commands, came }) => [
      ...commands.map((command) => `  $ ${printable(command)}`),
      `    ${printable(came.split('\n').filter(Boolean).slice(0, 3).join('; '))}`,
      '',
    ]);
    return ['No sequence was found that ends in it. What was tried:', '', ...tried].join('\n');
  }
  const count = countOf(kept.length, 'sequence');
  const ends = kept.length === 1 ? 'ends' : 'end';
  return [`${count} ${ends} in it, proven by a rehearsal.${others}`, '', ...lines, out, ''].join('\n');
}
