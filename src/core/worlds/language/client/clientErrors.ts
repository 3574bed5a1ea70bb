import { TimeLimit } from './clientHttp.ts';
import { asObject, countAt, readJson, textAt } from './clientJson.ts';

/** What went wrong: a code for programs, and one plain sentence with a next step for people. */
export interface Complaint {
  code: string;
  message: string;
  /** The model called a tool that nobody offered, and said nothing else. */
  isToolCall?: boolean;
}

/** Shortest key that is looked for in the texts of errors, and in everything, in characters. */
const minKeyLength = { errors: 4, everything: 12 };

/**
 * Takes the API key out of a text. Keys of fewer than 12 characters (such as `EMPTY`, which local servers are given) are
 * no secrets, and are taken out of errors only.
 */
export function withoutKey(text: string, key: string | undefined, where: 'errors' | 'everything' = 'errors'): string {
  if (!key || key.length < minKeyLength[where] || !text.includes(key)) return text;
  return text.replaceAll(key, '[redacted: API key]');
}

/**
 * The message of an error body in any of the forms that servers use: `{error: {message}}`, the flat `{object: "error",
 * message}` of SGLang, `{"error": "…"}` of Ollama, `{detail}` of FastAPI, or plain text. Undefined when there is none.
 */
export function serverMessage(body: string): string | undefined {
  const json = readJson(body);
  const found =
    textAt(json, 'error', 'message') ??
    textAt(json, 'error') ??
    textAt(json, 'message') ??
    textAt(json, 'detail') ??
    textAt((asObject(json)?.['detail'] as unknown[] | undefined)?.[0], 'msg');
  // Gateways put what the server behind them said into `metadata.raw`.
  const raw = textAt(json, 'error', 'metadata', 'raw');
  if (found) return raw && raw !== found ? `${found}: ${serverMessage(raw) ?? raw}` : found;
  const text = body.trim();
  return json === undefined && text !== '' && !text.startsWith('<') ? text : undefined;
}

