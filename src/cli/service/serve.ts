import { randomBytes, timingSafeEqual } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { launcherPath } from '../../core/launcherPath.ts';
import { statusIfKnown } from '../../core/view/statusIfKnown.ts';
import { createLauncherPool, type LauncherPool } from '../../core/worlds/confined/wire/launcherPool.ts';
import { createClientReader, frameFor, type ServedRequest, type ToClient } from './wire.ts';

/** A client that waits for its answer. */
export interface ServedClient {
  request: ServedRequest;
  /** Its standard input, read from when this is called. */
  input(): AsyncIterable<Uint8Array>;
  send(said: ToClient): void;
  /** It has given up, or is gone. */
  signal: AbortSignal;
  launchers: LauncherPool;
}

/** How a service is started. */
export interface ServiceOptions {
  /** Of the built command line; the launchers are beside it. When it changes, the service ends. */
  distFolder: string;
  /** The user's own (0700), absolute; its socket and its token lie there, by the name. */
  folder: string;
  name: string;
  /** It ends after so long without a client. In milliseconds; asked each time. */
  idleMs(): number;
  /** Answers one client; what it throws tells the client to do it itself. */
  answer(client: ServedClient): Promise<void>;
  /** It listens. */
  ready?(): void;
}

/** So often a client hears that its answer is worked on; it waits for 1.5 s at most. */
const aliveMs = 200;
/** So often the service looks whether it is still the one that is wanted. */
const lookMs = 10_000;
/** A client asks at once. */
const askMs = 5_000;
/** So long an answer waits to be read. */
const readMs = 10 * 60_000;
const mostInputBytes = 32 * 1024 ** 2;
const nothing = new Uint8Array();
const spareLaunchers = 4;
/** Above that it makes room for a new one when nobody waits. In bytes. */
const mostMemory = 1024 ** 3;

/** Serves clients until nobody has come for a while, the program has changed, or another service has taken its place. */
export async function serveClients(options: ServiceOptions): Promise<void> {
  const { folder, name } = options;
  const launchers = createLauncherPool(launcherPath(options.distFolder), spareLaunchers, true);
  const ownProgram = () =>
    ['cli.js', 'main.js'].map((name) => versionOf(path.join(options.distFolder, name))).join('') +
    versionOf(launcherPath(options.distFolder));
  const startedWith = ownProgram();
  const token = randomBytes(16).toString('hex');
  const active = new Set<net.Socket>();
  let idleTimer: ReturnType<typeof setTimeout> | undefined;
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const rest = () => {
    clearTimeout(idleTimer);
    if (active.size > 0) return;
    if (process.memoryUsage.rss() > mostMemory) end();
    idleTimer = setTimeout(end, options.idleMs());
  };
  const isCurrent = () => ownProgram() === startedWith;
  const server = net.createServer((socket) => {
    active.add(socket);
    clearTimeout(idleTimer);
    void serveOne(socket, { token, isCurrent, launchers, answer: options.answer }).then((isWanted) => {
      active.delete(socket);
      if (!isWanted) end();
      else rest();
    });
  });
  const socketId = await listenIn(server, folder, name, token);
  options.ready?.();
  rest();
  const lookTimer = setInterval(() => {
    if (active.size === 0 && (!isCurrent() || idOf(socketFile(folder, name)) !== socketId)) end();
  }, lookMs);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => end());
  launchers.refill();
  await ended;
  clearInterval(lookTimer);
  clearTimeout(idleTimer);
  server.close();
  // Another one may have taken the place.
  if (idOf(socketFile(folder, name)) === socketId) {
    fs.rmSync(socketFile(folder, name), { force: true });
    fs.rmSync(tokenFile(folder, name), { force: true });
  }
  await Promise.race([Promise.all([...active].map((socket) => closed(socket))), sleep(lookMs)]);
  await launchers.close();
}

/** Where the service of that name is reached. */
function socketFile(folder: string, name: string): string {
  return path.join(folder, `${name}.socket`);
}

/** What its clients have to say. */
function tokenFile(folder: string, name: string): string {
  return path.join(folder, `${name}.token`);
}

