import type { ScriptCommand, ScriptNode } from './scriptReading.ts';

/** Why a word is not known before the shell runs. */
export type WhyOpen =
  /** A variable that nothing in the script sets, or an argument of the script. */
  | 'variable'
  /** A variable that one of several branches, or a loop, sets. */
  | 'branch'
  /** What a program prints, or its pipe. */
  | 'output'
  | 'arithmetic'
  /** `~name`, and what options of the shell decide. */
  | 'shell'
  /** More words than are made of one. */
  | 'many';

/** A word after expansion, with what is not known of it. */
export interface StaticField {
  /** What is not known of it stays as it is written: `$X/a`. */
  text: string;
  /** What it matches where it is a pattern or not known: what is not meant as a pattern is escaped by backslashes. */
  pattern?: string;
  /** It depends on what only the shell knows. */
  isOpen: boolean;
  why?: WhyOpen;
  /** It is one after the other of what the pattern matches: the variable of a loop. */
  isEach?: true;
}

/** A redirection to or from a file, with its target as far as it is known. */
export interface StaticRedirect {
  operator: string;
  target: string;
  /** The target, with what only the shell knows. */
  fields: StaticField[];
  /** Where it is written: `2>`. */
  descriptor?: number | string;
}

/** On another machine, inside a container, or under another root. */
export type Elsewhere = 'machine' | 'container' | 'root';

/** What a container is shown, and its absolute name there. */
export interface Mount {
  /** The folder of this machine, as its starter names it; absent: a volume of the engine's own. */
  from?: string;
  to: string;
  isReadOnly?: true;
}

/** What a program that starts another program would start, as its arguments tell. */
export interface Started {
  /** The program that does the starting: `sudo`, `timeout`, `ssh`. */
  by: string;
  /** Either `argv` or `shellScript`. */
  argv?: string[];
  /** Where `argv` begins among the words of the starter; absent where its words do not stand there as they are. */
  at?: number;
  /** Text for a shell; `shell` is the shell's name where the arguments tell it. */
  shellScript?: string;
  shell?: string;
  /** `$0`, `$1` … of that script, as places among the words of the starter. */
  positional?: number[];
  /** Variables that are set for it. */
  env: Record<string, string>;
  /** It is told this name in the place of its own: `exec -a name`. */
  calledAs?: string;
  /** It runs with the privileges of another user: `root`, or a name. */
  asUser?: string;
  elsewhere?: Elsewhere;
  /** What it is shown there of this machine, under other names. */
  mounts?: readonly Mount[];
  /** The place is made for it alone: what it does there to anything but what it is shown, nobody had before. */
  isFresh?: true;
  /** The folder that it starts in, as its options name it. */
  folder?: string;
  /** It starts in another folder, which is not known. */
  isAway?: true;
  /** Further arguments come from what it reads (`xargs`, `parallel`), or it runs once for each file (`find -exec`). */
  moreArguments?: 'read' | 'found';
  /** What stands for those in its words; without it they are appended. */
  placeholder?: string;
  /** It runs later, if at all: a trap, an alias. */
  isLater?: true;
  /** The options of the starter itself, for whoever has to know more (`-i` of sudo). */
  options: string[];
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
  /** The file that it reads, through `<` or `cat`, as it is written. */
  inputFile?: string;
  /** Programs in substitutions among its words, `<(…)` included. */
  substituted: StaticProgram[];
  /** It stands inside a program or text that only starts it: `sudo`, `bash -c`, `ssh host`. */
  inside?: Started;
  /** Variables that are set for it alone. */
  env: Record<string, string>;
  /** It runs only where something else succeeds, fails or is true. */
  isUncertain?: true;
  /** Where it stands; absent inside of other texts. */
  command?: ScriptCommand;
}

/** What the expansion knows: never read from the process, always given. */
export interface StaticPlace {
  cwd: string;
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Contents of files that were read for this, by their absolute paths. */
  texts?: ReadonlyMap<string, string>;
  /** The shell that reads the script, by its name or path; absent: bash, or one that expands as it does. */
  shell?: string | undefined;
}

/** What a shell knows at one place of a script. */
export interface Scope {
  variables: Map<string, StaticField[]>;
  /** Variables that programs get. */
  exported: Set<string>;
  functions: Map<string, ScriptNode>;
  /** `$1`, `$2` …; absent where they are not known. */
  positional?: StaticField[];
  cwd: string;
  /** It went to a place that is not known. */
  isLost: boolean;
  /** Folders of pushd, and the one before for `cd -`; absent: not known. */
  stack: string[];
  before?: string;
  /** A function is at work; the variables that it keeps to itself. */
  isInFunction?: boolean;
  locals: Set<string>;
  /** What options of the shell make of patterns: they are letters (`set -f`), or may become other words than usual. */
  patterns?: 'off' | 'changed';
  /** Braces make no words (dash), or only in some shells of this name (sh). Absent: they do. */
  braces?: 'stay' | 'open';
  /** `set -e`: what fails ends the script. */
  endsOnFailure?: boolean;
  /** Whether what comes next runs for certain. */
  isUncertain: boolean;
  /** It comes only after `cd` failed, which nobody assumes. */
  isUnlikely: boolean;
}

/** A field whose text is known. */
export function knownField(text: string): StaticField {
  return { text, isOpen: false };
}

/** Words of which all is known: nothing expands them any more. */
export function lettersOf(fields: readonly StaticField[]): ReadonlySet<string> {
  const [known, open] = [new Set<string>(), new Set<string>()];
  for (const { text, isOpen, pattern } of fields) (isOpen || pattern !== undefined ? open : known).add(text);
  for (const text of open) known.delete(text);
  return known;
}
