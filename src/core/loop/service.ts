import { randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod/mini';
import type { Environment } from './environment.ts';
import type { EnvironmentFailure, StartRequest } from './environmentTypes.ts';
import { openEnvSchemas } from './openEnv/episode.ts';
import { createHttpEpisodes, type HttpEpisodes } from './openEnv/httpEpisodes.ts';
import { answerMcp, notJson } from './openEnv/mcpCalls.ts';
import { openApi } from './openEnv/openApi.ts';
import { createSocketEpisodes } from './openEnv/socketEpisodes.ts';
import { asksForWebSocket } from './openEnv/webSocket.ts';
import { type Answer, failed, readBody } from './serviceAnswer.ts';
import { createGuard } from './serviceGuard.ts';

/** How the service listens, and its limits. */
export interface ServiceOptions {
  environment: Environment;
  /** 0 (default) takes a free one. */
  port?: number;
  /** Who asks must know it; default: a new one, 256 bits. */
  token?: string;
  /** The address that is listened at; default 127.0.0.1. */
  host?: string;
  /** Names under which it is asked besides those of the loopback interface; any port. */
  names?: readonly string[];
  /** What an OpenEnv episode begins with that says nothing; default: the domain swe. */
  usual?: Partial<StartRequest>;
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

/**
 * Serves an environment on the loopback interface, for training and evaluation harnesses: `POST /start`, `/step`,
 * `/state`, `/reset` and `/close` with JSON, `GET /health`, and the protocol of OpenEnv: the same paths without an `id`,
 * `GET /schema`, `/metadata` and `/openapi.json`, `POST /mcp`, and the sockets `/ws` and `/mcp`. README.md beside this file tells more.
 *
 * Only who knows the token is answered. A page in a browser is refused whatever it knows: by its `Origin`, and, where a
 * name was bound anew to this address, by its `Host`.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { environment, mostBodyBytes = 4 * 1024 ** 2 } = options;
  const token = options.token ?? randomBytes(32).toString('base64url');
  const { host = '127.0.0.1', names = [], usual = { domain: 'swe' } } = options;
  const guard = createGuard(token, names);
  const episodes = createHttpEpisodes(environment, usual);
  const sockets = createSocketEpisodes(environment, usual, { mostBytes: mostBodyBytes, named: episodes });

  async function answer(request: http.IncomingMessage, signal: AbortSignal): Promise<Answer> {
    const entered = guard.enter(request);
    if ('status' in entered) return entered;
    const { route, isKnown } = entered;
    if (route === '/health') {
      if (request.method !== 'GET') return failed(405, 'method', 'Ask /health with GET.');
      return { status: 200, body: { ok: true, status: 'healthy', ...(isKnown ? environment.counts() : {}) } };
    }
    if (request.method === 'GET' && route in told)
      return { status: 200, body: { ...told[route as keyof typeof told]() } };
    if (request.method === 'GET' && route === '/state') {
      const asked = new URLSearchParams((request.url ?? '').split('?')[1]);
      return { status: 200, body: episodes.state(asked.get('episode_id') ?? undefined) };
    }
    const isMcp = route === '/mcp';
    if (!isMcp && !(route in routes))
      return failed(
        404,
        'no-such-path',
        `There is no such path; there are ${[...Object.keys(routes), ...Object.keys(told)].join(', ')}, /mcp, /ws and /health.`,
      );
    if (request.method !== 'POST') return failed(405, 'method', `Ask ${route} with POST.`);
    // OpenEnv's server takes a reset that says nothing.
    if (route === '/reset' && isWithoutBody(request)) return inOpenEnv(await episodes.reset({}));
    if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
      return failed(415, 'not-json', 'Send JSON, with the content type application/json.');
    const body = await readBody(request, mostBodyBytes, options.bodyMs ?? 30_000);
    if ('status' in body) return body;
    let value: unknown;
    try {
      value = JSON.parse(body.text);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return isMcp ? { status: 200, body: notJson(why) } : failed(400, 'bad-request', `The body is not JSON (${why}).`);
    }
    if (isMcp) return { status: 200, body: await answerMcp(value, { episodes, signal }) };
    if (route in openEnvRoutes && !(isObject(value) && 'id' in value))
      return inOpenEnv(await openEnvRoutes[route as keyof typeof openEnvRoutes](episodes, value, signal));
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
  server.on('upgrade', (request, socket, head: Buffer) => {
    const entered = guard.enter(request);
    const protocol = 'route' in entered && entered.isKnown ? socketRoutes[entered.route] : undefined;
    if (protocol && asksForWebSocket(request)) {
      sockets.accept(request, socket, head, protocol);
      return;
    }
    const status = 'status' in entered ? entered.status : 404;
    socket.on('error', () => socket.destroy());
    socket.end(`HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  });
  server.requestTimeout = 0;
  server.headersTimeout = 15_000;
  server.keepAliveTimeout = 60_000;
  server.maxHeadersCount = 100;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: options.port ?? 0, host, backlog: 4096 }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  guard.listensAt(port);
  return {
    url: `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`,
    token,
    async close(graceMs = 10_000) {
      guard.close();
      const ended = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      sockets.close();
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

type Result = { ok: true } | EnvironmentFailure;
type Route = (environment: Environment, value: unknown, signal: AbortSignal) => Result | Promise<Result>;

const routes = {
  '/start': (environment, value) => environment.start(value),
  '/step': (environment, value, signal) => {
    const read = StepRequest.safeParse(value);
    return read.success && read.data.action !== undefined
      ? stepOrUnknown(environment, read.data.id, read.data.action, signal)
      : badRequest('A step has the id of a session and an action: {"id": "…", "action": …}.');
  },
  '/state': (environment, value) => withId(value, (id) => environment.state(id)),
  '/reset': (environment, value) => withId(value, (id) => environment.reset(id)),
  '/close': (environment, value) => withId(value, (id) => environment.close(id)),
} satisfies Record<string, Route>;

/** What nobody can know is an observation too; the session stays as it was. */
async function stepOrUnknown(environment: Environment, id: string, action: unknown, signal: AbortSignal) {
  const stepped = await environment.step(id, action, signal);
  if (stepped.ok || stepped.code !== 'unknown') return stepped;
  const state = environment.state(id);
  if (!state.ok) return state;
  const { turn, done } = state;
  const why = stepped.message;
  return { ok: true as const, turn, observation: `[unknown: ${why}]`, basis: 'unknown' as const, why, done };
}

function withId(value: unknown, run: (id: string) => Result): Result {
  const read = IdRequest.safeParse(value);
  return read.success ? run(read.data.id) : badRequest('Give the id of a session: {"id": "…"}.');
}

function badRequest(message: string): EnvironmentFailure {
  return { ok: false, code: 'bad-request', message };
}

/** What is spoken on a socket, by its path. */
const socketRoutes: Readonly<Record<string, 'openEnv' | 'mcp'>> = { '/ws': 'openEnv', '/mcp': 'mcp' };

/** What is only told. */
const told = {
  '/schema': openEnvSchemas,
  '/openapi.json': openApi,
  '/metadata': () => ({
    name: 'foretell',
    description:
      'A computer environment: a real shell on a copy of a folder, a language world model for what may not run, or both.',
    version: '1',
  }),
} satisfies Record<string, () => Readonly<Record<string, unknown>>>;

/** Those of OpenEnv that have the name of one of ours; they name no `id`. */
const openEnvRoutes = {
  '/reset': (episodes, value) => episodes.reset(value),
  '/step': (episodes, value, signal) => episodes.step(value, signal),
} satisfies Record<
  string,
  (episodes: HttpEpisodes, value: unknown, signal: AbortSignal) => ReturnType<HttpEpisodes['step']>
>;

/** An answer as OpenEnv has it: no field more, and what is wrong as `detail` too. */
function inOpenEnv(result: Awaited<ReturnType<HttpEpisodes['step']>>): Answer {
  if (result.ok) {
    const { observation, reward, done } = result;
    return { status: 200, body: { observation, reward, done } };
  }
  const refused = fromFailure(result);
  const status = refused.status === 400 ? 422 : refused.status;
  return { ...refused, status, body: { detail: result.message, ...refused.body } };
}

function isWithoutBody({ headers }: http.IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const statuses: Readonly<Record<EnvironmentFailure['code'], number>> = {
  'bad-request': 400,
  'no-session': 404,
  busy: 409,
  'too-many-sessions': 429,
  'too-many-waiting': 429,
  'too-many-turns': 409,
  over: 409,
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
