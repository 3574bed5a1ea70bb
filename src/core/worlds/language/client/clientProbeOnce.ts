import type { ServerAddress } from './clientAddress.ts';
import { type Fetch, untilAborted } from './clientHttp.ts';
import { cancelledProbe, type Probed, probe } from './clientProbe.ts';

/** The API key, or why there is none; without a key where none is set. */
export type KeyReading = { ok: true; key: string | undefined } | { ok: false; code: string; message: string };

/** What is known of a server, asked for when it is first needed. */
export interface KnownServer {
  /** Never rejects. Everybody who waits at the same time waits for the same probe; it ends when nobody waits any more. */
  traits(signal: AbortSignal): Promise<Probed>;
  /** The server has changed: the next one asks again. */
  forget(): void;
  /** The server may tell more now that it has answered, as Ollama does of a loaded model; the next one asks, but only once. */
  askOnceMore(): void;
  /** It has refused a grammar: it is asked without from now on. */
  refusesGrammar: boolean;
}

/** Probes once for all who ask; a failure is not kept. */
export function shareProbe(asked: {
  address: ServerAddress;
  fetch: Fetch;
  model: string | undefined;
  readKey: () => Promise<KeyReading>;
  limitMs: number;
}): KnownServer {
  let known: Probed | undefined;
  let running: { probed: Promise<Probed>; controller: AbortController; waiting: number } | undefined;

  let hasAskedMore = false;

  const start = () => {
    const controller = new AbortController();
    const run = async (): Promise<Probed> => {
      const key = await asked.readKey();
      if (!key.ok) return { ...key, waits: false, isModelServer: false };
      return probe({ ...asked, key: key.key, signal: controller.signal });
    };
    const started = { probed: run(), controller, waiting: 0 };
    void started.probed.then((probed) => {
      if (running !== started) return;
      running = undefined;
      if (probed.ok) known = probed;
    });
    return started;
  };

  return {
    refusesGrammar: false,
    async traits(signal) {
      if (signal.aborted) return cancelledProbe;
      if (known) return known;
      running ??= start();
      const mine = running;
      mine.waiting += 1;
      try {
        return await untilAborted(mine.probed, signal);
      } catch {
        return cancelledProbe;
      } finally {
        mine.waiting -= 1;
        if (mine.waiting === 0 && running === mine) {
          running = undefined;
          mine.controller.abort();
        }
      }
    },
    forget() {
      known = undefined;
    },
    askOnceMore() {
      if (!hasAskedMore) known = undefined;
      hasAskedMore = true;
    },
  };
}
