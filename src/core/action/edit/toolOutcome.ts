import path from 'node:path';
import { getSystemErrorMap } from 'node:util';
import type { Refusal, RefusalKind } from '../../facts/refusal.ts';
import type { ToolCall } from '../action.ts';

/** What stands at a path when a tool looks. Symbolic links are followed. */
export type FileState =
  | { kind: 'file'; bytes: Uint8Array }
  | { kind: 'missing' }
  | { kind: 'folder' }
  /** A device, a file that may not be read, or one that is too large; `code` as in `EACCES`. */
  | { kind: 'unreadable'; code: string };

/** What a tool writes. `bytes: null` deletes a file. */
export interface ToolWrite {
  path: string;
  bytes: Uint8Array | null;
  /** Folders above that are missing are made; else writing fails. */
  makesFolders: boolean;
  /** A new file takes the place of the old one (`rename`), which need not be writable itself. */
  takesPlace?: boolean;
  /** Permission bits; default: those that are there, or the usual ones. */
  mode?: number;
}

const refusals: Readonly<Record<RefusalKind, (name: string) => string>> = {
  arguments: () => 'the call lacks something that its tool needs',
  relative: (name) => `${name} is no absolute path`,
  missing: (name) => `${name} does not exist`,
  folder: (name) => `${name} is a folder`,
  unreadable: (name) => `${name} cannot be read`,
  unwritable: (name) => `${name} cannot be written`,
  exists: (name) => `${name} exists already`,
  absent: (name) => `the text to replace is not in ${name}`,
  repeated: (name) => `the text to replace is in ${name} more than once`,
  same: () => 'the old and the new text are the same',
  binary: (name) => `${name} is not text`,
  link: (name) => `${name} is a symbolic link`,
  line: (name) => `${name} has no such line`,
  patch: () => 'the text is no whole patch',
  placeholder: (name) => `parts of the new content of ${name} are only hinted at`,
};

/** Why an edit would be refused, as a part of a sentence. */
export function refusalText({ kind, name }: Refusal): string {
  return refusals[kind](name === '' ? 'the file' : name);
}

/** The outcome of one tool call, as far as it is known before it writes. */
export interface ToolOutcome {
  /** What the agent reads, in the words of the tool; undefined where they are not known. */
  observation: string | undefined;
  /** Absent: the edit is made. */
  refusal?: Refusal;
  /** Exit status of tools that are programs; 0 or 1 for the others. */
  exitCode: number;
  writes: ToolWrite[];
  /** What is not certain about the files: a sentence each. The prediction then ends as abstained. */
  doubts: string[];
  /** What the reader should know and what makes nothing uncertain. */
  notices?: string[];
  /** The observation where the system refuses a write. */
  refused(path: string, code: string): string | undefined;
}

/** Where a tool call is made, and what is there. */
export interface ToolPlace {
  /** Absolute; relative names begin here. */
  cwd: string;
  /** `path` is absolute. */
  read(path: string): Promise<FileState>;
  /** The path without `..` behind symbolic links is not asked for; a file's folder is. */
  isFolder(path: string): Promise<boolean>;
  /** The path itself is a symbolic link. */
  isLink(path: string): Promise<boolean>;
  /** Where a symbolic link leads in the end; undefined where that cannot be told. */
  linkTarget(path: string): Promise<string | undefined>;
  /** What stands in a folder, in no order; empty where there is none. */
  names(folder: string): Promise<string[]>;
  /** Permission bits of what is there, links followed; undefined where nothing is. */
  mode(path: string): Promise<number | undefined>;
}

/** One tool that edits files. */
export type EditTool = (call: ToolCall, place: ToolPlace) => Promise<ToolOutcome>;

/** How a refusal is worded, and what else is to be said of it. */
export interface RefusalWords {
  words?: string | undefined;
  /** Default 1. */
  exitCode?: number;
  doubts?: string[];
}

/** The outcome of a call that is refused. */
export function refuse(kind: RefusalKind, name: string, said: RefusalWords = {}): ToolOutcome {
  const { words, exitCode = 1, doubts = [] } = said;
  return { observation: words, refusal: { kind, name }, exitCode, writes: [], doubts, refused: () => words };
}

/** The outcome of a call that does something. */
export function success(
  observation: string | undefined,
  writes: ToolWrite[],
  refused: ToolOutcome['refused'] = () => undefined,
  doubts: string[] = [],
): ToolOutcome {
  return { observation, exitCode: 0, writes, doubts, refused };
}

/** An argument that is text; undefined where it is missing or something else. */
export function textArgument(call: ToolCall, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = call.arguments[name];
    if (typeof value === 'string') return value;
  }
  return undefined;
}

/** Absolute path of a name that a tool was given. */
export function absolute(name: string, cwd: string): string {
  return path.resolve(cwd, name);
}

const systemSentences = new Map(getSystemErrorMap().values());

/** An error of the system as Node words it (libuv's `uv_strerror`): `EACCES: permission denied, open '/x'`. */
export function nodeError(code: string, call: string, place: string): string {
  return `${code}: ${systemSentences.get(code) ?? 'unknown error'}, ${call} '${place}'`;
}
