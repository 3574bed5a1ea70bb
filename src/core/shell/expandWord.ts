import { type ArithmeticVariables, arithmeticValue } from './arithmetic.ts';
import { expandBraces } from './braces.ts';
import {
  knownField,
  type Scope,
  type StaticField,
  type StaticPlace,
  type StaticProgram,
  type WhyOpen,
} from './evaluated.ts';
import { escapePattern, isPattern } from './glob.ts';
import { printedText } from './printedText.ts';
import { readScript } from './script.ts';
import type { ScriptNode, ScriptWord, WordPiece } from './scriptReading.ts';
import { underOptions } from './shellOptions.ts';
import { variableValue } from './variableValue.ts';

/** What an expansion works with. */
export interface Expansion {
  scope: Scope;
  place: StaticPlace;
  /** Goes through the commands of a substitution. */
  substitute(body: ScriptNode): StaticProgram[];
}

/** The words that one word becomes. Patterns stay patterns: what they match is asked of a disk later (`matchPattern`). */
export function expandWord(word: ScriptWord, expansion: Expansion): StaticField[] {
  if (!word.pieces.some(({ kind }) => kind === 'braces')) return expandPieces(word.pieces, expansion, true);
  const { braces } = expansion.scope;
  if (braces === 'stay') return expandPieces(word.pieces, expansion, true);
  const texts = braces === 'open' ? undefined : expandBraces(word.text);
  if (!texts) return [{ text: word.text, pattern: '*', isOpen: true, why: braces ? 'shell' : 'many' }];
  return texts.flatMap((text) => {
    // Braces are a matter of text: each result is read as a word of its own.
    const [, single] = readScript(`: ${text}`).commands[0]?.words ?? [];
    return expandPieces(single?.pieces ?? [], expansion, true);
  });
}

/** The same as one word: of an assignment, a here-document, a pattern. Nothing is split, and braces stay. */
export function expandWhole(pieces: readonly WordPiece[], expansion: Expansion): StaticField {
  return joinFields(expandPieces(pieces, expansion, false));
}

/** The variables of the shell, for arithmetic. */
export function variablesOf({ scope, place }: Pick<Expansion, 'scope' | 'place'>): ArithmeticVariables {
  return {
    textOf(name) {
      const value = scope.variables.get(name)?.[0] ?? place.env[name];
      return typeof value === 'object' ? (value.isOpen || value.isEach ? undefined : value.text) : value;
    },
    set(name, value) {
      const why = scope.variables.get(name)?.[0]?.why ?? 'arithmetic';
      scope.variables.set(name, [value === undefined ? openField(`$${name}`, why) : knownField(String(value))]);
    },
  };
}

/** `"$*"`. */
function joinedByIfs(fields: readonly StaticField[], ifs: string | undefined): StaticField {
  if (fields.length === 0) return knownField('');
  const joined = joinFields(fields, [...(ifs ?? ' ')][0] ?? '');
  return ifs === undefined && fields.length > 1 ? openField(joined.text, 'variable') : joined;
}

/** Several words as one, with blanks between. */
export function joinFields(fields: readonly StaticField[], separator = ' '): StaticField {
  const [only] = fields;
  if (only && fields.length === 1) return only;
  const open = fields.find(({ isOpen }) => isOpen);
  const text = fields.map((field) => field.text).join(separator);
  const pattern = fields.map((field) => field.pattern ?? escapePattern(field.text)).join(escapePattern(separator));
  return {
    text,
    ...(isPattern(pattern) ? { pattern } : {}),
    isOpen: open !== undefined,
    ...(open?.why ? { why: open.why } : {}),
  };
}

function expandPieces(
  pieces: readonly WordPiece[],
  expansion: Expansion,
  splits: boolean,
  isOperand = false,
): StaticField[] {
  const words = new Words(ifsOf(expansion));
  for (const [index, piece] of pieces.entries()) {
    // What an unquoted `${x:-a b}` gives is split like a value.
    if (isOperand && splits && piece.kind === 'literal' && !piece.quoted && !piece.isTilde)
      words.appendValue(knownField(piece.text), false);
    else addPiece(words, piece, index === 0, expansion, splits);
  }
  return splits ? words.finish().map((field) => underOptions(field, expansion.scope)) : words.finish();
}

