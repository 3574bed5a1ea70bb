import { posix } from 'node:path';
import {
  declaringBuiltins,
  readScript,
  type ScriptCommand,
  type ScriptReading,
  type ScriptWord,
} from '../shell/script.ts';
import { shellOf } from '../shell/shells.ts';
import { awkCommands, textOf } from './knownTexts.ts';
import { programName } from './programName.ts';
import { type Started, startedBy } from './startedBy.ts';

/** A redirection to or from a file, with its target as far as it is known. */
export interface StaticRedirect {
  operator: string;
  target: string;
  /** The target, with what only the shell knows. */
  fields: StaticField[];
  /** Where it is written: `2>`. */
  descriptor?: number | string;
}

/** A word after expansion, with what is not known of it. */
export interface StaticField {
  text: string;
  /** The pattern that it is, where it is one: what is not meant as a pattern is escaped by backslashes. */
  pattern?: string;
  /** It depends on what only the shell knows: a variable, a substitution. */
  isOpen: boolean;
}

/** A program that a script would start, as far as the script's text tells. */
export interface StaticProgram {
  /** Words after expansion; what only the shell knows stays as it is written (`$X`, `*.log`, `$(date)`). */
  argv: string[];
  /** The same words, with what is not known of them. */
  fields: StaticField[];
  cwd: string;
  /** It would run in a place that is not known; `cwd` is the last one that is. */
  isLost?: true;
  redirects: StaticRedirect[];
  /** Programs whose output it reads through a pipe. */
  readsFrom: StaticProgram[];
  /** Text that it reads from a here-document, a here-string or an `echo` before it, where that is known. */
  inputText?: string;
  /** Programs in substitutions among its words, `<(…)` included. */
  substituted: StaticProgram[];
  /** It stands inside a program or text that only starts it: `sudo`, `bash -c`, `ssh host`. */
  inside?: Started;
  /** Variables that are set for it alone. */
  env: Record<string, string>;
  /** What it is in the script that the action is; absent inside of other texts. */
  command?: ScriptCommand;
}

/** What the expansion knows: never read from the process, always given. */
export interface StaticPlace {
  cwd: string;
  home: string;
  env: Readonly<Record<string, string | undefined>>;
}

const deepest = 6;
const mostPrograms = 4000;

/** What a shell knows at one place of a script. */
interface Scope {
  variables: Map<string, StaticField>;
  cwd: string;
  /** It went to a place that is not known. */
  isLost: boolean;
}

interface State extends Scope {
  programs: StaticProgram[];
  place: StaticPlace;
  depth: number;
}

/**
 * The programs that a script would start, in the order of the script, those in functions, branches, substitutions,
 * `bash -c`, `eval`, here-documents for shells and behind `sudo` or `xargs` included. Nothing is run or looked up.
 */
export function findStaticPrograms(script: string | ScriptReading, place: StaticPlace): StaticProgram[] {
  const reading = typeof script === 'string' ? readScript(script) : script;
  const state: State = { variables: new Map(), cwd: place.cwd, isLost: false, programs: [], place, depth: 0 };
  addScript(reading, state, undefined, []);
  return state.programs;
}

function addScript(
  reading: ScriptReading,
  state: State,
  inside: Started | undefined,
  readsFrom: StaticProgram[],
): StaticProgram[] {
  const byCommand = new Map<number, StaticProgram[]>();
  const added: StaticProgram[] = [];
  const scopes = new Map<string, Scope>();
  let within = '';
  // Substitutions stand behind the command that has them, so a command's own are only known afterwards.
  const open: [StaticProgram, number[]][] = [];
  for (const command of reading.commands) {
    if (state.programs.length >= mostPrograms) break;
    within = enterScope(command.subshells, within, scopes, state);
    const piped = command.pipedFrom.flatMap((id) => byCommand.get(id) ?? []);
    const found = addCommand(command, reading, state, inside, piped.length > 0 ? piped : readsFrom);
    byCommand.set(command.id, found);
    added.push(...found);
    const first = found[0];
    const ids = substitutedIn(command);
    if (first && ids.length > 0) open.push([first, ids]);
  }
  enterScope([], within, scopes, state);
  for (const [program, ids] of open) program.substituted.push(...ids.flatMap((id) => byCommand.get(id) ?? []));
  return added;
}

/** What a subshell sets ends with it: puts into the state what the shell of the next command knows. */
function enterScope(subshells: readonly number[], within: string, scopes: Map<string, Scope>, state: State): string {
  const key = subshells.join(' ');
  if (key === within) return key;
  scopes.set(within, { variables: state.variables, cwd: state.cwd, isLost: state.isLost });
  let known: Scope | undefined;
  for (let length = subshells.length; !known && length >= 0; length--) {
    known = scopes.get(subshells.slice(0, length).join(' '));
    if (known && length < subshells.length) known = { ...known, variables: new Map(known.variables) };
  }
  if (known) Object.assign(state, known);
  return key;
}

