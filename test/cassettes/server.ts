import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fault } from './faults.ts';
import { type Counted, countMessages, countTokens, type Dialect, type Json, type Wire, wires } from './wire.ts';

/** What the model answers. A text alone is content. */
export interface Reply {
  content: string;
  reasoning?: string;
  /** Tools that are called after the content; the arguments come in pieces. */
  calls?: readonly { name: string; arguments: string }[];
  /** Reasoning stands in the content, as where the server has no parser: with both tags, or without the first. */
  inline?: 'tags' | 'no-opening-tag';
  finish?: 'stop' | 'length';
  /** False: the server does not tell. */
  usage?: Partial<Counted> | false;
  /** Length of a piece, in characters. */
  pieceLength?: number;
  /** Before each piece, in milliseconds. */
  delayMs?: number;
}

/** One request as the server saw it. */
export interface SeenRequest {
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  body: Json | undefined;
  /** When its connection was closed before the answer was complete, by `performance.now()`. */
  abortedAtMs?: number;
}

export interface ServerOptions {
  dialect: Dialect;
  models?: readonly string[];
  /** Default 262,144. */
  contextTokens?: number;
  /** In order, one a completion; the last one again and again. */
  replies?: readonly (Reply | string)[];
  /** Instead of `replies`: a model in a function. */
  answer?: (body: Json) => Reply | string | Promise<Reply | string>;
  /** In order, one a completion; `undefined` for none. */
  faults?: readonly (Fault | undefined)[];
  /** The same for all other requests. */
  probeFaults?: readonly (Fault | undefined)[];
  /** Wants this key. */
  apiKey?: string;
  /** How the stream is cut on the wire; default one event in one write, `\n`. */
  framing?: { newline?: '\n' | '\r\n' | '\r'; splitBytes?: number; blankLines?: boolean };
  /** vLLM and SGLang without `messages` in `/tokenize`, as older ones are. */
  countsPromptsOnly?: boolean;
  port?: number;
}

export interface CassetteServer {
  baseUrl: string;
  port: number;
  requests: SeenRequest[];
  /** Only those for completions. */
  completions(): SeenRequest[];
  close(): Promise<void>;
}

