import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { actionOfCall, agentTools, callsInText } from '../../../src/core/loop/agentTools.ts';
import { replay } from '../../../src/core/loop/replay.ts';
import { type AgentOptions, runAgent } from '../../../src/core/loop/runAgent.ts';
import { createOpenAiProvider } from '../../../src/core/worlds/language/client/client.ts';
import type { CompletionEvent } from '../../../src/core/worlds/language/client/provider.ts';
import { type Reply, type ServerOptions, startServer } from '../../cassettes/server.ts';
import { type LoopFixture, makeFolder, openLoop, seen } from './loopFixture.ts';

const shell = (command: string): Reply => ({
  content: '',
  calls: [{ name: 'run_shell_command', arguments: JSON.stringify({ command }) }],
});
const finish: Reply = { content: 'Done.', calls: [{ name: 'finish', arguments: '{"summary":"It is done."}' }] };
const envelope = (command: string, output: string, exitCode = 0) =>
  `Command: ${command}\nDirectory: (root)\nOutput: ${output}\nError: (none)\nExit Code: ${exitCode}\nSignal: (none)\nBackground PIDs: (none)\nProcess Group PGID: (none)`;

async function act(
  context: TestContext,
  agent: Partial<ServerOptions>,
  { loop, ...options }: Partial<AgentOptions> & { loop?: LoopFixture } = {},
) {
  const fixture = loop ?? (await openLoop(context, { replies: [seen(envelope('ls', 'a.txt'))] }));
  const server = await startServer({ dialect: 'vllm', ...agent });
  context.after(() => server.close());
  const run = await runAgent({
    provider: createOpenAiProvider({ baseUrl: server.baseUrl }),
    environment: fixture.environment,
    start: { domain: 'swe' },
    task: 'List the files.',
    turns: 10,
    signal: new AbortController().signal,
    ...options,
  });
  return { run, server, ...fixture };
}