function addPiece(words: Words, piece: WordPiece, isFirst: boolean, expansion: Expansion, splits: boolean): void {
  switch (piece.kind) {
    case 'literal':
      if (isFirst && piece.isTilde) words.append(atHome(piece.text, expansion));
      else words.append(knownField(piece.text));
      return;
    case 'glob':
      words.append({ text: piece.text, pattern: piece.text, isOpen: false });
      return;
    case 'braces':
      words.append(knownField(piece.text));
      return;
    case 'arithmetic': {
      const value = piece.expression && arithmeticValue(piece.expression, variablesOf(expansion));
      words.append(value === undefined ? openField(piece.text, 'arithmetic') : knownField(String(value)));
      return;
    }
    case 'process':
      expansion.substitute(piece.body);
      words.append(openField(piece.text, 'output'));
      return;
    case 'command': {
      const printed = substitutedText(piece.body, expansion);
      if (printed === undefined) words.append(openField(piece.text, 'output'));
      else words.appendValue(knownField(printed.replace(/\n+$/, '')), piece.quoted || !splits);
      return;
    }
    case 'variable': {
      const { fields, isList } = variableValue(piece, {
        ...expansion,
        expandOperand: (word) => expandPieces(word.pieces, expansion, splits && !piece.quoted, true),
        expandWhole: (word) => expandWhole(word.pieces, expansion),
      });
      const isQuoted = piece.quoted || !splits;
      if (isList === 'each' || (isList && !isQuoted)) words.appendList(fields);
      else if (isList) words.append(joinedByIfs(fields, ifsOf(expansion)));
      else for (const field of fields) words.appendValue(field, isQuoted);
    }
  }
}

/** `$(echo x)` prints what its words tell; `$(pwd)` the folder. */
function substitutedText(body: ScriptNode, expansion: Expansion): string | undefined {
  const programs = expansion.substitute(body);
  const [only] = programs;
  if (!only || programs.length !== 1 || only.fields.some(({ isOpen, pattern }) => isOpen || pattern)) return undefined;
  if (only.redirects.length > 0 || only.isUncertain) return undefined;
  if (only.argv[0] === 'pwd' && only.argv.length === 1) return only.isLost ? undefined : only.cwd;
  return printedText(programs);
}

function atHome(text: string, { scope, place }: Expansion): StaticField {
  const [, name = '', rest = ''] = /^~([^/]*)(.*)$/s.exec(text) ?? [];
  if (name === '') {
    const home = scope.variables.get('HOME')?.[0] ?? knownField(place.home);
    return { ...home, text: home.text + rest };
  }
  if (name === '+' && !scope.isLost) return knownField(scope.cwd + rest);
  if (name === '-' && scope.before !== undefined) return knownField(scope.before + rest);
  return openField(text, 'shell');
}

/** A word of which nothing is known but how it is written. */
function openField(text: string, why: WhyOpen): StaticField {
  return { text, pattern: '*', isOpen: true, why };
}

function ifsOf({ scope }: Expansion): string | undefined {
  const value = scope.variables.get('IFS')?.[0];
  if (!value) return ' \t\n';
  return value.isOpen ? undefined : value.text;
}

/** Words under construction: what is appended goes on with the last one, until something splits. */
class Words {
  private readonly done: StaticField[] = [];
  private current: (Required<Pick<StaticField, 'pattern'>> & StaticField) | undefined;
  private readonly separators: RegExp | undefined;
  private readonly isIfsKnown: boolean;

  constructor(ifs: string | undefined) {
    this.isIfsKnown = ifs !== undefined;
    const set = (ifs ?? '').replace(/[\\\]^-]/g, '\\$&');
    if (set === '') return;
    const blanks = [...set].filter((one) => /\s/.test(one)).join('');
    const others = [...set].filter((one) => !/\s/.test(one)).join('');
    const blank = blanks === '' ? '' : `[${blanks}]*`;
    this.separators = new RegExp(
      others === '' ? `[${blanks}]+` : `${blank}[${others}]${blank}|${blank === '' ? '(?!)' : `[${blanks}]+`}`,
    );
  }

  append(field: StaticField): void {
    const before = this.current ?? { text: '', pattern: '', isOpen: false };
    const why = before.why ?? field.why;
    this.current = {
      text: before.text + field.text,
      pattern: before.pattern + (field.pattern ?? escapePattern(field.text)),
      isOpen: before.isOpen || field.isOpen,
      ...(why ? { why } : {}),
      ...(before.isEach || field.isEach ? { isEach: true } : {}),
    };
  }

  /** What a variable or substitution became: outside of quotes it is split, and a pattern in it is one. */
  appendValue(field: StaticField, isQuoted: boolean): void {
    if (isQuoted || field.isEach || field.isOpen) {
      this.append(field);
      return;
    }
    if (!this.isIfsKnown && /\S/.test(field.text)) {
      this.append(openField(field.text, 'variable'));
      return;
    }
    const parts = this.separators ? field.text.split(this.separators) : [field.text];
    for (const [index, text] of parts.entries()) {
      if (index > 0) this.split();
      if (text !== '') this.append({ text, pattern: text, isOpen: false });
    }
  }

  /** Words that stay words of their own: `"$@"`. */
  appendList(fields: readonly StaticField[]): void {
    for (const [index, field] of fields.entries()) {
      if (index > 0) this.split();
      this.append(field);
    }
  }

  private split(): void {
    if (this.current) this.done.push(this.current);
    this.current = undefined;
  }

  finish(): StaticField[] {
    this.split();
    return this.done.map(({ pattern = '', ...field }) => (isPattern(pattern) ? { ...field, pattern } : field));
  }
}
