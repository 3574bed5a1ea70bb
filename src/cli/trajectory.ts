import fs from 'node:fs';
import path from 'node:path';
import { exportText, importText } from '../core/trajectory/convertText.ts';
import { checkTrajectory, type LineProblem, readTrajectory, stepsOf } from '../core/trajectory/file/trajectoryFile.ts';
import { formatNames, type TrajectoryFormat } from '../core/trajectory/trajectoryFormats.ts';
import { countOf } from '../core/view/quantity.ts';
import { type Domain, domains } from '../core/worlds/language/prompt/turns/turn.ts';
import { loadTemplate } from '../core/worlds/language/template/templates.ts';
import type { BenchProcess } from './bench/benchProcess.ts';
import { type Flags, helpFlag, optionsText } from './helpText.ts';
import { openOutput } from './outputFile.ts';
import { readWord } from './readArguments.ts';

/** What `foretell trajectory` needs of the command line around it. */
export type TrajectoryProcess = Pick<BenchProcess, 'cwd' | 'extensionFolder' | 'say' | 'tell'>;

const words = ['import', 'export', 'check'];

const flags = {
  format: { type: 'string', value: 'F', help: 'one of the formats above' },
  out: { type: 'string', short: 'o', value: 'OUT', help: 'where the result goes' },
  'keep-secrets': { type: 'boolean', help: 'import: secrets are not taken out' },
  prompts: {
    type: 'string',
    value: 'DIR',
    help: 'export to agentworld: templates for steps without a prompt (DIR/<domain>/system_prompt.txt)',
  },
  force: { type: 'boolean', help: 'overwrite OUT' },
  ...helpFlag,
} as const satisfies Flags;

const usage = `Usage: foretell trajectory import FILE [--format F] [-o OUT]
       foretell trajectory export FILE --format F [-o OUT]
       foretell trajectory check FILE

Trajectories are files: one step of an agent or a person a line, with what was predicted and what really happened
(*.trajectory.jsonl). FILE can be - for standard input; without -o the result goes to standard output.

  import   reads ${formatNames.slice(1).join(', ')}; the format is recognised unless it is given
  export   writes ${formatNames.slice(1).join(', ')}
  check    tells the lines that are no steps, and steps that name others that are not there

${optionsText({ Options: flags })}
Exit status
  0 done   1 done, but lines or steps were skipped   3 it could not be done   64 wrong usage
`;

/** Whether the arguments of the command line ask for trajectories, not for a program that is called so. */
export function asksForTrajectory([first, second]: readonly string[]): boolean {
  return first === 'trajectory' && (second === undefined || words.includes(second) || /^(?:-h|--help)$/.test(second));
}

/** Runs `foretell trajectory …`; `args` come after `trajectory`. Gives the exit status. */
export async function runTrajectory(args: string[], around: TrajectoryProcess): Promise<number> {
  const { tell } = around;
  const rules = { word: 'foretell trajectory', usage };
  const parsed = await readWord(args, flags, { ...rules, isEnough: ({ positionals: all }) => all.length > 0 }, around);
  if ('status' in parsed) return parsed.status;
  const { values, positionals } = parsed;
  const [word = '', file, ...more] = positionals;
  if (file === undefined || more.length > 0) {
    tell(`foretell: trajectory ${word} takes one file. See foretell trajectory --help.`);
    return 64;
  }
  const read = readText(file === '-' ? 0 : path.resolve(around.cwd, file), file);
  if ('problem' in read) {
    tell(`foretell: ${read.problem}`);
    return 3;
  }
  if (word === 'check') return check(read.text, file, around);
  const formats: readonly string[] = formatNames;
  const { format } = values;
  if (format === undefined ? word === 'export' : !formats.includes(format)) {
    const what = format === undefined ? 'trajectory export needs --format' : `There is no format ${format}`;
    tell(`foretell: ${what}; choose from ${formats.join(', ')}.`);
    return 64;
  }
  const made =
    word === 'import'
      ? await importFile(read.text, file, format as TrajectoryFormat | undefined, values['keep-secrets'] !== true)
      : await exportFile(read.text, format as TrajectoryFormat, values.prompts, around);
  if ('problem' in made) {
    tell(`foretell: ${made.problem}`);
    return 3;
  }
  const saved = await save(made.text, values.out, values.force === true, around);
  if (saved) {
    tell(`foretell: ${saved}`);
    return 3;
  }
  for (const line of made.told) tell(line);
  return made.skipped > 0 ? 1 : 0;
}

