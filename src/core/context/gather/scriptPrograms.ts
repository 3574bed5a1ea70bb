import { posix } from 'node:path';
import { readScript } from '../../shell/script.ts';
import type { ScriptCommand, ScriptReading, ScriptWord } from '../../shell/scriptReading.ts';

/** One argument as far as the script's text tells. */
export interface NamedWord {
  text: string;
  /** An unquoted `*`, `?` or `[` is in it: `text` is a pattern. */
  isGlob: boolean;
}

/** A program that a script names, with what its words would be. Nothing was run or looked up. */
export interface NamedProgram {
  /** Without a path. */
  name: string;
  words: NamedWord[];
  cwd: string;
  /** Files that it reads through `<`. */
  inputs: NamedWord[];
  /** Files that it writes through `>`; their state before may matter. */
  outputs: NamedWord[];
  /** Its files come from another program: `xargs`, `find -exec`. */
  isFed?: true;
}

/** What the expansion knows besides the script. */
export interface ScriptPlace {
  cwd: string;
  home: string;
}

const shells = /^(?:sh|bash|dash|zsh|ksh)$/;
const fronts = /^(?:sudo|doas|env|nohup|time|nice|stdbuf|command|exec|builtin|xargs|timeout|setsid|watch)$/;
/** Options of the programs that start others whose value is the next word. */
const valuedOptions: Readonly<Record<string, RegExp>> = {
  sudo: /^-[ughpCDRT]$/,
  doas: /^-[uC]$/,
  xargs: /^-[InPLdsaE]$/,
  env: /^-[uCS]$/,
  timeout: /^-[sk]$/,
  nice: /^-n$/,
};
const deepest = 4;
const mostPrograms = 400;

interface State {
  place: ScriptPlace;
  cwd: string;
  variables: Map<string, string>;
  programs: NamedProgram[];
  depth: number;
}

/** The programs that a script names, in its order, those in branches, substitutions and `bash -c` included. */
export function findNamedPrograms(script: string, place: ScriptPlace): NamedProgram[] {
  const state: State = { place, cwd: place.cwd, variables: new Map(), programs: [], depth: 0 };
  addReading(readScript(script), state);
  return state.programs;
}

/** The same for the words of a program that is about to be started. */
export function programOf(argv: readonly string[], cwd: string): NamedProgram {
  const words = argv.map((text) => ({ text, isGlob: false }));
  return { name: posix.basename(argv[0] ?? ''), words, cwd, inputs: [], outputs: [] };
}

function addReading(reading: ScriptReading, state: State): void {
  for (const command of reading.commands) {
    if (state.programs.length >= mostPrograms) return;
    addCommand(command, state);
  }
}

function addCommand(command: ScriptCommand, state: State): void {
  for (const { name, value } of command.assignments) {
    const text = value ? expand(value, command, state)[0] : undefined;
    if (text && !text.isGlob) state.variables.set(name, text.text);
  }
  const words = command.words.flatMap((word) => expand(word, command, state));
  const inputs: NamedWord[] = [];
  const outputs: NamedWord[] = [];
  for (const { operator, target } of command.redirects) {
    if (!target || operator === '<<<' || /&$/.test(operator)) continue;
    (operator.startsWith('<') ? inputs : outputs).push(...expand(target, command, state));
  }
  const first = words[0]?.text ?? '';
  if (first === 'cd' || first === 'pushd') {
    const target = words.find((word, index) => index > 0 && !word.text.startsWith('-'))?.text;
    const folder = posix.resolve(state.cwd, target ?? state.place.home);
    state.programs.push({ name: first, words: [...words], cwd: state.cwd, inputs, outputs });
    // In a subshell it would end there; the words behind it mostly stand in the same one.
    state.cwd = folder;
    return;
  }
  if (words.length === 0 && inputs.length === 0 && outputs.length === 0) return;
  const program: NamedProgram = { name: posix.basename(first), words, cwd: state.cwd, inputs, outputs };
  state.programs.push(program);
  addInner(program, state);
}

