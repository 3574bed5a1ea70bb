import { serverMessage } from './clientErrors.ts';

/** How often and how long a busy server is waited for. */
export interface RetryLimits {
  retries: number;
  /** A server that asks for more patience than this is not waited for, in milliseconds. */
  maxRetryWaitMs: number;
}

/** Statuses of servers that are busy or starting: Too Many Requests, Bad Gateway, Service Unavailable, Gateway Timeout. */
const passing = [429, 502, 503, 504];

/**
 * How long to wait before a refused request is sent again, in milliseconds: what `retry-after` says (seconds or a date,
 * RFC 9110), else twice as long every time. Undefined when it should not be sent again.
 */
export function retryWaitMs(
  refusal: { status: number; body: string; headers: Headers },
  tries: number,
  limits: RetryLimits,
  now: number,
): number | undefined {
  if (!passing.includes(refusal.status) || tries >= limits.retries) return undefined;
  // Credit does not come back by waiting.
  if (/insufficient_quota|exceeded your current quota/i.test(refusal.body)) return undefined;
  const asked = askedWaitMs(refusal.headers, now);
  if (asked !== undefined) return asked <= limits.maxRetryWaitMs ? asked : undefined;
  return backOffMs(tries, limits);
}

/** Half a second, then twice as long every time. */
export function backOffMs(tries: number, limits: RetryLimits): number {
  return Math.min(500 * 2 ** tries, limits.maxRetryWaitMs);
}

function askedWaitMs(headers: Headers, now: number): number | undefined {
  const milliseconds = headers.get('retry-after-ms');
  if (milliseconds && /^\d+(\.\d+)?$/.test(milliseconds)) return Math.ceil(Number(milliseconds));
  const after = headers.get('retry-after')?.trim();
  if (!after) return undefined;
  if (/^\d+(\.\d+)?$/.test(after)) return Math.ceil(Number(after) * 1000);
  const date = Date.parse(after);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Whether a 400 is because the server cannot read the grammar, or takes none: it names one, or the parameter. */
export function isGrammarRefused(body: string): boolean {
  const text = serverMessage(body) ?? body;
  return /grammar|gbnf|ebnf|structured.outputs?|guided|regex|json.schema/i.test(text);
}

/** Whether a 400 may be because the server does not know `stream_options`: it says so, or says nothing. */
export function isUsageOptionRefused(body: string): boolean {
  const text = serverMessage(body);
  return (
    text === undefined || /stream_options|include_usage|extra (inputs|fields)|unknown field|unrecognized/i.test(text)
  );
}