interface Made {
  text: string;
  /** Lines for standard error. */
  told: string[];
  skipped: number;
}

async function importFile(
  text: string,
  file: string,
  format: TrajectoryFormat | undefined,
  redact: boolean,
): Promise<Made | { problem: string }> {
  const options = { fileName: file === '-' ? 'imported' : file, ...(format ? { format } : {}) };
  const read = await importText(text, redact ? options : { ...options, redact });
  if ('failure' in read) return { problem: read.failure.message };
  const { steps, problems, redacted } = read;
  const secrets = redacted.reduce((sum, { count }) => sum + count, 0);
  const kinds = redacted.map(({ kind, count }) => `${kind} ${count}`).join(', ');
  return {
    text: read.text,
    told: [
      ...problems.map((problem) => problemLine(file, problem)),
      `${countOf(steps, 'step')} out of ${read.format}${secrets > 0 ? `; ${countOf(secrets, 'secret')} taken out (${kinds})` : ''}.`,
    ],
    skipped: problems.length,
  };
}

async function exportFile(
  text: string,
  format: TrajectoryFormat,
  prompts: string | undefined,
  { cwd, extensionFolder }: TrajectoryProcess,
): Promise<Made | { problem: string }> {
  const templates: Partial<Record<Domain, string>> = {};
  if (format === 'agentworld') {
    const own = prompts === undefined ? [] : [{ source: 'configured' as const, path: path.resolve(cwd, prompts) }];
    const folders = [...own, { source: 'shipped' as const, path: path.join(extensionFolder, 'prompts') }];
    for (const domain of domains) {
      const template = await loadTemplate(domain, 'system', folders);
      if (template.ok) templates[domain] = template.text;
    }
  }
  const { text: written, count, problems, steps, badLines: bad } = exportText(text, format, { templates });
  if (steps === 0) return { problem: 'There is no step in the file. See foretell trajectory check.' };
  return {
    text: written,
    told: [
      ...problems,
      ...(bad > 0
        ? [`${countOf(bad, 'line')} of the file ${bad === 1 ? 'is' : 'are'} no step; see foretell trajectory check.`]
        : []),
      `${countOf(count, 'record')} of ${format}.`,
    ],
    skipped: problems.length + bad,
  };
}

async function check(text: string, name: string, { say }: TrajectoryProcess): Promise<number> {
  const file = readTrajectory(text);
  const problems = checkTrajectory(file);
  const steps = stepsOf(file);
  const trajectories = new Set(steps.map(({ trajectory }) => trajectory)).size;
  const summary = `${countOf(steps.length, 'step')} in ${countOf(trajectories, 'trajectory', 'trajectories')}, ${countOf(problems.length, 'problem')}.`;
  await say([...problems.map((problem) => problemLine(name, problem)), summary, ''].join('\n'));
  return problems.length > 0 ? 1 : 0;
}

function problemLine(file: string, { line, message }: LineProblem): string {
  return line === 0 ? `${file}: ${message}` : `${file}:${line}: ${message}`;
}

/** Text that is not UTF-8 would come back as something else. */
function readText(file: string | number, name: string): { text: string } | { problem: string } {
  try {
    const bytes = fs.readFileSync(file);
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not text in UTF-8' : code;
    return { problem: `${name} cannot be read (${why}).` };
  }
}

async function save(
  text: string,
  out: string | undefined,
  overwrites: boolean,
  { cwd, say }: TrajectoryProcess,
): Promise<string | undefined> {
  if (out === undefined || out === '-') {
    await say(text);
    return undefined;
  }
  const opened = openOutput(path.resolve(cwd, out), overwrites);
  if ('problem' in opened) return opened.problem;
  try {
    await opened.write(text);
  } catch (error) {
    return `${out} could not be written (${(error as NodeJS.ErrnoException).code}).`;
  } finally {
    await opened.close();
  }
  return undefined;
}
