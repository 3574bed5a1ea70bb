import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import { createTextCounts, type TextCounts } from '../prompt/textCounts.ts';
import { readBaseUrl, type ServerAddress } from './clientAddress.ts';
import { type Completing, completeWith } from './clientComplete.ts';
import { countOnServer, countTextOnServer, estimatePrompt } from './clientCount.ts';
import { withoutKey } from './clientErrors.ts';
import { type Fetch, headersFor, readText, sleep } from './clientHttp.ts';
import { shareProbe } from './clientProbeOnce.ts';
import type { Sent, TimeLimits } from './clientReceive.ts';
import type { RetryLimits } from './clientRetry.ts';
import type { CompletionEvent, LanguageProvider, ProviderStatus, SamplingParameters } from './provider.ts';

/** Limits of one server, all in milliseconds but `retries`. */
export type ClientLimits = TimeLimits & RetryLimits;

/**
 * Time for a large model to read a long prompt; for the longest pause between two pieces; for one question of a probe; and
 * how often and long a busy server is waited for.
 */
const defaultLimits: ClientLimits = {
  firstByteMs: 280_000,
  idleMs: 120_000,
  probeMs: 5_000,
  retries: 3,
  maxRetryWaitMs: 60_000,
};

/** What a provider needs to know. */
export interface OpenAiProviderOptions {
  /** As a person writes it; see `readBaseUrl()`. */
  baseUrl: string;
  /** Absent: the first model that is served, a world model before others. */
  model?: string;
  /** Asked before every request, so that a key that was changed counts at once. The key is in no event and no message. */
  apiKey?: () => Promise<string | undefined>;
  /** What every request is sampled with unless it says otherwise. */
  parameters?: SamplingParameters;
  limits?: Partial<ClientLimits>;
  /** For tests. */
  fetch?: Fetch;
  /** For tests: waits before a retry; must end when the signal is aborted. */
  sleep?: (durationMs: number, signal: AbortSignal) => Promise<void>;
  /** For tests: milliseconds since 1970, for `retry-after` dates. */
  now?: () => number;
}

/** Longest body of an error that is read, in bytes. */
const maxErrorBytes = 64 * 1024;

/**
 * A server that speaks the OpenAI API: vLLM, SGLang, llama.cpp, Ollama, LM Studio, OpenAI, gateways, and others that are
 * like them. It is asked once what it is (not again unless that failed, or it changed), and sent only what it takes.
 *
 * `content` events hold the content verbatim, with inline `<think>` and tags, so that `parseReply()` reads what the model
 * wrote; `createReplyStream()` tells thinking and observation apart while it comes. Reasoning that the server sends in a
 * field of its own comes as `reasoning` events. A reply that ended with `length` may hold no observation: `checkReply()`.
 *
 * Codes of failures: `no-url`, `bad-url`, `key-unavailable`, `key-refused`, `no-quota`, `unreachable`, `unknown-host`,
 * `tls`, `redirected`, `not-a-model-server`, `path-unknown`, `no-models`, `model-unknown`, `loading`, `busy`, `no-answer`,
 * `stalled`, `cut-off`, `garbled`, `empty-reply`, `reply-too-long`, `prompt-too-long`, `prompt-truncated`, `bad-request`,
 * `server-error`, `internal`.
 */
