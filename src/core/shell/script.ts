import {
  type ArrayValue,
  forEachChild,
  parse,
  type Redirection,
  type SyntaxNode,
  type Word,
  type WordPart,
} from 'unbash';

/** One part of a word, in order. What is not `literal` is only known when the shell runs. */
export type WordPiece =
  | { kind: 'literal'; text: string; quoted: boolean }
  /** `operator` and `operand` of `${name:-operand}`; `text` as written. */
  | { kind: 'variable'; name: string; text: string; quoted: boolean; operator?: string; operand?: ScriptWord }
  /** `*`, `?`, `[a-z]`, `@(a|b)`. */
  | { kind: 'glob'; text: string }
  /** `{a,b}` or `{1..9}`, as written. */
  | { kind: 'braces'; text: string }
  /** `$(…)`, `` `…` ``; `commands` are ids of the commands in it. */
  | { kind: 'command'; text: string; quoted: boolean; commands: number[] }
  /** `<(…)` or `>(…)`. */
  | { kind: 'process'; text: string; operator: '<' | '>'; commands: number[] }
  | { kind: 'arithmetic'; text: string };

/** A word of a script. `pos` and `end` are UTF-16 offsets in the script. */
export interface ScriptWord {
  text: string;
  pos: number;
  end: number;
  pieces: WordPiece[];
}

/** `name=value` before or instead of a command. `value` is absent for arrays. */
export interface ScriptAssignment {
  name: string;
  value?: ScriptWord;
  elements?: ScriptWord[];
  append: boolean;
}

/** A redirection. Here-documents have `body` (and `expands` when variables in it are expanded). */
export interface ScriptRedirect {
  operator: string;
  descriptor?: number | string;
  target?: ScriptWord;
  body?: string;
  expands?: boolean;
  /** It belongs to a loop, group or function around the command. */
  outer?: true;
}

/** A simple command of a script. */
export interface ScriptCommand {
  id: number;
  pos: number;
  end: number;
  words: ScriptWord[];
  assignments: ScriptAssignment[];
  redirects: ScriptRedirect[];
  /** Ids of the commands whose output it reads through a pipe. */
  pipedFrom: number[];
  /** It runs only sometimes: after `&&` or `||`, in a branch, a loop or a function. */
  conditional: boolean;
  background: boolean;
  /** Name of the function in whose body it stands. */
  inFunction?: string;
  /** It stands in the body of a loop, and may run many times. */
  inLoop?: true;
  /** The subshells that it runs in, from the outermost: what it sets and where it goes ends with them. */
  subshells: readonly number[];
  /** Words of the `for` loops around it, by variable. */
  loops: ReadonlyMap<string, readonly ScriptWord[]>;
}

/** What a parser can say about a script without running it. */
export interface ScriptReading {
  source: string;
  commands: ScriptCommand[];
  /** Names of the functions that it defines. */
  functions: string[];
  /** Why it is not syntactically complete; one sentence. Absent when it is. */
  problem?: { message: string; pos: number };
}

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
  const reading: ScriptReading = { source, commands: [], functions: [] };
  const tooMuch = tooMuchToRead(source);
  if (tooMuch) {
    reading.problem = { message: tooMuch, pos: 0 };
    return reading;
  }
  try {
    const tree = parse(source);
    new Walk(reading).visit(tree, topLevel);
    const error = tree.errors?.[0];
    if (error) reading.problem = { message: sentenceFor(error.message), pos: error.pos };
  } catch {
    reading.problem ??= { message: 'This script is nested too deeply to be read.', pos: 0 };
  }
  return reading;
}