function substitutedIn(command: ScriptCommand): number[] {
  const words = [
    ...command.words,
    ...command.assignments.flatMap(({ value }) => value ?? []),
    ...command.redirects.flatMap(({ target }) => target ?? []),
  ];
  return words.flatMap((word) =>
    word.pieces.flatMap((piece) => (piece.kind === 'command' || piece.kind === 'process' ? piece.commands : [])),
  );
}

function addCommand(
  command: ScriptCommand,
  reading: ScriptReading,
  state: State,
  inside: Started | undefined,
  readsFrom: StaticProgram[],
): StaticProgram[] {
  const env: Record<string, string> = {};
  const declares = declaringBuiltins.has(command.words[0]?.text ?? '');
  for (const { name, value, append } of command.assignments) {
    if (!value) continue;
    const assigned = joined(expandFields(value, command, state, reading));
    env[name] = assigned.text;
    if (command.words.length === 0 || declares) assign(name, assigned, append, command, state);
  }
  forgetRead(command, state);
  const redirects = command.redirects.flatMap(({ operator, target, descriptor }) =>
    target && operator !== '<<<'
      ? [readRedirect(operator, expandFields(target, command, state, reading), descriptor)]
      : [],
  );
  const fields = command.words.flatMap((word) => expandFields(word, command, state, reading));
  const argv = fields.map(({ text }) => text);
  const program: StaticProgram = { argv, fields, cwd: state.cwd, redirects, readsFrom, substituted: [], env, command };
  if (inside) program.inside = inside;
  if (state.isLost) program.isLost = true;
  const input = inputOf(command, state, reading) ?? textOf(readsFrom);
  if (input !== undefined) program.inputText = input;
  if (
    argv.length === 0 &&
    redirects.length === 0 &&
    Object.keys(env).length === 0 &&
    substitutedIn(command).length === 0
  )
    return [];
  return addProgram(program, state);
}

function joined(fields: readonly StaticField[]): StaticField {
  return { text: fields.map(({ text }) => text).join(' '), isOpen: fields.some(({ isOpen }) => isOpen) };
}

function assign(name: string, value: StaticField, append: boolean, command: ScriptCommand, state: State): void {
  const before = state.variables.get(name);
  // In a branch nobody knows which of two values it is.
  const isOpen = value.isOpen || (append && before?.isOpen === true) || (command.conditional && before !== undefined);
  state.variables.set(name, { text: append ? `${before?.text ?? ''}${value.text}` : value.text, isOpen });
}

/** What `read` and its like put into variables is not known. */
function forgetRead(command: ScriptCommand, state: State): void {
  if (!/^(read|mapfile|readarray|getopts|unset)$/.test(command.words[0]?.text ?? '')) return;
  for (const { text } of command.words.slice(1))
    if (/^[A-Za-z_]\w*$/.test(text)) state.variables.set(text, { text: `$${text}`, isOpen: true });
}

function readRedirect(
  operator: string,
  fields: StaticField[],
  descriptor: number | string | undefined,
): StaticRedirect {
  const target = fields.map(({ text }) => text).join(' ');
  return { operator, target, fields, ...(descriptor === undefined ? {} : { descriptor }) };
}

/** What holds for a starter holds for what it starts: `ssh host sudo rm x` removes nothing here. */
function inherited(started: Started, { inside }: StaticProgram): Started {
  const elsewhere = started.elsewhere ?? inside?.elsewhere;
  const asUser = started.asUser ?? inside?.asUser;
  const moreArguments = started.moreArguments ?? inside?.moreArguments;
  return {
    ...started,
    ...(elsewhere ? { elsewhere } : {}),
    ...(asUser === undefined ? {} : { asUser }),
    ...(moreArguments ? { moreArguments } : {}),
  };
}

