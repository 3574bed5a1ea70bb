import path from 'node:path';
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
}

/** The outcome of one tool call, as far as it is known before it writes. */
export interface ToolOutcome {
  /** What the agent reads, in the words of the tool. */
  observation: string;
  isError: boolean;
  /** Exit status of tools that are programs; 0 or 1 for the others. */
  exitCode: number;
  writes: ToolWrite[];
  /** What is not certain about this outcome: a sentence each. The prediction then ends as abstained. */
  doubts: string[];
  /** The observation where the system refuses a write. */
  refused(path: string, code: string): string;
}

/** Where a tool call is made, and what is there. */
export interface ToolPlace {
  /** Absolute; relative names begin here. */
  cwd: string;
  /** `path` is absolute. */
  read(path: string): Promise<FileState>;
  /** The path without `..` behind symbolic links is not asked for; a file's folder is. */
  isFolder(path: string): Promise<boolean>;
}

/** One tool that edits files. */
export type EditTool = (call: ToolCall, place: ToolPlace) => Promise<ToolOutcome>;

/** The outcome of a call that is refused. */
export function refusal(observation: string, exitCode = 1, doubts: string[] = []): ToolOutcome {
  return { observation, isError: true, exitCode, writes: [], doubts, refused: () => observation };
}

/** The outcome of a call that does something. */
export function success(
  observation: string,
  writes: ToolWrite[],
  refused: ToolOutcome['refused'],
  doubts: string[] = [],
): ToolOutcome {
  return { observation, isError: false, exitCode: 0, writes, doubts, refused };
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

const sentences: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EISDIR: 'illegal operation on a directory',
  ENOTDIR: 'not a directory',
  EROFS: 'read-only file system',
  ELOOP: 'too many symbolic links encountered',
  ENAMETOOLONG: 'name too long',
  ENOSPC: 'no space left on device',
};

/** An error of the system as Node words it (libuv's `uv_strerror`): `EACCES: permission denied, open '/x'`. */
export function nodeError(code: string, call: string, place: string): string {
  return `${code}: ${sentences[code] ?? 'unknown error'}, ${call} '${place}'`;
}
