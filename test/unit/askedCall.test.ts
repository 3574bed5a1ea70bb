import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { promptOfCall, readAskedCall } from '../../src/core/trajectory/askedCall.ts';
import { callAround } from '../../src/core/trajectory/callAround.ts';

function read(text: string) {
  const asked = readAskedCall(text);
  assert.ok(!('problem' in asked), JSON.stringify(asked));
  return asked;
}

/** The same call in the forms that are about. */
const call = { name: 'get_order', arguments: { id: 7 } };
const asText = JSON.stringify(call.arguments);
const forms: Readonly<Record<string, string>> = {
  bare: JSON.stringify(call),
  'MCP tools/call': JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: call }),
  'OpenAI tool_calls': JSON.stringify({
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'a', type: 'function', function: { name: call.name, arguments: asText } }],
  }),
  'OpenAI function_call': JSON.stringify({ role: 'assistant', function_call: { name: call.name, arguments: asText } }),
  'a whole answer': JSON.stringify({
    choices: [
      { message: { role: 'assistant', tool_calls: [{ id: 'a', function: { name: call.name, arguments: asText } }] } },
    ],
  }),
  'OpenAI Responses': JSON.stringify({
    output: [{ type: 'function_call', call_id: 'a', name: call.name, arguments: asText }],
  }),
  Anthropic: JSON.stringify({
    role: 'assistant',
    content: [
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_use', id: 'a', name: call.name, input: call.arguments },
    ],
  }),
  Gemini: JSON.stringify({ parts: [{ functionCall: { name: call.name, args: call.arguments } }] }),
  'Qwen and Hermes': `I look.\n<tool_call>\n${JSON.stringify(call)}\n</tool_call>`,
  'a chat whose text has tags': JSON.stringify([
    { role: 'assistant', content: `<tool_call>${JSON.stringify(call)}</tool_call>` },
  ]),
  'a line of a log': `2026-11-23T14:02:11Z INFO mcp > ${JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: call })} (12 ms)`,
  'a step of a trajectory': JSON.stringify({
    version: 1,
    id: 's1',
    trajectory: 't',
    domain: 'mcp',
    action: { kind: 'turn', domain: 'mcp', turn: { kind: 'tool', ...call } },
  }),
};

