import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Environment } from '../environment.ts';
import type { EnvironmentFailure, StartRequest } from '../environmentTypes.ts';
import { createEpisodes, type Episodes, type OpenEnvResult } from './episode.ts';
import type { HttpEpisodes } from './httpEpisodes.ts';
import { answerMcp, type McpAnswer, notJson } from './mcpCalls.ts';
import { acceptWebSocket, closeCodes, type WebSocketEnd } from './webSocket.ts';

/** How OpenEnv's errors are called on a socket. */
type ErrorCode =
  | 'INVALID_JSON'
  | 'UNKNOWN_TYPE'
  | 'VALIDATION_ERROR'
  | 'EXECUTION_ERROR'
  | 'CAPACITY_REACHED'
  | 'SESSION_ERROR';

/** Messages that may wait on one socket; a client that sends more does not wait for answers. */
const mostWaiting = 64;

/** The sockets of OpenEnv: each has its own session, which ends with it. */
export interface SocketEpisodes {
  /** `protocol`: that of OpenEnv, or only its calls of tools, bare. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer, protocol: 'openEnv' | 'mcp'): void;
  count(): number;
  close(): void;
}

/** `usual`: what a start has that says nothing; `mostBytes`: of one message; `named`: episodes of others, by their names. */
export function createSocketEpisodes(
  environment: Environment,
  usual: Partial<StartRequest>,
  { mostBytes, named }: { mostBytes: number; named: HttpEpisodes },
): SocketEpisodes {
  const open = new Set<WebSocketEnd>();
  return {
    accept(request, socket, head, protocol) {
      const abort = new AbortController();
      const end: WebSocketEnd = acceptWebSocket(request, socket, {
        head,
        mostBytes,
        listener: (own) => {
          open.add(own);
          const episodes = createEpisodes(environment, usual);
          const mcp = (value: unknown) => answerMcp(value, { episodes: named, own: episodes, signal: abort.signal });
          const place = { episodes, environment, mcp, signal: abort.signal };
          const answer = protocol === 'mcp' ? bareAnswer : answerTo;
          let waiting = 0;
          let turns = Promise.resolve();
          return {
            onText(text) {
              waiting += 1;
              if (waiting > mostWaiting) own.close(closeCodes.tooLarge);
              turns = turns
                .then((): Promise<object | undefined> => answer(text, place))
                .catch(() => errorOf('SESSION_ERROR', 'The service failed, which is a mistake of ours; report it.'))
                .then((message) => (message ? own.send(JSON.stringify(message)) : own.close(closeCodes.normal)))
                .finally(() => {
                  waiting -= 1;
                });
            },
            onClose() {
              abort.abort();
              open.delete(own);
              // What is under way ends first.
              turns = turns.then(() => episodes.close());
            },
          };
        },
      });
      if (socket.destroyed) open.delete(end);
    },
    count: () => open.size,
    close() {
      for (const end of open) end.close(closeCodes.away);
    },
  };
}

interface Message {
  type: 'observation' | 'state' | 'error' | 'mcp';
  data: object;
}

/** Where the messages of one socket go. */
interface SocketPlace {
  episodes: Episodes;
  environment: Environment;
  mcp(value: unknown): Promise<McpAnswer>;
  signal: AbortSignal;
}

/** What a text is as JSON, or why it is none. */
function parsed(text: string): { value: unknown } | { why: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) };
  }
}

async function bareAnswer(text: string, { mcp, signal }: SocketPlace): Promise<McpAnswer | undefined> {
  if (signal.aborted) return undefined;
  const message = parsed(text);
  return 'why' in message ? notJson(message.why) : mcp(message.value);
}

/** What a message is answered with; nothing where the socket is to be closed, or is closed already. */
async function answerTo(
  text: string,
  { episodes, environment, mcp, signal }: SocketPlace,
): Promise<Message | undefined> {
  if (signal.aborted) return undefined;
  const read = parsed(text);
  if ('why' in read) return errorOf('INVALID_JSON', `The message is no JSON (${read.why}); send an object.`);
  const message = read.value;
  const type = isObject(message) ? message['type'] : undefined;
  const data = isObject(message) ? (message['data'] ?? {}) : {};
  switch (type) {
    case 'reset':
    case 'step': {
      if (!isObject(data)) return errorOf('VALIDATION_ERROR', 'The data of a message is an object.', { errors: [] });
      return resultOf(await (type === 'reset' ? episodes.reset(data) : episodes.step(data, signal)), environment);
    }
    case 'state':
      return { type: 'state', data: episodes.state() };
    case 'mcp':
      return { type: 'mcp', data: await mcp(data) };
    case 'close':
      return undefined;
    default: {
      const told = typeof type === 'string' ? `type ${type.slice(0, 80)}` : 'message without a type';
      return errorOf('UNKNOWN_TYPE', `There is no ${told}; there are reset, step, state, mcp and close.`);
    }
  }
}

function resultOf(result: OpenEnvResult | EnvironmentFailure, environment: Environment): Message {
  if (result.ok) {
    const { observation, reward, done } = result;
    return { type: 'observation', data: { observation, reward, done } };
  }
  const { sessions, mostSessions } = environment.counts();
  switch (result.code) {
    case 'bad-request':
      return errorOf('VALIDATION_ERROR', result.message, { errors: [] });
    case 'too-many-sessions':
      return errorOf('CAPACITY_REACHED', result.message, { active_sessions: sessions, max_sessions: mostSessions });
    case 'no-session':
    case 'closed':
      return errorOf('SESSION_ERROR', result.message);
    default:
      return errorOf('EXECUTION_ERROR', result.message);
  }
}

function errorOf(code: ErrorCode, message: string, more: Readonly<Record<string, unknown>> = {}): Message {
  return { type: 'error', data: { message, code, ...more } };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
