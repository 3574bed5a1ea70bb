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
  /** A request as it came, before it is answered. */
  asked?(url: string, text: string): void;
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
      script.asked?.(request.url ?? '', text);
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

/** OpenAI's chat completions. A tool that takes text in place of arguments is given `input` of them. */
export const chatCompletions: Protocol = (url, body, script) => {
  if (!url.includes('/chat/completions')) return { type: 'application/json', body: '{"data":[]}' };
  for (const message of listIn(body, 'messages'))
    if (message['role'] === 'tool') script.reply(String(message['tool_call_id']), { text: textIn(message['content']) });
  const nameIn = (tool: Fields, kind: string) => (tool[kind] as Fields | undefined)?.['name'];
  const offered = listIn(body, 'tools');
  const call = offered.some((tool) => nameIn(tool, 'function') === script.tool) ? script.next() : undefined;
  const isText = call && offered.some((tool) => nameIn(tool, 'custom') === call.name);
  const used = call && [
    {
      index: 0,
      id: call.id,
      ...(isText
        ? { type: 'custom', custom: { name: call.name, input: call.args['input'] } }
        : { type: 'function', function: { name: call.name, arguments: JSON.stringify(call.args) } }),
    },
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

/** OpenAI's responses. A tool that takes text in place of arguments is given `input` of them. */
export const responses: Protocol = (url, body, script) => {
  if (!url.includes('/responses')) return { type: 'application/json', body: '{"data":[],"models":[]}' };
  for (const item of listIn(body, 'input'))
    if (item['type'] === 'function_call_output' || item['type'] === 'custom_tool_call_output')
      script.reply(String(item['call_id']), { text: textIn(item['output']) });
  const offered = listIn(body, 'tools');
  const call = offered.some(({ name }) => name === script.tool) ? script.next() : undefined;
  const isText = offered.some(({ name, type }) => name === call?.name && type === 'custom');
  const shared = { id: `i${call?.id}`, call_id: call?.id, name: call?.name };
  const item = call
    ? isText
      ? { type: 'custom_tool_call', ...shared, input: call.args['input'] }
      : { type: 'function_call', ...shared, arguments: JSON.stringify(call.args) }
    : { type: 'message', id: 'last', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] };
  const response = { id: `r${call?.id}`, object: 'response', model: body['model'], output: [] };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  return eventStream(
    [
      { type: 'response.created', response },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { ...response, output: [item], usage } },
    ],
    true,
  );
};
