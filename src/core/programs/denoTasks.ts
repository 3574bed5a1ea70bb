import { posix } from 'node:path';
import { type ParseError, parse } from 'jsonc-parser';
import { quoteWord } from '../shell/quoteWord.ts';
import { asRecord } from './jsonRecord.ts';
import type { LookedAt, LookThrough, ReadText, StartedStep } from './startedStep.ts';

interface TaskCall {
  name: string | undefined;
  args: string[];
  config?: string;
  /** `--cwd`: where tasks run, and where their file is looked for. */
  folder?: string;
  unknown?: string;
}

/** A task of deno.json, or a script of package.json. */
interface Task {
  command: string | undefined;
  dependencies: string[];
  /** Scripts that npm would run around it: `prebuild`, `postbuild`. */
  before?: string | undefined;
  after?: string | undefined;
}

interface Tasks {
  find(name: string): Task | undefined;
  /** Where they run. */
  folder: string;
  file: string;
}

/**
 * What `deno task name` would start: tasks of deno.json or deno.jsonc with what they depend on, and scripts of package.json
 * with their `pre` and `post`. After Deno 2 (`cli/tools/task.rs`): the nearest folder upwards with one of these files, in
 * which tasks run; words behind the name reach the task itself, letter for letter.
 */
export async function lookThroughDenoTask(program: LookedAt, readText: ReadText): Promise<LookThrough | undefined> {
  const words = program.argv.slice(1);
  while (/^(-q|--quiet)$/.test(words[0] ?? '')) words.shift();
  if (words.shift() !== 'task') return undefined;
  const call = readCall(words);
  if (call.unknown) return no(call.unknown);
  const { name } = call;
  if (name === undefined) return no('Deno would list the tasks of the project.');
  if (/[*]/.test(name)) return no(`Deno would run every task that ${name} matches.`);
  const tasks = await findTasks(program, call, readText);
  if ('reason' in tasks) return no(tasks.reason);
  const env = { INIT_CWD: program.cwd };
  const steps: StartedStep[] = [];
  const reason = addTask(tasks, { name, args: call.args, within: [] }, env, steps);
  if (reason !== undefined) return no(reason);
  return {
    ok: true,
    steps,
    exact: false,
    inexactBecause:
      'Deno prints each task on standard error, runs it in a shell of its own, and what it depends on at once',
  };
}

function readCall(words: readonly string[]): TaskCall {
  const call: TaskCall = { name: undefined, args: [] };
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    const equals = word.startsWith('--') ? word.indexOf('=') : -1;
    const option = equals > 0 ? word.slice(0, equals) : word;
    const value = () => (equals > 0 ? word.slice(equals + 1) : (words[++index] ?? ''));
    if (!word.startsWith('-')) {
      call.name = word;
      call.args.push(...words.slice(index + 1));
      break;
    }
    if (option === '--cwd') call.folder = value();
    else if (option === '-c' || option === '--config') call.config = value();
    else if (!/^(-q|--quiet)$/.test(word))
      return { ...call, unknown: `Deno takes ${word} for itself; what it does with the task is not known here.` };
  }
  return call;
}

async function findTasks(program: LookedAt, call: TaskCall, readText: ReadText): Promise<Tasks | { reason: string }> {
  const start = posix.resolve(program.cwd, call.folder ?? '');
  const given = call.config === undefined ? undefined : posix.resolve(program.cwd, call.config);
  for (let folder = given ? posix.dirname(given) : start; ; folder = posix.dirname(folder)) {
    const settings = await readJson(given ? [given] : ['deno.json', 'deno.jsonc'], folder, readText);
    if (given !== undefined && !settings) return { reason: `Deno would find no ${given}.` };
    const manifest = await readJson(['package.json'], folder, readText);
    const damaged = [settings, manifest].find((one) => one && !one.json);
    if (damaged) return { reason: `${damaged.file} is not readable as JSON.` };
    const file = settings?.file ?? manifest?.file;
    if (file !== undefined) {
      const named = asRecord(settings?.json?.['tasks']);
      const scripts = asRecord(manifest?.json?.['scripts']);
      const find = (name: string) => taskOf(named[name]) ?? scriptOf(scripts, name);
      return { find, folder: call.folder === undefined ? folder : start, file };
    }
    if (folder === '/') return { reason: `Deno would find no deno.json or package.json at ${start} or above.` };
  }
}

async function readJson(
  names: readonly string[],
  folder: string,
  readText: ReadText,
): Promise<{ file: string; json?: Record<string, unknown> } | undefined> {
  for (const name of names) {
    const file = posix.resolve(folder, name);
    const text = await readText(file);
    if (text === undefined) continue;
    const errors: ParseError[] = [];
    const json: unknown = parse(text, errors, { allowTrailingComma: true });
    return errors.length > 0 || Array.isArray(json) ? { file } : { file, json: asRecord(json) };
  }
  return undefined;
}

function taskOf(value: unknown): Task | undefined {
  if (typeof value === 'string') return { command: value, dependencies: [] };
  if (typeof value !== 'object' || value === null) return undefined;
  const { command, dependencies } = asRecord(value);
  return {
    command: typeof command === 'string' ? command : undefined,
    dependencies: Array.isArray(dependencies) ? dependencies.filter((one) => typeof one === 'string') : [],
  };
}

function scriptOf(scripts: Record<string, unknown>, name: string): Task | undefined {
  const text = (key: string) => (typeof scripts[key] === 'string' ? scripts[key] : undefined);
  const command = text(name);
  if (command === undefined) return undefined;
  return { command, dependencies: [], before: text(`pre${name}`), after: text(`post${name}`) };
}

/** Adds the steps of a task behind those of what it depends on; returns why they are not known. */
function addTask(
  tasks: Tasks,
  { name, args, within }: { name: string; args: readonly string[]; within: readonly string[] },
  env: Readonly<Record<string, string>>,
  steps: StartedStep[],
  done = new Set<string>(),
): string | undefined {
  if (within.includes(name)) return `The task ${name} depends on itself; Deno would say so and exit with 1.`;
  if (done.has(name)) return undefined;
  done.add(name);
  const task = tasks.find(name);
  if (!task) return `${tasks.file} has no task ${name}; a workspace around it is not read here.`;
  for (const dependency of task.dependencies) {
    const reason = addTask(tasks, { name: dependency, args: [], within: [...within, name] }, env, steps, done);
    if (reason !== undefined) return reason;
  }
  for (const [event, command] of [
    [`pre${name}`, task.before],
    [name, task.command],
    [`post${name}`, task.after],
  ] as const) {
    if (command === undefined) continue;
    const shellScript = args.length > 0 ? `${command} ${args.map((word) => quoteWord(word)).join(' ')}` : command;
    steps.push({ shellScript, cwd: tasks.folder, env, label: { kind: 'script', name: event, words: shellScript } });
  }
  return undefined;
}

function no(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}
