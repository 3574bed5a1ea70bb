import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { ToldState } from './stateInMemory.ts';

/** What a shell told when it was asked by keys. */
export interface ShellAnswer {
  line: Buffer;
  /** Absent where it could not start the program that tells its variables. */
  state?: ToldState;
}

/** Files in which shells answer: in memory where the system has such a folder, because variables may be secrets. */
export interface ShellAnswers {
  /** Makes room for the answer of a process: the name of a file that is not there yet. */
  prepare(processId: number | undefined): Promise<string>;
  /** The answer, which is gone from the file system then; `undefined`: there was none in time. */
  take(file: string, limitMs: number): Promise<ShellAnswer | undefined>;
  dispose(): Promise<void>;
}

export function createShellAnswers(): ShellAnswers {
  const { XDG_RUNTIME_DIR: runtime } = process.env;
  const parent = runtime && path.isAbsolute(runtime) ? runtime : os.platform() === 'linux' ? '/dev/shm' : os.tmpdir();
  const folder = path.join(parent, `foretell-${randomBytes(8).toString('hex')}`);
  return {
    async prepare(processId) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = path.join(folder, `typed-in-${processId}`);
      await rm(file, { force: true });
      return file;
    },
    async take(file, limitMs) {
      const text = await waitFor(file, limitMs);
      await rm(file, { force: true });
      return text && answerOf(text);
    },
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Begins an entry that is a function: this, its name, this, its text. */
const functionMark = '\u0001';

/** Begins an entry of zsh: this, its kind (`a`, `g`, `s`: an alias; `f`: a function; `o`: an option; `.`: that was all), this, its name, this, its text. */
const nameMark = '\u0002';

/** What a zsh calls by other names, and which options it has, where it told all of it. */
function namesOf(entries: readonly string[]): Partial<ToldState> {
  const told = entries.filter((entry) => entry.startsWith(nameMark)).map((entry) => entry.slice(1).split(nameMark));
  if (!told.some(([kind]) => kind === '.')) return {};
  const of = (wanted: string) =>
    told.flatMap(([kind, name = '', ...text]) => (kind === wanted ? [[name, text.join(nameMark)] as const] : []));
  return {
    aliases: new Map(of('a')),
    globalAliases: new Map(of('g')),
    suffixAliases: new Map(of('s')),
    functions: new Set(of('f').map(([name]) => name)),
    options: new Map(of('o').map(([name, is]) => [name, is === 'on'])),
  };
}

/** The line, a variable after the other, of fish functions, and of zsh names, each with a NUL behind it. */
function answerOf(text: Buffer): ShellAnswer {
  const end = text.indexOf(0);
  const line = text.subarray(0, end);
  const entries = text.toString('utf8', end + 1).split('\0');
  const variables = entries.filter(
    (entry) => entry.indexOf('=') > 0 && !entry.startsWith('_=') && ![functionMark, nameMark].includes(entry.charAt(0)),
  );
  if (variables.length === 0) return { line };
  const functions = entries.filter((entry) => entry.startsWith(functionMark)).map((entry) => entry.split(functionMark));
  const definitions = new Map(functions.map(([, name = '', ...text]) => [name, text.join(functionMark)]));
  const pairs = variables.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]);
  const env = Object.fromEntries(pairs);
  return { line, state: { env, ...namesOf(entries), ...(definitions.size > 0 ? { definitions } : {}) } };
}

/** A file is polled, because a FIFO would block the prompt for ever when nobody reads it any more. */
async function waitFor(file: string, limitMs: number): Promise<Buffer | undefined> {
  const end = Date.now() + limitMs;
  while (Date.now() < end) {
    const text = await readFile(file).catch(() => Buffer.alloc(0));
    // No entry is empty but the last.
    if (text.length > 1 && text.at(-1) === 0 && text.at(-2) === 0) return text;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return undefined;
}
