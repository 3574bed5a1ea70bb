import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call that the scripted model makes. */
export interface ScriptedCall {
  id: string;
  name: string;
  args: Record<string, unknown>;
}

/** What the agent answered a call. */
export interface ToolReply {
  text: string;
  /** Absent where the protocol does not say it. */
  isError?: boolean;
}

/** What a protocol's server needs: the next call, and where replies go. */
export interface Script {
  next(): ScriptedCall | undefined;
  reply(id: string, reply: ToolReply): void;
  /** Only requests that offer this tool are the conversation; agents ask for titles and summaries besides. */
  tool: string;
}

/** How a model server of one protocol answers a request: the body of a stream of events, or JSON. */
export type Protocol = (url: string, body: Record<string, unknown>, script: Script) => { type: string; body: string };

/** A model server on loopback that makes the calls of a script, one after the other, whatever it is asked. */
export async function serveScript(protocol: Protocol, script: Script): Promise<{ url: string; close(): void }> {
  const server = http.createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const text = Buffer.concat(pieces).toString('utf8');
      const answer = protocol(request.url ?? '', text === '' ? {} : JSON.parse(text), script);
      response.writeHead(200, { 'content-type': answer.type });
      response.end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

type Fields = Record<string, unknown>;

const listIn = (fields: Fields, name: string): Fields[] =>
  Array.isArray(fields[name]) ? (fields[name] as Fields[]) : [];
const eventStream = (events: Fields[], named: boolean) => ({
  type: 'text/event-stream',
  body: events.map((event) => `${named ? `event: ${event['type']}\n` : ''}data: ${JSON.stringify(event)}\n\n`).join(''),
});
const textIn = (content: unknown): string =>
  typeof content === 'string' ? content : (content as Fields[]).map((part) => part['text'] ?? '').join('');

/** Anthropic's messages. */
export const anthropic: Protocol = (url, body, script) => {
  if (url.includes('count_tokens')) return { type: 'application/json', body: '{"input_tokens":10}' };
  if (!url.includes('/messages')) return { type: 'application/json', body: '{}' };
  for (const message of listIn(body, 'messages'))
    for (const block of listIn(message, 'content'))
      if (block['type'] === 'tool_result')
        script.reply(String(block['tool_use_id']), {
          text: textIn(block['content']).replace(/\n\n<system-reminder>[\s\S]*?<\/system-reminder>$/, ''),
          isError: block['is_error'] === true,
        });
  const isAsked = listIn(body, 'tools').some(({ name }) => name === script.tool);
  const call = isAsked ? script.next() : undefined;
  const block = call ? { type: 'tool_use', id: call.id, name: call.name, input: {} } : { type: 'text', text: '' };
  const delta = call
    ? { type: 'input_json_delta', partial_json: JSON.stringify(call.args) }
    : { type: 'text_delta', text: 'done' };
  const message = { type: 'message', role: 'assistant', model: body['model'], content: [], stop_reason: null };
  const usage = { input_tokens: 1, output_tokens: 1 };
  return eventStream(
    [
      { type: 'message_start', message: { id: `m${call?.id}`, ...message, usage } },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: call ? 'tool_use' : 'end_turn' }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ],
    true,
  );
};

/** OpenAI's chat completions. */
export const chatCompletions: Protocol = (url, body, script) => {
  if (!url.includes('/chat/completions')) return { type: 'application/json', body: '{"data":[]}' };
  for (const message of listIn(body, 'messages'))
    if (message['role'] === 'tool') script.reply(String(message['tool_call_id']), { text: textIn(message['content']) });
  const isAsked = listIn(body, 'tools').some((tool) => (tool['function'] as Fields)['name'] === script.tool);
  const call = isAsked ? script.next() : undefined;
  const used = call && [
    { index: 0, id: call.id, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.args) } },
  ];
  const message = used
    ? { role: 'assistant', content: null, tool_calls: used }
    : { role: 'assistant', content: 'done' };
  const finish_reason = call ? 'tool_calls' : 'stop';
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const shared = { id: `c${call?.id}`, created: 0, model: body['model'] };
  if (body['stream'] !== true)
    return {
      type: 'application/json',
      body: JSON.stringify({
        ...shared,
        object: 'chat.completion',
        usage,
        choices: [{ index: 0, message, finish_reason }],
      }),
    };
  const object = 'chat.completion.chunk';
  const stream = eventStream(
    [
      { ...shared, object, choices: [{ index: 0, delta: message, finish_reason: null }] },
      { ...shared, object, usage, choices: [{ index: 0, delta: {}, finish_reason }] },
    ],
    false,
  );
  return { ...stream, body: `${stream.body}data: [DONE]\n\n` };
};

/** Google's `generateContent`. */
export const generateContent: Protocol = (url, body, script) => {
  if (url.includes(':countTokens')) return { type: 'application/json', body: '{"totalTokens":10}' };
  for (const content of listIn(body, 'contents'))
    for (const part of listIn(content, 'parts')) {
      const answered = part['functionResponse'] as Fields | undefined;
      const response = answered?.['response'] as Fields | undefined;
      if (!answered || !response) continue;
      const isError = response['error'] !== undefined;
      script.reply(String(answered['id']), { text: String(response['error'] ?? response['output']), isError });
    }
  const offered = listIn(body, 'tools').flatMap((tool) => listIn(tool, 'functionDeclarations'));
  const call = offered.some(({ name }) => name === script.tool) ? script.next() : undefined;
  const part = call
    ? { functionCall: { id: call.id, name: call.name, args: call.args } }
    : { text: '{"reasoning":"","next_speaker":"user"}' };
  const reply = {
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  };
  return url.includes('streamGenerateContent')
    ? eventStream([reply], false)
    : { type: 'application/json', body: JSON.stringify(reply) };
};
