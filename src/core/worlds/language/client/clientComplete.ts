import type { TokenUsage } from '../../../prediction/question.ts';
import type { ServerAddress } from './clientAddress.ts';
import { defaultParameters, isEstimateEnough, leastOutputTokens, outputBudget, planRequest } from './clientBody.ts';
import { countOnServer, estimatePrompt } from './clientCount.ts';
import {
  type Complaint,
  connectionComplaint,
  isBrokenConnection,
  overflowOf,
  refusalComplaint,
  withoutKey,
} from './clientErrors.ts';
import { type Fetch, untilAborted } from './clientHttp.ts';
import { countAt, readJson } from './clientJson.ts';
import type { ServerTraits } from './clientProbe.ts';
import type { KeyReading, KnownServer } from './clientProbeOnce.ts';
import { promptTooLong, truncatedPrompt } from './clientPrompt.ts';
import { type Received, receive, type Sent, type TimeLimits } from './clientReceive.ts';
import { backOffMs, isGrammarRefused, isUsageOptionRefused, type RetryLimits, retryWaitMs } from './clientRetry.ts';
import type { ChatMessage, CompletionEvent, CompletionRequest, SamplingParameters } from './provider.ts';
import type { TokenCount } from './tokenCount.ts';

/** Everything that completing needs of a provider. */
export interface Completing {
  address: ServerAddress;
  fetch: Fetch;
  limits: TimeLimits & RetryLimits;
  readKey: () => Promise<KeyReading>;
  server: KnownServer;
  parameters: SamplingParameters;
  /** Loads what sending needs, so that it is in no time limit. */
  prepare: () => Promise<void>;
  /** Sends a body to the chat completions of the server. Rejects where the connection fails or the signal is aborted. */
  send: (body: Readonly<Record<string, unknown>>, key: string | undefined, signal: AbortSignal) => Promise<Sent>;
  sleep: (durationMs: number, signal: AbortSignal) => Promise<void>;
  now: () => number;
}

/** One completion as `LanguageProvider.complete()` promises it: nothing is thrown, one ending comes last. */
export async function* completeWith(
  completing: Completing,
  request: CompletionRequest,
): AsyncGenerator<CompletionEvent> {
  let ending: CompletionEvent;
  try {
    ending = yield* attempts(completing, request);
  } catch {
    ending = {
      type: 'failed',
      code: 'internal',
      message: 'The client of the model server failed, which is a mistake of ours; predict again and report it.',
    };
  }
  yield request.signal.aborted && ending.type !== 'finished' ? { type: 'cancelled' } : ending;
}

/** What changes from one try to the next. */
interface Tries {
  /** How often a busy server was asked again. */
  waits: number;
  includeUsage: boolean;
  isRefitted: boolean;
  maxOutputTokens: number;
}