export function createOpenAiProvider(options: OpenAiProviderOptions): LanguageProvider {
  const reading = readBaseUrl(options.baseUrl);
  if (!reading.ok) return unusable(reading);
  const { address } = reading;
  const fetch: Fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const limits = { ...defaultLimits, ...options.limits };
  const readKey = () => keyOf(options.apiKey);
  let counts: { model: string; texts: TextCounts } | undefined;
  const server = shareProbe({ address, fetch, model: options.model, readKey, limitMs: limits.probeMs });
  const completing: Completing = {
    address,
    fetch,
    limits,
    readKey,
    server,
    parameters: options.parameters ?? {},
    prepare: async () => {
      await import('openai');
    },
    send: (body, key, signal) => send({ address, fetch, body, key, signal }),
    sleep: options.sleep ?? sleep,
    now: options.now ?? Date.now,
  };
  return {
    async status(signal): Promise<ProviderStatus> {
      const probed = await server.traits(signal);
      if (!probed.ok) return { ok: false, code: probed.code, message: probed.message };
      const { name, model, models, contextTokens, counter, warnings } = probed.traits;
      const countsExactly = counter === 'messages' || counter === 'template';
      return { ok: true, name, model, models, ...(contextTokens ? { contextTokens } : {}), countsExactly, warnings };
    },
    complete: (request) => completeWith(completing, request),
    async countTokens(messages, signal) {
      const probed = await server.traits(signal);
      const key = await readKey();
      const counted =
        probed.ok && key.ok
          ? await countOnServer(probed.traits, messages, {
              rootUrl: address.rootUrl,
              fetch,
              key: key.key,
              signal,
              limitMs: limits.probeMs,
            })
          : undefined;
      return counted ?? { tokens: estimatePrompt(messages), exact: false };
    },
    async countTexts(texts, signal) {
      const probed = await server.traits(signal);
      const key = await readKey();
      if (!probed.ok || !key.ok || probed.traits.counter === 'none') return texts.map(() => undefined);
      const asking = { rootUrl: address.rootUrl, fetch, key: key.key, signal, limitMs: limits.probeMs };
      const { traits } = probed;
      // Another model cuts texts into other tokens.
      if (counts?.model !== traits.model) counts = { model: traits.model, texts: createTextCounts() };
      const sent = texts.map((text) => withoutKey(text, key.key, 'everything'));
      return counts.texts.count(sent, (text) => countTextOnServer(traits, text, asking), signal);
    },
  };
}

/** A provider that says why it is none. */
function unusable({ code, message }: { code: string; message: string }): LanguageProvider {
  return {
    status: async () => ({ ok: false, code, message }),
    async *complete(): AsyncGenerator<CompletionEvent> {
      yield { type: 'failed', code, message };
    },
    countTokens: async (messages) => ({ tokens: estimatePrompt(messages), exact: false }),
  };
}

async function keyOf(apiKey: (() => Promise<string | undefined>) | undefined) {
  const failed = (code: string, message: string) => ({ ok: false as const, code, message });
  try {
    const key = (await apiKey?.())?.trim() || undefined;
    if (key === undefined || /^[\u0021-\u007e]+$/.test(key)) return { ok: true as const, key };
    return failed('key-refused', 'The API key holds characters that cannot be sent; set the key again.');
  } catch {
    return failed('key-unavailable', 'The API key could not be read from the secret storage; set it again.');
  }
}

/** Sends one request through the OpenAI client. Rejects where the connection fails. */
async function send(request: {
  address: ServerAddress;
  fetch: Fetch;
  body: Readonly<Record<string, unknown>>;
  key: string | undefined;
  signal: AbortSignal;
}): Promise<Sent> {
  const { OpenAI } = await import('openai');
  let refused: Extract<Sent, { ok: false }> | undefined;
  let failure: { error: unknown } | undefined;
  const client = new OpenAI({
    baseURL: request.address.baseUrl,
    // A key is required here, but the header is our own: see below.
    apiKey: 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
    // The client would add headers about this machine and from environment variables, follow redirects with the prompt, and
    // read only one of the forms that errors have.
    async fetch(url, init) {
      try {
        const response = await request.fetch(url, {
          ...init,
          headers: headersFor(request.key, 'text/event-stream'),
          redirect: 'manual',
        });
        if (response.ok) return response;
        refused = {
          ok: false,
          status: response.status,
          headers: response.headers,
          body: await readText(response, maxErrorBytes),
        };
        return new Response(null, { status: 400 });
      } catch (error) {
        failure = { error };
        throw error;
      }
    },
  });
  try {
    // The body holds parameters that only some servers have, so it is not of the type that OpenAI gives it.
    const body = request.body as unknown as ChatCompletionCreateParamsStreaming;
    const response = await client.chat.completions.create(body, { signal: request.signal }).asResponse();
    return { ok: true, response };
  } catch (error) {
    if (refused) return refused;
    throw failure ? failure.error : error;
  }
}