/** Longest script that is parsed, in characters: no command line takes more than half of it, and it takes 50 ms. */
export const readableLength = 256 * 1024;
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

  visit(node: SyntaxNode, around: Nesting): void {
    switch (node.type) {
      case 'Script':
      case 'CompoundList':
        for (const statement of node.commands) this.visit(statement, around);
        return;
      case 'Statement':
        this.visit(node.command, node.background ? { ...this.apart(around), background: true } : around);
        return;
      case 'Subshell':
        this.visit(node.body, this.apart(around));
        return;
      case 'AndOr':
        node.commands.forEach((command, index) => {
          this.visit(command, index === 0 ? around : { ...around, conditional: true });
        });
        return;
      case 'Pipeline': {
        let pipedFrom = around.pipedFrom;
        for (const command of node.commands) {
          const first = this.reading.commands.length;
          this.visit(command, { ...(node.commands.length > 1 ? this.apart(around) : around), pipedFrom });
          pipedFrom = this.idsSince(first);
        }
        return;
      }
      case 'Redirected': {
        const redirects = node.redirects.map((redirect) => ({
          ...this.redirect(redirect, around),
          outer: true as const,
        }));
        this.visit(node.command, { ...around, redirects: [...around.redirects, ...redirects] });
        return;
      }
      case 'Function':
        this.reading.functions.push(node.name.value);
        this.visit(node.body, { ...around, conditional: true, inFunction: node.name.value, pipedFrom: [] });
        return;
      case 'If':
        this.visit(node.clause, around);
        this.visitAll([node.then, ...node.elif, node.else], { ...around, conditional: true });
        return;
      case 'While':
        this.visit(node.clause, around);
        this.visit(node.body, { ...around, conditional: true, inLoop: true });
        return;
      case 'For':
      case 'Select': {
        const words = (node.wordlist ?? []).map((word) => this.word(word, around));
        const loops = new Map([...around.loops, [node.name.value, words]]);
        this.visit(node.body, { ...around, conditional: words.length === 0, inLoop: true, loops });
        return;
      }
      case 'ArithmeticFor':
        this.visit(node.body, { ...around, conditional: true, inLoop: true });
        return;
      case 'Case':
        this.word(node.word, around);
        this.visitAll(node.items, { ...around, conditional: true });
        return;
      case 'CaseItem':
        this.visit(node.body, around);
        return;
      case 'Command':
        this.command(node, around);
        return;
      case 'Word':
        this.word(node, around);
        return;
      default:
        forEachChild(node, (child) => this.visit(child, around));
    }
  }

  private apart(around: Nesting): Nesting {
    this.lastSubshell += 1;
    return { ...around, subshells: [...around.subshells, this.lastSubshell] };
  }

  private visitAll(nodes: readonly (SyntaxNode | undefined)[], around: Nesting): void {
    for (const node of nodes) if (node) this.visit(node, around);
  }

  private idsSince(first: number): number[] {
    return this.reading.commands.slice(first).map((command) => command.id);
  }

  private command(node: Extract<SyntaxNode, { type: 'Command' }>, around: Nesting): void {
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
      for (const part of redirect.body.parts ?? []) this.piece(part, true, around);
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
      : [{ kind: 'literal' as const, text: word.value, quoted: word.value !== word.text }];
    return { text: word.text, pos: word.pos, end: word.end, pieces };
  }

  private piece(part: WordPart, quoted: boolean, around: Nesting): WordPiece[] {
    const text = part.text;
    switch (part.type) {
      case 'Literal':
        return [{ kind: 'literal', text: part.value, quoted: quoted || part.value !== part.text }];
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
        if (part.prefix) piece.operator = part.prefix;
        if (operation && operation.type !== 'Names') {
          piece.operator =
            operation.type === 'Replace' || operation.type === 'Slice' ? operation.type : operation.operator;
          if ('operand' in operation && operation.operand) piece.operand = this.word(operation.operand, around);
        }
        return [piece];
      }
      case 'CommandExpansion':
      case 'ProcessSubstitution': {
        const first = this.reading.commands.length;
        if (part.script) {
          this.visit(part.script, { ...this.apart(around), pipedFrom: [], redirects: [] });
          const error = part.script.errors?.[0];
          if (error) this.reading.problem ??= { message: sentenceFor(error.message), pos: error.pos };
        }
        const commands = this.idsSince(first);
        if (part.type === 'CommandExpansion') return [{ kind: 'command', text, quoted, commands }];
        return [{ kind: 'process', text, operator: part.operator, commands }];
      }
      case 'ArithmeticExpansion':
        forEachChild(part, (child) => this.visit(child, around));
        return [{ kind: 'arithmetic', text }];
    }
  }
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