/** The fields of words that stand one behind the other in a longer call. */
function fieldsWithin(inner: readonly string[], { argv, fields }: StaticProgram): StaticField[] {
  const at = argv.findIndex((_, start) => inner.every((word, index) => argv[start + index] === word));
  const known = at >= 0 && inner.length > 0;
  return known ? fields.slice(at, at + inner.length) : inner.map((text) => ({ text, isOpen: /[$`*?[]/.test(text) }));
}

function addProgram(program: StaticProgram, state: State): StaticProgram[] {
  state.programs.push(program);
  const added = [program];
  if (state.depth >= deepest || state.programs.length >= mostPrograms) return added;
  const { argv } = program;
  const name = programName(argv[0] ?? '');
  if (name === 'popd') state.isLost = true;
  if ((name === 'cd' || name === 'pushd') && !program.inside?.elsewhere) changeDirectory(program, state);
  state.depth++;
  const all = startedBy(argv).map((one) => inherited(one, program));
  for (const wrapped of all) {
    if (!wrapped.argv) continue;
    const inner = withUpstreamWords(wrapped, program, wrapped.argv);
    added.push(
      ...addProgram(
        {
          ...program,
          argv: inner,
          fields: fieldsWithin(inner, program),
          inside: wrapped,
          redirects: [],
          env: { ...program.env, ...wrapped.env },
        },
        state,
      ),
    );
  }
  for (const [text, by] of scriptsIn(name, argv, all, program)) {
    const { variables, cwd, isLost } = state;
    added.push(...addScript(readScript(text), state, by, program.readsFrom));
    // Another shell goes where it likes; `eval` and a trap are the shell itself.
    if (!/^(eval|trap|alias)$/.test(name)) Object.assign(state, { variables, cwd, isLost });
  }
  state.depth--;
  return added;
}

// xargs and parallel append what they read; where an `echo` before them tells it, it is known.
function withUpstreamWords(wrapped: Started, program: StaticProgram, argv: readonly string[]): string[] {
  if (wrapped.moreArguments !== 'read' || program.inputText === undefined) return [...argv];
  const words = program.inputText.split(/\s+/).filter((word) => word !== '');
  const placeholder = wrapped.placeholder ?? (wrapped.by === 'parallel' ? '{}' : undefined);
  if (placeholder === undefined || !argv.some((word) => word.includes(placeholder))) return [...argv, ...words];
  return argv.map((word) => word.replaceAll(placeholder, words.join(' ')));
}

/** Texts among the words or the input of a program that a shell would run. */
function scriptsIn(
  name: string,
  argv: readonly string[],
  all: readonly Started[],
  program: StaticProgram,
): [text: string, by: Started][] {
  const by = (text: string): [string, Started] => [text, inherited({ by: name, env: {}, options: [] }, program)];
  const scripts = all.flatMap((one): [string, Started][] => {
    if (one.shellScript === undefined) return [];
    const more = one.moreArguments === 'read' && one.by === name;
    return [[more ? withUpstreamWords(one, program, [one.shellScript]).join(' ') : one.shellScript, one]];
  });
  if (scripts.length > 0) return scripts;
  if (name === 'eval') return [by(argv.slice(1).join(' '))];
  if (name === 'trap' && argv[1] && argv[1] !== '-' && argv.length > 2) return [by(argv[1])];
  if (name === 'alias')
    return argv.slice(1).flatMap((word) => (word.includes('=') ? [by(word.slice(word.indexOf('=') + 1))] : []));
  if (/^g?awk$|^mawk$/.test(name)) return awkCommands(argv).map(by);
  const readsScript =
    shellOf(name) !== undefined && !argv.slice(1).some((word) => !word.startsWith('-') && !word.startsWith('+'));
  if ((readsScript || name === 'parallel' || name === 'ssh') && program.inputText !== undefined && all.length === 0) {
    const [text, started] = by(program.inputText);
    return [[text, name === 'ssh' ? { ...started, elsewhere: 'machine' } : started]];
  }
  return [];
}

function changeDirectory({ argv, fields }: StaticProgram, state: State): void {
  const at = argv.findIndex((word, index) => index > 0 && !/^-[LPe@]*$|^--$/.test(word));
  const target = at < 0 ? state.place.home : (argv[at] ?? '');
  const field = fields[at];
  if (field?.isOpen || field?.pattern !== undefined || target === '-' || /[$*?`]/.test(target)) {
    state.isLost = true;
    return;
  }
  const next = posix.resolve(state.cwd, target.replace(/^~(?=\/|$)/, state.place.home));
  if (posix.isAbsolute(target)) state.isLost = false;
  state.cwd = next;
}

function inputOf(command: ScriptCommand, state: State, reading: ScriptReading): string | undefined {
  for (const { operator, body, target } of command.redirects.toReversed()) {
    if (body !== undefined) return body;
    if (operator === '<<<' && target) return expand(target, command, state, reading).join(' ');
  }
  return undefined;
}

function expand(word: ScriptWord, command: ScriptCommand, state: State, reading: ScriptReading): string[] {
  return expandFields(word, command, state, reading).map(({ text }) => text);
}

/** The fields of a word, as far as they are known: variables with known values, lists in braces, loops. */
function expandFields(word: ScriptWord, command: ScriptCommand, state: State, reading: ScriptReading): StaticField[] {
  let fields: Required<StaticField>[] = [{ text: '', pattern: '', isOpen: false }];
  let split = false;
  for (const piece of word.pieces) {
    if (piece.kind === 'variable') split ||= !piece.quoted;
    const options = optionsOf(piece, command, state, reading);
    fields = fields
      .flatMap((before) =>
        options.map(({ text, pattern, isOpen }) => ({
          text: before.text + text,
          pattern: before.pattern + (pattern ?? escapePattern(text)),
          isOpen: before.isOpen || isOpen,
        })),
      )
      .slice(0, 64);
  }
  // A leading `~` is expanded only where it stands unquoted at the start.
  const first = word.pieces[0];
  if (first?.kind === 'literal' && !first.quoted) fields = fields.map((field) => atHome(field, state.place.home));
  return (split ? fields.flatMap(splitField) : fields).map(({ text, pattern, isOpen }) =>
    isPattern(pattern) ? { text, pattern, isOpen } : { text, isOpen },
  );
}

function optionsOf(
  piece: ScriptWord['pieces'][number],
  command: ScriptCommand,
  state: State,
  reading: ScriptReading,
): StaticField[] {
  switch (piece.kind) {
    case 'literal':
      return [{ text: piece.text, isOpen: false }];
    case 'variable':
      return valuesOf(piece, command, state, reading);
    case 'glob':
      return [{ text: piece.text, pattern: piece.text, isOpen: false }];
    case 'braces': {
      const parts = expandBraces(piece.text);
      return parts.map((text) => ({ text, isOpen: parts.length === 1 || /[$`*?[{]/.test(text) }));
    }
    case 'command': {
      const printed = printedBy(piece.commands, reading, state);
      return [{ text: printed ?? piece.text, isOpen: printed === undefined }];
    }
    default:
      return [{ text: piece.text, isOpen: true }];
  }
}

function escapePattern(text: string): string {
  return text.replace(/[\\*?[\]]/g, '\\$&');
}

/** Whether something in it is not escaped and matches more than itself. */
function isPattern(pattern: string): boolean {
  return /[*?[]/.test(pattern.replace(/\\./gs, ''));
}

function atHome(field: Required<StaticField>, home: string): Required<StaticField> {
  const text = field.text.replace(/^~(?=\/|$)/, home);
  if (text === field.text) return /^~/.test(text) ? { ...field, isOpen: true } : field;
  return { ...field, text, pattern: field.pattern.replace(/^~(?=\/|$)/, escapePattern(home)) };
}

function splitField(field: Required<StaticField>): Required<StaticField>[] {
  if (!/\s/.test(field.text)) return [field];
  const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');
  const patterns = words(field.pattern);
  return words(field.text).map((text, index) => ({ ...field, text, pattern: patterns[index] ?? text }));
}

function valuesOf(
  piece: Extract<ScriptWord['pieces'][number], { kind: 'variable' }>,
  command: ScriptCommand,
  state: State,
  reading: ScriptReading,
): StaticField[] {
  const { name, operator, operand, text, quoted } = piece;
  const known = (value: string): StaticField[] => [
    quoted ? { text: value, isOpen: false } : { text: value, pattern: value, isOpen: false },
  ];
  const loop = command.loops.get(name);
  if (loop && loop.length > 0)
    return loop.flatMap((word) => expandFields(word, { ...command, loops: new Map() }, state, reading));
  const assigned = state.variables.get(name);
  if (assigned?.isOpen) return [{ text: assigned.text, isOpen: true }];
  const value = assigned?.text ?? state.place.env[name];
  if (operator === ':+' || operator === '+')
    return operand ? expandFields(operand, command, state, reading) : known('');
  if (value !== undefined && (operator === undefined || /^:?[-=?]$/.test(operator))) return known(value);
  if (name === 'HOME') return known(state.place.home);
  if (name === 'PWD') return known(state.cwd);
  if (name === 'SHELL') return known(state.place.env['SHELL'] ?? '/bin/sh');
  if (name === 'IFS') return known(' ');
  if (operand && operator && /^:?[-=]$/.test(operator)) return expandFields(operand, command, state, reading);
  return [{ text, isOpen: true }];
}

function printedBy(ids: readonly number[], reading: ScriptReading, state: State): string | undefined {
  const only = reading.commands.find((command) => command.id === ids[0]);
  if (!only || ids.length !== 1) return undefined;
  const argv = only.words.map((word) =>
    word.pieces.every((piece) => piece.kind === 'literal') ? expand(word, only, state, reading)[0] : undefined,
  );
  if ((argv[0] !== 'echo' && argv[0] !== 'printf') || argv.includes(undefined)) return undefined;
  return argv
    .slice(1)
    .filter((text) => text !== '-n' && text !== '-e')
    .join(' ');
}

function expandBraces(text: string): string[] {
  const inner = text.slice(1, -1);
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let index = 0; index <= inner.length; index++) {
    const character = inner[index];
    if (character === '{') depth++;
    else if (character === '}') depth--;
    else if ((character === ',' && depth === 0) || index === inner.length) {
      parts.push(inner.slice(from, index).replace(/^(['"])(.*)\1$/, '$2'));
      from = index + 1;
    }
  }
  return parts.length > 1 ? parts : [text];
}
