import { type ChildProcess, spawn } from 'node:child_process';
import { inSentence } from '../../../view/quantity.ts';
import type { ComparedPair, Comparison } from '../../../view/view.ts';
import type { ErrorName, StreamName } from './codes.ts';
import { createFrameParser, type LauncherChange, type LauncherEvent, type NodeStatus } from './frames.ts';
import { unleasedAtNs } from './leases.ts';
import {
  type Answer,
  answerFrame,
  cancelFrame,
  compareFrame,
  countLinesFrame,
  type Digests,
  giveBackFrame,
  inputFrame,
  listFrame,
  putFrame,
  type ReadRequest,
  type RunRequest,
  readFrame,
  readStdinFrame,
  runFrame,
  type SetupRequest,
  setupFrame,
  statFrame,
  writeFrame,
} from './requestFrames.ts';

/** More are asked one after the other, so that others come in between. */
const pathsAtOnce = 8192;
/** Few, so that the launcher begins before it has read all. */
const pathsInOneRequest = 512;
const readsInOneRequest = 1024;
/** The launcher's word for what has no lines. */
const notText = 0xffff_ffff;

/** So much is read at most to compare files: 16 GiB. What was written is far less (the disk limit); the rest are zeros of sparse files. */
const comparedBytes = 16 * 1024 ** 3;

type EventNamed<T extends LauncherEvent['type']> = Extract<LauncherEvent, { type: T }>;

/** The view is there. */
export type Ready = EventNamed<'ready'>;
/** The view could not be built, and why. */
export type Refused = EventNamed<'refused'>;
/** A program was stopped before its first instruction. */
export type Gated = EventNamed<'gated'>;
/**
 * How a copy-on-write view of the machine is made: by overlays in namespaces, or, where these are refused, by answering the calls
 * that name files.
 */
export interface Copying {
  by: 'overlays' | 'supervision';
  /** No other way is tried. */
  isFixed?: boolean;
  /** Why not by overlays, in a sentence. */
  because?: string;
}

/** For whom launchers work. */
export interface Caller {
  /** What decides where programs and configuration are. */
  env: Readonly<Record<string, string | undefined>>;
  /** Another process than this one, which is there for its prediction alone; see `ownHost`. */
  processId?: number;
}

/** A run is over, and how it ended. */
export type Finished = EventNamed<'finished'>;
/** Something that a run did besides output and files. */
export type LauncherEffect = EventNamed<'effect'>;

/** What a run says while it goes on. */
export type RunEvent = EventNamed<'exec' | 'gated' | 'output' | 'programExit' | 'effect' | 'asks' | 'reads'>;

/** What a run changed. */
export interface Listing {
  changes: LauncherChange[];
  /** Sent while listing: files whose time alone changed, hard links, other owners. */
  effects: LauncherEffect[];
  complete: boolean;
  why: string;
}

/** The launcher ended, or could not be started, while somebody waited for it. */
export class LauncherEnded extends Error {}

/** So many counts of lines; `undefined` for what has none. */
function countsIn(bytes: Buffer, length: number): (number | undefined)[] {
  return Array.from({ length }, (_, index) => {
    const count = index * 4 + 4 <= bytes.length ? bytes.readUInt32LE(index * 4) : notText;
    return count === notText ? undefined : count;
  });
}

/** So many comparisons, of 13 bytes each; `undefined` for what is not known. */
function comparisonsIn(bytes: Buffer, length: number): (Comparison | undefined)[] {
  return Array.from({ length }, (_, index) => {
    const at = index * 13;
    const how =
      at + 13 <= bytes.length ? ([undefined, 'same', 'added', 'gone'] as const)[bytes.readUInt8(at)] : undefined;
    if (!how) return undefined;
    const lines = bytes.readUInt32LE(at + 1);
    const bytesGone = Number(bytes.readBigUInt64LE(at + 5));
    return { how, bytesGone, ...(lines === notText ? {} : { linesGone: lines }) };
  });
}

interface Waiting {
  resolve(event: LauncherEvent): void;
  reject(error: Error): void;
}

/**
 * One launcher process: a view of the machine and the commands that run in it, one after the other.
 *
 * It lives until `close()`, or until this process ends: its standard input closes then, and it takes everything that it
 * started with it.
 */
export class Launcher {
  private readonly child: ChildProcess;
  private readonly ended: Promise<void>;
  private ending = false;
  private failure: LauncherEnded | undefined;
  private complaint = '';
  private nextRequest = 1;
  private setupWaiting: Waiting | undefined;
  private runWaiting: Waiting | undefined;
  private onRunEvent: ((event: RunEvent) => void) | undefined;
  private listWaiting: (Waiting & { listing: Listing }) | undefined;
  private lastListing: Promise<void> = Promise.resolve();
  private readonly requests = new Map<number, Waiting & { pieces: Uint8Array[] }>();
  private readonly reads: ReadRequest[] = [];
  private readonly stdinRequests = new Map<number, Waiting>();

