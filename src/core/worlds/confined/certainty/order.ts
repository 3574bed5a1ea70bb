import path from 'node:path';
import type { NamedPath } from '../../../prediction/rehearsal.ts';
import { type CompiledCode, compiledCode } from '../../../programs/compiledCode.ts';
import { isLeftToChance, isMeasuring, isUnordered } from '../../../programs/leftToChance.ts';
import type { Program, Race } from '../../../programs/program.ts';
import { programOf } from '../../../programs/programOf.ts';
import { baseName, type RunRecord, streamBytes } from '../wire/runRecord.ts';
import type { Dependence } from './dependence.ts';

type PrintsUnordered = NonNullable<Program['printsUnordered']>;

function isOn({ when, unless }: Race, words: readonly string[]): boolean {
  return (when === undefined || has(words, when)) && (unless === undefined || !has(words, unless));
}

function has(words: readonly string[], pattern: RegExp): boolean {
  return words.some((word, index) => pattern.test(word) || pattern.test(`${word} ${words[index + 1] ?? ''}`));
}

// A few of many numbers: two runs agree on them often.
const fewOfChance = /\b(?:S?RANDOM)\}?\s*(?:[%/&<>]|-(?:lt|gt|le|ge|eq|ne)\b)|\bsrand\s*\(\s*\)/;

// A job in the background that begins with less than a second of waiting: so long programs take to start, on one day or another.
const waitsBeside = /[({]\s*sleep\s+0?\.[\d$][^(){}]*[)}]\s*&(?![&>])/;

/** Two programs beside each other whose work takes as long as the machine lets it. */
function isTie({ programs }: RunRecord): boolean {
  return programs.filter(({ argv, parent }) => parent === undefined && !programOf(argv[0] ?? '')?.inert).length > 1;
}

/** Whether chance decides what comes of it: then two runs may agree on all of it, and the next one does not. */
export function isByChance(record: RunRecord, script: string): boolean {
  if (fewOfChance.test(script) && !/\bRANDOM=/.test(script)) return true;
  if (waitsBeside.test(script) && isTie(record)) return true;
  return record.programs.some(({ argv, isLetIn }) => {
    if (isLetIn && isLeftToChance(argv[0] ?? '', [argv.join(' '), script])) return true;
    const races = programOf(argv[0] ?? '')?.races;
    return races?.isChance === true && isOn(races, argv.slice(1));
  });
}

/** Whether lines come in the order of a race, that two runs may agree on; what another program reads of it shows by itself. */
export function printsInAnyOrder(record: RunRecord, dependence: Dependence): boolean {
  return record.programs.some(({ argv }) => {
    const races = programOf(argv[0] ?? '')?.races;
    return races !== undefined && isOn(races, argv.slice(1)) && !dependence.isRead(argv);
  });
}

/** So many programs that run as jobs beside each other come in one order only by chance. */
const fewestJobs = 3;

/** Whether jobs ran beside each other, each as a program: which of them ends first decides what is begun next. */
export function hasJobs({ programs }: RunRecord): boolean {
  return programs.some(({ id, argv }) => {
    const { jobs } = programOf(argv[0] ?? '') ?? {};
    if (jobs === undefined || !isOn(jobs, argv.slice(1))) return false;
    return programs.filter(({ parent }) => parent === id).length >= fewestJobs;
  });
}

const hashedKeys = /"\d{15,20}"\s*:[\s\S]*?"\d{15,20}"\s*:/;

/** Whether a text holds a table by hashes of 64 bits, in JSON: such tables are gone through in an order of chance. */
export function hasHashedKeys(text: string): boolean {
  return hashedKeys.test(text);
}

/** A program is given so much code among its words that is looked into: bytes of a file, and words. */
const mostCode = { bytes: 256 * 1024, words: 8 };

/** Of a program that a compiler made so many bytes are looked into. */
const mostCompiled = 16 * 1024 * 1024;

/** Gives the content of a file, absolute, as it is behind the run. */
type Read = (file: string, mostBytes: number) => Promise<Uint8Array | undefined>;

/**
 * What two runs may agree on by chance, as far as the code that is let in shows, in words and in the files that they name: the
 * order of things, of which two runs have three alike once in six times; or how much time has passed, as short as it is.
 */
export async function chanceInCode(
  record: RunRecord,
  script: string,
  read: Read,
): Promise<'order' | 'time' | undefined> {
  const { programs } = record;
  const seen = new Set<string>();
  let measures = false;
  const isOrder = (name: string, texts: readonly string[]) => {
    measures ||= isMeasuring(name, texts);
    return isUnordered(name, texts);
  };
  for (const { argv, cwd, realPath, isLetIn } of programs) {
    if (!isLetIn) continue;
    const name = programOf(argv[0] ?? '') ? (argv[0] ?? '') : baseName(realPath);
    const { chance, unordered } = programOf(name) ?? {};
    if (!chance && !unordered) continue;
    if (isOrder(name, [...argv, script])) return 'order';
    for (const word of argv.slice(1, 1 + mostCode.words)) {
      const file = path.resolve(cwd, word);
      if (word.startsWith('-') || seen.has(`${name} ${file}`)) continue;
      seen.add(`${name} ${file}`);
      const text = await textOf(file, read);
      if (isLeftToChance(name, [text]) || isOrder(name, [text])) return 'order';
    }
  }
  for (const { isUnordered: isSo, compiler, sources } of await compiledIn(record, read)) {
    if (isSo) return 'order';
    for (const source of compiler ? sources : []) {
      const text = await textOf(source, read);
      if (compiler && (isLeftToChance(compiler.name, [text]) || isOrder(compiler.name, [text]))) return 'order';
    }
  }
  return measures ? 'time' : undefined;
}

