import type { DoorCall } from '../../../facts/doubt.ts';
import type { NamedPath } from '../../../prediction/rehearsal.ts';
import { decodePathIn } from './bytePath.ts';
import {
  changeKinds,
  descriptors,
  doors,
  type ErrorName,
  effectKinds,
  endings,
  errorName,
  gateReasons,
  type Named,
  nameOf,
  nodeTypes,
  type StreamName,
  shellStatus,
  signalName,
  streams,
  viewKinds,
  viewParts,
} from './codes.ts';

/**
 * Events of the launcher's wire protocol, version 1: `src/native/protocol.md` describes every field.
 * Decoding only; nothing here knows what the frames mean. Numbers that stand for something become its name.
 */

/** A file system node's status as the launcher sends it. */
export interface NodeStatus {
  type: Named<typeof nodeTypes>;
  /** Permission bits. */
  mode: number;
  uid: number;
  gid: number;
  sizeBytes: number;
  mtimeNanos: bigint;
  links: number;
}

/** Nothing is there: one for all, as there may be thousands. */
const noNode: NodeStatus = Object.freeze({
  type: 'none',
  mode: 0,
  uid: 0,
  gid: 0,
  sizeBytes: 0,
  mtimeNanos: 0n,
  links: 0,
});

/** Bytes of a node after its type. */
const nodeBytes = 32;

/** CHANGE: one node that a run changed. */
export interface LauncherChange {
  change: Named<typeof changeKinds>;
  notCompared: boolean;
  replaced: boolean;
  /** Of what is renamed: its content is another one than before. */
  rewritten: boolean;
  path: string;
  from: string;
  before: NodeStatus;
  after: NodeStatus;
  targetBefore: string;
  targetAfter: string;
  sha256: string;
}

type OtherEffect = Exclude<Named<typeof effectKinds>, 'signals' | 'waitSkipped' | 'hardLinked' | 'door'>;

/** What a run did besides output and files. `detail`, beside it, says to what: a path, an address, a command line. */
export type EffectOfRun =
  /** `target`: the process; absent: every process of the user. */
  | { kind: 'signals'; target?: number; signal: string }
  | { kind: 'looksForProcess'; target: number }
  | { kind: 'waitSkipped'; durationMs: number }
  /** `names`: how many the file has; 0: it only got another one. */
  | { kind: 'hardLinked'; names: number }
  | { kind: 'door'; door: DoorCall }
  | { kind: OtherEffect };

/** What the launcher says. */
export type LauncherEvent =
  | {
      type: 'ready';
      kind: Named<typeof viewKinds>;
      parts: { path: string; how: Named<typeof viewParts> }[];
      setupMicros: number;
      /** A program that is not known to be inert may be let in. */
      letsIn: boolean;
    }
  | { type: 'refused'; step: string; error: ErrorName | undefined; sentence: string }
  | {
      type: 'exec';
      pid: number;
      parentPid: number;
      realPath: string;
      argv: string[];
      cwd: string;
      hasFreshInput: boolean;
      /** Its standard input is a pipe. */
      hasPipedInput: boolean;
      /** The process that made its own: a subshell is one. */
      forkedBy: number;
    }
  | {
      type: 'gated';
      token: number;
      pid: number;
      parentPid: number;
      reason: Named<typeof gateReasons>;
      realPath: string;
      argv: string[];
      env: string[];
      cwd: string;
      stdin: Named<typeof descriptors>;
      stdout: Named<typeof descriptors>;
      stderr: Named<typeof descriptors>;
      /** The program's file is still that of the machine: nothing in the view has written it. */
      isUnchanged: boolean;
      /** The first program that was let in for the form of its words and that it comes from, or is; 0: none. */
      knownPid: number;
    }
  | { type: 'output'; stream: StreamName; bytes: Uint8Array }
  | { type: 'programExit'; pid: number; exitCode: number }
  | ({ type: 'effect'; pid: number; detail: string } & EffectOfRun)
  | { type: 'asks' }
  | { type: 'reads'; paths: NamedPath[]; isComplete: boolean }
  | {
      type: 'finished';
      how: Named<typeof endings>;
      /** As a shell reports it: 128 + n for signal n. */
      exitCode: number;
      /** Why it could not be started; only of `notStarted`. */
      error?: ErrorName | undefined;
      cwd: string;
      wallMs: number;
      cpuMs: number;
      peakBytes: number;
      outputCut: boolean;
      detail: string;
      leftRunning: { pid: number; argv: string[] }[];
    }
  | { type: 'change'; change: LauncherChange }
  | { type: 'listed'; count: number; complete: boolean; why: string }
  | { type: 'data'; request: number; end: boolean; error: ErrorName | undefined; bytes: Uint8Array }
  | { type: 'stdin'; token: number; eof: boolean; bytes: Uint8Array }
  | { type: 'done'; request: number; error: ErrorName | undefined }
  | { type: 'status'; request: number; error: ErrorName | undefined; node: NodeStatus };

