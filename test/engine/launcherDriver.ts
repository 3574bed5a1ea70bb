import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { launcherPath } from '../../src/core/launcherPath.ts';
import type { ErrorName, StreamName } from '../../src/core/worlds/confined/wire/codes.ts';
import {
  createFrameParser,
  type LauncherChange,
  type LauncherEvent,
} from '../../src/core/worlds/confined/wire/frames.ts';
import {
  type Answer,
  answerFrame,
  cancelFrame,
  countLinesFrame,
  type Digests,
  inputFrame,
  listFrame,
  putFrame,
  type RunRequest,
  readFrame,
  readStdinFrame,
  runFrame,
  type SetupRequest,
  setupFrame,
  statFrame,
  writeFrame,
} from '../../src/core/worlds/confined/wire/requestFrames.ts';

export type EventNamed<T extends LauncherEvent['type']> = Extract<LauncherEvent, { type: T }>;
export type Gated = EventNamed<'gated'>;

/** Who runs the launcher. */
export interface Identity {
  name: 'user' | 'root';
  uid: number;
}

/** Root tests both kinds of users; anybody else only himself. */
export function identities(): Identity[] {
  const own = process.getuid?.() ?? 0;
  // Nobody else has this user, so every process of it comes from these tests.
  const lonely = 150_000 + (process.pid % 40_000);
  if (own !== 0) return [{ name: 'user', uid: own }];
  return [
    { name: 'user', uid: lonely },
    { name: 'root', uid: 0 },
  ];
}

const project = path.resolve(process.env['FORETELL_PROJECT'] ?? process.cwd());
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'launcher-test-'));
fs.chmodSync(scratch, 0o755);
process.on('exit', () => fs.rmSync(scratch, { recursive: true, force: true }));

/** The launcher, where every user may start it. */
export const binary = path.join(scratch, 'confine');
fs.copyFileSync(process.env['FORETELL_LAUNCHER'] ?? launcherPath(path.join(project, 'dist')), binary);
fs.chmodSync(binary, 0o755);

/** A new empty folder that belongs to `identity`; gone when the tests end. */
export function folder(identity: Identity): string {
  const made = fs.mkdtempSync(path.join(scratch, 'w-'));
  if (process.getuid?.() === 0) fs.chownSync(made, identity.uid, identity.uid);
  return made;
}

/** Writes files (a name that ends with / is a directory) that belong to `identity`. */
export function populate(root: string, identity: Identity, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    const full = path.join(root, name);
    fs.mkdirSync(name.endsWith('/') ? full : path.dirname(full), { recursive: true });
    if (!name.endsWith('/')) fs.writeFileSync(full, text);
    for (let at = full.replace(/\/$/, ''); at !== root; at = path.dirname(at))
      if (process.getuid?.() === 0) fs.lchownSync(at, identity.uid, identity.uid);
  }
}

const inertNames =
  'bash sh dash cat ls echo true false touch rm rmdir mkdir mkfifo mv cp ln chmod chown chgrp stat head tail wc sort tr tee sleep timeout ' +
  'env date kill id tty stty seq grep sed find xargs yes dd df git hostname nice ps readlink realpath od truncate mktemp getent split';

/** Real paths of the inert programs that this machine has. */
export const inert: string[] = [
  ...new Set(
    inertNames.split(' ').flatMap((name) => {
      const found = ['/usr/bin', '/bin', '/usr/sbin']
        .map((place) => path.join(place, name))
        .find((file) => fs.existsSync(file));
      return found ? [fs.realpathSync(found)] : [];
    }),
  ),
].concat(
  fs.existsSync('/usr/lib/git-core')
    ? fs.readdirSync('/usr/lib/git-core').map((name) => fs.realpathSync(path.join('/usr/lib/git-core', name)))
    : [],
);

export const environment = ['PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', 'LC_ALL=C', 'HOME=/tmp'];

