import { setMaxListeners } from 'node:events';
import { readBaseUrl } from './clientAddress.ts';
import { type Fetch, follow } from './clientHttp.ts';
import { probe } from './clientProbe.ts';
import { type ServerKind, serverKindNames, serverRow } from './serverKinds.ts';

/** A model server that was found on this machine. */
export interface FoundServer {
  kind: ServerKind;
  /** For example `Ollama at 127.0.0.1:11434`. */
  name: string;
  /** To be put into the settings. */
  baseUrl: string;
  /** Names of the models that it serves; empty where it wants a key, or none is loaded. */
  models: readonly string[];
  /** The one that would be used when none is chosen. */
  model?: string;
  /** Size of the context in tokens; absent where the server does not tell. */
  contextTokens?: number;
  /** Why it cannot be used as it is, in one sentence with a next step; for example that it wants a key. */
  problem?: string;
}

/** The ports that these servers take when nobody names another. */
const usualPorts = serverKindNames.flatMap((kind) => {
  const { port, path = '/v1' } = serverRow(kind);
  return port === undefined ? [] : [{ kind, port, path }];
});

/** A server on this machine answers a small question in a few milliseconds. */
const limitMs = 1500;

/**
 * Looks for model servers on their usual ports of this machine, all at once, for at most some seconds. No key is sent: what
 * listens there may be something else. Never rejects; after an abort, what was found until then.
 */
export async function findServers(
  signal: AbortSignal,
  options: { ports?: readonly (number | { port: number; path: string })[]; fetch?: Fetch } = {},
): Promise<FoundServer[]> {
  const fetch: Fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const places = (options.ports ?? usualPorts).map((one) =>
    typeof one === 'number' ? { port: one, path: '/v1' } : one,
  );
  const { controller, unlink } = follow(signal);
  // All questions at once listen to it.
  setMaxListeners(0, controller.signal);
  const found = await Promise.all(places.map((place) => lookAt(place, fetch, controller.signal)));
  unlink();
  return found.flatMap((server) => server ?? []);
}

async function lookAt(
  { port, path }: { port: number; path: string },
  fetch: Fetch,
  signal: AbortSignal,
): Promise<FoundServer | undefined> {
  const reading = readBaseUrl(`http://127.0.0.1:${port}${path}`);
  if (!reading.ok) return undefined;
  const { address } = reading;
  const probed = await probe({ address, fetch, key: undefined, model: undefined, signal, limitMs });
  if (probed.ok) {
    const { kind, name, models, model, contextTokens } = probed.traits;
    return { kind, name, baseUrl: address.baseUrl, models, model, ...(contextTokens ? { contextTokens } : {}) };
  }
  // Servers of other kinds stand on these ports too.
  if (!probed.isModelServer) return undefined;
  const kind = usualPorts.find((usual) => usual.port === port)?.kind ?? 'unknown';
  const name = `The server at ${address.place}`;
  return { kind, name, baseUrl: address.baseUrl, models: [], problem: probed.message };
}
