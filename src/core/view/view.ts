/** Where a file is read: as it really is before the action, or as it would be after it. */
export type Moment = 'before' | 'after';

/** What is said of a node that stands in a view, besides its content. */
export interface ViewStatus {
  type: 'file' | 'directory' | 'symlink' | 'other';
  /** Permission bits, 07777. */
  mode: number;
  uid: number;
  gid: number;
  sizeBytes: number;
  /** Nanoseconds since 1970. */
  mtimeNs: bigint;
  /** How many names it has. */
  links: number;
}

/** How much of a file's content before the action a file has after it. */
export interface Comparison {
  /** All of it; all of it in its order, with something added; not all. */
  how: 'same' | 'added' | 'gone';
  /** Of `gone`: lines of text that are not there any more, each as often as it stood there. Absent for binary and very long parts. */
  linesGone?: number;
  /** Of `gone`: the bytes of these lines; without them, of what lies between a common beginning and a common end. */
  bytesGone: number;
}

/** Two files that are compared: absolute paths. */
export interface ComparedPair {
  before: string;
  after: string;
}

/**
 * Whoever holds the copy: reads files as they were before and as they would be after the action.
 *
 * A view lives until it is closed; a prediction that is shown keeps its view so that diffs can be opened.
 */
export interface View {
  /**
   * Content of a regular file (symbolic links are not followed).
   * `undefined` where there is no regular file; cut at `maxBytes` (default 16 MiB).
   */
  read(path: string, moment: Moment, maxBytes?: number): Promise<Uint8Array | undefined>;
  /** What `read` says of many files, asked at once and in their order. Absent, or without an answer, where nobody can. */
  readMany?(
    paths: readonly string[],
    moment: Moment,
    maxBytes: number,
  ): Promise<(Uint8Array | undefined)[]> | undefined;
  /**
   * How many lines each of these files has, many at once; `undefined` for what is no text, larger than `maxBytes`, or cannot be
   * read. Absent, or without an answer, where they have to be read for that.
   */
  countLines?(paths: readonly string[], moment: Moment, maxBytes: number): Promise<(number | undefined)[]> | undefined;
  /**
   * Compares files of any size without reading them into this process, many at once; `undefined` for what cannot be read, or
   * where more than 16 GiB would have to be read in all. Absent, or without an answer, where nobody can.
   */
  compare?(pairs: readonly ComparedPair[]): Promise<(Comparison | undefined)[]> | undefined;
  /** What stands at a path (symbolic links are not followed); `undefined`: nothing. Absent where only contents are known. */
  status?(path: string, moment: Moment): Promise<ViewStatus | undefined>;
  /**
   * Of files that the action changes, those that have several names (hard links) on the machine, where all of them are known.
   */
  severalNames?(): ReadonlySet<string> | undefined;
  /** Frees the copy. Reading afterwards gives `undefined`. Safe to call twice. */
  close(): Promise<void>;
}

/** Result of a program that only looked. `stdout` is bytes, because paths are. */
export interface LookResult {
  /** 0–255, or -1 when it could not be run to its end (not inert, tried to change something, took too long). */
  exitCode: number;
  stdout: Uint8Array;
  stderr: string;
}

/**
 * Runs an inert program on the real files, without being able to change them (look mode).
 * The only way in which `loss` and `context` ask git or other tools about the real state.
 */
export interface Looker {
  look(argv: readonly string[], options: LookOptions): Promise<LookResult>;
}

/** Conditions of a look. */
export interface LookOptions {
  cwd: string;
  /** Added to the environment. */
  env?: Readonly<Record<string, string>>;
  stdin?: Uint8Array;
  /** Limit of time in milliseconds; default 10,000. */
  limitMs?: number;
  signal?: AbortSignal;
}