/** What one run did. */
export interface Run {
  finished: EventNamed<'finished'>;
  events: LauncherEvent[];
  stdout: string;
  stderr: string;
  gated: Gated[];
  execs: EventNamed<'exec'>[];
  effects: EventNamed<'effect'>[];
}

export type Listing = { changes: LauncherChange[]; effects: EventNamed<'effect'>[]; complete: boolean };

/** One launcher process, driven frame by frame. */
export class Driver {
  readonly events: LauncherEvent[] = [];
  readonly child: ChildProcess;
  readonly closed: Promise<number | null>;
  onGated: (gated: Gated, driver: Driver) => void = (gated, driver) =>
    driver.answer(gated.token, { kind: 'exit', code: 0 });
  private readonly waiters = new Set<() => void>();
  private dead = false;
  private seen = 0;
  private readonly patienceMs: number;

  /** `prefix`: words before the launcher. `start`: the whole command, where the launcher is on another machine. */
  constructor(identity: Identity, prefix: readonly string[] = [], start?: readonly string[]) {
    const own = process.getuid?.() === 0 ? { uid: identity.uid, gid: identity.uid } : {};
    const [program = binary, ...args] = start ?? [...prefix, binary];
    this.child = spawn(program, args, {
      ...(start ? { env: process.env } : { ...(prefix.length ? {} : own), env: {}, cwd: '/' }),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    // An emulated machine has to start first.
    this.patienceMs = start ? 300_000 : 20_000;
    this.child.stdin?.on('error', () => {});
    const parse = createFrameParser((event) => {
      this.events.push(event);
      if (event.type === 'gated' && event.token !== 0) this.onGated(event, this);
      for (const wake of [...this.waiters]) wake();
    });
    this.child.stdout?.on('data', parse);
    this.closed = new Promise((resolve) =>
      this.child.on('close', (code) => {
        this.dead = true;
        for (const wake of [...this.waiters]) wake();
        resolve(code);
      }),
    );
  }

  send(frame: Buffer): void {
    this.child.stdin?.write(frame);
  }

  /** The next event of a type that was not waited for yet. */
  async next<T extends LauncherEvent['type']>(
    type: T,
    test: (event: EventNamed<T>) => boolean = () => true,
  ): Promise<EventNamed<T>> {
    const deadline = Date.now() + this.patienceMs;
    for (;;) {
      for (; this.seen < this.events.length; this.seen += 1) {
        const event = this.events[this.seen];
        if (event?.type === type && test(event as EventNamed<T>)) {
          this.seen += 1;
          return event as EventNamed<T>;
        }
      }
      if (this.dead) throw new Error(`the launcher ended before ${type}: ${JSON.stringify(this.events.slice(-2))}`);
      if (Date.now() > deadline) throw new Error(`no ${type} came: ${JSON.stringify(this.events.slice(-3))}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(done, 1000);
        const waiters = this.waiters;
        function done() {
          clearTimeout(timer);
          waiters.delete(done);
          resolve();
        }
        waiters.add(done);
      });
    }
  }

  setup(settings: Partial<SetupRequest> = {}): void {
    this.send(
      setupFrame({
        mode: 'copy',
        openGate: false,
        skipWaiting: true,
        reportEnvironment: false,
        diskBytes: 64 << 20,
        memoryBytes: 0,
        outputBytes: 0,
        wallMs: 15_000,
        processes: 200,
        clockOffsetMs: 0,
        firstPid: 0,
        inert,
        ask: [],
        ...settings,
      }),
    );
  }

  start(script: string, cwd: string, settings: Partial<RunRequest> = {}): void {
    this.send(
      runFrame({
        argv: ['bash', '-c', script],
        env: environment,
        cwd,
        columns: 0,
        rows: 0,
        stdin: 'null',
        newLayer: false,
        ...settings,
      }),
    );
  }

  async run(script: string, cwd: string, settings: Partial<RunRequest> = {}): Promise<Run> {
    const from = this.events.length;
    this.start(script, cwd, settings);
    return this.finish(from);
  }

  async finish(from: number): Promise<Run> {
    const finished = await this.next('finished');
    const events = this.events.slice(from);
    const named = <T extends LauncherEvent['type']>(type: T) =>
      events.filter((event): event is EventNamed<T> => event.type === type);
    const text = (stream: StreamName) =>
      Buffer.concat(
        named('output')
          .filter((event) => event.stream === stream)
          .map((event) => event.bytes),
      ).toString();
    return {
      finished,
      events,
      stdout: text('stdout'),
      stderr: text('stderr'),
      gated: named('gated'),
      execs: named('exec'),
      effects: named('effect'),
    };
  }

  async list(digests: Digests = 'all'): Promise<Listing> {
    const from = this.events.length;
    this.send(listFrame(digests));
    const { complete } = await this.next('listed');
    const events = this.events.slice(from);
    return {
      complete,
      changes: events.flatMap((event) => (event.type === 'change' ? [event.change] : [])),
      effects: events.filter((event): event is EventNamed<'effect'> => event.type === 'effect'),
    };
  }

  async read(file: string, after: boolean): Promise<{ text: string; error: ErrorName | undefined }> {
    const from = this.events.length;
    this.send(readFrame([{ request: 5, after, path: file, maxBytes: 1 << 20 }]));
    const { error } = await this.next('data', (event) => event.end);
    const pieces = this.events.slice(from).flatMap((event) => (event.type === 'data' ? [event.bytes] : []));
    return { text: Buffer.concat(pieces).toString(), error };
  }

  /** As the launcher says them: 0xffffffff where there are none. */
  async countLines(files: readonly string[], after: boolean, maxBytes: number): Promise<number[]> {
    this.send(countLinesFrame(8, after, files, maxBytes));
    const bytes = Buffer.from((await this.next('data', (event) => event.end)).bytes);
    return files.map((_, at) => bytes.readUInt32LE(at * 4));
  }

  async put(
    type: 'delete' | 'file' | 'directory' | 'symlink',
    file: string,
    text = '',
    mode = 0xffff,
  ): Promise<ErrorName | undefined> {
    this.send(putFrame(6, type, mode, file, Buffer.from(text)));
    return (await this.next('done')).error;
  }

  async stat(file: string, after: boolean): Promise<EventNamed<'status'>> {
    this.send(statFrame(7, after, file));
    return this.next('status');
  }

  answer(token: number, answer: Answer): void {
    this.send(answerFrame(token, answer));
  }
  write(token: number, stream: StreamName, text: string): void {
    this.send(writeFrame(token, stream, Buffer.from(text)));
  }
  readStdin(token: number, maxBytes = 65_536): void {
    this.send(readStdinFrame(token, maxBytes));
  }
  input(text: string, eof = false): void {
    this.send(inputFrame(Buffer.from(text), eof));
  }
  cancel(): void {
    this.send(cancelFrame());
  }

  /** What the launcher read and wrote so far (proc_pid_io(5)); undefined where the kernel does not tell this user. */
  work(): { reads: number; writes: number; bytesWritten: number } | undefined {
    try {
      const told = fs.readFileSync(`/proc/${this.child.pid}/io`, 'utf8');
      const count = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(told)?.[1]);
      return { reads: count('syscr'), writes: count('syscw'), bytesWritten: count('wchar') };
    } catch {
      return undefined;
    }
  }

  async end(): Promise<void> {
    this.child.stdin?.end();
    await this.closed;
  }
}

/** Opens a view, does something in it, and closes it whatever happens. */
export async function within<T>(
  identity: Identity,
  settings: Partial<SetupRequest>,
  use: (driver: Driver) => Promise<T>,
): Promise<T> {
  const driver = new Driver(identity);
  try {
    driver.setup(settings);
    await driver.next('ready');
    return await use(driver);
  } finally {
    await driver.end();
  }
}