describe('a selected tool call', () => {
  for (const [form, text] of Object.entries(forms)) {
    test(form, () => {
      const { turn, domain, name, steps, observed } = read(text);
      assert.deepEqual(turn, { kind: 'tool', ...call });
      assert.deepEqual([domain, name, steps.length, observed], ['mcp', 'get_order', 1, undefined]);
    });
  }

  test('a call as tags of Qwen’s coder', () => {
    const { turn, domain } = read('<function=Bash>\n<parameter=command>\nls -l\n</parameter>\n</function>');
    assert.deepEqual(turn, { kind: 'tool', name: 'Bash', arguments: { command: 'ls -l' } });
    assert.equal(domain, 'swe');
  });

  test('earlier calls with their results come before it, and its own result is what really came', () => {
    const log = [
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { jsonrpc: '2.0', id: 1, result: { tools: [{ name: 'get_order', description: 'One order', inputSchema: {} }] } },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'get_order', arguments: { id: 6 } } },
      { jsonrpc: '2.0', id: 3, method: 'tools/call', params: call },
      { jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text', text: '{"id":6}' }] } },
      { jsonrpc: '2.0', id: 3, error: { code: -32602, message: 'no such order' } },
    ];
    const { steps, tools, observed } = read(log.map((one) => JSON.stringify(one)).join('\n'));
    assert.deepEqual(
      steps.map(({ observation }) => observation?.text),
      ['{"id":6}', undefined],
    );
    assert.match(tools ?? '', /One order/);
    assert.equal(observed, '{"code":-32602,"message":"no such order"}');
  });

  test('an Anthropic chat', () => {
    const chat = [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'web_search', input: { query: 'x' } }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'found' }] }],
      },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'b', name: 'web_search', input: { query: 'y' } }] },
    ];
    const { steps, domain, turn } = read(JSON.stringify(chat, undefined, 2));
    assert.equal(domain, 'search');
    assert.deepEqual(turn.kind === 'tool' && turn.arguments, { query: 'y' });
    assert.deepEqual(
      steps.map(({ observation }) => observation?.text),
      ['found', undefined],
    );
  });

  test('the surface that the tools work on decides the domain', () => {
    const domainOf = (name: string) => read(JSON.stringify({ name, arguments: {} })).domain;
    assert.deepEqual(['browser_click', 'android_tap', 'computer', 'run_shell_command', 'list_issues'].map(domainOf), [
      'web',
      'android',
      'os',
      'swe',
      'mcp',
    ]);
    const keys = read(JSON.stringify({ name: 'send_keystrokes', arguments: { keystrokes: [{ keystrokes: 'ls\n' }] } }));
    assert.deepEqual(keys.turn, { kind: 'keystrokes', keystrokes: [{ keystrokes: 'ls\n', duration: 1 }] });
    assert.equal(keys.domain, 'terminal');
  });

  test('calls in further forms: of other libraries, as programs print them, without their braces, inside of a text', () => {
    const bash = { name: 'Bash', arguments: { command: "echo 'hi'" } };
    const inside = JSON.stringify({ type: 'tool_use', id: 'a', name: 'Bash', input: bash.arguments });
    const texts = [
      `ToolUseBlock(id='toolu_1', input={'command': "echo 'hi'"}, name='Bash', type='tool_use')`,
      `[{'type': 'tool_use', 'id': 'toolu_1', 'name': 'Bash', 'input': {'command': 'echo \\'hi\\'',},}]`,
      `Message(content=[TextBlock(text='I look', citations=None), ToolUseBlock(name='Bash', input={'command': "echo 'hi'"})], ok=True)`,
      `Function(arguments='{"command":"echo \\'hi\\'"}', name='Bash')`.replaceAll("\\'", '\\x27'),
      `{ type: 'tool_use', name: 'Bash', input: { command: "echo 'hi'" } }`,
      `2026-11-25 [debug] ${JSON.stringify({ message: inside })}`,
      `"id": "a", "name": "Bash", "input": {"command": "echo 'hi'"},`,
      JSON.stringify({ toolUse: { toolUseId: 't', name: 'Bash', input: bash.arguments } }),
      JSON.stringify({ type: 'tool-call', toolCallId: 'c', toolName: 'Bash', args: bash.arguments }),
      JSON.stringify({ id: 'c', function: 'Bash', arguments: bash.arguments }),
      JSON.stringify({ tool_calls: [{ name: 'Bash', parameters: bash.arguments }] }),
      JSON.stringify({ name: 'Bash', kwargs: bash.arguments }),
    ];
    for (const text of texts) {
      const { turn, domain } = read(text);
      assert.deepEqual([turn, domain], [{ kind: 'tool', ...bash }, 'swe'], text);
    }
    const keys = { kind: 'keystrokes', keystrokes: [{ keystrokes: 'ls\n', duration: 0.5 }] };
    for (const value of [keys.keystrokes, { plan: 'look', commands: keys.keystrokes }])
      assert.deepEqual([read(JSON.stringify(value)).turn, read(JSON.stringify(value)).domain], [keys, 'terminal']);
  });

  test('a server of MCP that reads files answers as one, and a step has the domain that it tells', () => {
    const files = { name: 'read_file', arguments: { path: '/etc/hosts' } };
    assert.equal(read(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: files })).domain, 'mcp');
    const prompts = { jsonrpc: '2.0', id: 1, method: 'prompts/get', params: files };
    assert.ok('problem' in readAskedCall(JSON.stringify(prompts)));
    const step = (turn: object) => ({
      version: 1,
      id: 's',
      trajectory: 't',
      action: { kind: 'turn', domain: 'android', turn },
    });
    const tap = read(JSON.stringify(step({ kind: 'text', text: 'tap(1, 2)' })));
    assert.deepEqual([tap.turn, tap.domain, tap.name], [{ kind: 'text', text: 'tap(1, 2)' }, 'android', 'act']);
  });

  test('of several calls one is chosen; what stands behind it does not count', () => {
    const calls = ['x', 'y', 'z'].map((id) => ({ type: 'tool_use', id, name: 'Read', input: { file_path: id } }));
    const text = JSON.stringify([...calls, { type: 'tool_result', tool_use_id: 'x', content: 'seen' }]);
    assert.deepEqual(read(text).open, [
      { at: 1, name: 'Read', arguments: '{"file_path":"y"}' },
      { at: 2, name: 'Read', arguments: '{"file_path":"z"}' },
    ]);
    const second = readAskedCall(text, { at: 1 });
    assert.ok(!('problem' in second));
    assert.deepEqual(second.turn.kind === 'tool' && second.turn.arguments, { file_path: 'y' });
    assert.deepEqual(
      second.steps.map(({ observation }) => observation?.text),
      ['seen', undefined],
    );
  });

  test('the call around a place, over many lines', () => {
    const chat = JSON.stringify(
      [{ content: [{ type: 'tool_use', name: 'Bash', input: { command: 'ls' } }] }, { name: 'x' }],
      undefined,
      2,
    );
    const found = callAround(chat, chat.indexOf('"ls"'));
    assert.equal(read(found ?? '').name, 'Bash');
    assert.ok(found?.startsWith('{'));
    assert.equal(callAround(chat, chat.indexOf('"x"')), chat);
    assert.equal(callAround('{"a": 1}', 3), undefined);
  });

  test('a call that is cut off is said to be, and no half of it is taken', () => {
    for (const text of [
      '{"type":"tool_use","name":"Bash","input":{"command":"npm te',
      `Bash(name='Bash', input={'command': 'np`,
    ]) {
      const asked = readAskedCall(text);
      assert.ok('problem' in asked && /cut off/.test(asked.problem), text);
    }
  });

  test('what is no call is refused in one sentence', () => {
    for (const text of ['', 'git status', '{"a": 1}', '{"role":"user","content":"hi"}', '[[[[', '{"name":"x"}']) {
      const asked = readAskedCall(text);
      assert.ok('problem' in asked && /select one as JSON/.test(asked.problem), text);
    }
    assert.ok('problem' in readAskedCall('['.repeat(100_000)));
  });

  test('the prompt has the tools and no secret', async () => {
    const secret = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3hJ6'}`;
    const asked = read(
      JSON.stringify({
        tools: [{ name: 'login' }],
        tool_calls: [{ function: { name: 'login', arguments: { token: secret } } }],
      }),
    );
    const prompt = await promptOfCall(asked);
    assert.ok(!JSON.stringify(prompt).includes(secret));
    assert.ok('values' in prompt && prompt.values?.tool_definitions === '{"name":"login"}');
  });
});