/** What stands behind `sudo`, `xargs`, `find -exec` or in `bash -c "…"`. */
function addInner(program: NamedProgram, state: State): void {
  if (state.depth >= deepest) return;
  const { words, cwd } = program;
  if (shells.test(program.name) || program.name === 'eval') {
    const at = program.name === 'eval' ? 0 : words.findIndex((word) => /^-[a-z]*c$/.test(word.text));
    const script =
      program.name === 'eval'
        ? words
            .slice(1)
            .map((word) => word.text)
            .join(' ')
        : words[at + 1]?.text;
    if (at < 0 || script === undefined) return;
    const before = state.cwd;
    state.depth++;
    addReading(readScript(script), state);
    state.depth--;
    state.cwd = before;
    return;
  }
  let start = -1;
  if (fronts.test(program.name)) {
    const valued = valuedOptions[program.name];
    start = words.findIndex(
      ({ text }, index) =>
        index > 0 && !/^-|^\w+=|^\d+[smh]?$/.test(text) && !(valued?.test(words[index - 1]?.text ?? '') ?? false),
    );
  } else if (program.name === 'find')
    start = words.findIndex((word) => /^-(?:exec|execdir|ok|okdir)$/.test(word.text)) + 1;
  if (start <= 0) return;
  const inner: NamedProgram = {
    name: posix.basename(words[start]?.text ?? ''),
    words: words.slice(start),
    cwd,
    inputs: [],
    outputs: [],
    ...(/^(?:xargs|find)$/.test(program.name) ? { isFed: true as const } : {}),
  };
  state.programs.push(inner);
  state.depth++;
  addInner(inner, state);
  state.depth--;
}

const mostWords = 64;

/** The words that one word becomes; what only the shell knows becomes `*`, so that it matches what it could be. */
function expand(word: ScriptWord, command: ScriptCommand, state: State): NamedWord[] {
  let results: NamedWord[] = [{ text: '', isGlob: false }];
  for (const [index, piece] of word.pieces.entries()) {
    const choices: NamedWord[] = [];
    if (piece.kind === 'literal') {
      const text = index === 0 && !piece.quoted ? piece.text.replace(/^~(?=\/|$)/, state.place.home) : piece.text;
      choices.push({ text, isGlob: false });
    } else if (piece.kind === 'glob') choices.push({ text: piece.text, isGlob: true });
    else if (piece.kind === 'braces')
      choices.push(...bracesOf(piece.text).map((text) => ({ text, isGlob: /[*?[]/.test(text) })));
    else if (piece.kind === 'variable') choices.push(...variableOf(piece.name, piece.operand, command, state));
    else choices.push({ text: '*', isGlob: true });
    results = results.flatMap((before) => choices.map((choice) => joined(before, choice))).slice(0, mostWords);
  }
  return results;
}

function joined(before: NamedWord, after: NamedWord): NamedWord {
  const isGlob = before.isGlob || after.isGlob;
  if (!isGlob) return { text: before.text + after.text, isGlob };
  const quoted = (word: NamedWord) => (word.isGlob ? word.text : word.text.replace(/[*?[\]\\{}]/g, '\\$&'));
  return { text: quoted(before) + quoted(after), isGlob };
}

function variableOf(name: string, operand: ScriptWord | undefined, command: ScriptCommand, state: State): NamedWord[] {
  const loop = command.loops.get(name);
  if (loop && loop.length > 0) {
    return loop.flatMap((word) => expand(word, { ...command, loops: new Map() }, state)).slice(0, mostWords);
  }
  const value = state.variables.get(name);
  if (value !== undefined) return [{ text: value, isGlob: false }];
  if (name === 'HOME') return [{ text: state.place.home, isGlob: false }];
  if (name === 'PWD') return [{ text: state.cwd, isGlob: false }];
  if (operand) return expand(operand, command, state);
  return [{ text: '*', isGlob: true }];
}

/** `{a,b{1,2}}` and `{1..9}`. */
function bracesOf(text: string): string[] {
  const range = /^\{(-?\d+)\.\.(-?\d+)\}$/.exec(text);
  if (range) {
    const [from, to] = [Number(range[1]), Number(range[2])];
    const width = Math.max(...[range[1] ?? '', range[2] ?? ''].map((one) => (/^0\d/.test(one) ? one.length : 0)));
    const length = Math.min(mostWords, Math.abs(to - from) + 1);
    return Array.from({ length }, (_, index) => String(from + (to < from ? -index : index)).padStart(width, '0'));
  }
  if (!text.startsWith('{') || !text.endsWith('}')) return [text];
  const parts: string[] = [];
  let depth = 0;
  let start = 1;
  for (let at = 1; at < text.length; at++) {
    const character = text[at];
    if (character === '{') depth++;
    else if (character === '}' && depth > 0) depth--;
    else if ((character === ',' && depth === 0) || at === text.length - 1) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return parts.length > 1 ? parts.flatMap((part) => innerBraces(part)) : [text];
}

function innerBraces(part: string): string[] {
  const open = part.indexOf('{');
  const close = part.lastIndexOf('}');
  if (open < 0 || close < open) return [part.replace(/^(['"])(.*)\1$/s, '$2')];
  return bracesOf(part.slice(open, close + 1)).map((middle) => part.slice(0, open) + middle + part.slice(close + 1));
}