describe('an agent in the simulated environment', () => {
  test('calls tools, sees what came of it, and finishes', async (context) => {
    const { run, server, steps } = await act(context, { replies: [shell('ls'), finish] });
    assert.deepEqual([run.outcome, run.turns, run.summary], ['finished', 1, 'It is done.']);
    const [first, second] = server.completions();
    assert.ok(Array.isArray(first?.body?.['tools']));
    const messages = (second?.body?.['messages'] ?? []) as {
      role: string;
      content: string;
      tool_calls?: { id: string }[];
      tool_call_id?: string;
    }[];
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['system', 'user', 'assistant', 'tool'],
    );
    assert.equal(messages[2]?.tool_calls?.[0]?.id, messages[3]?.tool_call_id);
    assert.match(messages[3]?.content ?? '', /Output: a\.txt/);
    assert.equal(steps.length, 1);
    assert.equal(steps[0]?.note, 'Task: List the files.');
    assert.ok(run.promptTokens > 0);
  });

  test('without tools of the API, the call stands in the text', async (context) => {
    const text = 'I look.\n```json\n{"name": "run_shell_command", "arguments": {"command": "ls"}}\n```';
    const { run, server } = await act(context, {
      replies: [text, text, '<think>{"name":"x"}</think>{"name": "finish", "arguments": {"summary": "ok"}}'],
      faults: [{ kind: 'status', status: 400, message: 'tools are not supported' }],
    });
    assert.deepEqual([run.outcome, run.turns], ['finished', 1]);
    assert.equal(server.completions().at(-1)?.body?.['tools'], undefined);
    assert.match(JSON.stringify(server.completions().at(-1)?.body), /What came of it/);
  });

  test('at a terminal, keys are typed', async (context) => {
    const loop = await openLoop(context, { replies: [seen('user@host:~$ ls\na\nuser@host:~$')] });
    const type: Reply = {
      content: '',
      calls: [{ name: 'type_keys', arguments: '{"keystrokes":[{"keystrokes":"ls\\n"}]}' }],
    };
    const { run } = await act(context, { replies: [type, finish] }, { loop, start: { domain: 'terminal' } });
    assert.deepEqual([run.outcome, run.turns], ['finished', 1]);
    assert.deepEqual(loop.steps[0]?.action, {
      kind: 'turn',
      domain: 'terminal',
      turn: { kind: 'keystrokes', keystrokes: [{ keystrokes: 'ls\n', duration: 1 }] },
    });
  });

  const faults: [string, Partial<ServerOptions>, string, Partial<AgentOptions>?][] = [
    ['never calls a tool', { replies: ['I think about it.'] }, 'no-calls'],
    [
      'calls tools that there are not',
      { replies: [{ content: '', calls: [{ name: 'teleport', arguments: '{}' }] }] },
      'unknown-tools',
    ],
    [
      'calls with broken arguments',
      { replies: [{ content: '', calls: [{ name: 'edit', arguments: '{"a' }] }] },
      'unknown-tools',
    ],
    ['does the same again and again', { replies: [shell('ls')] }, 'loops'],
    ['is cut', { replies: [{ content: 'I will now', finish: 'length' }] }, 'cut'],
    [
      'is cut within a call',
      { replies: [{ content: '', calls: [{ name: 'edit', arguments: '{"a' }], finish: 'length' }] },
      'cut',
    ],
    ['uses its turns up', { replies: [shell('a'), shell('b'), shell('c')] }, 'turns', { turns: 3 }],
    ['has a server that fails', { replies: [''], faults: [{ kind: 'status', status: 401, message: 'no' }] }, 'failed'],
  ];
  for (const [name, server, outcome, options] of faults) {
    test(`that ${name} ends as ${outcome}`, async (context) => {
      const { run } = await act(context, server, options);
      assert.equal(run.outcome, outcome);
      assert.match(run.sentence, /^\S.*\.$/);
    });
  }

  test('cancelling ends it', async (context) => {
    const abort = new AbortController();
    const { run } = await act(
      context,
      { replies: [shell('a'), shell('b'), shell('c')] },
      {
        signal: abort.signal,
        onTurn: () => abort.abort(),
      },
    );
    assert.deepEqual([run.outcome, run.turns], ['cancelled', 1]);
  });
});

describe('calls of tools', () => {
  for (const dialect of ['vllm', 'llama.cpp', 'ollama', 'sglang'] as const) {
    test(`come in pieces from ${dialect}`, async (context) => {
      const calls = [
        { name: 'Read', arguments: '{"file_path": "/a/ü"}' },
        { name: 'Bash', arguments: '{}' },
      ];
      const server = await startServer({ dialect, replies: [{ content: 'two', calls }] });
      context.after(() => server.close());
      const provider = createOpenAiProvider({ baseUrl: server.baseUrl });
      const events: CompletionEvent[] = [];
      const tools = agentTools('swe', 'claude');
      const messages = [{ role: 'user' as const, content: 'go' }];
      const { signal } = new AbortController();
      for await (const event of provider.complete({ messages, tools, signal })) events.push(event);
      const found = events.flatMap((event) =>
        event.type === 'call' ? [{ name: event.name, arguments: event.arguments }] : [],
      );
      assert.deepEqual(found, calls);
      assert.deepEqual(events.at(-1)?.type, 'finished');
    });
  }
  test('in a text: the last one that is a call', () => {
    const names = (text: string) => callsInText(text).map((one) => one.name);
    assert.deepEqual(names('```json\n{"name":"a"}\n```\nthen\n```json\n{"name":"b","arguments":{"x":"}"}}\n```'), [
      'b',
    ]);
    assert.deepEqual(names('<tool_call>\n{"name": "c", "arguments": {}}\n</tool_call>'), ['c']);
    assert.deepEqual(names('so: {"name": "d", "arguments": {"q": {"name": "inner"}}}'), ['d']);
    assert.deepEqual(names('nothing {"x": 1} here'), []);
    assert.deepEqual(names('{'.repeat(5000)), []);
  });
  test('become actions', () => {
    const tools = agentTools('android', 'qwen');
    assert.deepEqual(actionOfCall({ id: '', name: 'act', arguments: '{"action":"tap"}' }, tools), { action: 'tap' });
    assert.deepEqual(actionOfCall({ id: '', name: 'finish', arguments: '' }, tools), { finished: '' });
    assert.ok('problem' in actionOfCall({ id: '', name: 'act', arguments: '[]' }, tools));
  });
});