/** A model server on this machine that speaks one of the dialects, over real sockets. */
export async function startServer(options: ServerOptions): Promise<CassetteServer> {
  const requests: SeenRequest[] = [];
  const counts = { completions: 0, probes: 0 };
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString('utf8');
      const seen: SeenRequest = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: text === '' ? undefined : (JSON.parse(text) as Json),
      };
      requests.push(seen);
      response.on('close', () => {
        if (!response.writableEnded) seen.abortedAtMs = performance.now();
      });
      const isCompletion = seen.path === '/v1/chat/completions';
      const index = isCompletion ? counts.completions++ : counts.probes++;
      const fault = (isCompletion ? options.faults : options.probeFaults)?.[index];
      respond(options, seen, response, { fault, index, isLoaded: counts.completions > 0 }).catch((error: unknown) => {
        console.error('cassette server', error);
        response.destroy();
      });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    port,
    requests,
    completions: () => requests.filter((request) => request.path === '/v1/chat/completions'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function respond(
  options: ServerOptions,
  seen: SeenRequest,
  response: http.ServerResponse,
  { fault, index, isLoaded }: { fault: Fault | undefined; index: number; isLoaded: boolean },
): Promise<void> {
  const wire = wires[options.dialect];
  const models = options.models ?? ['Qwen/Qwen-AgentWorld-35B-A3B'];
  const served = { model: models[0] ?? '', models, contextTokens: options.contextTokens ?? 262_144, isLoaded };
  const send = (status: number, body: Json | string, headers: Record<string, string> = {}) => {
    const type = typeof body === 'string' ? 'text/plain' : 'application/json';
    response.writeHead(status, { 'content-type': type, ...wire.headers, ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
  if (fault && refuse(fault, seen, response, wire, send)) return;
  if (options.apiKey !== undefined && seen.headers.authorization !== `Bearer ${options.apiKey}`) {
    return send(401, wire.error(401, 'Incorrect API key provided.'));
  }
  if (fault?.kind === 'slow') await pause(fault.firstByteMs);
  if (seen.path !== '/v1/chat/completions') {
    const isOldCount = options.countsPromptsOnly && seen.path === '/tokenize' && seen.body?.['messages'];
    if (isOldCount) return send(400, wire.error(400, 'Field required: prompt'));
    const answer = wire.ask(seen.path, seen.body, served);
    return answer ? send(200, answer) : send(404, { detail: 'Not Found' });
  }
  const body = seen.body ?? {};
  const model = String(body['model']);
  if (!models.includes(model) && options.dialect !== 'llama.cpp') {
    return send(404, wire.error(404, `The model \`${model}\` does not exist.`));
  }
  if (fault?.kind === 'no-stream-options' && body['stream_options']) {
    return send(400, wire.error(400, "Unrecognized request argument supplied: 'stream_options'"));
  }
  const prompt = countMessages(body['messages']);
  const output = Number(body['max_tokens'] ?? 0);
  const overflow = wire.overflow({ prompt, context: served.contextTokens, output });
  if (overflow) return send(overflow.status, overflow.body);
  const scripted = options.answer
    ? await options.answer(body)
    : (options.replies?.[Math.min(index, options.replies.length - 1)] ?? '');
  const reply = typeof scripted === 'string' ? { content: scripted } : scripted;
  // A server that cuts silently counts what is left.
  const sizes = countsOf(reply, Math.min(prompt, served.contextTokens));
  await stream(options, response, {
    wire,
    model,
    reply,
    sizes,
    wantsUsage: body['stream_options'] !== undefined,
    fault,
  });
}

type Send = (status: number, body: Json | string, headers?: Record<string, string>) => void;

/** Faults that come instead of a reply. */
function refuse(fault: Fault, seen: SeenRequest, response: http.ServerResponse, wire: Wire, send: Send): boolean {
  if (fault.kind === 'reset') response.socket?.resetAndDestroy();
  else if (fault.kind === 'hang' && fault.at === 'headers') return true;
  else if (fault.kind === 'redirect') send(307, '', { location: fault.to });
  else if (fault.kind === 'html') send(200, '<!doctype html><title>Sign in</title>', { 'content-type': 'text/html' });
  else if (fault.kind === 'echo-key') {
    const key = String(seen.headers.authorization).replace('Bearer ', '');
    send(fault.status, wire.error(fault.status, `Incorrect API key provided: ${key}.`));
  } else if (fault.kind === 'status') {
    const message = fault.message ?? 'It went wrong.';
    const forms = {
      own: wire.error(fault.status, message),
      flat: { object: 'error', message, type: 'BadRequestError', param: null, code: fault.status },
      plain: { error: message },
      text: message,
      html: `<html><body><h1>${message}</h1></body></html>`,
      empty: '',
    };
    const body = typeof fault.body === 'object' ? fault.body.raw : forms[fault.body ?? 'own'];
    send(fault.status, body, fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter });
  } else return false;
  return true;
}

const pause = (durationMs: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, durationMs).unref();
  });

function countsOf(reply: Reply, prompt: number): Counted {
  const reasoning = countTokens(reply.reasoning ?? '');
  const completion = countTokens(reply.content) + reasoning;
  return { prompt, cached: 0, completion, reasoning, ...(reply.usage || {}) };
}

interface Streaming {
  wire: Wire;
  model: string;
  reply: Reply;
  sizes: Counted;
  wantsUsage: boolean;
  fault: Fault | undefined;
}

function cutInto(text: string, length: number): string[] {
  const characters = [...text];
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += length) pieces.push(characters.slice(at, at + length).join(''));
  return pieces;
}

