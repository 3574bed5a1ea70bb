import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod/mini';
import type { Environment } from './environment.ts';
import type { EnvironmentFailure } from './environmentTypes.ts';

/** How the service listens, and its limits. */
export interface ServiceOptions {
  environment: Environment;
  /** 0 (default) takes a free one. */
  port?: number;
  /** Who asks must know it; default: a new one, 256 bits. */
  token?: string;
  /** Largest body, in bytes; default 4 MiB. */
  mostBodyBytes?: number;
  /** Time for the body of a request to come in; default 30 s. */
  bodyMs?: number;
}

/** A service that runs. */
export interface Service {
  /** For example `http://127.0.0.1:8765`. */
  url: string;
  token: string;
  /** Takes nothing new, waits until what is under way is answered (at most `graceMs`, default 10 s), and ends. */
  close(graceMs?: number): Promise<void>;
}

const IdRequest = z.object({ id: z.string().check(z.maxLength(200)) });
const StepRequest = z.object({ id: z.string().check(z.maxLength(200)), action: z.unknown() });

interface Answer {
  status: number;
  body: Readonly<Record<string, unknown>>;
  retryAfterSeconds?: number;
}

/**
 * Serves an environment on the loopback interface, for training and evaluation harnesses: `POST /start`, `/step`,
 * `/state`, `/reset` and `/close` with JSON, and `GET /health`. README.md beside this file tells more.
 *
 * Only who knows the token is answered. A page in a browser is refused whatever it knows: by its `Origin`, and, where a
 * name was bound anew to this address, by its `Host`.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { environment, mostBodyBytes = 4 * 1024 ** 2 } = options;
  const token = options.token ?? randomBytes(32).toString('base64url');
  const guard = createGuard(token);

  async function answer(request: http.IncomingMessage, signal: AbortSignal): Promise<Answer> {
    const refusal = guard.refusalOf(request);
    if (refusal) return refusal;
    const route = (request.url ?? '').split('?')[0] ?? '';
    if (route === '/health') {
      if (request.method !== 'GET') return failed(405, 'method', 'Ask /health with GET.');
      return { status: 200, body: { ok: true, ...environment.counts() } };
    }
    if (!(route in routes))
      return failed(
        404,
        'no-such-path',
        `There is no such path; there are ${Object.keys(routes).join(', ')} and /health.`,
      );
    if (request.method !== 'POST') return failed(405, 'method', `Ask ${route} with POST.`);
    if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
      return failed(415, 'not-json', 'Send JSON, with the content type application/json.');
    const body = await readBody(request, mostBodyBytes, options.bodyMs ?? 30_000);
    if ('status' in body) return body;
    let value: unknown;
    try {
      value = JSON.parse(body.text);
    } catch (error) {
      return failed(
        400,
        'bad-request',
        `The body is not JSON (${error instanceof Error ? error.message : String(error)}).`,
      );
    }
    const result = await routes[route as keyof typeof routes](environment, value, signal);
    return result.ok ? { status: 200, body: { ...result } } : fromFailure(result);
  }

  const server = http.createServer((request, response) => {
    const abort = new AbortController();
    // Who asked is gone: the model need not go on.
    response.on('close', () => {
      if (!response.writableFinished) abort.abort();
    });
    void answer(request, abort.signal)
      .catch(() => failed(500, 'internal', 'The service failed, which is a mistake of ours; report it.'))
      .then((told) => send(request, response, told, guard.isClosing()));
  });
  server.requestTimeout = 0;
  server.headersTimeout = 15_000;
  server.keepAliveTimeout = 60_000;
  server.maxHeadersCount = 100;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: options.port ?? 0, host: '127.0.0.1', backlog: 4096 }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  guard.listensAt(port);
  return {
    url: `http://127.0.0.1:${port}`,
    token,
    async close(graceMs = 10_000) {
      guard.close();
      const ended = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const timer = setTimeout(() => {
        environment.dispose();
        setTimeout(() => server.closeAllConnections(), 500).unref();
      }, graceMs);
      await ended;
      clearTimeout(timer);
      environment.dispose();
    },
  };
}

/** Lets in who knows the token, asks this machine itself, and is no page of a browser. */
function createGuard(token: string) {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(`Bearer ${token}`);
  let isClosing = false;
  let hosts: ReadonlySet<string> = new Set();
  return {
    /** Who asks, before anything is read. */
    refusalOf(request: http.IncomingMessage): Answer | undefined {
      const { host, origin, authorization } = request.headers;
      if (host === undefined || !hosts.has(host.toLowerCase()))
        return failed(403, 'forbidden', 'This service answers on the loopback interface only.');
      if (origin !== undefined || request.headers['sec-fetch-site'] !== undefined)
        return failed(403, 'forbidden', 'This service does not answer pages of a browser.');
      if (authorization === undefined || !timingSafeEqual(digest(authorization), expected))
        return failed(
          401,
          'unauthorized',
          'Send the token that was printed at the start: Authorization: Bearer TOKEN.',
        );
      if (isClosing) return { ...failed(503, 'closing', 'The service ends; start it again.'), retryAfterSeconds: 5 };
      return undefined;
    },
    listensAt(port: number) {
      hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`]);
    },
    close() {
      isClosing = true;
    },
    isClosing: () => isClosing,
  };
}

type Result = { ok: true } | EnvironmentFailure;
type Route = (environment: Environment, value: unknown, signal: AbortSignal) => Result | Promise<Result>;

const routes = {
  '/start': (environment, value) => environment.start(value),
  '/step': (environment, value, signal) => {
    const read = StepRequest.safeParse(value);
    return read.success && read.data.action !== undefined
      ? environment.step(read.data.id, read.data.action, signal)
      : badRequest('A step has the id of a session and an action: {"id": "…", "action": …}.');
  },
  '/state': (environment, value) => withId(value, (id) => environment.state(id)),
  '/reset': (environment, value) => withId(value, (id) => environment.reset(id)),
  '/close': (environment, value) => withId(value, (id) => environment.close(id)),
} satisfies Record<string, Route>;

function withId(value: unknown, run: (id: string) => Result): Result {
  const read = IdRequest.safeParse(value);
  return read.success ? run(read.data.id) : badRequest('Give the id of a session: {"id": "…"}.');
}

function badRequest(message: string): EnvironmentFailure {
  return { ok: false, code: 'bad-request', message };
}

const statuses: Readonly<Record<EnvironmentFailure['code'], number>> = {
  'bad-request': 400,
  'no-session': 404,
  busy: 409,
  'too-many-sessions': 429,
  'too-many-waiting': 429,
  'too-many-turns': 409,
  closed: 503,
  cancelled: 503,
  unknown: 422,
  model: 502,
};

function fromFailure({ code, message, cause }: EnvironmentFailure): Answer {
  const told = failed(statuses[code], code, message, cause);
  if (told.status !== 429 && told.status !== 503) return told;
  return { ...told, retryAfterSeconds: code === 'too-many-sessions' ? 30 : 1 };
}

function failed(status: number, code: string, message: string, cause?: string): Answer {
  return { status, body: { ok: false, error: { code, message, ...(cause === undefined ? {} : { cause }) } } };
}

function send(request: http.IncomingMessage, response: http.ServerResponse, told: Answer, isLast: boolean): void {
  if (response.destroyed) return;
  const bytes = Buffer.from(JSON.stringify(told.body));
  response.writeHead(told.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...(told.retryAfterSeconds === undefined ? {} : { 'retry-after': String(told.retryAfterSeconds) }),
    // What was not read of a refused request would be taken for the next one.
    ...(request.complete && !isLast ? {} : { connection: 'close' }),
  });
  response.end(bytes);
}

async function readBody(
  request: http.IncomingMessage,
  most: number,
  limitMs: number,
): Promise<{ text: string } | Answer> {
  const tooLarge = failed(413, 'too-large', `The body is larger than ${most} bytes; send less.`);
  if (Number(request.headers['content-length'] ?? 0) > most) return tooLarge;
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let length = 0;
    const timer = setTimeout(
      () => resolve(failed(408, 'too-slow', 'The body did not come in time; send it again.')),
      limitMs,
    );
    const finish = (result: { text: string } | Answer) => {
      clearTimeout(timer);
      resolve(result);
    };
    request.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length > most) {
        request.pause();
        finish(tooLarge);
      } else pieces.push(piece);
    });
    request.on('end', () => finish({ text: Buffer.concat(pieces).toString('utf8') }));
    request.on('close', () => finish(failed(400, 'cut-off', 'The request was cut off; send it again.')));
    request.on('error', () => finish(failed(400, 'cut-off', 'The request was cut off; send it again.')));
  });
}
