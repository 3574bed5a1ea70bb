import type { CodeDeedKind } from '../facts/codeDeed.ts';
import type { Level } from '../facts/level.ts';
import { shellOf } from '../shell/shells.ts';
import type { EditsOrNeed, KnownContents, TextForm } from './code/codeEdits.ts';
import { type CodeDeed, decodes, deedLevels, deedsOf } from './code/codeMeaning.ts';
import type { CodeReading } from './code/codeReading.ts';
import { isHarmless } from './code/harmlessCalls.ts';
import type { JavaScriptForm } from './code/javascriptEdits.ts';
import { readPlain } from './code/readPlain.ts';
import { programName } from './programName.ts';
import { programOf } from './programOf.ts';

/** What a text of a programming language would obviously do. */
export interface InlineCodeFinding {
  level: Exclude<Level, 'safe'>;
  deed: CodeDeedKind;
  /** Commands that it starts, where they are known. */
  script?: string;
  /** File that it writes, where that is known. */
  path?: string;
}

/** Name of the interpreter that a program is: `python3.11` is python; `undefined` when it is none. */
export function interpreterOf(word: string): string | undefined {
  const program = programOf(word);
  return program?.language && program.names.split(' ')[0];
}

/** The code that stands among the arguments (`python -c …`), or is read (`python <<E`); `undefined` when there is none. */
export function inlineCodeOf(argv: readonly string[], inputText: string | undefined): string | undefined {
  const program = programOf(argv[0] ?? '');
  if (!program?.language) return undefined;
  const option = program.codeOption;
  for (const [index, word] of argv.entries()) {
    if (index === 0 || !option) continue;
    if (option.test(word)) return argv[index + 1];
    const attached = /^-[ce](.+)$/.exec(word)?.[1];
    if (attached !== undefined && option.test(word.slice(0, 2))) return attached;
  }
  const hasFile = argv.slice(1).some((word) => !word.startsWith('-'));
  return hasFile ? undefined : inputText;
}

/** More is not given to a parser, and of what is longer only the beginning is read. */
const longestCode = 50_000;
const longestText = 200_000;
const deepest = 200;

/** What a program text calls. What is too long or too deep for a parser is read by its words alone. */
function readCode(interpreter: string, code: string): { reading: CodeReading; family: string } {
  const language = programOf(interpreter)?.language ?? interpreter;
  const isPython = language === 'python';
  if (!isPython && language !== 'javascript') {
    const reading = readPlain(language, code.slice(0, longestText));
    return { reading: code.length > longestText ? { ...reading, isWhole: false } : reading, family: language };
  }
  const parsed = isParsable(code) ? unlessTooDeep(() => parse(isPython, code), undefined) : undefined;
  if (parsed) return { reading: parsed, family: language };
  const words = readPlain(isPython ? language : 'groovy', code.slice(0, longestText));
  return { reading: { ...words, isWhole: false }, family: 'words' };
}

function parse(isPython: boolean, code: string): CodeReading | undefined {
  return isPython ? parsers().readPython(code) : parsers().readJavaScript(code);
}

/** Parsers take seconds for thousands of brackets in brackets, or of parts in a row. */
function isParsable(code: string): boolean {
  if (code.length > longestCode) return false;
  let depth = 0;
  for (const character of code) {
    if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character)) depth--;
    if (depth > deepest) return false;
  }
  return !/(\.\w{1,40}){1000}|(\[\w{0,20}\]){1000}|(['")\w]\s*\+\s*['"(\w]{1,40}){1000}/.test(code);
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

/** What inline code would do as far as it can be read, worst first. Empty: nothing that was looked for. */
export function findInlineCode(code: string, interpreter: string, judges: CodeJudges): InlineCodeFinding[] {
  return unlessTooDeep(() => findings(code, interpreter, judges, 0), [{ level: 'caution', deed: 'too-deep' }]);
}

/** Brackets in brackets can be deeper than this process can follow. */
function unlessTooDeep<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) return otherwise;
    throw error;
  }
}