/** Every piece of a reply, as the dialect writes it. */
function chunksOf({ wire, model, reply, sizes, wantsUsage, fault }: Streaming): Json[] {
  const length = reply.pieceLength ?? 6;
  const { reasoning = '' } = reply;
  const opening = reply.inline === 'tags' ? '<think>\n' : '';
  const isCut = fault?.kind === 'truncated-thinking';
  const inlined = reply.inline ? `${opening}${reasoning}${isCut ? '' : '\n</think>\n\n'}` : '';
  const content = isCut ? inlined : inlined + reply.content;
  const tool = { index: 0, id: 'call_1', type: 'function', function: { name: 'run', arguments: '{"comm' } };
  const chunks = [
    wire.chunk(model, { role: 'assistant' }, null),
    ...(reply.inline ? [] : cutInto(reasoning, length)).map((text) => wire.chunk(model, { reasoning: text }, null)),
    ...(fault?.kind === 'tool-call'
      ? [
          {
            ...wire.chunk(model, {}, null),
            choices: [{ index: 0, delta: { tool_calls: [tool] }, finish_reason: null }],
          },
        ]
      : cutInto(content, length).map((text) => wire.chunk(model, { content: text }, null))),
    ...(reply.calls ?? []).flatMap((call, index) => callChunks(wire, model, call, index)),
    wire.chunk(
      model,
      {},
      isCut
        ? 'length'
        : reply.calls && !reply.finish
          ? 'tool_calls'
          : fault?.kind === 'tool-call'
            ? 'tool_calls'
            : (reply.finish ?? 'stop'),
    ),
    ...(reply.usage !== false && wantsUsage ? [wire.usage(model, sizes)] : []),
  ];
  return fault?.kind === 'empty-choices' ? chunks.map((chunk) => ({ ...chunk, choices: [] })) : chunks;
}

function callChunks(wire: Wire, model: string, call: { name: string; arguments: string }, index: number): Json[] {
  const chunk = (of: Json) => {
    const empty = wire.chunk(model, {}, null);
    return { ...empty, choices: [{ index: 0, delta: { tool_calls: [{ index, ...of }] }, finish_reason: null }] };
  };
  const named = { id: `call_${index + 1}`, type: 'function', function: { name: call.name, arguments: '' } };
  return [chunk(named), ...cutInto(call.arguments, 7).map((text) => chunk({ function: { arguments: text } }))];
}

async function stream(options: ServerOptions, response: http.ServerResponse, streaming: Streaming): Promise<void> {
  const { wire, model, reply, sizes, fault } = streaming;
  if (fault?.kind === 'whole') {
    const message = { role: 'assistant', content: reply.content, reasoning_content: reply.reasoning ?? null };
    const whole = { ...wire.usage(model, sizes), object: 'chat.completion' };
    response.writeHead(200, { 'content-type': 'application/json', ...wire.headers });
    response.end(JSON.stringify({ ...whole, choices: [{ index: 0, message, finish_reason: 'stop' }] }));
    return;
  }
  const { newline = '\n', splitBytes, blankLines = true } = options.framing ?? {};
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', ...wire.headers });
  response.flushHeaders();
  const write = async (text: string) => {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += splitBytes ?? bytes.length) {
      response.write(bytes.subarray(at, at + (splitBytes ?? bytes.length)));
      // Gives the socket a turn, so that the parts arrive apart.
      if (splitBytes) await new Promise(setImmediate);
    }
  };
  const event = (json: Json) => write(`data: ${JSON.stringify(json)}${newline}${blankLines ? newline : ''}`);
  if (fault?.kind === 'hang' && fault.at === 'body') return;
  const chunks = chunksOf(streaming);
  const isAt = (index: number) => fault && 'afterChunks' in fault && fault.afterChunks === index;
  for (const [index, chunk] of chunks.entries()) {
    if (response.destroyed) return;
    if (reply.delayMs) await pause(reply.delayMs);
    if (fault?.kind === 'hang' && fault.at === 'middle' && index === Math.ceil(chunks.length / 2)) return;
    if (isAt(index)) {
      if (fault?.kind === 'end') return void response.end();
      if (fault?.kind === 'cut') {
        // What was written must be on its way first.
        await pause(20);
        response.socket?.resetAndDestroy();
        return;
      }
      if (fault?.kind === 'garbage') await write(fault.lines);
      if (fault?.kind === 'stream-error') await event(wire.error(fault.status, fault.message));
    }
    await event(chunk);
  }
  await write(`data: [DONE]${newline}${newline}`);
  response.end();
}
