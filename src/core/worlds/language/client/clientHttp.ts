import { readJson } from './clientJson.ts';

/** The `fetch` of the platform, or one that a test gives. */
export type Fetch = typeof globalThis.fetch;

/** Longest answer to a question of ours that is read, in bytes. */
const maxAnswerBytes = 8 * 1024 ** 2;

/** Waits for a promise until the signal is aborted; then rejects at once with its reason. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Waits that many milliseconds, or until the signal is aborted; never rejects. */
export function sleep(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, durationMs);
    signal.addEventListener('abort', end, { once: true });
  });
}

/** An `AbortController` that follows a signal, until `unlink()` is called. */
export function follow(signal: AbortSignal): { controller: AbortController; unlink: () => void } {
  const controller = new AbortController();
  const stop = () => controller.abort(signal.reason);
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  return { controller, unlink: () => signal.removeEventListener('abort', stop) };
}

/** Why we ended a request ourselves: nothing came in time. */
export class TimeLimit extends Error {
  readonly limitMs: number;
  readonly isFirst: boolean;
  constructor(limitMs: number, isFirst: boolean) {
    super(`nothing came for ${limitMs} ms`);
    this.limitMs = limitMs;
    this.isFirst = isFirst;
  }
}

/** Only what is needed: nothing about this machine, its user or its program versions. */
export function headersFor(key: string | undefined, accept: string): Record<string, string> {
  return {
    accept,
    'content-type': 'application/json',
    'user-agent': 'foretell',
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
}

/** An answer to one question, or why there is none. */
export type Answer =
  | { ok: true; status: number; headers: Headers; text: string; json: unknown }
  | { ok: false; error: unknown };

/** Asks a server one question: GET, or POST when there is a body. Redirects are not followed. Never rejects. */
export async function ask(
  fetch: Fetch,
  question: { url: string; body?: unknown; key: string | undefined; signal: AbortSignal; limitMs: number },
): Promise<Answer> {
  const { controller, unlink } = follow(question.signal);
  const timer = setTimeout(() => controller.abort(new TimeLimit(question.limitMs, true)), question.limitMs);
  try {
    const asked = fetch(question.url, {
      method: question.body === undefined ? 'GET' : 'POST',
      headers: headersFor(question.key, 'application/json'),
      body: question.body === undefined ? null : JSON.stringify(question.body),
      signal: controller.signal,
      redirect: 'manual',
    });
    const response = await untilAborted(asked, controller.signal);
    const text = await untilAborted(readText(response, maxAnswerBytes), controller.signal);
    return { ok: true, status: response.status, headers: response.headers, text, json: readJson(text) };
  } catch (error) {
    return { ok: false, error: controller.signal.aborted ? controller.signal.reason : error };
  } finally {
    clearTimeout(timer);
    unlink();
    // Ends the connection of an answer that was not read to its end; nothing, where it was.
    controller.abort();
  }
}

/** Reads the text of a response, at most so many bytes of it. */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  if (!response.body) return '';
  const decoder = new TextDecoder();
  let text = '';
  let sizeBytes = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    sizeBytes += value.byteLength;
    text += decoder.decode(value, { stream: true });
    if (sizeBytes > maxBytes) {
      void reader.cancel().catch(() => {});
      return text;
    }
  }
}
