import { encodePath } from './bytePath.ts';
import { codeOf, type ErrorName, errorCode, type StreamName, streams } from './codes.ts';

/** Requests to the launcher, as `src/native/protocol.md` has them. */

/** A port of this machine, or `network`: servers of other machines at the port of HTTPS, and those of names. */
export type Reach = number | 'network';

/** SETUP; limits of 0 mean none. */
export interface SetupRequest {
  mode: 'copy' | 'supervised' | 'look';
  openGate: boolean;
  /** Programs will be let in by answers. */
  letsIn?: boolean;
  /** Programs will be let in for the form of their words. */
  letsKnownIn?: boolean;
  /** Real paths of programs that are stopped also where they are inert, because they may be let in. */
  mayBeLetIn?: readonly string[];
  skipWaiting: boolean;
  reportEnvironment: boolean;
  /** Reads directories with new names in another order, so that output that depends on it differs. */
  perturb?: boolean;
  /** Whether a new process begins or its parent goes on, where that is not left to the machine. */
  births?: 'childFirst' | 'parentFirst' | undefined;
  /** Of a pipe within the command everybody writes as early as possible (`childFirst`), or as late. */
  pacesPipes?: boolean | undefined;
  /** This process is there for predictions alone: a command that looks for processes does not find it. */
  ownHost?: boolean;
  /** The process for which this one predicts, of `ownHost`: it is not found either. */
  caller?: number | undefined;
  /** When nobody held a lease for writing, see `leases.ts`; absent or 0: not known. */
  unleasedAtNs?: number | undefined;
  /** Look mode: whom the program reaches, a server of this machine at a port, or the network; absent: nobody. */
  reach?: Reach | undefined;
  /** What is read is told before the run's end. */
  reportReads?: boolean;
  /** Programs meet the end of `diskBytes`; it does not end the run. */
  fullDisk?: boolean;
  /** Everything is killed after so long; 0 or absent: never. */
  killMs?: number;
  /** Speed of the real-time clock; 0 or absent: its own. */
  clockPermille?: number;
  diskBytes: number;
  memoryBytes: number;
  outputBytes: number;
  wallMs: number;
  processes: number;
  clockOffsetMs: number;
  firstPid: number;
  inert: readonly string[];
  ask: readonly string[];
  /** Real paths of programs for which the status of files is corrected. */
  correct?: readonly string[];
  /** Real files that are copied when they are read, by supervision. */
  copiedAhead?: readonly string[];
}

/** RUN; `columns` 0: standard output and error are two pipes. */
export interface RunRequest {
  argv: readonly string[];
  env: readonly string[];
  cwd: string;
  columns: number;
  rows: number;
  stdin: 'null' | 'input';
  umask?: number;
  newLayer: boolean;
}

/** What becomes of a stopped program. */
export type Answer =
  | { kind: 'exit'; code: number }
  /** It runs, and so does whatever it starts. */
  | { kind: 'run' }
  /** It runs, and what it loads and starts is judged as that of an inert one; files of such endings it opens in the system only. */
  | { kind: 'known'; code: readonly string[] }
  /** It runs as the inert program that it is; what it starts is judged. Only of a program that `mayBeLetIn`. */
  | { kind: 'asInert' }
  | { kind: 'fails'; error: ErrorName }
  | { kind: 'instead'; path: string; argv: readonly string[]; env: readonly string[] };

/** Length and type, before the fields. */
const headBytes = 5;

/** The programs that may run are some 500 paths, told to every launcher: half a millisecond each time. */
const keptLists = new WeakMap<readonly string[], Buffer>();

/** Collects the fields of one request, in one buffer that grows. */
class FrameWriter {
  private buffer = Buffer.allocUnsafe(256);
  private used = headBytes;