/** A text of the server inside a sentence: one line, short, without what only programmers read. Empty stays empty. */
export function quote(text: string | undefined): string {
  if (!text) return '';
  const line = text
    .slice(0, 2000)
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .replace(/\b[\w.]*Error: */g, '')
    .replace(/\bundefined\b|\[object\b|\bNaN\b/g, '…')
    .replace(/\s+/g, ' ')
    // Where it was thrown.
    .replace(/\bat .*:\d+:\d+.*$/, '')
    .trim()
    .replace(/[.!?]+$/, '');
  return line.length <= 160 ? line : `${line.slice(0, 159).trimEnd()}…`;
}

const said = (text: string | undefined) => (quote(text) === '' ? '' : ` (“${quote(text)}”)`);

/** The error codes of a failed connection, outermost first; several addresses of one name may each have failed. */
function codesOf(error: unknown, depth = 0): string[] {
  const object = asObject(error);
  if (!object || depth > 5) return [];
  const inner = Array.isArray(object['errors']) ? object['errors'] : [];
  const own = typeof object['code'] === 'string' ? [object['code']] : [];
  return [...own, ...[object['cause'], ...inner].flatMap((cause) => codesOf(cause, depth + 1))];
}

/** The connection was there and broke, so that trying again may help. */
export function isBrokenConnection(error: unknown): boolean {
  return codesOf(error).some((code) => /^(ECONNRESET|EPIPE|UND_ERR_SOCKET|ECONNABORTED)$/.test(code));
}

const seconds = (durationMs: number) => (durationMs < 1000 ? `${durationMs} ms` : `${Math.round(durationMs / 1000)} s`);

/** Why a connection failed. `name` says who was asked, for example `vLLM at 127.0.0.1:8000`. */
export function connectionComplaint(error: unknown, name: string, place: string): Complaint {
  if (error instanceof TimeLimit) {
    return error.isFirst
      ? {
          code: 'no-answer',
          message: `${name} did not answer within ${seconds(error.limitMs)}; look at its log, or shorten the prompt.`,
        }
      : {
          code: 'stalled',
          message: `${name} sent nothing for ${seconds(error.limitMs)} in the middle of its reply; look at its log and predict again.`,
        };
  }
  const codes = codesOf(error);
  const is = (pattern: RegExp) => codes.some((code) => pattern.test(code));
  if (is(/^ECONNREFUSED$/)) {
    return {
      code: 'unreachable',
      message: `Nothing listens at ${place}; start the model server, or correct its base URL.`,
    };
  }
  if (is(/^(ENOTFOUND|EAI_AGAIN|EAI_NODATA)$/)) {
    return {
      code: 'unknown-host',
      message: `The name of ${place} cannot be resolved; correct the base URL, or check the network.`,
    };
  }
  if (is(/^(EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|EADDRNOTAVAIL)$/)) {
    return {
      code: 'unreachable',
      message: `${place} cannot be reached; check the network, a firewall or a VPN, and the base URL.`,
    };
  }
  if (is(/^(UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT)$/)) {
    return { code: 'no-answer', message: `${name} did not answer in time; look at its log, or shorten the prompt.` };
  }
  if (is(/CERT|ALTNAME|^UNABLE_TO_(VERIFY|GET)|SELF_SIGNED/)) {
    return {
      code: 'tls',
      message: `The certificate of ${place} is not trusted; add its authority to the system, or correct the base URL.`,
    };
  }
  if (is(/SSL|TLS|^EPROTO$/)) {
    return {
      code: 'tls',
      message: `No encrypted connection to ${place} is possible; perhaps the server speaks http, so correct the base URL.`,
    };
  }
  if (is(/^HPE_/)) {
    return {
      code: 'not-a-model-server',
      message: `What listens at ${place} does not speak http; perhaps it wants https, so correct the base URL.`,
    };
  }
  if (isBrokenConnection(error)) {
    return { code: 'cut-off', message: `${name} closed the connection; look at its log and predict again.` };
  }
  return { code: 'unreachable', message: `The connection to ${place} failed; check the network and the base URL.` };
}

/** A refusal with what is needed to explain it. */
export interface Refusal {
  status: number;
  body: string;
  headers: Headers;
  name: string;
  model: string;
  models: readonly string[];
}

/** The names that are served, as the end of a sentence. */
export function servedModels(models: readonly string[]): string {
  if (models.length === 0) return 'name a model that it serves';
  const shown = models.slice(0, 5).map(quote).join(', ');
  const more = models.length > 5 ? ` and ${models.length - 5} more` : '';
  return `choose one of those that it serves: ${shown}${more}`;
}

/** Why a server refused, by status and body. */
export function refusalComplaint({ status, body, headers, name, model, models }: Refusal): Complaint {
  const text = serverMessage(body);
  const told = said(text);
  if (status >= 300 && status < 400) {
    const to = quote(headers.get('location') ?? '');
    return {
      code: 'redirected',
      message: `${name} sends requests on to ${to === '' ? 'another address' : to}, which is not followed; set that as the base URL if you trust it.`,
    };
  }
  if (status === 401 || status === 403) {
    return { code: 'key-refused', message: `${name} refuses the API key${told}; set the key that it expects.` };
  }
  if (status === 402 || /insufficient_quota|exceeded your current quota/i.test(body)) {
    return {
      code: 'no-quota',
      message: `The account at ${name} has no credit left${told}; add credit or choose another server.`,
    };
  }
  if (status === 404 || status === 405) {
    return /model/i.test(text ?? '')
      ? { code: 'model-unknown', message: `${name} does not serve ${quote(model)}; ${servedModels(models)}.` }
      : {
          code: 'path-unknown',
          message: `${name} has no chat completions at this address; correct the base URL, which usually ends with /v1.`,
        };
  }
  if (status === 408 || status === 504) {
    return { code: 'no-answer', message: `${name} took too long${told}; look at its log, or shorten the prompt.` };
  }
  if (status === 413) {
    return {
      code: 'prompt-too-long',
      message: `${name} does not take requests of this size; lower the context budget.`,
    };
  }
  if (status === 429) {
    return {
      code: 'busy',
      message: `${name} takes no more requests at the moment${told}; wait a little and predict again.`,
    };
  }
  if (status === 503 && /loading/i.test(text ?? '')) {
    return { code: 'loading', message: `${name} is still loading its model; predict again when it is ready.` };
  }
  if (status === 502 || status === 503) {
    return { code: 'busy', message: `${name} is not available at the moment${told}; wait a little and predict again.` };
  }
  if (status >= 500) {
    return {
      code: 'server-error',
      message: `${name} failed with status ${status}${told}; look at its log and predict again.`,
    };
  }
  return {
    code: 'bad-request',
    message: `${name} refuses the request with status ${status}${told}; look at the raw request in the prompt inspector.`,
  };
}

/** What a server says about a request that does not fit its context. Sizes in tokens. */
export interface Overflow {
  contextTokens?: number;
  promptTokens?: number;
  /** The prompt has at least this many; vLLM stops counting where it knows enough. */
  promptTokensAtLeast?: number;
  /** The longest reply that the model gives at all. */
  maxOutputTokens?: number;
}

const number = (match: RegExpExecArray | null) => (match?.[1] ? Number(match[1].replaceAll(',', '')) : undefined);

/**
 * Reads an overflow out of an error body; undefined when the error is another one. Knows the wordings of vLLM (old and
 * new), SGLang, llama.cpp, LM Studio, OpenAI and the gateways that pass theirs on.
 */
export function overflowOf(body: string): Overflow | undefined {
  const json = readJson(body);
  // Hostile texts are long; the wordings are not.
  const text = (serverMessage(body) ?? '').slice(0, 2000);
  const outputLimit =
    number(/supports at most ([\d,]+) completion tokens/i.exec(text)) ??
    number(/max_(?:completion_)?tokens[^.]*?(?:<=|\[1,) ?([\d,]+)/i.exec(text));
  if (outputLimit) return { maxOutputTokens: outputLimit };
  const isOverflow =
    textAt(json, 'error', 'type') === 'exceed_context_size_error' ||
    textAt(json, 'error', 'code') === 'context_length_exceeded' ||
    /maximum context length|model's context length|available context size|context size has been exceeded|context window|context length|context overflow|n_ctx|n_keep/i.test(
      text,
    );
  if (!isOverflow) return undefined;
  const contextTokens =
    countAt(json, 'error', 'n_ctx') ??
    number(/maximum context length (?:is|of) ([\d,]+)/i.exec(text)) ??
    number(/context (?:length|size|window)[^\d]{0,20}\(?([\d,]+) tokens/i.exec(text)) ??
    number(/context length of (?:only )?([\d,]+)/i.exec(text));
  const promptTokensAtLeast = number(/contains at least ([\d,]+) input tokens/i.exec(text));
  const promptTokens =
    countAt(json, 'error', 'n_prompt_tokens') ??
    number(/\(([\d,]+) in the messages/i.exec(text)) ??
    number(/([\d,]+) tokens from the input messages/i.exec(text)) ??
    number(/your request has ([\d,]+) input tokens/i.exec(text)) ??
    number(/(?:the input|request) \(([\d,]+) tokens\)/i.exec(text)) ??
    number(/messages resulted in ([\d,]+) tokens/i.exec(text));
  return {
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(promptTokens === undefined ? {} : { promptTokens }),
    ...(promptTokensAtLeast === undefined ? {} : { promptTokensAtLeast }),
  };
}
