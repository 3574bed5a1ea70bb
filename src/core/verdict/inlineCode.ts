import { type CodeDeed, decodes, deedLevels, deedsOf } from './code/codeMeaning.ts';
import type { CodeReading } from './code/codeReading.ts';
import { isHarmless } from './code/harmlessCalls.ts';
import { readPlain } from './code/readPlain.ts';
import type { Level } from './level.ts';
import { programName } from './wrappers.ts';

/** What a text of a programming language would obviously do. */
export interface InlineCodeFinding {
  level: Exclude<Level, 'safe'>;
  /** One clause whose subject is the code. */
  says: string;
  /** File that it writes, where that is known. */
  path?: string;
}

const codeOptions: Readonly<Record<string, RegExp>> = {
  python: /^-[a-zA-Z]*c$/,
  pypy: /^-[a-zA-Z]*c$/,
  ipython: /^-c$/,
  perl: /^-[a-zA-Z0]*[eE]$/,
  ruby: /^-[a-z]*e$/,
  node: /^(-e|-p|-pe|--eval|--print)$/,
  nodejs: /^(-e|-p|-pe|--eval|--print)$/,
  bun: /^(-e|-p|--eval|--print)$/,
  deno: /^eval$/,
  php: /^(-r|-B|-R|-E)$/,
  lua: /^-e$/,
  Rscript: /^-e$/,
  osascript: /^-e$/,
  julia: /^(-e|-E)$/,
  elixir: /^-e$/,
  groovy: /^-e$/,
  scala: /^-e$/,
};

/** Name of the language that a program interprets: `python3.11` interprets python. */
export function interpreterOf(name: string): string | undefined {
  const language = programName(name).replace(/[\d.]+(w|m)?$/, '');
  return Object.hasOwn(codeOptions, language) ? language : undefined;
}

/** The code that stands among the arguments (`python -c …`), or is read (`python <<E`); `undefined` when there is none. */
export function inlineCodeOf(argv: readonly string[], inputText: string | undefined): string | undefined {
  const language = interpreterOf(argv[0] ?? '');
  if (language === undefined) return undefined;
  const option = codeOptions[language];
  for (const [index, word] of argv.entries()) {
    if (index === 0 || !option) continue;
    if (option.test(word)) return argv[index + 1];
    const attached = /^-[ce](.+)$/.exec(word)?.[1];
    if (attached !== undefined && option.test(word.slice(0, 2))) return attached;
  }
  const hasFile = argv.slice(1).some((word) => !word.startsWith('-'));
  return hasFile ? undefined : inputText;
}

const javaScripts = /^(node|nodejs|bun|deno)$/;
const pythons = /^(python|pypy|ipython)$/;
const longestCode = 200_000;

/** What a program text calls; `undefined` where it is too long to be read. */
function readCode(language: string, code: string): { reading: CodeReading; family: string } | undefined {
  if (code.length > longestCode) return undefined;
  if (pythons.test(language)) return { reading: parsers().readPython(code), family: 'python' };
  const reading = javaScripts.test(language) ? parsers().readJavaScript(code) : undefined;
  if (reading) return { reading, family: 'javascript' };
  return { reading: readPlain(javaScripts.test(language) ? 'groovy' : language, code), family: language };
}

function parsers(): typeof import('./code/codeParsers.ts') {
  return require('./code/codeParsers.ts');
}

/** Who judges what a program text starts and names. */
export interface CodeJudges {
  /** The level of commands that nobody rehearses. */
  levelOfCommands(script: string): Level;
  isSecret(path: string): boolean;
}

const says: Readonly<Record<CodeDeed['deed'], string>> = {
  deletes: 'deletes files or directories',
  'deletes-temporary': 'deletes temporary files, or such as it wrote itself',
  runs: 'runs other programs, which are only known when it runs',
  evaluates: 'runs text that is only known when it runs',
  hidden: 'runs or unpacks code that is hidden or fetched',
  connects: 'talks to the network',
  'reads-secrets': 'reads keys, passwords or the environment',
  writes: 'writes files',
  changes: 'changes files or processes',
  'changes-data': 'deletes or changes data of a database',
  endless: 'may run without end',
  unread: 'could not be read to its end',
};

