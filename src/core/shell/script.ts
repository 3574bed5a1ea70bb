import {
  type ArrayValue,
  forEachChild,
  parse,
  type Redirection,
  type SyntaxNode,
  type Word,
  type WordPart,
} from 'unbash';
import type {
  ScriptAssignment,
  ScriptCommand,
  ScriptNode,
  ScriptReading,
  ScriptRedirect,
  ScriptWord,
  WordPiece,
} from './scriptReading.ts';

interface Nesting {
  conditional: boolean;
  background: boolean;
  pipedFrom: number[];
  redirects: ScriptRedirect[];
  inFunction?: string;
  inLoop?: true;
  subshells: readonly number[];
  loops: ReadonlyMap<string, readonly ScriptWord[]>;
}

/** Builtins whose arguments `name=value` are assignments. */
export const declaringBuiltins = new Set(['export', 'declare', 'typeset', 'local', 'readonly']);

const topLevel: Nesting = {
  conditional: false,
  background: false,
  pipedFrom: [],
  redirects: [],
  subshells: [],
  loops: new Map(),
};

/**
 * Reads a POSIX or bash script without running it. Never throws: what cannot be read is told in `problem`.
 * Not for deciding what may run (that is the gate's), only for highlighting, offsets and parts that did not run.
 */
export function readScript(source: string): ScriptReading {
  const reading: ScriptReading = { source, commands: [], body: nothing(), functions: [] };
  const tooMuch = tooMuchToRead(source);
  if (tooMuch) {
    reading.problem = { message: tooMuch, pos: 0 };
    return reading;
  }
  try {
    const tree = parse(source);
    reading.body = new Walk(reading).visit(tree, topLevel);
    const error = tree.errors?.[0];
    if (error) reading.problem = { message: sentenceFor(error.message), pos: error.pos };
  } catch {
    reading.problem ??= { message: 'This script is nested too deeply to be read.', pos: 0 };
  }
  return reading;
}

/** Longest script that is parsed, in characters: no command line takes more than half of it, and it takes 50 ms. */
const readableLength = 256 * 1024;
const deepestNesting = 500;

/** The parser needs time that grows with the square of length and depth; such scripts are not read at all. */
function tooMuchToRead(source: string): string | undefined {
  if (source.length > readableLength) return 'This script is too long to be read.';
  let depth = 0;
  let deepest = 0;
  for (const character of source) {
    if (character === '(' || character === '{' || character === '`') depth += 1;
    else if (character === ')' || character === '}') depth = Math.max(0, depth - 1);
    if (depth > deepest) deepest = depth;
  }
  return deepest > deepestNesting ? 'This script is nested too deeply to be read.' : undefined;
}

// A class, because the ids of commands grow while nested scripts are read.
class Walk {
  private readonly reading: ScriptReading;
  private lastSubshell = 0;

  constructor(reading: ScriptReading) {
    this.reading = reading;
  }

  visit(node: SyntaxNode, around: Nesting): ScriptNode {
    switch (node.type) {
      case 'Script':
      case 'CompoundList':
        return listOf(node.commands.map((statement) => this.visit(statement, around)));
      case 'Statement': {
        if (!node.background) return this.visit(node.command, around);
        return { kind: 'apart', body: this.visit(node.command, { ...this.apart(around), background: true }) };
      }
      case 'Subshell':
        return { kind: 'apart', body: this.visit(node.body, this.apart(around)) };
      case 'AndOr': {
        const items = node.commands.map((command, index) =>
          this.visit(command, index === 0 ? around : { ...around, conditional: true }),
        );
        return { kind: 'choice', items, operators: [...node.operators] };
      }
      case 'Pipeline':
        return this.pipeline(node, around);
      case 'Redirected': {
        const redirects = node.redirects.map((redirect) => ({
          ...this.redirect(redirect, around),
          outer: true as const,
        }));
        return this.visit(node.command, { ...around, redirects: [...around.redirects, ...redirects] });
      }
      case 'Function': {
        const name = node.name.value;
        this.reading.functions.push(name);
        const inside = { ...around, conditional: true, inFunction: name, pipedFrom: [] };
        return { kind: 'function', name, body: this.visit(node.body, inside) };
      }
      case 'Command':
        return this.command(node, around);
      case 'Word':
        this.word(node, around);
        return nothing();
      default:
        return this.compound(node, around);
    }
  }