  u8(value: number): this {
    const at = this.room(1);
    this.buffer[at] = value & 0xff;
    return this;
  }
  u16(value: number): this {
    const at = this.room(2);
    this.buffer.writeUInt16LE(value, at);
    return this;
  }
  u32(value: number): this {
    const at = this.room(4);
    this.buffer.writeUInt32LE(value >>> 0, at);
    return this;
  }
  i32(value: number): this {
    const at = this.room(4);
    this.buffer.writeInt32LE(value, at);
    return this;
  }
  u64(value: number): this {
    const at = this.room(8);
    this.buffer.writeBigUInt64LE(BigInt(Math.max(0, Math.floor(value))), at);
    return this;
  }
  i64(value: number): this {
    const at = this.room(8);
    this.buffer.writeBigInt64LE(BigInt(Math.trunc(value)), at);
    return this;
  }
  text(value: string): this {
    return this.bytes(encodePath(value));
  }
  bytes(value: Uint8Array): this {
    this.u32(value.length);
    const at = this.room(value.length);
    this.buffer.set(value, at);
    return this;
  }
  list(values: readonly string[]): this {
    this.u32(values.length);
    for (const value of values) this.text(value);
    return this;
  }
  /** A list of which the same array comes again and again, and is never changed. */
  keptList(values: readonly string[]): this {
    let known = keptLists.get(values);
    if (!known) {
      known = new FrameWriter().list(values).payload();
      keptLists.set(values, known);
    }
    const at = this.room(known.length);
    this.buffer.set(known, at);
    return this;
  }
  private payload(): Buffer {
    return Buffer.from(this.buffer.subarray(headBytes, this.used));
  }
  frame(type: number): Buffer {
    this.buffer.writeUInt32LE(this.used - headBytes, 0);
    this.buffer.writeUInt8(type, 4);
    return this.buffer.subarray(0, this.used);
  }
  /** Where the next so many bytes go. */
  private room(bytes: number): number {
    const at = this.used;
    this.used += bytes;
    if (this.used > this.buffer.length) {
      const larger = Buffer.allocUnsafe(this.used * 2);
      this.buffer.copy(larger, 0, 0, at);
      this.buffer = larger;
    }
    return at;
  }
}

/** SETUP: builds the view. The first request to every launcher. */
export function setupFrame(request: SetupRequest): Buffer {
  const flags =
    (request.openGate ? 1 : 0) |
    (request.skipWaiting ? 2 : 0) |
    (request.reportEnvironment ? 4 : 0) |
    (request.perturb ? 8 : 0) |
    (request.ownHost ? 16 : 0) |
    (request.letsIn ? 32 : 0) |
    (request.reportReads ? 64 : 0) |
    (request.letsKnownIn ? 128 : 0) |
    (request.fullDisk ? 256 : 0) |
    (request.births === 'childFirst' ? 512 : 0) |
    (request.births === 'parentFirst' ? 1024 : 0) |
    (request.pacesPipes ? 2048 : 0);
  return new FrameWriter()
    .u8(1)
    .u8({ copy: 1, look: 2, supervised: 3 }[request.mode])
    .u32(flags)
    .u64(request.diskBytes)
    .u64(request.memoryBytes)
    .u64(request.outputBytes)
    .u32(request.wallMs)
    .u32(request.processes)
    .i64(request.clockOffsetMs)
    .u32(request.firstPid)
    .keptList(request.inert)
    .keptList(request.ask)
    .list(request.correct ?? [])
    .list(request.mayBeLetIn ?? [])
    .u32(request.killMs ?? 0)
    .u32(request.clockPermille ?? 0)
    .u32(request.caller ?? 0)
    .u64(request.unleasedAtNs ?? 0)
    .u32(request.reach === 'network' ? 65_536 : (request.reach ?? 0))
    .list(request.copiedAhead ?? [])
    .frame(1);
}

/** RUN: one command in the view. */
export function runFrame(request: RunRequest): Buffer {
  return new FrameWriter()
    .list(request.argv)
    .list(request.env)
    .text(request.cwd)
    .u16(request.columns)
    .u16(request.rows)
    .u8(request.stdin === 'null' ? 0 : 1)
    .u16(request.umask ?? 0xffff)
    .u8(request.newLayer ? 1 : 0)
    .frame(2);
}

/** INPUT: what is typed, at most 64 KiB; `eof` ends it. */
export function inputFrame(bytes: Uint8Array, eof: boolean): Buffer {
  return new FrameWriter()
    .u8(eof ? 1 : 0)
    .bytes(bytes)
    .frame(3);
}

