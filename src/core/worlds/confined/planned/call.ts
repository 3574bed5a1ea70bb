import type { PlannedNames } from '../../../loss/git/plannedNames.ts';
import { readArguments } from '../../../programs/programPattern.ts';
import type { Looker } from '../../../view/view.ts';
import type { PlannedDisk } from './disk.ts';
import type { Word } from './words.ts';

/** One program with the arguments that it would get. */
export interface Call {
  name: string;
  /** Without the name. */
  words: readonly Word[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** What it reads, where that is known. */
  inputText?: string | undefined;
}

/**
 * How much is known of what a call would do to files. `exact`: it does this and nothing else, if nobody changes the disk
 * meanwhile. `known`: what it would destroy is found, but it may do less (it asks first, content is not computed).
 * `unknown`: it may destroy what is not found.
 */
export type Reading = 'exact' | 'known' | 'unknown';

/** What readers of calls work with. */
export interface ReaderTools {
  disk: PlannedDisk;
  /** Runs a program on the real disk that only looks; `undefined` where it could not be run to its end. */
  look(argv: readonly string[], call: Pick<Call, 'cwd' | 'env' | 'inputText'>): Promise<Buffer | undefined>;
  /** Content of a file as it is by then; `undefined` of what is too large, or not known. */
  contentOf(path: string): Promise<Uint8Array | undefined>;
  /** Names of repositories that go or move. */
  names: PlannedNames[];
  looker: Looker;
  signal: AbortSignal;
}

/** Notes on the planned disk what a call would do. */
export type Reader = (call: Call, tools: ReaderTools) => Promise<Reading>;

/** Options and operands of a call. */
export interface Options {
  /** Whether one of these was given; long ones may be shortened as getopt_long(3) allows. */
  has(...names: string[]): boolean;
  /** The last value of one of these. */
  value(...names: string[]): string | undefined;
  /** Operands whose text is known. */
  words: string[];
  /** Something of it is not known. */
  isOpen: boolean;
}

/** Reads options as GNU programs do: in any order with the operands, `--` ends them. */
export function readOptions(call: Call, valued: string): Options {
  const read = readArguments(
    call.words.map(({ text }) => text),
    new Set(valued.split(' ')),
    false,
  );
  const open = new Set(call.words.filter(({ isOpen }) => isOpen).map(({ text }) => text));
  const isNamed = (given: string, names: readonly string[]) =>
    names.some((name) => given === name || (given.length > 3 && given.startsWith('--') && name.startsWith(given)));
  return {
    has: (...names) => read.options.some(({ name }) => isNamed(name, names)),
    value: (...names) => read.options.findLast(({ name, value }) => value !== undefined && isNamed(name, names))?.value,
    words: read.words.filter((word) => !open.has(word)),
    isOpen: open.size > 0,
  };
}

const ranks: Readonly<Record<Reading, number>> = { exact: 0, known: 1, unknown: 2 };

/** The one of which less is known. */
export function lessKnown(a: Reading, b: Reading): Reading {
  return ranks[a] >= ranks[b] ? a : b;
}
