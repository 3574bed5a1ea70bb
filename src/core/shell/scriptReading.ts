import type { ArithmeticExpression } from 'unbash';

/** One part of a word, in order. What is not `literal` is only known when the shell runs. */
export type WordPiece =
  /** `isTilde`: it begins with an unquoted `~`. */
  | { kind: 'literal'; text: string; quoted: boolean; isTilde?: true }
  /** `operator` and `operand` of `${name:-operand}`; `text` as written. */
  | {
      kind: 'variable';
      name: string;
      text: string;
      quoted: boolean;
      operator?: string;
      operand?: ScriptWord;
      /** What is put in the place of the operand: `${x/a/b}`; the length of a slice. */
      second?: ScriptWord;
      /** `${name[index]}`, as written. */
      index?: string;
    }
  /** `*`, `?`, `[a-z]`, `@(a|b)`. */
  | { kind: 'glob'; text: string }
  /** `{a,b}` or `{1..9}`, as written. */
  | { kind: 'braces'; text: string }
  /** `$(…)`, `` `…` ``; `commands` are ids of the commands in it. */
  | { kind: 'command'; text: string; quoted: boolean; commands: number[]; body: ScriptNode }
  /** `<(…)` or `>(…)`. */
  | { kind: 'process'; text: string; operator: '<' | '>'; commands: number[]; body: ScriptNode }
  | { kind: 'arithmetic'; text: string; expression?: ArithmeticExpression };

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
  /** It sets one element of an array: `a[1]=x`. */
  isElement?: true;
  append: boolean;
}

/** A redirection. Here-documents have `body` (and `expands` when variables in it are expanded). */
export interface ScriptRedirect {
  operator: string;
  descriptor?: number | string;
  target?: ScriptWord;
  body?: string;
  expands?: boolean;
  bodyPieces?: WordPiece[];
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

/** What a shell goes through, in its order. */
export type ScriptNode =
  | { kind: 'command'; command: ScriptCommand }
  | { kind: 'list'; items: ScriptNode[] }
  /** `operators[n]` stands between `items[n]` and the next. */
  | { kind: 'choice'; items: ScriptNode[]; operators: ('&&' | '||')[] }
  | { kind: 'pipeline'; items: ScriptNode[]; isNegated: boolean }
  /** A shell of its own: `( … )`, `… &`. */
  | { kind: 'apart'; body: ScriptNode }
  | { kind: 'if'; test: ScriptNode; body: ScriptNode; otherwise?: ScriptNode }
  | { kind: 'while'; test: ScriptNode; body: ScriptNode }
  /** Without words it goes through the arguments. `isChosen`: somebody chooses among them (`select`). */
  | { kind: 'for'; name: string; words?: ScriptWord[]; isChosen?: true; body: ScriptNode }
  /** `((…))`. */
  | { kind: 'arithmetic'; expression?: ArithmeticExpression }
  /** `for ((first; test; next))`. */
  | {
      kind: 'count';
      first?: ArithmeticExpression;
      test?: ArithmeticExpression;
      next?: ArithmeticExpression;
      body: ScriptNode;
    }
  | { kind: 'case'; bodies: ScriptNode[] }
  | { kind: 'function'; name: string; body: ScriptNode };

/** What a parser can say about a script without running it. */
export interface ScriptReading {
  source: string;
  commands: ScriptCommand[];
  /** The same commands, as the shell goes through them. */
  body: ScriptNode;
  /** Names of the functions that it defines. */
  functions: string[];
  /** Why it is not syntactically complete; one sentence. Absent when it is. */
  problem?: { message: string; pos: number };
}