function findings(code: string, interpreter: string, judges: CodeJudges, depth: number): InlineCodeFinding[] {
  const read = readCode(interpreter, code);
  const found: InlineCodeFinding[] = [];
  const add = (finding: Omit<InlineCodeFinding, 'level'>, level: Level) => {
    if (level === 'safe') return;
    const isSame = (one: InlineCodeFinding) =>
      one.level === level && one.deed === finding.deed && one.script === finding.script && one.path === finding.path;
    if (!found.some(isSame)) found.push({ level, ...finding });
  };
  const deeds = deedsOf(read.reading, read.family, judges.isSecret);
  for (const { deed, script, code: inner, path } of deeds) {
    if (script !== undefined) add({ deed: 'runs', script }, judges.levelOfCommands(script));
    else if (inner !== undefined && depth < 3) {
      for (const { level, ...one } of findings(inner, interpreter, judges, depth + 1)) add(one, level);
    } else add(path === undefined ? { deed } : { deed, path }, deedLevels[deed]);
  }
  const does = new Set(deeds.map(({ deed }) => deed));
  if (does.has('connects') && does.has('reads-secrets')) add({ deed: 'sends-secrets' }, 'danger');
  const startsShell = deeds.some(({ script }) => script !== undefined && isBareShell(script));
  if (does.has('connects') && startsShell) add({ deed: 'gives-shell' }, 'danger');
  return found.sort((a, b) => (a.level === b.level ? 0 : a.level === 'danger' ? -1 : 1));
}

/** A shell that reads its commands from whoever holds its input: `/bin/sh -i`, `exec bash <&3`. */
function isBareShell(script: string): boolean {
  const [name = '', ...rest] = script
    .trim()
    .replace(/^exec\s+/, '')
    .split(/\s+/);
  return shellOf(programName(name)) !== undefined && rest.every((word) => /^-[il]+$|[<>]&?/.test(word));
}

/**
 * What an interpreter leaves whose code does nothing but edit files, or the file whose content has to be known for that;
 * `undefined`: it does more, or cannot be followed. `code`: see `inlineCodeOf`. Contents are in the form of `textFormOf`.
 */
export function plainEdits(argv: readonly string[], code: string, files: KnownContents): EditsOrNeed {
  const language = programOf(argv[0] ?? '')?.language;
  if (!isParsable(code)) return undefined;
  return unlessTooDeep(() => {
    if (language === 'python') return parsers().pythonEdits(code, files);
    if (language === 'perl') return parsers().perlEdits(argv, files);
    const form = language === 'javascript' ? javaScriptForm(argv, code) : undefined;
    return form && parsers().javascriptEdits(code, form, files);
  }, undefined);
}

/** How the interpreter of a call gives the bytes of a file to who reads it as text. */
export function textFormOf(argv: readonly string[]): TextForm {
  const language = programOf(argv[0] ?? '')?.language;
  return language === 'python' ? 'utf8Lines' : language === 'perl' ? 'bytes' : 'utf8';
}

/** Node's own words for how it takes a text; `undefined` where there are others, which may load something else. */
function javaScriptForm(argv: readonly string[], code: string): JavaScriptForm | undefined {
  const at = argv.indexOf(code);
  const words = argv.slice(1, at < 0 ? undefined : at);
  if (words.some((word) => !/^(?:-|-e|-p|-pe|--eval|--print|--input-type=(?:module|commonjs))$/.test(word)))
    return undefined;
  return {
    isModule: words.includes('--input-type=module'),
    isEvaluated: at >= 0,
    isPrinted: words.some((word) => /^(?:-p|-pe|--print)$/.test(word)),
  };
}

/** Whether inline code turns text that cannot be read into other text. */
export function decodesText(code: string, interpreter: string): boolean {
  const read = readCode(interpreter, code);
  return read.reading.calls.some(({ callees }) => callees.some((name) => decodes.test(name)));
}

/**
 * Whether a call of an interpreter only computes, reads and prints: all of its code is understood, and every call in it is
 * one that is known to do no more. Modules that a file of the project could stand in for are not among them. `input`: what
 * it reads, letter for letter.
 */
export function onlyComputes(argv: readonly string[], judges: CodeJudges, input?: string): boolean {
  const program = programOf(argv[0] ?? '');
  const language = program?.language;
  const words = argv.slice(1);
  const readsInput = words.length === 0 || (words.length === 1 && words[0] === '-');
  const code = readsInput ? input : words.at(-1);
  if (language === undefined || code === undefined || !program?.codeOnly) return false;
  if (!readsInput && !program.codeOnly.test(words.slice(0, -1).join(' '))) return false;
  return unlessTooDeep(() => isHarmlessCode(language, code, judges), false);
}

function isHarmlessCode(language: string, code: string, judges: CodeJudges): boolean {
  const read = readCode(language, code);
  if (read.family !== 'python' && read.family !== 'javascript') return false;
  return isHarmless(read.reading, read.family) && findings(code, language, judges, 0).length === 0;
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