/** ANSWER: what becomes of a stopped program. */
export function answerFrame(token: number, answer: Answer): Buffer {
  const writer = new FrameWriter().u32(token);
  if (answer.kind === 'exit') writer.u8(0).i32(answer.code);
  else if (answer.kind === 'run') writer.u8(1).i32(0);
  else if (answer.kind === 'asInert') writer.u8(4).i32(0);
  else if (answer.kind === 'known') writer.u8(5).i32(0);
  else if (answer.kind === 'fails') writer.u8(2).i32(errorCode(answer.error));
  else writer.u8(3).i32(0);
  const code = answer.kind === 'known' ? answer.code : [];
  const instead = answer.kind === 'instead' ? answer : { path: '', argv: code, env: [] };
  return writer.text(instead.path).list(instead.argv).list(instead.env).frame(4);
}

/** WRITE: bytes into a descriptor of a stopped program, at most 64 KiB. */
export function writeFrame(token: number, stream: StreamName, bytes: Uint8Array): Buffer {
  return new FrameWriter().u32(token).u8(codeOf(streams, stream)).bytes(bytes).frame(5);
}

/** WRITE: what was read of the standard input of a stopped program, back into its pipe. */
export function giveBackFrame(token: number, bytes: Uint8Array): Buffer {
  return new FrameWriter().u32(token).u8(0).bytes(bytes).frame(5);
}

/** READ_STDIN: what waits on the standard input of a stopped program. */
export function readStdinFrame(token: number, maxBytes: number): Buffer {
  return new FrameWriter().u32(token).u32(maxBytes).frame(6);
}

/** CANCEL: ends the run that is going on. */
export function cancelFrame(): Buffer {
  return new FrameWriter().frame(7);
}

/** Of which files a listing says the sha256: of none, of those that have new content, or of all. */
export type Digests = 'none' | 'new' | 'all';

/** LIST: everything that the last run changed. */
export function listFrame(digests: Digests): Buffer {
  return new FrameWriter().u32({ none: 0, new: 1, all: 3 }[digests]).frame(8);
}

/** One file of a READ. */
export interface ReadRequest {
  /** The number that its answer bears. */
  request: number;
  after: boolean;
  path: string;
  maxBytes: number;
}

/** READ: contents of files, before or after; each has an answer of its own. */
export function readFrame(reads: readonly ReadRequest[]): Buffer {
  const writer = new FrameWriter().u32(reads.length);
  for (const { request, after, path, maxBytes } of reads)
    writer
      .u32(request)
      .u8(after ? 1 : 0)
      .text(path)
      .u64(maxBytes);
  return writer.frame(9);
}

/** COUNT_LINES: how many lines each of these files has. */
export function countLinesFrame(request: number, after: boolean, paths: readonly string[], maxBytes: number): Buffer {
  return new FrameWriter()
    .u32(request)
    .u8(after ? 1 : 0)
    .u32(maxBytes)
    .list(paths)
    .frame(12);
}

/** COMPARE: how much of each file's content before another one has after; `paths` in pairs. */
export function compareFrame(request: number, maxBytes: number, paths: readonly string[]): Buffer {
  return new FrameWriter().u32(request).u64(maxBytes).list(paths).frame(13);
}

/** PUT: writes into the view. `mode` 0xFFFF keeps the mode that is there, or takes the default. */
export function putFrame(
  request: number,
  type: 'delete' | 'file' | 'directory' | 'symlink',
  mode: number,
  path: string,
  bytes: Uint8Array,
): Buffer {
  const code = { delete: 0, file: 1, directory: 2, symlink: 3 }[type];
  return new FrameWriter().u32(request).u8(code).u16(mode).text(path).bytes(bytes).frame(10);
}

/** STAT: status of a path, before or after. */
export function statFrame(request: number, after: boolean, path: string): Buffer {
  return new FrameWriter()
    .u32(request)
    .u8(after ? 1 : 0)
    .text(path)
    .frame(11);
}