async function* attempts(
  completing: Completing,
  request: CompletionRequest,
): AsyncGenerator<CompletionEvent, CompletionEvent> {
  const { signal } = request;
  const { limits, server } = completing;
  const tries: Tries = { waits: 0, includeUsage: true, isRefitted: false, maxOutputTokens: 0 };
  const pause = async function* (why: string, waitMs: number): AsyncGenerator<CompletionEvent> {
    yield { type: 'retry', why, waitMs };
    if (waitMs > 0) await untilAborted(completing.sleep(waitMs, signal), signal).catch(() => {});
  };

  // While the server is asked. If it fails, so does sending.
  const isPrepared = completing.prepare().catch(() => {});
  let probed = await server.traits(signal);
  while (!probed.ok && probed.waits && tries.waits < limits.retries && !signal.aborted) {
    yield* pause(probed.message, backOffMs(tries.waits, limits));
    tries.waits += 1;
    probed = await server.traits(signal);
  }
  if (!probed.ok) return { type: 'failed', code: probed.code, message: probed.message };
  const { traits } = probed;
  const reading = await untilAborted(completing.readKey(), signal).catch(() => undefined);
  if (!reading?.ok) return { type: 'failed', code: reading?.code ?? 'cancelled', message: reading?.message ?? '' };
  const { key } = reading;
  const failed = ({ code, message, isToolCall }: Complaint): CompletionEvent => ({
    type: 'failed',
    code,
    message: withoutKey(message, key),
    ...(isToolCall ? { isToolCall } : {}),
  });

  const messages = withoutKeyIn(request.messages, key);
  const { tools, grammar } = request;
  const parameters = { ...completing.parameters, ...whatIsSet(request.parameters ?? {}) };
  const wanted = parameters.maxOutputTokens ?? defaultParameters.maxOutputTokens;
  const count = () =>
    countOnServer(traits, messages, { ...completing.address, ...completing, key, signal, limitMs: limits.probeMs });
  const estimate: TokenCount = { tokens: estimatePrompt(messages), exact: false };
  const isEnough = isEstimateEnough(wanted, traits.contextTokens, estimate.tokens);
  const prompt = isEnough ? estimate : ((await count()) ?? estimate);
  const budget = outputBudget(wanted, traits.contextTokens, prompt);
  if (budget === undefined) return failed(promptTooLong(traits, traits.contextTokens, prompt));
  tries.maxOutputTokens = budget;
  await untilAborted(isPrepared, signal).catch(() => {});

  for (;;) {
    if (signal.aborted) return { type: 'cancelled' };
    const held = grammar !== undefined && !server.refusesGrammar ? { grammar } : {};
    const plan = planRequest({ traits, messages, parameters, ...tries, ...(tools ? { tools } : {}), ...held });
    const url = `${completing.address.baseUrl}/chat/completions`;
    yield {
      type: 'sent',
      url,
      body: plan.body,
      dropped: plan.dropped,
      warnings: [...traits.warnings, ...plan.warnings],
    };
    const received = yield* receive((own) => completing.send(plan.body, key, own), {
      ...{ key, signal, limits },
      takesCalls: tools !== undefined,
    });
    if (signal.aborted) return { type: 'cancelled' };
    const refusal = refusalIn(received);
    const next = refusal
      ? await afterRefusal(refusal, { completing, traits, tries, prompt: estimate, count, isHeld: 'grammar' in held })
      : afterReply(received, { completing, traits, tries, messages, estimate: estimate.tokens });
    if ('why' in next) {
      yield* pause(withoutKey(next.why, key), next.waitMs);
      continue;
    }
    if ('usage' in next) {
      if (traits.kind === 'ollama' && traits.contextTokens === undefined) server.askOnceMore();
      for (const call of received.end.calls) {
        yield { type: 'call', ...call, arguments: withoutKey(call.arguments, key, 'everything') };
      }
      yield { type: 'usage', usage: next.usage };
      const truncated = truncatedPrompt(traits, next.usage, estimate.tokens);
      return truncated ? failed(truncated) : { type: 'finished', reason: next.reason, model: next.model };
    }
    return failed(next);
  }
}

/** Messages in which the key does not stand, wherever it came from. */
function withoutKeyIn(messages: CompletionRequest['messages'], key: string | undefined): CompletionRequest['messages'] {
  return messages.map((message) => ({
    ...message,
    content: withoutKey(message.content, key, 'everything'),
    ...(message.calls
      ? { calls: message.calls.map((one) => ({ ...one, arguments: withoutKey(one.arguments, key, 'everything') })) }
      : {}),
  }));
}

/** Without the parameters that are there but undefined, so that they hide nothing. */
function whatIsSet(parameters: SamplingParameters): SamplingParameters {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined));
}

interface RefusalParts {
  status: number;
  body: string;
  headers: Headers;
  /** It came after text, so that the request is not sent again. */
  isLate: boolean;
}

/** A refusal by status, or one that came as the first piece of a stream. */
function refusalIn(received: Received): RefusalParts | undefined {
  if (received.refusal) return { ...received.refusal, isLate: false };
  const body = received.end.error;
  if (body === undefined) return undefined;
  const json = readJson(body);
  const code = countAt(json, 'error', 'code') ?? countAt(json, 'code') ?? 500;
  const status = code >= 400 && code < 600 ? code : 500;
  return { status: received.hasText ? 500 : status, body, headers: new Headers(), isLate: received.hasText };
}

type Again = { why: string; waitMs: number };

