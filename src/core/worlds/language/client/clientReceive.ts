import { estimateTokens } from '../../../context/estimateTokens.ts';
import { withoutKey } from './clientErrors.ts';
import { follow, TimeLimit, untilAborted } from './clientHttp.ts';
import { createReplyReader, type ReplyEnd, type ReplyPiece } from './clientStream.ts';
import type { CompletionEvent } from './provider.ts';

/** A response, or a refusal with its body. */
export type Sent = { ok: true; response: Response } | { ok: false; status: number; headers: Headers; body: string };

/** Time limits in milliseconds. */
export interface TimeLimits {
  /** Until the first byte of the reply. */
  firstByteMs: number;
  /** Between two pieces of it. */
  idleMs: number;
  /** For each question that is no completion. */
  probeMs: number;
}

/** How one try went. */
export interface Received {
  end: Readonly<ReplyEnd>;
  /** The server refused by its status. */
  refusal?: { status: number; body: string; headers: Headers };
  /** The connection failed, or a time limit ended it. */
  failure?: { error: unknown };
  /** What came is a web page. */
  isForeign: boolean;
  isTooLong: boolean;
  /** A byte of the reply was received. */
  hasBytes: boolean;
  /** Content or reasoning was received. */
  hasText: boolean;
  /** Tokens of the text, estimated. */
  estimatedTokens: number;
}

/** Longest reply, in UTF-16 code units. */
const maxReplyLength = 32 * 1024 ** 2;
/** Ends what is over already. A reason of its own, because one made for each request costs as much as sending it. */
const isOver = new Error('the reply is over');
/** How long the end of a complete reply is waited for, so that its connection can be used again. */
const drainMs = 1000;

/**
 * Sends one request and gives the pieces of its reply as they come. The connection is closed as soon as the signal is
 * aborted, a limit is reached, or nobody reads any more. Never throws.
 */
export async function* receive(
  send: (signal: AbortSignal) => Promise<Sent>,
  {
    key,
    signal,
    limits,
    takesCalls = false,
  }: { key: string | undefined; signal: AbortSignal; limits: TimeLimits; takesCalls?: boolean },
): AsyncGenerator<CompletionEvent, Received> {
  const { controller, unlink } = follow(signal);
  const own = controller.signal;
  let timer: NodeJS.Timeout | undefined;
  const within = async <T>(promise: Promise<T>, limitMs: number, isFirst: boolean): Promise<T> => {
    timer = setTimeout(() => controller.abort(new TimeLimit(limitMs, isFirst)), limitMs);
    try {
      return await untilAborted(promise, own);
    } finally {
      clearTimeout(timer);
    }
  };
  const received: Received = {
    end: createReplyReader(false).end,
    isForeign: false,
    isTooLong: false,
    hasBytes: false,
    hasText: false,
    estimatedTokens: 0,
  };
  const startedAt = performance.now();
  let body: ReadableStreamDefaultReader<Uint8Array> | undefined;
  try {
    const sent = await within(send(own), limits.firstByteMs, true);
    if (!sent.ok) return { ...received, refusal: sent };
    const type = sent.response.headers.get('content-type') ?? '';
    if (/html/i.test(type)) return { ...received, isForeign: true };
    const reader = createReplyReader(/json/i.test(type) && !/event-stream|ndjson/i.test(type), takesCalls);
    received.end = reader.end;
    body = sent.response.body?.getReader();
    let length = 0;
    for (let isOpen = body !== undefined; isOpen; ) {
      const limitMs = received.hasBytes ? limits.idleMs : limits.firstByteMs - (performance.now() - startedAt);
      const read = body ? await within(body.read(), Math.max(1, limitMs), !received.hasBytes) : undefined;
      received.hasBytes ||= (read?.value?.byteLength ?? 0) > 0;
      const pieces: ReplyPiece[] = read?.value ? reader.take(read.value) : reader.finish();
      for (const piece of pieces) {
        received.hasText = true;
        received.estimatedTokens += estimateTokens(piece.text);
        length += piece.text.length;
        yield { type: piece.type, text: withoutKey(piece.text, key, 'everything') };
      }
      received.isTooLong = length > maxReplyLength;
      isOpen = !read?.done && !reader.end.isDone && reader.end.error === undefined && !received.isTooLong;
    }
    return received;
  } catch (error) {
    return { ...received, failure: { error: own.aborted ? own.reason : error } };
  } finally {
    clearTimeout(timer);
    unlink();
    if (received.end.isDone && body && !own.aborted) void drain(body, controller);
    else controller.abort(isOver);
  }
}

/** Reads a body to its end, so that its connection is free; closes it when more comes than an end. */
async function drain(body: ReadableStreamDefaultReader<Uint8Array>, controller: AbortController): Promise<void> {
  const timer = setTimeout(() => controller.abort(), drainMs);
  timer.unref();
  try {
    for (let reads = 0; reads < 16; reads += 1) if ((await body.read()).done) return;
  } catch {
    // It was closed; nobody waits for it.
  } finally {
    clearTimeout(timer);
    controller.abort(isOver);
  }
}
