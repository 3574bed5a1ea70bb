import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { CollectCounts } from '../../core/bench/collect/collect.ts';
import type { CollectCommand } from '../../core/bench/collect/commandList.ts';
import type { StepForm } from '../../core/bench/collect/trueStep.ts';
import type { Shard } from '../../core/bench/run/shard.ts';
import { homeFolder } from '../../core/context/user.ts';
import { folderProblem } from '../../core/prediction/request.ts';
import { countOf } from '../../core/view/quantity.ts';
import { type Flags, helpFlag, optionsText } from '../helpText.ts';
import { openOutput, statusOf } from '../outputFile.ts';
import { readArguments } from '../readArguments.ts';
import { shardFlag, shardOf } from './benchOptions.ts';
import type { BenchProcess, BenchWord } from './benchProcess.ts';

const flags = {
  out: { type: 'string', short: 'o', value: 'FILE', help: 'where the steps go, FILE.trajectory.jsonl (needed)' },
  cwd: { type: 'string', value: 'DIR', help: 'the workspace (default: here)' },
  history: {
    type: 'boolean',
    help: "the commands of your own shell's history (bash, zsh, fish); asks before it reads them",
  },
  'history-file': { type: 'string', value: 'FILE', help: 'the same from that file' },
  last: { type: 'string', value: 'N', help: 'only the last N different commands of the history (default: 2000)' },
  yes: { type: 'boolean', help: 'read the history without asking' },
  form: {
    type: 'string',
    value: 'FORM',
    help: 'terminal, swe or both (default: both): keystrokes and screens, or calls of a shell tool',
  },
  dialect: {
    type: 'string',
    value: 'NAME',
    help: 'qwen (default) or claude: how the shell tool is called and replies',
  },
  session: { type: 'boolean', help: 'the commands of the file follow each other; each sees what those before it did' },
  tty: { type: 'string', value: 'COLSxROWS', help: 'size of the terminal in the terminal form (default: 120x40)' },
  'open-gate': {
    type: 'boolean',
    help: 'let every program of these commands run, still confined: truth where a model would be asked',
  },
  'keep-inexact': { type: 'boolean', help: 'also write the others: without an observation, with a note that says why' },
  'time-limit': { type: 'string', value: 'SECONDS', help: 'for each command (default: 10)' },
  jobs: { type: 'string', value: 'N', help: 'how many at once (default: 6)' },
  shard: shardFlag,
  'list-inexact': { type: 'boolean', help: 'list every command that gives no true step, and why' },
  json: { type: 'boolean', help: 'the counts as JSON' },
  force: { type: 'boolean', help: 'overwrite FILE' },
  ...helpFlag,
} as const satisfies Flags;

const usage = `Usage: foretell bench collect [COMMANDS] [options]

Rehearses commands in a workspace and writes what really happens as trajectories, one step a line. Nothing in the
workspace changes, and only steps whose outcome is certain count as true; the others are counted by their reason.

COMMANDS is a file (or - for standard input) with a command a line, or a JSON object a line:
  {"script": "ls src", "cwd": "packages/app", "session": "a"}

${optionsText({ Options: flags })}`;

/** `foretell bench collect`. */
export const collectWord: BenchWord = {
  summary: 'true observations of your own commands, as trajectories',
  run: runCollect,
};

async function runCollect(args: string[], around: BenchProcess): Promise<number> {
  const options = readCollectOptions(args, around.cwd);
  if ('problem' in options) return complain(around, options.problem);
  if (options.help) {
    await around.say(usage);
    return 0;
  }
  const commands = await readCommands(options, around);
  if ('problem' in commands) return complain(around, commands.problem);
  if (commands.list.length === 0)
    return complain(around, 'There is no command to collect; give a file with one a line.');
  const output = openOutput(options.out, options.force);
  if ('problem' in output) return complain(around, output.problem);
  const { collect } = await import('../../core/bench/collect/collect.ts');
  const { stepLine } = await import('../../core/trajectory/file/trajectoryFile.ts');
  const foretell = around.foretell(3 * options.jobs);
  try {
    const counts = await collect({
      foretell,
      commands: options.session ? commands.list.map((one) => ({ session: '1', ...one })) : commands.list,
      cwd: options.cwd,
      forms: options.forms,
      concurrency: options.jobs,
      terminal: options.terminal,
      keepsInexact: options.keepInexact,
      ...(options.shard ? { shard: options.shard } : {}),
      openGate: options.openGate,
      ...(options.timeLimitMs === undefined ? {} : { timeLimitMs: options.timeLimitMs }),
      write: (steps) => output.write(steps.map((step) => `${stepLine(step)}\n`).join('')),
      onProgress: (counts) => around.progress(progressText(counts)),
      ...(options.listInexact
        ? {
            onInexact: (command, form, { why }) => around.tell(`${form.domain}: ${firstLine(command.script)}: ${why}`),
          }
        : {}),
      signal: around.signal,
    });
    await around.say(options.json ? `${JSON.stringify(counts)}\n` : countsText(counts, options.out));
    return around.signal.aborted ? 130 : counts.trueSteps > 0 ? 0 : 3;
  } finally {
    await output.close();
    await foretell.dispose();
  }
}