/** For numbers of 64 bits, whose parts Node would put together with three more of them. */
const halves = new Uint32Array(2);
const whole = new BigUint64Array(halves.buffer);
const isLittleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/**
 * Reads the fields of one event, from `at` to `end` of the bytes; a payload that is too short throws a RangeError. Nothing is cut
 * out of the bytes that nobody keeps: a listing may have 50,000 events.
 */
class FrameReader {
  private readonly payload: Buffer;
  private at: number;
  private readonly end: number;
  constructor(payload: Buffer, at: number, end: number) {
    this.payload = payload;
    this.at = at;
    this.end = end;
  }
  /** Where the next bytes begin, which are read with that. */
  private take(length: number): number {
    const from = this.at;
    if (from + length > this.end) throw new RangeError('frame is too short');
    this.at = from + length;
    return from;
  }
  u8(): number {
    return this.payload.readUInt8(this.take(1));
  }
  u32(): number {
    return this.payload.readUInt32LE(this.take(4));
  }
  i32(): number {
    return this.payload.readInt32LE(this.take(4));
  }
  big(): bigint {
    if (!isLittleEndian) return this.payload.readBigUInt64LE(this.take(8));
    halves[0] = this.u32();
    halves[1] = this.u32();
    return whole[0] ?? 0n;
  }
  u64(): number {
    const low = this.u32();
    return low + this.u32() * 2 ** 32;
  }
  i64(): number {
    return Number(this.payload.readBigInt64LE(this.take(8)));
  }
  bytes(): Buffer {
    const length = this.u32();
    const from = this.take(length);
    return this.payload.subarray(from, from + length);
  }
  text(): string {
    const length = this.u32();
    const from = this.take(length);
    return decodePathIn(this.payload, from, from + length);
  }
  hex(): string {
    const length = this.u32();
    const from = this.take(length);
    return length === 0 ? '' : this.payload.toString('hex', from, from + length);
  }
  list(): string[] {
    return this.many(() => this.text());
  }
  many<T>(read: () => T): T[] {
    const count = this.u32();
    const items: T[] = [];
    for (let index = 0; index < count; index += 1) items.push(read());
    return items;
  }
  node(): NodeStatus {
    const type = nameOf(nodeTypes, this.u8());
    if (type === 'none') {
      this.take(nodeBytes);
      return noNode;
    }
    return {
      type,
      mode: this.u32(),
      uid: this.u32(),
      gid: this.u32(),
      sizeBytes: this.u64(),
      mtimeNanos: this.big(),
      links: this.u32(),
    };
  }
}

/** Decodes one event. Throws on a type that is not of this version: the launcher and this code are one release. */
function decodeEvent(type: number, r: FrameReader): LauncherEvent {
  switch (type) {
    case 65:
      return {
        type: 'ready',
        kind: nameOf(viewKinds, r.u8()),
        parts: r.many(() => ({ path: r.text(), how: nameOf(viewParts, r.u8()) })),
        setupMicros: r.u32(),
        letsIn: r.u8() === 1,
      };
    case 66:
      return { type: 'refused', step: r.text(), error: errorName(r.i32()), sentence: r.text() };
    case 67: {
      const exec = { pid: r.u32(), parentPid: r.u32(), realPath: r.text(), argv: r.list(), cwd: r.text() };
      const input = r.u8();
      return { type: 'exec', ...exec, hasFreshInput: input === 1, hasPipedInput: input === 2, forkedBy: r.u32() };
    }
    case 68:
      return {
        type: 'gated',
        token: r.u32(),
        pid: r.u32(),
        parentPid: r.u32(),
        reason: nameOf(gateReasons, r.u8()),
        realPath: r.text(),
        argv: r.list(),
        env: r.list(),
        cwd: r.text(),
        stdin: nameOf(descriptors, r.u8()),
        stdout: nameOf(descriptors, r.u8()),
        stderr: nameOf(descriptors, r.u8()),
        isUnchanged: r.u8() === 1,
        knownPid: r.u32(),
      };
    case 69:
      return { type: 'output', stream: nameOf(streams, r.u8()), bytes: r.bytes() };
    case 70:
      return { type: 'programExit', pid: r.u32(), exitCode: shellStatus(r.i32()) };
    case 71:
      return decodeEffect(r);
    case 72:
      return { type: 'asks' };
    case 73:
      return {
        type: 'finished',
        ...decodeEnd(r),
        cwd: r.text(),
        wallMs: r.u32(),
        cpuMs: r.u32(),
        peakBytes: r.u64(),
        outputCut: r.u8() !== 0,
        detail: r.text(),
        leftRunning: r.many(() => ({ pid: r.u32(), argv: r.list() })),
      };
    case 74:
      return { type: 'change', change: decodeChange(r) };
    case 75:
      return { type: 'listed', count: r.u32(), complete: r.u8() !== 0, why: r.text() };
    case 76:
      return { type: 'data', request: r.u32(), end: r.u8() !== 0, error: errorName(r.i32()), bytes: r.bytes() };
    case 77:
      return { type: 'stdin', token: r.u32(), eof: r.u8() !== 0, bytes: r.bytes() };
    case 78:
      return { type: 'done', request: r.u32(), error: errorName(r.i32()) };
    case 79:
      return { type: 'status', request: r.u32(), error: errorName(r.i32()), node: r.node() };
    case 80:
      return decodeReads(r);
    default:
      throw new RangeError(`unknown event ${type} from the launcher`);
  }
}