  /** Branches and loops; of anything else what is in it. */
  private compound(node: SyntaxNode, around: Nesting): ScriptNode {
    const sometimes = { ...around, conditional: true };
    const looped = { ...sometimes, inLoop: true as const };
    switch (node.type) {
      case 'If': {
        const test = this.visit(node.clause, around);
        const body = this.visit(node.then, sometimes);
        const others = node.elif.map((one) => ({
          test: this.visit(one.clause, sometimes),
          body: this.visit(one.then, sometimes),
        }));
        let otherwise = node.else ? this.visit(node.else, sometimes) : undefined;
        for (const one of others.toReversed()) {
          otherwise = { kind: 'if', ...one, ...(otherwise ? { otherwise } : {}) };
        }
        return { kind: 'if', test, body, ...(otherwise ? { otherwise } : {}) };
      }
      case 'While':
        return { kind: 'while', test: this.visit(node.clause, around), body: this.visit(node.body, looped) };
      case 'For':
      case 'Select': {
        const words = node.wordlist?.map((word) => this.word(word, around));
        const name = node.name.value;
        const loops = new Map([...around.loops, [name, words ?? []]]);
        const inside = { ...around, conditional: (words ?? []).length === 0, inLoop: true as const, loops };
        const body = this.visit(node.body, inside);
        const chosen = node.type === 'Select' ? { isChosen: true as const } : {};
        return { kind: 'for', name, ...(words ? { words } : {}), ...chosen, body };
      }
      case 'ArithmeticFor':
        return {
          kind: 'count',
          ...(node.initialize ? { first: node.initialize } : {}),
          ...(node.test ? { test: node.test } : {}),
          ...(node.update ? { next: node.update } : {}),
          body: this.visit(node.body, looped),
        };
      case 'ArithmeticCommand':
        forEachChild(node, (child) => this.visit(child, around));
        return { kind: 'arithmetic', ...(node.expression ? { expression: node.expression } : {}) };
      case 'Case':
        this.word(node.word, around);
        return { kind: 'case', bodies: node.items.map((item) => this.visit(item.body, sometimes)) };
      default: {
        const items: ScriptNode[] = [];
        forEachChild(node, (child) => {
          items.push(this.visit(child, around));
        });
        return listOf(items);
      }
    }
  }

  private pipeline(node: Extract<SyntaxNode, { type: 'Pipeline' }>, around: Nesting): ScriptNode {
    let pipedFrom = around.pipedFrom;
    const items = node.commands.map((command) => {
      const first = this.reading.commands.length;
      const item = this.visit(command, { ...(node.commands.length > 1 ? this.apart(around) : around), pipedFrom });
      pipedFrom = this.idsSince(first);
      return item;
    });
    const isNegated = node.prefixes.some((prefix) => prefix.type === 'Negation');
    const [only] = items;
    return items.length === 1 && only && !isNegated ? only : { kind: 'pipeline', items, isNegated };
  }

  private apart(around: Nesting): Nesting {
    this.lastSubshell += 1;
    return { ...around, subshells: [...around.subshells, this.lastSubshell] };
  }

  private idsSince(first: number): number[] {
    return this.reading.commands.slice(first).map((command) => command.id);
  }

  private command(node: Extract<SyntaxNode, { type: 'Command' }>, around: Nesting): ScriptNode {
    const command: ScriptCommand = {
      id: this.reading.commands.length,
      pos: node.pos,
      end: node.end,
      words: [],
      assignments: [],
      redirects: [...around.redirects],
      pipedFrom: around.pipedFrom,
      conditional: around.conditional,
      background: around.background,
      subshells: around.subshells,
      loops: around.loops,
    };
    if (around.inLoop) command.inLoop = true;
    if (around.inFunction !== undefined) command.inFunction = around.inFunction;
    this.reading.commands.push(command);
    const inside = { ...around, pipedFrom: [], redirects: [] };
    if (node.name) command.words.push(this.word(node.name, inside));
    for (const part of node.prefix) {
      if (part.type === 'Assignment') command.assignments.push(this.assignment(part, inside));
      else command.redirects.push(this.redirect(part, inside));
    }
    for (const part of node.suffix) {
      if (part.type === 'Word') command.words.push(this.word(part, inside));
      else if (part.type === 'Assignment') command.words.push(this.assignmentWord(part, command, inside));
      else command.redirects.push(this.redirect(part, inside));
    }
    return { kind: 'command', command };
  }

  // `export A=1`, `dd of=x`: an argument and perhaps an assignment; which of the two, the program decides.
  private assignmentWord(
    part: Extract<SyntaxNode, { type: 'Assignment' }>,
    command: ScriptCommand,
    around: Nesting,
  ): ScriptWord {
    const assignment = this.assignment(part, around);
    if (declaringBuiltins.has(command.words[0]?.text ?? '')) command.assignments.push(assignment);
    const valueStart = assignment.value?.pos ?? part.end;
    const name = part.text.slice(0, valueStart - part.pos);
    const pieces: WordPiece[] = [{ kind: 'literal', text: name, quoted: false }, ...(assignment.value?.pieces ?? [])];
    return { text: part.text, pos: part.pos, end: part.end, pieces };
  }

  private assignment(part: Extract<SyntaxNode, { type: 'Assignment' }>, around: Nesting): ScriptAssignment {
    const assignment: ScriptAssignment = { name: part.name, append: part.append === true };
    if (part.index) assignment.isElement = true;
    if (isArray(part.value)) assignment.elements = part.value.elements.map((word) => this.word(word, around));
    else assignment.value = this.word(part.value, around);
    return assignment;
  }