/** What inline code would do as far as it can be read, worst first. Empty: nothing that was looked for. */
export function findInlineCode(code: string, interpreter: string, judges: CodeJudges, depth = 0): InlineCodeFinding[] {
  const read = readCode(interpreter, code);
  if (!read) return [{ level: 'caution', says: 'is too long to be read' }];
  const found: InlineCodeFinding[] = [];
  const add = (level: Level, clause: string, path?: string) => {
    if (level === 'safe' || found.some((one) => one.level === level && one.says === clause && one.path === path))
      return;
    found.push(path === undefined ? { level, says: clause } : { level, says: clause, path });
  };
  const deeds = deedsOf(read.reading, read.family, judges.isSecret);
  for (const { deed, script, code: inner, path } of deeds) {
    if (script !== undefined) add(judges.levelOfCommands(script), `runs \`${shortened(script)}\``);
    else if (inner !== undefined && depth < 3) {
      for (const one of findInlineCode(inner, interpreter, judges, depth + 1)) add(one.level, one.says, one.path);
    } else add(deedLevels[deed], says[deed], path);
  }
  const does = new Set(deeds.map(({ deed }) => deed));
  if (does.has('connects') && does.has('reads-secrets'))
    add('danger', 'reads keys or the environment and talks to the network');
  return found.sort((a, b) => (a.level === b.level ? 0 : a.level === 'danger' ? -1 : 1));
}

/** Whether inline code turns text that cannot be read into other text. */
export function decodesText(code: string, interpreter: string): boolean {
  const read = readCode(interpreter, code);
  return !read || read.reading.calls.some(({ callees }) => callees.some((name) => decodes.test(name)));
}

function shortened(script: string): string {
  const line = script.replace(/\s+/g, ' ').trim();
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

/**
 * Whether a call of an interpreter only computes, reads and prints: all of its code is understood, and every call in it is
 * one that is known to do no more. Modules that a file of the project could stand in for are not among them.
 */
export function onlyComputes(argv: readonly string[], judges: CodeJudges): boolean {
  const language = interpreterOf(argv[0] ?? '');
  const options = argv.slice(1, -1);
  const code = argv.at(-1);
  if (language === undefined || code === undefined || code.length > longestCode) return false;
  const isPython = pythons.test(language);
  if (
    isPython ? !/^(-[BEIPSqsu]+ )*-[BEIPSqsu]*c$/.test(options.join(' ')) : language !== 'node' && language !== 'nodejs'
  )
    return false;
  if (!isPython && !/^(-e|-p|-pe|--eval|--print)$/.test(options.join(' '))) return false;
  const read = readCode(language, code);
  if (!read || (read.family !== 'python' && read.family !== 'javascript')) return false;
  return isHarmless(read.reading, read.family) && findInlineCode(code, language, judges).length === 0;
}

const changing: ReadonlySet<CodeDeed['deed']> = new Set([
  ...(['writes', 'deletes', 'deletes-temporary', 'changes', 'changes-data', 'runs', 'evaluates', 'hidden'] as const),
]);
// What makes files without being told as writing: folders, and what libraries save.
const makesFiles =
  /(^|\.)(mkdir|mkdirSync|mkdirs|makedirs|mkdir_p|touch|to_(csv|json|excel|parquet|pickle|sql|html)|savefig|savetxt|save|dump|write)$/;

/** Whether a text of a programming language plainly changes files, or starts what may. False proves nothing. */
export function changesFiles(code: string, interpreter: string): boolean {
  const read = readCode(interpreter, code);
  if (!read) return true;
  if (deedsOf(read.reading, read.family, () => false).some(({ deed }) => changing.has(deed))) return true;
  return read.reading.calls.some(({ callees }) =>
    callees.some((name) => makesFiles.test(name) && !/^(process|sys|io)\./.test(name)),
  );
}
