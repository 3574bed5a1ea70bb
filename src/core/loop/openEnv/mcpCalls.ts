import * as z from 'zod/mini';
import type { EnvironmentFailure } from '../environmentTypes.ts';
import type { Episodes } from './episode.ts';
import type { HttpEpisodes } from './httpEpisodes.ts';

/** JSON-RPC 2.0, section 5.1. */
const codes = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  server: -32000,
} as const;

const Request = z.object({
  jsonrpc: z.literal('2.0'),
  method: z.string(),
  params: z.optional(z.record(z.string(), z.unknown())),
  id: z.nullish(z.union([z.string(), z.number()])),
});
const Call = z.object({
  name: z.string().check(z.minLength(1)),
  arguments: z.optional(z.record(z.string(), z.unknown())),
});

/** An answer of JSON-RPC: a result or an error. */
export interface McpAnswer extends Readonly<Record<string, unknown>> {
  jsonrpc: '2.0';
  id: string | number | null;
}

type Outcome = { result: unknown } | { code: number; message: string };

/** Where calls go: to the socket's own episode, else to the one that `session_id` names, else to one for this call. */
interface McpPlace {
  episodes: HttpEpisodes;
  own?: Episodes;
  signal: AbortSignal;
}

/**
 * The tools of an environment as MCP has them, as OpenEnv serves it beside its own messages: `tools/list`, `tools/call`,
 * and `openenv/session/create` and `…/close`, whose sessions are episodes: `/step` and `/state` know them by their id.
 */
export async function answerMcp(value: unknown, place: McpPlace): Promise<McpAnswer> {
  const read = Request.safeParse(value);
  if (!read.success)
    return answered(null, {
      code: codes.request,
      message: 'This is no request of JSON-RPC 2.0 whose params are an object.',
    });
  const { id = null, method, params = {} } = read.data;
  return answered(id, await outcomeOf(method, params, place));
}

/** What a text that is no JSON is answered with. */
export function notJson(why: string): McpAnswer {
  return answered(null, { code: codes.parse, message: `The message is no JSON (${why}); send an object.` });
}

function answered(id: string | number | null, outcome: Outcome): McpAnswer {
  return { jsonrpc: '2.0', id, ...('result' in outcome ? outcome : { error: outcome }) };
}

async function outcomeOf(method: string, params: Readonly<Record<string, unknown>>, place: McpPlace): Promise<Outcome> {
  const { episodes, own } = place;
  switch (method) {
    case 'openenv/session/create': {
      const begun = own ? await own.tools() : await episodes.reset({});
      if (!begun.ok) return failed(begun);
      return {
        result: { session_id: 'observation' in begun ? begun.observation.episode_id : own?.state().episode_id },
      };
    }
    case 'openenv/session/close':
      return closed(params['session_id'], place);
    case 'tools/list':
      return inEpisode(params, place, async (one) => {
        const listed = await one.tools();
        if (!listed.ok) return failed(listed);
        const tools = listed.tools.map(({ name, description, parameters }) => ({
          name,
          description,
          inputSchema: parameters,
        }));
        return { result: { tools } };
      });
    case 'tools/call': {
      const call = Call.safeParse(params);
      if (!call.success)
        return { code: codes.params, message: 'A call has the name of a tool and its arguments, an object.' };
      const { name, arguments: given = {} } = call.data;
      return inEpisode(params, place, (one) => called(one, { name, arguments: given }, place.signal));
    }
    default:
      return {
        code: codes.method,
        message: `There is no method ${method.slice(0, 80)}; there are tools/list and tools/call.`,
      };
  }
}

/** What one call returns: what the agent sees, as content and as `data`, which is what OpenEnv's clients read. */
async function called(episode: Episodes, call: object, signal: AbortSignal): Promise<Outcome> {
  const taken = await episode.step(call, signal);
  if (!taken.ok) return failed(taken);
  const { observation, reward, done } = taken;
  const { text } = observation;
  const structuredContent = { ...observation, reward, done };
  return { result: { content: [{ type: 'text', text }], structuredContent, data: text, isError: false } };
}

async function inEpisode(
  { session_id: named }: Readonly<Record<string, unknown>>,
  { own, episodes }: McpPlace,
  run: (episode: Episodes) => Promise<Outcome>,
): Promise<Outcome> {
  if (own) return run(own);
  if (named !== undefined && named !== null) {
    const found = typeof named === 'string' ? episodes.named(named) : undefined;
    return found ? run(found) : noSession(named);
  }
  const one = episodes.nameless();
  try {
    return await run(one);
  } finally {
    one.close();
  }
}

function closed(named: unknown, { own, episodes }: McpPlace): Outcome {
  if (named === undefined || named === null || named === '')
    return { code: codes.params, message: 'Give the session_id of the session to close.' };
  if (own && own.state().episode_id === named)
    return { code: codes.request, message: 'The session of a socket ends with the socket; close that.' };
  const found = typeof named === 'string' ? episodes.named(named) : undefined;
  if (!found) return noSession(named);
  found.close();
  return { result: { session_id: named, closed: true } };
}

function noSession(named: unknown): Outcome {
  const message = `There is no session ${String(named).slice(0, 80)}; create one, or it was idle too long.`;
  return { code: codes.params, message };
}

function failed({ code, message }: EnvironmentFailure): Outcome {
  const isRefused = code === 'too-many-sessions' || code === 'too-many-waiting';
  return { code: code === 'bad-request' ? codes.params : isRefused ? codes.server : codes.internal, message };
}
