import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Environment } from '../environment.ts';
import type { EnvironmentFailure, StartRequest } from '../environmentTypes.ts';
import { createEpisodes, type Episodes, type OpenEnvResult } from './episode.ts';
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
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  count(): number;
  close(): void;
}

/** `usual`: what a start has that says nothing; `mostBytes`: of one message. */
export function createSocketEpisodes(
  environment: Environment,
  usual: Partial<StartRequest>,
  mostBytes: number,
): SocketEpisodes {
  const open = new Set<WebSocketEnd>();
  return {
    accept(request, socket, head) {
      const abort = new AbortController();
      const end: WebSocketEnd = acceptWebSocket(request, socket, {
        head,
        mostBytes,
        listener: (own) => {
          open.add(own);
          const episodes = createEpisodes(environment, usual);
          let waiting = 0;
          let turns = Promise.resolve();
          return {
            onText(text) {
              waiting += 1;
              if (waiting > mostWaiting) own.close(closeCodes.tooLarge);
              turns = turns
                .then(() => answerTo(text, episodes, { environment, signal: abort.signal }))
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
  type: 'observation' | 'state' | 'error';
  data: object;
}

/** What a message is answered with; nothing where the socket is to be closed, or is closed already. */
async function answerTo(
  text: string,
  episodes: Episodes,
  { environment, signal }: { environment: Environment; signal: AbortSignal },
): Promise<Message | undefined> {
  if (signal.aborted) return undefined;
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return errorOf('INVALID_JSON', `The message is no JSON (${why}); send an object.`);
  }
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
    case 'close':
      return undefined;
    default: {
      const told = typeof type === 'string' ? `type ${type.slice(0, 80)}` : 'message without a type';
      return errorOf('UNKNOWN_TYPE', `There is no ${told}; there are reset, step, state and close.`);
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