async function afterRefusal(
  refusal: RefusalParts,
  known: {
    completing: Completing;
    traits: ServerTraits;
    tries: Tries;
    prompt: TokenCount;
    count: () => Promise<TokenCount | undefined>;
    /** A grammar was sent. */
    isHeld: boolean;
  },
): Promise<Again | Complaint> {
  const { completing, traits, tries } = known;
  const { status, body, headers } = refusal;
  const complaint = refusalComplaint({
    status,
    body,
    headers,
    name: traits.name,
    model: traits.model,
    models: traits.models,
  });
  if (refusal.isLate) return complaint;
  const overflow = status < 500 || /context/i.test(body) ? overflowOf(body) : undefined;
  if (overflow) {
    if (tries.isRefitted) return complaint;
    tries.isRefitted = true;
    const contextTokens = overflow.contextTokens ?? traits.contextTokens;
    // The size that was found out at first is not true any more, or was never told.
    if (overflow.contextTokens !== traits.contextTokens) completing.server.forget();
    if (overflow.maxOutputTokens !== undefined) {
      tries.maxOutputTokens = Math.min(overflow.maxOutputTokens, tries.maxOutputTokens - 1);
    } else {
      const exact = overflow.promptTokens === undefined ? await known.count() : undefined;
      const prompt =
        overflow.promptTokens !== undefined ? { tokens: overflow.promptTokens, exact: true } : (exact ?? known.prompt);
      const atLeast = Math.max(prompt.tokens, overflow.promptTokensAtLeast ?? 0);
      const fitted = outputBudget(tries.maxOutputTokens - 1, contextTokens, { ...prompt, tokens: atLeast });
      if (fitted === undefined || contextTokens === undefined) return promptTooLong(traits, contextTokens, prompt);
      tries.maxOutputTokens = fitted;
    }
    if (tries.maxOutputTokens < leastOutputTokens) return complaint;
    const tokens = tries.maxOutputTokens.toLocaleString('en');
    return {
      why: `The request does not fit the context, so it is sent again with ${tokens} tokens for the reply.`,
      waitMs: 0,
    };
  }
  if (known.isHeld && !completing.server.refusesGrammar && status !== 429 && isGrammarRefused(body)) {
    completing.server.refusesGrammar = true;
    return { why: `${traits.name} does not take the grammar of the reply, so it is asked in words alone.`, waitMs: 0 };
  }
  if ((status === 400 || status === 422) && tries.includeUsage && isUsageOptionRefused(body)) {
    tries.includeUsage = false;
    return { why: `${traits.name} does not take stream_options, so it is asked without.`, waitMs: 0 };
  }
  if (complaint.code === 'model-unknown') completing.server.forget();
  const waitMs = retryWaitMs(refusal, tries.waits, completing.limits, completing.now());
  if (waitMs === undefined) return complaint;
  tries.waits += 1;
  return { why: complaint.message, waitMs };
}

type Complete = { usage: TokenUsage; reason: 'stop' | 'length' | 'other'; model: string };

/** A response that was no refusal: complete, to be tried again, or of no use. */
function afterReply(
  received: Received,
  known: {
    completing: Completing;
    traits: ServerTraits;
    tries: Tries;
    messages: readonly ChatMessage[];
    estimate: number;
  },
): Again | Complaint | Complete {
  const { completing, traits, tries } = known;
  const { end, failure } = received;
  const { name } = traits;
  if (received.isForeign) {
    return {
      code: 'not-a-model-server',
      message: `What answers at ${completing.address.place} does not speak the OpenAI API; correct the base URL.`,
    };
  }
  if (received.isTooLong) {
    return {
      code: 'reply-too-long',
      message: `${name} sent more than a reply can hold; look at its log and predict again.`,
    };
  }
  const isComplete = end.isDone || end.finish !== undefined;
  const isBroken = !isComplete && (!failure || isBrokenConnection(failure.error));
  if (isBroken && !received.hasBytes) {
    completing.server.forget();
    if (tries.waits < completing.limits.retries) {
      const waitMs = backOffMs(tries.waits, completing.limits);
      tries.waits += 1;
      return { why: `${name} closed the connection before it answered.`, waitMs };
    }
    return { code: 'cut-off', message: `${name} closes the connection before it answers; look at its log.` };
  }
  if (failure && !isComplete && !isBroken) {
    completing.server.forget();
    return connectionComplaint(failure.error, name, completing.address.place);
  }
  if (end.isGarbled) {
    return {
      code: 'garbled',
      message: `${name} sent something that cannot be read, so a part of the reply may be missing; predict again.`,
    };
  }
  if (isBroken) {
    return end.isUnderstood
      ? {
          code: 'cut-off',
          message: `${name} closed the connection in the middle of its reply; look at its log and predict again.`,
        }
      : {
          code: 'garbled',
          message: `${name} answered with something that is no reply; look at its log and predict again.`,
        };
  }
  if (!received.hasText && end.calls.length === 0 && end.finish !== 'length') {
    if (end.isCallUnasked) {
      const message = 'The model called a tool instead of answering, and no tool was offered; choose another model.';
      return { code: 'empty-reply', message, isToolCall: true };
    }
    return {
      code: 'empty-reply',
      message: `${name} ended its reply without any text; look at its log, and check that the prompt fits its context.`,
    };
  }
  const usage = end.usage ?? {
    promptTokens: known.estimate,
    completionTokens: received.estimatedTokens,
    exact: false,
  };
  return { usage, reason: end.finish ?? 'other', model: end.model ?? traits.model };
}