/** Whether what two runs printed differs where it names the number that chance starts from: tests come in another order then. */
export function showsOtherSeed(shown: string, other: string): boolean {
  const seeds = (text: string) => text.split('\n').filter((line) => /\bseed\b.*\d/i.test(line));
  return seeds(shown).join('\n') !== seeds(other).join('\n');
}

async function textOf(file: string, read: Read): Promise<string> {
  const bytes = await read(file, mostCode.bytes).catch(() => undefined);
  return Buffer.from(bytes ?? []).toString('latin1');
}

const readOnce = new WeakMap<RunRecord, Promise<CompiledCode[]>>();

/** What was let in of the programs that somebody compiled here: not those of the system, of packages, nor well-known ones elsewhere. */
function compiledIn(record: RunRecord, read: Read): Promise<CompiledCode[]> {
  const found = readOnce.get(record) ?? readCompiled(record, read);
  readOnce.set(record, found);
  return found;
}

async function readCompiled({ programs }: RunRecord, read: Read): Promise<CompiledCode[]> {
  const own = programs.filter(({ realPath, cwd, isLetIn }) => {
    if (!isLetIn || realPath === '' || isInstalled(realPath)) return false;
    return !programOf(baseName(realPath)) || !path.relative(cwd, realPath).startsWith('..');
  });
  const found: CompiledCode[] = [];
  for (const file of new Set(own.map(({ realPath }) => realPath))) {
    const code = compiledCode((await read(file, mostCompiled).catch(() => undefined)) ?? new Uint8Array());
    if (code) found.push({ ...code, sources: code.sources.filter((one) => !isInstalled(one)).slice(0, mostFiles) });
  }
  return found;
}

/** So many files that a program read, or was made of, are looked into. */
const mostFiles = 64;

/**
 * Whether a program that was let in prints by chance in a way that hardly shows in repeats: as the files say that it opened, or
 * that it was made of; or it draws numbers by the second in which it begins.
 */
export async function printsByChance(record: RunRecord, named: readonly NamedPath[], read: Read): Promise<boolean> {
  const { programs } = record;
  const running = programs.flatMap(({ argv, exitCode, isLetIn }) => {
    const row = isLetIn ? programOf(argv[0] ?? '')?.printsUnordered : undefined;
    const words = argv.slice(1).join(' ');
    if (!row) return [];
    const { when, printed } = row.fails;
    const tellsSeveral = () => printed.test(streamBytes(record, 'stdout').toString('latin1'));
    return row.when.test(words) || (exitCode !== 0 && when.test(words) && tellsSeveral()) ? [{ row, argv }] : [];
  });
  const different = new Map(running.map((one) => [one.argv.join('\0'), one]));
  for (const { row, argv } of different.values()) {
    const isTesting = row.tests.when.test(argv.slice(1).join(' '));
    const isOfIt = (file: string) => row.files.test(file) && (isTesting || !row.tests.files.test(file));
    const code = named.filter((one) => one.isOpened && isOfIt(one.path) && !isInstalled(one.path));
    for (const { path: file } of code.slice(0, mostFiles)) {
      const text = await textOf(file, read);
      if (row.code.test(isTesting ? chosenTests(text, argv, row.tests) : text)) return true;
    }
  }
  for (const { isByTime, compiler, sources } of await compiledIn(record, read)) {
    if (isByTime) return true;
    const code = compiler?.row.printsUnordered?.code;
    for (const source of code ? sources : []) if (code?.test(await textOf(source, read))) return true;
  }
  return false;
}

/** A text without those of its tests that are not chosen by the words of a program. */
function chosenTests(text: string, argv: readonly string[], { name, option }: PrintsUnordered['tests']): string {
  const at = argv.findIndex((word) => option.test(word));
  // `-run X/y`: the first part chooses among the tests, the others among what they run.
  const [pattern = ''] = (at < 0 ? '' : (option.exec(argv[at] ?? '')?.[1] ?? argv[at + 1] ?? '')).split('/');
  const chosen = patternOf(pattern);
  if (!chosen) return text;
  // Each function as it stands.
  const parts = text.split(/^(?=func )/m).map((part) => ({ part, test: name.exec(part)?.[1] }));
  return parts.flatMap(({ part, test }) => (test === undefined || chosen.test(test) ? [part] : [])).join('');
}

/** `undefined`: nothing is chosen, or it cannot be read here. */
function patternOf(text: string): RegExp | undefined {
  try {
    return text === '' ? undefined : new RegExp(text);
  } catch {
    return undefined;
  }
}

/** Folders that package managers and installers of languages fill; the launcher has the same ones (`libraries.c`). */
const installed = [
  ...[
    '/node_modules/',
    '/site-packages/',
    '/.venv/',
    '/venv/',
    '/pkg/mod/',
    '/go/bin/',
    '/.cargo/',
    '/.rustup/',
    '/.nvm/',
  ],
  ...['/.volta/', '/.asdf/', '/.pyenv/', '/.rbenv/', '/.sdkman/', '/.deno/', '/.bun/', '/.dotnet/', '/.local/'],
  ...['/.linuxbrew/', 'conda3/', '/opt/'],
];

/** Of the system, of packages, or of what installs languages. */
const isInstalled = (file: string) => file.startsWith('/usr/') || installed.some((folder) => file.includes(folder));