function complain({ tell }: BenchProcess, problem: string): number {
  tell(`foretell: ${problem}`);
  return 64;
}

interface CollectCliOptions {
  help: boolean;
  file: string | undefined;
  out: string;
  cwd: string;
  history: boolean;
  historyFile: string | undefined;
  last: number;
  yes: boolean;
  forms: StepForm[];
  session: boolean;
  terminal: { columns: number; rows: number };
  keepInexact: boolean;
  timeLimitMs: number | undefined;
  openGate: boolean;
  jobs: number;
  shard: Shard | undefined;
  listInexact: boolean;
  json: boolean;
  force: boolean;
}

/** Reads the options; a problem is one sentence. */
function readCollectOptions(args: string[], here: string): CollectCliOptions | { problem: string } {
  const parsed = readArguments(args, flags, { word: 'foretell bench collect' });
  if ('problem' in parsed) return parsed;
  const { values, positionals } = parsed;
  const forms = formsOf(values.form ?? 'both', values.dialect ?? 'qwen');
  if ('problem' in forms) return forms;
  const size = /^(\d{1,4})x(\d{1,4})$/.exec(values.tty ?? '120x40');
  const terminal = { columns: Number(size?.[1] ?? 0), rows: Number(size?.[2] ?? 0) };
  if (terminal.columns < 1 || terminal.rows < 1)
    return { problem: `--tty takes a size such as 80x24, not ${values.tty}.` };
  const [jobs, last] = [Number(values.jobs ?? 6), Number(values.last ?? 2000)];
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > 256)
    return { problem: `--jobs takes a whole number from 1 to 256, not ${values.jobs}.` };
  if (!Number.isInteger(last) || last < 1)
    return { problem: `--last takes a whole number from 1, not ${values.last}.` };
  const seconds = values['time-limit'] === undefined ? undefined : Number(values['time-limit']);
  if (seconds !== undefined && !(seconds > 0))
    return { problem: `--time-limit takes a number of seconds, not ${values['time-limit']}.` };
  const shard = shardOf(values);
  if (shard && 'problem' in shard) return shard;
  if (positionals.length > 1) return { problem: 'Give one file of commands, or - for standard input.' };
  const [file] = positionals;
  const history = values.history === true || values['history-file'] !== undefined;
  const help = values.help ?? false;
  if (!help && file === undefined && !history) return { problem: 'Give a file of commands, or --history.' };
  if (file !== undefined && history) return { problem: 'Give either a file of commands or a history, not both.' };
  if (!help && values.out === undefined) return { problem: 'Say where the steps go: -o FILE.trajectory.jsonl.' };
  const cwd = path.resolve(here, values.cwd ?? '.');
  const lost = help ? undefined : folderProblem(cwd);
  if (lost !== undefined) return { problem: lost };
  return {
    help,
    file: file === undefined || file === '-' ? file : path.resolve(here, file),
    out: path.resolve(here, values.out ?? ''),
    cwd,
    history,
    historyFile: values['history-file'] === undefined ? undefined : path.resolve(here, values['history-file']),
    last,
    yes: values.yes ?? false,
    forms,
    session: values.session ?? false,
    terminal,
    keepInexact: values['keep-inexact'] ?? false,
    timeLimitMs: seconds === undefined ? undefined : Math.round(seconds * 1000),
    openGate: values['open-gate'] ?? false,
    jobs,
    shard,
    listInexact: values['list-inexact'] ?? false,
    json: values.json ?? false,
    force: values.force ?? false,
  };
}