function decodeReads(r: FrameReader): Extract<LauncherEvent, { type: 'reads' }> {
  const all = r.many(() => ({ how: r.u8(), path: r.text() }));
  const known = all.filter(({ how }) => (how & 128) === 0);
  const paths = known.map(({ how, path }) => ({
    path,
    isOpened: (how & 2) !== 0,
    isMoved: (how & 4) !== 0,
    isLinked: (how & 8) !== 0,
    isDisk: (how & 16) !== 0,
    wasThere: (how & 32) !== 0,
    ...((how & 64) !== 0 ? { isAsked: true as const } : {}),
  }));
  return { type: 'reads', paths, isComplete: known.length === all.length };
}

function decodeEnd(r: FrameReader): Pick<Extract<LauncherEvent, { type: 'finished' }>, 'how' | 'exitCode' | 'error'> {
  const how = nameOf(endings, r.u8());
  const code = r.i32();
  if (how === 'notStarted') return { how, exitCode: 0, error: errorName(code) };
  return { how, exitCode: how === 'signalled' ? 128 + code : shellStatus(code) };
}

function decodeEffect(r: FrameReader): Extract<LauncherEvent, { type: 'effect' }> {
  const kind = nameOf(effectKinds, r.u8());
  const common = { type: 'effect', pid: r.u32(), detail: r.text() } as const;
  const number = r.i64();
  switch (kind) {
    case 'signals': {
      // `pid * 256 + signal`; below 0 it is all of them.
      const target = Math.floor(number / 256);
      const signal = signalName(number - target * 256);
      // kill(2): signal 0 is none, and tells whether the process is there.
      if (number === target * 256) return { ...common, kind: 'looksForProcess', target };
      return { ...common, kind, ...(target < 0 ? {} : { target }), signal };
    }
    case 'waitSkipped':
      return { ...common, kind, durationMs: number };
    case 'hardLinked':
      return { ...common, kind, names: number };
    case 'door':
      return { ...common, kind, door: nameOf(doors, number) };
    default:
      return { ...common, kind };
  }
}

function decodeChange(r: FrameReader): LauncherChange {
  const change = nameOf(changeKinds, r.u8());
  const flags = r.u8();
  return {
    change,
    notCompared: (flags & 1) !== 0,
    replaced: (flags & 2) !== 0,
    rewritten: (flags & 4) !== 0,
    path: r.text(),
    from: r.text(),
    before: r.node(),
    after: r.node(),
    targetBefore: r.text(),
    targetAfter: r.text(),
    sha256: r.hex(),
  };
}

/** Longest frame that is accepted, in bytes. */
export const maxFrameBytes = 16 * 1024 * 1024;

/** Cuts a stream of bytes into events. Output bytes are copied, so that they outlive the chunk. */
export function createFrameParser(onEvent: (event: LauncherEvent) => void): (chunk: Buffer) => void {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let needed = 5;
  return (chunk) => {
    waiting.push(chunk);
    waitingBytes += chunk.length;
    if (waitingBytes < needed) return;
    const all = waiting.length === 1 ? chunk : Buffer.concat(waiting);
    let at = 0;
    needed = 5;
    while (all.length - at >= 5) {
      const length = all.readUInt32LE(at);
      if (length > maxFrameBytes) throw new RangeError(`frame of ${length} bytes from the launcher`);
      if (all.length - at < 5 + length) {
        needed = 5 + length;
        break;
      }
      onEvent(decodeEvent(all.readUInt8(at + 4), new FrameReader(all, at + 5, at + 5 + length)));
      at += 5 + length;
    }
    const rest = all.subarray(at);
    waiting = rest.length > 0 ? [rest] : [];
    waitingBytes = rest.length;
  };
}
