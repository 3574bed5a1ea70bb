import { encodePath } from './bytePath.ts';
import { codeOf, type ErrorName, errorCode, type StreamName, streams } from './codes.ts';

/** Requests to the launcher, as `src/native/protocol.md` has them. */

/** SETUP; limits of 0 mean none. */
export interface SetupRequest {
  mode: 'copy' | 'supervised' | 'look';
  openGate: boolean;
  /** Programs will be let in by answers. */
  letsIn?: boolean;
  /** Real paths of programs that are stopped also where they are inert, because they may be let in. */
  mayBeLetIn?: readonly string[];
  skipWaiting: boolean;
  reportEnvironment: boolean;
  /** Reads directories with new names in another order, so that output that depends on it differs. */
  perturb?: boolean;
  /** This process is there for predictions alone: a command that looks for processes does not find it. */
  ownHost?: boolean;
  /** What is read is told before the run's end. */
  reportReads?: boolean;
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
  /** It runs as the inert program that it is; what it starts is judged. Only of a program that `mayBeLetIn`. */
  | { kind: 'asInert' }
  | { kind: 'fails'; error: ErrorName }
  | { kind: 'instead'; path: string; argv: readonly string[]; env: readonly string[] };

/** Collects the fields of one request. */
class FrameWriter {
  private readonly parts: Buffer[] = [];

  u8(value: number): this {
    return this.raw(Buffer.of(value & 0xff));
  }
  u16(value: number): this {
    const bytes = Buffer.allocUnsafe(2);
    bytes.writeUInt16LE(value);
    return this.raw(bytes);
  }
  u32(value: number): this {
    const bytes = Buffer.allocUnsafe(4);
    bytes.writeUInt32LE(value >>> 0);
    return this.raw(bytes);
  }
  i32(value: number): this {
    const bytes = Buffer.allocUnsafe(4);
    bytes.writeInt32LE(value);
    return this.raw(bytes);
  }
  u64(value: number): this {
    const bytes = Buffer.allocUnsafe(8);
    bytes.writeBigUInt64LE(BigInt(Math.max(0, Math.floor(value))));
    return this.raw(bytes);
  }
  i64(value: number): this {
    const bytes = Buffer.allocUnsafe(8);
    bytes.writeBigInt64LE(BigInt(Math.trunc(value)));
    return this.raw(bytes);
  }
  text(value: string): this {
    return this.bytes(encodePath(value));
  }
  bytes(value: Uint8Array): this {
    this.u32(value.length);
    return this.raw(Buffer.from(value.buffer, value.byteOffset, value.length));
  }
  list(values: readonly string[]): this {
    this.u32(values.length);
    for (const value of values) this.text(value);
    return this;
  }
  frame(type: number): Buffer {
    const payload = Buffer.concat(this.parts);
    const head = Buffer.allocUnsafe(5);
    head.writeUInt32LE(payload.length);
    head.writeUInt8(type, 4);
    return Buffer.concat([head, payload]);
  }
  private raw(bytes: Buffer): this {
    this.parts.push(bytes);
    return this;
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
    (request.reportReads ? 64 : 0);
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
    .list(request.inert)
    .list(request.ask)
    .list(request.correct ?? [])
    .list(request.mayBeLetIn ?? [])
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
  else if (answer.kind === 'fails') writer.u8(2).i32(errorCode(answer.error));
  else writer.u8(3).i32(0);
  const instead = answer.kind === 'instead' ? answer : { path: '', argv: [], env: [] };
  return writer.text(instead.path).list(instead.argv).list(instead.env).frame(4);
}

/** WRITE: bytes into a descriptor of a stopped program, at most 64 KiB. */
export function writeFrame(token: number, stream: StreamName, bytes: Uint8Array): Buffer {
  return new FrameWriter().u32(token).u8(codeOf(streams, stream)).bytes(bytes).frame(5);
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

/** READ: content of a file, before or after. */
export function readFrame(request: number, after: boolean, path: string, offset: number, maxBytes: number): Buffer {
  return new FrameWriter()
    .u32(request)
    .u8(after ? 1 : 0)
    .text(path)
    .u64(offset)
    .u64(maxBytes)
    .frame(9);
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