function formsOf(form: string, dialect: string): StepForm[] | { problem: string } {
  if (dialect !== 'qwen' && dialect !== 'claude') return { problem: `--dialect takes qwen or claude, not ${dialect}.` };
  const all: StepForm[] = [{ domain: 'terminal' }, { domain: 'swe', dialect }];
  const chosen = form === 'both' ? all : all.filter(({ domain }) => domain === form);
  return chosen.length > 0 ? chosen : { problem: `--form takes terminal, swe or both, not ${form}.` };
}

type Commands = { list: CollectCommand[] } | { problem: string };

async function readCommands(options: CollectCliOptions, around: BenchProcess): Promise<Commands> {
  if (options.history) return readHistory(options, around);
  const { file = '-' } = options;
  const { readCommandList } = await import('../../core/bench/collect/commandList.ts');
  let text: string;
  try {
    text = fs.readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    return { problem: `${file} cannot be read (${(error as NodeJS.ErrnoException).code}).` };
  }
  const { commands, bad } = readCommandList(text);
  for (const { line, problem } of bad) around.tell(`${file}:${line}: ${problem} It is skipped.`);
  return { list: commands };
}

/** The user's history, after the user agreed. */
async function readHistory(options: CollectCliOptions, around: BenchProcess): Promise<Commands> {
  const { historyPlaces, historyShellOf, readShellHistory } = await import('../../core/bench/collect/shellHistory.ts');
  const named = options.historyFile;
  const places =
    named === undefined ? historyPlaces(homeFolder(process.env), process.env).map((one) => one.path) : [named];
  const files = places.filter((file) => statusOf(file)?.isFile());
  if (files.length === 0)
    return { problem: `There is no history at ${places.join(', ')}; name it with --history-file.` };
  around.tell(
    `Foretell would read ${files.join(' and ')}, take the last ${options.last} different commands, leave out those that hold secrets, rehearse the others confined in ${options.cwd} (nothing is changed, nothing is sent), and write commands and output to ${options.out}.`,
  );
  if (!options.yes) {
    if (!process.stdin.isTTY) return { problem: 'Nobody can be asked here; agree with --yes.' };
    const asker = createInterface({ input: process.stdin, output: process.stderr });
    const answer = await asker.question('Read the history? [y/N] ');
    asker.close();
    if (!/^y(es)?$/i.test(answer.trim())) return { problem: 'The history was not read.' };
  }
  const scripts: string[] = [];
  for (const file of files) {
    let bytes: Uint8Array;
    try {
      bytes = fs.readFileSync(file);
    } catch (error) {
      return { problem: `${file} cannot be read (${(error as NodeJS.ErrnoException).code}).` };
    }
    scripts.push(...readShellHistory(bytes, historyShellOf(file, bytes)));
  }
  // What was typed again counts as typed last.
  const different = [...new Set(scripts.reverse())].reverse();
  return { list: different.slice(-options.last).map((script) => ({ script })) };
}

function firstLine(script: string): string {
  return script.split('\n')[0] ?? '';
}

function progressText({ asked, done, trueSteps, durationMs }: CollectCounts): string {
  return `${done} of ${asked} rehearsed, ${trueSteps} true steps, ${perMinute(done, durationMs)} a minute`;
}

const perMinute = (count: number, durationMs: number) =>
  Math.round((count / Math.max(1, durationMs)) * 60_000).toLocaleString('en');

const reasons: Record<string, string> = {
  abstained: 'a program that may not run, or something else that is not certain',
  failed: 'could not be rehearsed',
  cancelled: 'cancelled',
  imagined: 'a part is assumed',
  volatile: 'varies from run to run',
  'not-text': 'the output is not text',
  'not-plain': 'the output steers the screen',
  'not-typed': 'a terminal would show something else',
  'too-long': 'the observation is too long',
  secret: 'holds a secret',
  waits: 'waits for somebody',
};

function countsText(counts: CollectCounts, out: string): string {
  const { trueSteps, done, asked, trajectories, durationMs } = counts;
  const lines = [
    `${countOf(trueSteps, 'true step')} of ${done} rehearsed in ${(durationMs / 1000).toFixed(1)} s (${perMinute(trueSteps, durationMs)} true steps a minute)`,
    ...(done < asked ? [`  ${asked - done} were not reached`] : []),
    ...Object.entries(counts.inexact).map(([kind, count]) => `  ${count} left out: ${reasons[kind] ?? kind}`),
    `${countOf(trajectories, 'trajectory', 'trajectories')} in ${out}`,
  ];
  return `${lines.join('\n')}\n`;
}