  private redirect(redirect: Redirection, around: Nesting): ScriptRedirect {
    const result: ScriptRedirect = { operator: redirect.operator };
    const descriptor = redirect.descriptor;
    if (descriptor) result.descriptor = descriptor.type === 'FileDescriptor' ? descriptor.value : descriptor.name;
    if (redirect.type === 'HereDoc') {
      result.body = redirect.body.text;
      result.expands = redirect.delimiter?.quoted === false;
      result.bodyPieces = (redirect.body.parts ?? []).flatMap((part) => this.piece(part, true, around));
      if (redirect.delimiter && !redirect.closing) {
        this.reading.problem ??= {
          message: `The here-document is not closed: a line with only ${redirect.delimiter.value} is missing.`,
          pos: redirect.pos,
        };
      }
    } else if (redirect.target) result.target = this.word(redirect.target, around);
    return result;
  }

  private word(word: Word, around: Nesting): ScriptWord {
    const pieces = word.parts
      ? word.parts.flatMap((part) => this.piece(part, false, around))
      : [
          {
            kind: 'literal' as const,
            text: word.value,
            quoted: word.value !== word.text,
            ...(word.text.startsWith('~') ? { isTilde: true as const } : {}),
          },
        ];
    return { text: word.text, pos: word.pos, end: word.end, pieces };
  }

  private piece(part: WordPart, quoted: boolean, around: Nesting): WordPiece[] {
    const text = part.text;
    switch (part.type) {
      case 'Literal':
        return [
          {
            kind: 'literal',
            text: part.value,
            quoted: quoted || part.value !== part.text,
            ...(!quoted && part.text.startsWith('~') ? { isTilde: true as const } : {}),
          },
        ];
      case 'SingleQuoted':
      case 'AnsiCQuoted':
        return [{ kind: 'literal', text: part.value, quoted: true }];
      case 'DoubleQuoted':
      case 'LocaleString':
        if (part.parts.length === 0) return [{ kind: 'literal', text: '', quoted: true }];
        return part.parts.flatMap((child) => this.piece(child, true, around));
      case 'Glob':
      case 'ExtendedGlob':
        return [{ kind: 'glob', text }];
      case 'BraceExpansion':
        return [{ kind: 'braces', text }];
      case 'SimpleExpansion':
        return [{ kind: 'variable', name: text.slice(1), text, quoted }];
      case 'ParameterExpansion': {
        const piece: WordPiece = { kind: 'variable', name: part.parameter, text, quoted };
        const operation = part.operation;
        if (part.prefix) piece.operator = part.prefix === '#' ? 'length' : part.prefix;
        if (part.index) piece.index = part.index.text;
        if (operation && operation.type !== 'Names') {
          piece.operator = operation.operator;
          if ('operand' in operation && operation.operand) piece.operand = this.word(operation.operand, around);
          if (operation.type === 'Replace') {
            piece.operand = this.word(operation.pattern, around);
            piece.second = this.word(operation.replacement, around);
          } else if (operation.type === 'Slice') {
            piece.operand = this.word(operation.offset, around);
            if (operation.length) piece.second = this.word(operation.length, around);
          }
        }
        return [piece];
      }
      case 'CommandExpansion':
      case 'ProcessSubstitution': {
        const first = this.reading.commands.length;
        let body = nothing();
        if (part.script) {
          body = this.visit(part.script, { ...this.apart(around), pipedFrom: [], redirects: [] });
          const error = part.script.errors?.[0];
          if (error) this.reading.problem ??= { message: sentenceFor(error.message), pos: error.pos };
        }
        const commands = this.idsSince(first);
        if (part.type === 'CommandExpansion') return [{ kind: 'command', text, quoted, commands, body }];
        return [{ kind: 'process', text, operator: part.operator, commands, body }];
      }
      case 'ArithmeticExpansion':
        forEachChild(part, (child) => this.visit(child, around));
        return [{ kind: 'arithmetic', text, ...(part.expression ? { expression: part.expression } : {}) }];
    }
  }
}

function nothing(): ScriptNode {
  return { kind: 'list', items: [] };
}

function listOf(items: ScriptNode[]): ScriptNode {
  const [only] = items;
  return items.length === 1 && only ? only : { kind: 'list', items };
}

function isArray(value: Word | ArrayValue): value is ArrayValue {
  return value.type === 'ArrayValue';
}

function sentenceFor(message: string): string {
  return `The shell could not read this to its end: ${message.replaceAll("'", '`')}. Select the whole command.`;
}

/** The text of a word when it is known without running anything; `undefined` when an expansion is in it. */
export function staticText(word: ScriptWord): string | undefined {
  let text = '';
  for (const piece of word.pieces) {
    if (piece.kind !== 'literal') return undefined;
    text += piece.text;
  }
  return text;
}