describe('imagination against the confined rehearsal', () => {
  test('the same actions in the real workspace show where they part', async (context) => {
    const folder = makeFolder(context);
    const calls: Reply[] = [
      shell('cat b.txt'),
      {
        content: '',
        calls: [
          {
            name: 'write_file',
            arguments: JSON.stringify({ file_path: path.join(folder, 'new.txt'), content: 'fresh\n' }),
          },
        ],
      },
      {
        content: '',
        calls: [{ name: 'read_file', arguments: JSON.stringify({ absolute_path: path.join(folder, 'new.txt') }) }],
      },
      shell('wc -l a.txt'),
      { content: '', calls: [{ name: 'glob', arguments: '{"pattern":"*"}' }] },
      finish,
    ];
    const loop = await openLoop(context, {
      replies: [
        seen(envelope('cat b.txt', 'gamma')),
        seen(`Successfully created and wrote to new file: ${path.join(folder, 'new.txt')}.`),
        seen('fresh'),
        seen(envelope('wc -l a.txt', '17 a.txt')),
        seen('a.txt'),
      ],
    });
    const { run, steps, foretell } = await act(context, { replies: calls }, { loop });
    assert.equal(run.outcome, 'finished');
    const result = await replay(steps, { foretell, cwd: folder, signal: new AbortController().signal });
    assert.deepEqual(
      result.steps.map(({ score, difference, why }) => (why ? '?' : difference ? '≠' : score ? '=' : '!')),
      ['=', '=', '=', '≠', '?'],
    );
    assert.equal(result.partsAt, 3);
    assert.deepEqual([result.compared, result.same], [4, 3]);
    assert.deepEqual(result.steps[3]?.difference, { line: 1, imagined: '17 a.txt', real: '2 a.txt' });
    assert.match(result.steps[3]?.step.observation?.text ?? '', /Output: 2 a\.txt/);
    assert.ok((result.steps[3]?.step.scores?.factual?.score ?? 1) < 1);
    assert.equal(fs.existsSync(path.join(folder, 'new.txt')), false, 'nothing was done');
  });

  test('at a terminal the shell goes on, and what is no command line is left out', async (context) => {
    const folder = makeFolder(context);
    const typed = (keystrokes: string) => ({ keystrokes, duration: 1 });
    const loop = await openLoop(context, {
      answer: (body) => {
        const messages = body['messages'] as { content: string }[];
        const last = messages.at(-1)?.content ?? '';
        const command = /"keystrokes": "(.*)\\n"/.exec(last)?.[1] ?? '';
        return seen(`user@host:/w$ ${command}\n${command.startsWith('echo') ? '1' : ''}\nuser@host:/w$`);
      },
    });
    const started = await loop.environment.start({ domain: 'terminal', initialState: 'user@host:/w$' });
    assert.ok(started.ok);
    for (const keys of ['x=1\n', 'echo $x\n', 'C-c', 'node server.js\n'])
      await loop.environment.step(started.id, [typed(keys)]);
    const result = await replay(loop.steps, {
      foretell: loop.foretell,
      cwd: folder,
      signal: new AbortController().signal,
    });
    assert.equal(result.steps[1]?.difference, undefined, 'the variable is still there');
    assert.match(result.steps[2]?.why ?? '', /no command line/);
    assert.match(result.steps[3]?.why ?? '', /is not known/);
    assert.equal(result.steps[3]?.step.observation, undefined);
  });
});