  private readonly ownHost: boolean;

  /** Where the parts of the view begin, once it is built. */
  parts: readonly string[] = [];

  /** Programs that are not known to be inert may be let in, where somebody consents. */
  letsIn = false;
  /** Its view is a copy in which a command is run, and not look mode's reading. */
  isCopy = false;

  /** Programs may be let in for the form of their words. */
  letsKnownIn = false;

  /** How copies are made; mostly shared by the launchers of one pool. */
  copying: Copying;

  /** For whom it works. */
  caller: Caller;

  /** `ownHost`: this process ends with its predictions, and is nothing that a command would find. */
  constructor(binary: string, caller: Caller, ownHost = false, copying: Copying = { by: 'overlays' }) {
    this.caller = caller;
    this.ownHost = ownHost;
    this.copying = copying;
    // The launcher decides what the command inherits; it needs nothing from our environment itself.
    this.child = spawn(binary, [], { stdio: ['pipe', 'pipe', 'pipe'], env: {}, cwd: '/' });
    this.ended = new Promise((resolve) => {
      let cause = '';
      this.child.on('error', (error) => {
        cause = error.message;
        this.fail(cause);
        resolve();
      });
      this.child.on('close', (code, signal) => {
        this.fail(
          inSentence(this.complaint.trim().split('\n')[0] ?? '') || cause || `the launcher ended (${signal ?? code})`,
        );
        resolve();
      });
    });
    const parse = createFrameParser((event) => this.take(event));
    this.child.stdout?.on('data', (chunk: Buffer) => {
      try {
        parse(chunk);
      } catch (error) {
        this.complaint = String(error instanceof Error ? error.message : error);
        this.child.kill('SIGKILL');
      }
    });
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.complaint = `${this.complaint}${chunk.toString()}`.slice(0, 4000);
    });
    // A write to a launcher that has just died is no error of ours: the close event tells.
    this.child.stdin?.on('error', () => {});
  }

  /** Process id of the launcher; `undefined` when it could not be started. */
  get pid(): number | undefined {
    return this.child.pid;
  }

  /** False once it has ended. */
  get isAlive(): boolean {
    return this.failure === undefined && !this.ending;
  }

  /** It waits for work; this process may end without it. */
  release(): void {
    for (const handle of this.handles()) handle.unref();
  }

  /** It has work; this process waits for it. */
  hold(): void {
    for (const handle of this.handles()) handle.ref();
  }

  private handles(): { ref(): void; unref(): void }[] {
    const { child } = this;
    // The pipes of a child are sockets to Node, which its types do not say.
    const pipes = [child.stdin, child.stdout, child.stderr] as unknown as ({ ref(): void; unref(): void } | null)[];
    return [child, ...pipes.filter((pipe) => pipe !== null)];
  }

  /** Builds the view. A refusal is an answer, not an error. */
  async setup(request: SetupRequest): Promise<Ready | Refused> {
    const answer = await this.wait((waiting) => {
      this.setupWaiting = waiting;
      const mode = request.mode === 'copy' && this.copying.by === 'supervision' ? 'supervised' : request.mode;
      const { ownHost, caller } = this;
      this.send(setupFrame({ ...request, mode, ownHost, caller: caller.processId, unleasedAtNs: unleasedAtNs() }));
    });
    if (answer.type === 'ready') {
      this.parts = answer.parts.map(({ path }) => path);
      this.letsIn = answer.letsIn;
      this.isCopy = request.mode === 'copy';
      this.letsKnownIn = answer.letsIn && request.letsKnownIn === true;
    }
    return answer as Ready | Refused;
  }

  /** Runs one command in the view. `onEvent` gets what happens, in order, before the promise resolves. */
  async run(request: RunRequest, onEvent: (event: RunEvent) => void): Promise<Finished> {
    this.onRunEvent = onEvent;
    const finished = await this.wait((waiting) => {
      this.runWaiting = waiting;
      this.send(runFrame(request));
    });
    return finished as Finished;
  }

  /** Everything that the last run (or layer) changed, sorted by path. */
  list(digests: Digests): Promise<Listing> {
    // A listing has no number to tell it from another: one after the other.
    const listing = this.lastListing.then(() => this.listNow(digests));
    // Only that it is over: it may have 50,000 changes.
    const over = () => {};
    this.lastListing = listing.then(over, over);
    return listing;
  }

  private async listNow(digests: Digests): Promise<Listing> {
    const listing: Listing = { changes: [], effects: [], complete: true, why: '' };
    await this.wait((waiting) => {
      this.listWaiting = { ...waiting, listing };
      this.send(listFrame(digests));
    });
    return listing;
  }

  /** Content of a regular file, at most `maxBytes` of it; `undefined` where there is none. */
  async read(path: string, moment: 'before' | 'after', maxBytes: number): Promise<Uint8Array | undefined> {
    const read = await this.readOrError(path, moment, maxBytes);
    return typeof read === 'string' ? undefined : read;
  }

  /** The same, with the name of the error where there is none. */
  async readOrError(path: string, moment: 'before' | 'after', maxBytes: number): Promise<Uint8Array | ErrorName> {
    const pieces: Uint8Array[] = [];
    const last = await this.wait((waiting) => {
      this.sendRead({ request: this.number(waiting, pieces), after: moment === 'after', path, maxBytes });
    });
    if (last.type !== 'data') return 'EIO';
    return last.error ?? Buffer.concat(pieces);
  }

  /** Contents of many regular files, in their order; `undefined` where there is none. Of thousands nobody waits for each. */
  async readMany(
    paths: readonly string[],
    moment: 'before' | 'after',
    maxBytes: number,
  ): Promise<(Uint8Array | undefined)[]> {
    const contents: (Uint8Array | undefined)[] = paths.map(() => undefined);
    let left = paths.length;
    if (left === 0) return contents;
    await this.wait(({ resolve, reject }) => {
      for (const [at, path] of paths.entries()) {
        const pieces: Uint8Array[] = [];
        const take = (event: LauncherEvent) => {
          if (event.type === 'data' && event.error === undefined)
            contents[at] = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
          left -= 1;
          if (left === 0) resolve(event);
        };
        this.sendRead({
          request: this.number({ resolve: take, reject }, pieces),
          after: moment === 'after',
          path,
          maxBytes,
        });
      }
    });
    return contents;
  }

  /** Lines of each of these files; `undefined` for what is no text, larger than `maxBytes`, or cannot be read. */
  async countLines(
    paths: readonly string[],
    moment: 'before' | 'after',
    maxBytes: number,
  ): Promise<(number | undefined)[]> {
    const counts: (number | undefined)[] = [];
    for (let at = 0; at < paths.length; at += pathsAtOnce)
      counts.push(...(await this.countSome(paths.slice(at, at + pathsAtOnce), moment === 'after', maxBytes)));
    return counts;
  }

  /** How much of each file before another file has after; `undefined` for what cannot be compared, or where too much would be read. */
  async compare(pairs: readonly ComparedPair[]): Promise<(Comparison | undefined)[]> {
    const pairsInOneRequest = pathsInOneRequest / 2;
    const maxBytes = Math.floor(comparedBytes / Math.ceil(pairs.length / pairsInOneRequest));
    const found: (Comparison | undefined)[] = [];
    for (let at = 0; at < pairs.length; at += pairsInOneRequest) {
      const asked = pairs.slice(at, at + pairsInOneRequest);
      const pieces: Uint8Array[] = [];
      const paths = asked.flatMap(({ before, after }) => [before, after]);
      await this.request((request) => compareFrame(request, maxBytes, paths), pieces);
      found.push(...comparisonsIn(Buffer.concat(pieces), asked.length));
    }
    return found;
  }

  private async countSome(paths: readonly string[], after: boolean, maxBytes: number): Promise<(number | undefined)[]> {
    const answers: Promise<(number | undefined)[]>[] = [];
    for (let at = 0; at < paths.length; at += pathsInOneRequest) {
      const asked = paths.slice(at, at + pathsInOneRequest);
      const pieces: Uint8Array[] = [];
      const answer = this.request((request) => countLinesFrame(request, after, asked, maxBytes), pieces);
      answers.push(answer.then(() => countsIn(Buffer.concat(pieces), asked.length)));
    }
    // Whoever asks may go on for long before the event loop would send it.
    this.child.stdin?.uncork();
    return (await Promise.all(answers)).flat();
  }

  /** Status of a path without following a symbolic link; `undefined` where there is nothing. */
  async stat(path: string, moment: 'before' | 'after'): Promise<NodeStatus | undefined> {
    const answer = await this.request((request) => statFrame(request, moment === 'after', path));
    return answer.type === 'status' && answer.error === undefined ? answer.node : undefined;
  }

  /** Writes into the view. Returns the name of the error; `undefined` when it is done. */
  async put(
    path: string,
    type: 'delete' | 'file' | 'directory' | 'symlink',
    bytes: Uint8Array,
    mode = 0xffff,
  ): Promise<ErrorName | undefined> {
    const answer = await this.request((request) => putFrame(request, type, mode, path, bytes));
    return answer.type === 'done' ? answer.error : 'EIO';
  }

  answer(token: number, answer: Answer): void {
    this.send(answerFrame(token, answer));
  }

  /** Writes into a descriptor of a stopped program, in pieces of at most 64 KiB. */
  write(token: number, stream: StreamName, bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += 65_536) {
      this.send(writeFrame(token, stream, bytes.subarray(at, at + 65_536)));
    }
  }

  async readStdin(token: number, maxBytes: number): Promise<{ bytes: Uint8Array; eof: boolean }> {
    const answer = await this.wait((waiting) => {
      this.stdinRequests.set(token, waiting);
      this.send(readStdinFrame(token, maxBytes));
    });
    return answer.type === 'stdin' ? { bytes: answer.bytes, eof: answer.eof } : { bytes: new Uint8Array(), eof: true };
  }

  /** Puts what was read to its end back into the pipe of a stopped program, before that is let in. At most what a pipe holds: 64 KiB. */
  giveBack(token: number, bytes: Uint8Array): void {
    this.send(giveBackFrame(token, bytes));
  }

  input(bytes: Uint8Array, eof: boolean): void {
    this.send(inputFrame(bytes, eof));
  }

  /** Ends the run that is going on; `run` resolves with `cancelled`. */
  cancel(): void {
    this.send(cancelFrame());
  }

  /** Ends the launcher and everything in its view. Resolves when it is gone. Safe to call twice. */
  async close(): Promise<void> {
    this.ending = true;
    this.child.stdin?.end();
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 50);
    await this.ended;
    clearTimeout(timer);
  }

  private async request(frame: (request: number) => Buffer, pieces: Uint8Array[] = []): Promise<LauncherEvent> {
    return this.wait((waiting) => this.send(frame(this.number(waiting, pieces))));
  }

  /** The number of a request that somebody waits for. */
  private number(waiting: Waiting, pieces: Uint8Array[]): number {
    const request = this.nextRequest;
    this.nextRequest += 1;
    this.requests.set(request, { ...waiting, pieces });
    return request;
  }

  private wait(begin: (waiting: Waiting) => void): Promise<LauncherEvent> {
    return new Promise((resolve, reject) => {
      if (this.failure) reject(this.failure);
      else begin({ resolve, reject });
    });
  }

  /** What is sent in one go leaves in one piece: thousands of small requests are mostly the calls that write them. */
  private send(frame: Buffer): void {
    const { stdin } = this.child;
    if (this.failure || this.ending || !stdin) return;
    if (stdin.writableCorked === 0) {
      stdin.cork();
      process.nextTick(() => stdin.uncork());
    }
    stdin.write(frame);
  }

  /** What is to be read at the same time is asked for in one frame: there may be thousands of small files. */
  private sendRead(read: ReadRequest): void {
    this.reads.push(read);
    if (this.reads.length > 1) return;
    process.nextTick(() => {
      while (this.reads.length > 0) this.send(readFrame(this.reads.splice(0, readsInOneRequest)));
    });
  }

  private take(event: LauncherEvent): void {
    switch (event.type) {
      case 'ready':
      case 'refused':
        this.setupWaiting?.resolve(event);
        this.setupWaiting = undefined;
        break;
      case 'finished':
        this.onRunEvent = undefined;
        this.runWaiting?.resolve(event);
        this.runWaiting = undefined;
        break;
      case 'change':
        this.listWaiting?.listing.changes.push(event.change);
        break;
      case 'listed':
        if (this.listWaiting) Object.assign(this.listWaiting.listing, { complete: event.complete, why: event.why });
        this.listWaiting?.resolve(event);
        this.listWaiting = undefined;
        break;
      case 'effect':
        if (this.listWaiting) this.listWaiting.listing.effects.push(event);
        else this.onRunEvent?.(event);
        break;
      case 'data':
        this.takeData(event);
        break;
      case 'done':
      case 'status':
        this.requests.get(event.request)?.resolve(event);
        this.requests.delete(event.request);
        break;
      case 'stdin':
        this.stdinRequests.get(event.token)?.resolve(event);
        this.stdinRequests.delete(event.token);
        break;
      default:
        this.onRunEvent?.(event);
    }
  }

  private takeData(event: EventNamed<'data'>): void {
    const waiting = this.requests.get(event.request);
    if (!waiting) return;
    if (event.bytes.length > 0) waiting.pieces.push(event.bytes);
    if (!event.end) return;
    this.requests.delete(event.request);
    waiting.resolve(event);
  }

  private fail(message: string): void {
    this.failure ??= new LauncherEnded(message);
    const failure = this.failure;
    const everybody = [this.setupWaiting, this.runWaiting, this.listWaiting];
    for (const waiting of [...everybody, ...this.requests.values(), ...this.stdinRequests.values()]) {
      waiting?.reject(failure);
    }
    this.setupWaiting = this.runWaiting = this.listWaiting = undefined;
    this.requests.clear();
    this.stdinRequests.clear();
  }
}