/** The socket takes its place when somebody listens, whatever was there before. Gives what tells it from others. */
async function listenIn(server: net.Server, folder: string, name: string, token: string): Promise<string> {
  const status = fs.lstatSync(folder);
  if (!status.isDirectory() || status.uid !== process.getuid?.() || (status.mode & 0o077) !== 0)
    throw new Error(`${folder} is not private`);
  const aside = `.${name}.${process.pid}`;
  for (const file of [path.join(folder, aside), path.join(folder, `${aside}.token`)]) fs.rmSync(file, { force: true });
  fs.writeFileSync(path.join(folder, `${aside}.token`), token, { mode: 0o600, flag: 'wx' });
  // Paths of sockets may be 107 bytes long.
  process.chdir(folder);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(aside, resolve);
    });
    fs.chmodSync(aside, 0o600);
    fs.renameSync(`${aside}.token`, tokenFile(folder, name));
    fs.renameSync(aside, socketFile(folder, name));
  } finally {
    process.chdir('/');
  }
  return idOf(socketFile(folder, name));
}

interface OneClient {
  token: string;
  /** The program is the one that this process was started from. */
  isCurrent(): boolean;
  launchers: LauncherPool;
  answer(client: ServedClient): Promise<void>;
}

/** Serves one client; false: no other may be served. Never rejects. */
async function serveOne(socket: net.Socket, service: OneClient): Promise<boolean> {
  const abort = new AbortController();
  let isOver = false;
  const send = (said: ToClient) => {
    if (isOver || socket.destroyed) return;
    if (said.kind === 'exit' || said.kind === 'notServed') {
      isOver = true;
      socket.end(frameFor(said));
    } else socket.write(frameFor(said));
  };
  const incoming = createIncoming(() => send({ kind: 'wantsInput' }));
  const gone = closed(socket).then(() => {
    incoming.take(nothing);
    abort.abort();
  });
  const asked = new Promise<ServedRequest | undefined>((resolve) => {
    const read = createClientReader((said) => {
      if (said.kind === 'request') resolve(said.request);
      else if (said.kind === 'cancel') abort.abort();
      else incoming.take(said.bytes);
    });
    socket.on('data', (piece: Buffer) => {
      try {
        read(piece);
      } catch {
        socket.destroy();
      }
    });
    void gone.then(() => resolve(undefined));
    setTimeout(() => resolve(undefined), askMs).unref();
  });
  const request = await asked;
  if (!request) {
    socket.destroy();
    return true;
  }
  const isCurrent = service.isCurrent();
  if (!isCurrent || !isSame(request.token, service.token)) {
    send({ kind: 'notServed' });
    return isCurrent;
  }
  // An agent's hook also tells of calls that are no business of ours.
  if (request.role !== 'hook') service.launchers.expect();
  send({ kind: 'alive' });
  const alive = setInterval(() => {
    // Whoever does not read hears nothing new by it.
    if (!socket.writableNeedDrain) send({ kind: 'alive' });
  }, aliveMs);
  try {
    await service.answer({ request, input: incoming.pieces, send, signal: abort.signal, launchers: service.launchers });
  } catch {
    // A bug of ours: the same is tried where it stands in nobody's way.
  } finally {
    send({ kind: 'notServed' });
    clearInterval(alive);
  }
  // What was said may wait for whoever pages through it.
  await Promise.race([finished(socket), gone, sleep(readMs)]);
  return true;
}

/** The standard input of a client: asked for once, taken as it comes. */
function createIncoming(ask: () => void): { take(bytes: Uint8Array): void; pieces(): AsyncIterable<Uint8Array> } {
  const waiting: Uint8Array[] = [];
  let isAsked = false;
  let sizeBytes = 0;
  let wake = () => {};
  return {
    take(bytes) {
      sizeBytes += bytes.length;
      if (sizeBytes > mostInputBytes) throw new Error('the input is too large');
      waiting.push(bytes);
      wake();
    },
    async *pieces() {
      if (!isAsked) ask();
      isAsked = true;
      for (;;) {
        const piece = waiting.shift();
        if (piece?.length === 0) return;
        if (piece) yield piece;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    },
  };
}

/** Everything has left this process. */
function finished(socket: net.Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.writableFinished) resolve();
    else socket.once('finish', () => resolve());
  });
}

function closed(socket: net.Socket): Promise<void> {
  if (socket.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    socket.once('close', () => resolve());
    // A client that is gone says so by a cut connection.
    socket.on('error', () => {});
  });
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function idOf(file: string): string {
  const status = fs.lstatSync(file, { throwIfNoEntry: false, bigint: true });
  return status ? `${status.dev} ${status.ino}` : '';
}

function versionOf(file: string): string {
  const status = statusIfKnown(file);
  return status ? `${status.dev} ${status.ino} ${status.size} ${status.mtimeNs};` : ';';
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
