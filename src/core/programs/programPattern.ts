import { settingRuns } from './gitSettings.ts';
import { judgeStatements } from './statements.ts';
import { classifyTarget, type Place, type TargetClass } from './targets.ts';
import { verbOf } from './verbs.ts';

/** Arguments of a program, parted into options and words (everything else, in order). */
export interface ReadArguments {
  /** Long options, short ones, and the letters of a bundle, each with the value it was given. */
  options: { name: string; value?: string }[];
  words: string[];
  /** The words that are names, where some are not: a mode, an owner, a script. */
  names?: readonly string[];
  last: string | undefined;
  /** More words come, which are found or read when it runs (`xargs`). */
  isFed?: boolean | undefined;
  /** It reads statements that are not known. */
  isUnread?: boolean | undefined;
}

/**
 * Parts arguments as getopt does. `valued` are options that take the next word; with `oneDash`, `-name` is one option
 * and no bundle of letters.
 */
export function readArguments(args: readonly string[], valued: ReadonlySet<string>, oneDash: boolean): ReadArguments {
  const end = args.indexOf('--');
  const read: ReadArguments = { options: [], words: [], last: (end < 0 ? args : args.slice(0, end)).at(-1) };
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? '';
    if (word === '--') {
      read.options.push({ name: '--' });
      read.words.push(...args.slice(index + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      read.words.push(word);
      continue;
    }
    const equals = word.indexOf('=');
    const name = word.startsWith('--') && equals > 0 ? word.slice(0, equals) : word;
    if (name !== word) read.options.push({ name, value: word.slice(equals + 1) });
    else if (valued.has(name)) {
      addOption(read, name, args[index + 1]);
      if (oneDash || !mayBeOption(args[index + 1])) index++;
    } else if (valued.has(word.slice(0, 2)) && word.length > 2 && !oneDash && !word.startsWith('--')) {
      addOption(read, word.slice(0, 2), word.slice(2));
    } else {
      addOption(read, name, equals > 0 && oneDash ? word.slice(equals + 1) : undefined);
      if (equals > 0 && oneDash) addOption(read, word.slice(0, equals), word.slice(equals + 1));
      // In a bundle the first letter that takes a value takes the rest, or the next word: `tar -xzf a.tgz`, `curl -so f`.
      if (!word.startsWith('--') && !oneDash && /^-[A-Za-z0-9]{2,}$/.test(word)) {
        for (let at = 1; at < word.length; at++) {
          const letter = `-${word[at]}`;
          if (!valued.has(letter)) addOption(read, letter, undefined);
          else {
            const rest = word.slice(at + 1);
            addOption(read, letter, rest || args[index + 1]);
            if (rest === '' && !mayBeOption(args[index + 1])) index++;
            break;
          }
        }
      }
    }
  }
  return read;
}

/** Subcommands share a list of options that take a value, and `git push -u -f` has none: such a word is read as both. */
function mayBeOption(value: string | undefined): boolean {
  return value !== undefined && /^-./.test(value);
}

function addOption(read: ReadArguments, name: string, value: string | undefined): void {
  read.options.push(value === undefined ? { name } : { name, value });
}

/** Matches arguments; gives the words that the pattern did not name, or `undefined`. */
export type Matcher = (args: ReadArguments, place: Place) => string[] | undefined;

type Token = (args: ReadArguments, place: Place) => boolean;

/** Compiles a pattern of the table of known programs; its language is told at `ProgramRule`. */
export function compilePattern(pattern: string): Matcher {
  const path: ((word: string) => boolean)[] = [];
  const tokens: Token[] = [];
  for (const token of pattern.split(/\s+/)) {
    if (token === '') continue;
    const compiled = compileToken(token);
    if (compiled) tokens.push(compiled);
    else if (token === '*') path.push(() => true);
    else {
      const wanted = token.split('|');
      path.push((word) => wanted.includes(word));
    }
  }
  return (args, place) => {
    for (const [index, wants] of path.entries()) {
      const word = args.words[index];
      if (word === undefined || !wants(word)) return undefined;
    }
    if (!tokens.every((token) => token(args, place))) return undefined;
    return args.words.slice(path.length);
  };
}

/** Tokens that read what words mean by where they stand. */
function compileMeaning(token: string): Token | undefined {
  const equals = token.indexOf('=');
  const [kind, rest] = [token.slice(0, equals), token.slice(equals + 1)];
  if (kind === 'data') {
    const wanted = rest.split('|');
    return (args) => wanted.includes(judgeStatements(statementsOf(args).join(';')) ?? 'nothing');
  }
  if (kind === 'fed') return ({ isUnread }) => isUnread === true;
  if (kind === 'setting')
    return rest === 'given' ? ({ options }) => givesWhatRuns(options) : ({ words }) => setsWhatRuns(words);
  const regex = new RegExp(rest, 'i');
  if (kind === '') return ({ words }) => leadingVerb(words, regex);
  if (kind === '1') return ({ words }) => regex.test(words[0] ?? '');
  if (kind === 'script') return (args) => scriptsOf(args).some((script) => regex.test(script));
  return kind === 'statement' ? (args) => statementsOf(args).some((statement) => regex.test(statement)) : undefined;
}

/** `git config [set] KEY VALUE`, where git runs programs, or contacts places, because of it. */
function setsWhatRuns(words: readonly string[]): boolean {
  const [key = '', value] = words.slice(words[1] === 'set' ? 2 : 1);
  return value !== undefined && settingRuns(key, value);
}

const showsOrSkips = /^(cat|less(\s.*)?|more|true|:|)$/;

/** Whether git runs a program because of a setting for one call, other than to show a text or to skip an editor. */
export function givenSettingRuns(key: string, value: string): boolean {
  return settingRuns(key, value) && !(/(^|\.)(pager|editor)$|^pager\./i.test(key) && showsOrSkips.test(value));
}

/** `git -c KEY=VALUE …` */
function givesWhatRuns(options: ReadArguments['options']): boolean {
  return options.some(({ name, value = '' }) => {
    const equals = value.indexOf('=');
    return name === '-c' && equals > 0 && givenSettingRuns(value.slice(0, equals), value.slice(equals + 1));
  });
}

/** A verb that matches stands before every other verb: behind one, words are names of things. */
function leadingVerb(words: readonly string[], wanted: RegExp): boolean {
  for (const [index, word] of words.slice(0, 5).entries()) {
    if (wanted.test(word)) return true;
    if (verbOf(word, index) !== undefined) return false;
  }
  return false;
}

const scriptOptions = /^(-e|--expression|--source)$/;
const scriptFiles = /^(-f|--file)$/;

/** The script of sed or awk: the values of `-e`, or else the first word. */
function scriptsOf({ options, words }: ReadArguments): string[] {
  const given = options.flatMap(({ name, value }) => (scriptOptions.test(name) && value !== undefined ? [value] : []));
  if (given.length > 0 || options.some(({ name }) => scriptFiles.test(name))) return given;
  return words.slice(0, 1);
}

const statementOptions =
  /^(-c|--command|-e|--execute|--eval|-q|--query|-Q|-cmd|--sql|--sql-statement|--statement|--query-string|<<)$/;

/** What a client of a database is told: values of its options for that, and words that are no names. */
function statementsOf({ options, words }: ReadArguments): string[] {
  return [
    ...options.flatMap(({ name, value }) => (statementOptions.test(name) && value !== undefined ? [value] : [])),
    ...words.filter((word) => /[\s;(]|^\.\w/.test(word)),
  ];
}

/** All names; `>` the last one; `<` those that go to the last one, or to what `-t` names. */
function namesIn({ words, names = words, options }: ReadArguments, part: string): readonly string[] {
  if (part === '') return names;
  if (part === '>') return names.slice(-1);
  const isNamedFirst = options.some(({ name }) => /^(?:-t|--target-directory)$/.test(name));
  return isNamedFirst ? names.slice(1) : names.slice(0, -1);
}

function compileToken(token: string): Token | undefined {
  if (token.startsWith('!') && token.length > 1) {
    const inner = compileToken(token.slice(1));
    return inner && ((args, place) => !inner(args, place));
  }
  if (token.startsWith('@')) return compileMeaning(token.slice(1));
  if (token.startsWith('~')) {
    const regex = new RegExp(token.slice(1), 'i');
    return ({ words }) => words.some((word) => regex.test(word));
  }
  if (token.startsWith('%')) {
    const part = /^%([<>]?)/.exec(token)?.[1] ?? '';
    const wanted = token.slice(1 + part.length).split('|') as TargetClass[];
    return (args, place) =>
      namesIn(args, part).some((word) => {
        const classes = classifyTarget(word, place);
        return wanted.some((one) => classes.has(one));
      });
  }
  if (token === '#') return ({ words, options, isFed }) => words.length === 0 && options.length === 0 && !isFed;
  if (/^#\d$/.test(token)) {
    const count = Number(token.slice(1));
    return ({ words, isFed }) => (count === 0 ? words.length === 0 && !isFed : words.length >= count);
  }
  if (/^-./.test(token) || token === '--') {
    const equals = token.indexOf('=');
    if (equals > 0) {
      const name = token.slice(0, equals);
      const regex = new RegExp(token.slice(equals + 1), 'i');
      return ({ options }) => options.some((option) => option.name === name && regex.test(option.value ?? ''));
    }
    const names = token.split('|');
    // `/s` of Windows is a word.
    return ({ options, words }) =>
      options.some(({ name, value }) => names.includes(name) && value !== 'false') ||
      names.some((name) => name.startsWith('/') && words.includes(name));
  }
  return undefined;
}
