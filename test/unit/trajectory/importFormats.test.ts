import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { exportTrajectory } from '../../../src/core/trajectory/exportTrajectory.ts';
import { readTrajectory, trajectoryText } from '../../../src/core/trajectory/file/trajectoryFile.ts';
import { importTrajectory, recognise } from '../../../src/core/trajectory/importTrajectory.ts';
import { stepMessagesOf, type TrajectoryStep } from '../../../src/core/trajectory/step/step.ts';
import { fromAgentWorldRow } from '../../../src/core/worlds/language/prompt/promptRow.ts';
import { renderObservation, renderTurn } from '../../../src/core/worlds/language/prompt/turns/turnText.ts';
import { seeded } from '../language/seeded.ts';

import { commandOf, fixture, folder, imported, outputOf } from './samples.ts';

test('every sample is recognised by what is in it', () => {
  const found = fs
    .readdirSync(folder)
    .filter((name) => name !== 'README.md')
    .map((name) => [name, recognise(fixture(name))]);
  assert.ok(found.length >= 11);
  for (const [name = '', format] of found) assert.ok(name.startsWith(String(format)), `${name}: ${format}`);
  const [log] = [{ history: [{ role: 'user', content: 'q' }] }];
  for (const text of [JSON.stringify(log), JSON.stringify(log, null, 2), `{"history": [\n{"role":"user"}\n]}`]) {
    assert.equal(recognise(text), 'swe-agent');
  }
  assert.equal(recognise('[{"role":\n"user","content":"q"}]'), 'openai');
  for (const text of ['', 'hello', '{}', '[]', '[1]', '{"a":1}\n{"b":2}', '\n\n'])
    assert.equal(recognise(text), undefined);
});

test('a session of Claude Code: what was asked, the call, what came of it', async () => {
  const { steps, problems, format } = await imported(fixture('claude-code-session.jsonl'));
  assert.equal(format, 'claude-code');
  assert.deepEqual(problems, []);
  const [step] = steps;
  assert.equal(steps.length, 1);
  assert.equal(step?.trajectory, '2b4ed4c0-b905-41de-9238-273db3ec737a');
  assert.equal(step?.agent?.model, 'claude-opus-4-5-20251101');
  assert.match(step?.observation?.text ?? '', /^Claude requested permissions/);
  // The two records of one reply are one message.
  assert.deepEqual(
    step?.agent?.messages?.map(({ role }) => role),
    ['user', 'assistant'],
  );
  const bash = await imported(fixture('claude-code-bash.jsonl'));
  assert.deepEqual(bash.steps[0]?.observation?.known, ['output', 'exitCode']);
  assert.equal(bash.steps[0]?.observation?.facts?.exitCode, 0);
  const summed = await imported(fixture('claude-code-representative.jsonl'));
  assert.match(summed.steps[0]?.note ?? '', /^User learned about Python decorators/);
  assert.equal(summed.steps[0]?.observation?.text, 'Hello, Alice!\nHello, Alice!\nHello, Alice!');
  assert.equal(summed.steps[0]?.observation?.facts, undefined);
});

test('what a sub-agent did is a trajectory of its own', async () => {
  const { steps, problems } = await imported(fixture('claude-code-sidechain.jsonl'));
  const session = '88a8d761-7b9a-4bf1-a8ca-c1febe6bf358';
  assert.deepEqual(
    steps.map(({ trajectory, action }) => [
      trajectory,
      action.kind === 'turn' && action.turn.kind === 'tool' && action.turn.name,
    ]),
    [
      [session, 'Task'],
      [`${session}/b674eedd-0d9d-49e7-8116-1f092cd750ed`, 'Grep'],
    ],
  );
  // The sample leaves out the call of one result.
  assert.deepEqual(
    problems.map(({ line }) => line),
    [5],
  );
});

test('Bash in a session: failures, interruptions and going back', async () => {
  const record = (uuid: string, parentUuid: string | null, more: object) =>
    JSON.stringify({ uuid, parentUuid, sessionId: 's', cwd: '/w', isSidechain: false, ...more });
  const call = (uuid: string, parent: string | null, id: string) =>
    record(uuid, parent, {
      type: 'assistant',
      message: {
        id: uuid,
        role: 'assistant',
        content: [{ type: 'tool_use', id, name: 'Bash', input: { command: id } }],
      },
    });
  const result = (uuid: string, parent: string, id: string, content: string, isError: boolean, told: unknown) =>
    record(uuid, parent, {
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, is_error: isError }] },
      toolUseResult: told,
    });
  const lines = [
    call('a', null, 'one'),
    result('b', 'a', 'one', 'Exit code 2\nno', true, 'Error: Exit code 2\nno'),
    call('c', 'b', 'two'),
    result('d', 'c', 'two', 'part', false, { stdout: 'part', stderr: 'warn', interrupted: true }),
    call('e', 'b', 'three'),
    result('f', 'e', 'three', '', false, {
      stdout: '',
      stderr: '',
      interrupted: false,
      returnCodeInterpretation: 'No matches found',
    }),
    result('f', 'e', 'three', '', false, {}),
    'no json',
    '{"a":1}',
  ];
  const { steps, problems } = await imported(lines.join('\n'));
  assert.deepEqual(
    steps.map(({ observation }) => observation?.facts?.exitCode),
    [2, undefined, undefined],
  );
  assert.deepEqual(steps.map(outputOf), ['', 'part!warn', '']);
  assert.deepEqual(
    steps.map(({ id, after }) => [id, after]),
    [
      ['s#1', undefined],
      ['s#2', 's#1'],
      ['s#3', 's#1'],
    ],
  );
  assert.deepEqual(
    problems.map(({ line }) => line),
    [8, 9],
  );
});

test('a log of SWE-agent, with calls of tools and with commands', async () => {
  const calls = await imported(fixture('swe-agent-function-calling.traj'));
  assert.deepEqual(calls.steps.map(commandOf), ['find_file', 'bash', 'submit']);
  assert.match(calls.steps[1]?.observation?.text ?? '', /^8\.2\n/);
  const { steps, problems } = await imported(fixture('swe-agent-thought-action.traj'));
  assert.deepEqual(problems, []);
  assert.equal(steps.length, 4);
  assert.deepEqual(steps[0]?.action, {
    kind: 'turn',
    domain: 'swe',
    turn: { kind: 'tool', name: 'execute_bash', arguments: { command: 'ls -a' } },
    cwd: '/swe-bench__humanevalfix-python',
  });
  assert.equal(steps[0]?.observation?.text, '.\n..\n.git\nmain.py\n');
  const back = JSON.parse(exportTrajectory(steps, 'swe-agent').text);
  const source = JSON.parse(fixture('swe-agent-thought-action.traj'));
  assert.deepEqual(back.trajectory, source.trajectory);
  assert.equal(back.environment, source.environment);
});

test('chats of OpenAI come back message for message, parallel calls too', async () => {
  const text = fixture('openai-agent-messages.jsonl');
  const { steps } = await imported(text);
  assert.deepEqual(
    steps.map(({ after }) => after !== undefined),
    [false, true, true, false],
  );
  const values = (jsonl: string) =>
    jsonl
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const exported = exportTrajectory(steps, 'openai');
  assert.deepEqual(values(exported.text), values(text));
  assert.deepEqual(exported.problems, []);
});

test('random chats of OpenAI come back message for message', async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const { below, pick } = seeded(seed);
    const messages: Record<string, unknown>[] = [{ role: 'system', content: 'You act.' }];
    let calls = 0;
    for (let turn = 0; turn < 2 + below(4); turn++) {
      if (below(2) === 0) messages.push({ role: 'user', content: pick(['go on', 'é\n"x"', '']) });
      const made = Array.from({ length: 1 + below(3) }, () => ({
        id: `c${++calls}`,
        type: 'function',
        function: {
          name: pick(['bash', 'look']),
          arguments: pick(['{"command": "ls"}', '{}', '', 'not json', '{"a":[1,{"b":null}]}']),
        },
      }));
      messages.push({ role: 'assistant', content: pick([null, 'I call.']), tool_calls: made });
      const answered = made.slice(0, made.length - (turn === 0 ? 0 : below(2)));
      if (below(2) === 0) answered.reverse();
      for (const { id } of answered) {
        messages.push({
          role: 'tool',
          tool_call_id: id,
          content: pick(['done\n', '', 'x']),
          ...pick([{}, { name: 'bash' }]),
        });
      }
    }
    if (below(2) === 0) messages.push({ role: 'assistant', content: 'Ready.' });
    const chat = { messages, parallel_tool_calls: true };
    const { steps } = await imported(JSON.stringify(below(2) === 0 ? chat : messages));
    assert.equal(steps.length, calls);
    assert.deepEqual(JSON.parse(exportTrajectory(steps, 'openai').text).messages, messages, `seed ${seed}`);
  }
});

test('older calls, strange results and chats without calls are read or told', async () => {
  const chat = [
    { role: 'user', content: 'q' },
    { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{"a":1}' } },
    { role: 'function', name: 'f', content: '3' },
    { role: 'tool', tool_call_id: 'lost', content: 'x' },
  ];
  const { steps, problems } = await imported(JSON.stringify(chat));
  assert.deepEqual(steps.map(commandOf), ['f']);
  assert.equal(steps[0]?.observation?.text, '3');
  assert.match(problems[0]?.message ?? '', /lost.*no call/);
  const lines = `${JSON.stringify({ messages: chat.slice(0, 1) })}\noops\n${JSON.stringify({ messages: chat })}`;
  const many = await imported(lines);
  assert.deepEqual(
    many.problems.map(({ line }) => line),
    [1, 2, 3],
  );
  assert.equal(many.steps[0]?.trajectory, 'file-3');
});

function randomRow(seed: number): Record<string, unknown> {
  const { below, pick } = seeded(seed);
  const turns = 1 + below(6);
  const actions = [
    {
      kind: 'keystrokes' as const,
      keystrokes: [
        { keystrokes: 'ls -la\n', duration: 0.1 },
        { keystrokes: 'C-c', duration: 2 },
      ],
    },
    { kind: 'tool' as const, name: 'read_file', arguments: { absolute_path: '/a `b`', deep: { x: [1, '"'] } } },
    { kind: 'text' as const, text: 'tap(10, 20)\n```json\n[broken\n```' },
  ];
  const prompt = Array.from({ length: turns }, (_, index) => {
    const text = renderTurn(index + 1, pick(actions), index === 0 ? 'root@h:/app# ' : undefined);
    return index === turns - 1 ? text + pick(['', '\n\nThink, then answer in <predicted_observation>.']) : text;
  });
  const response = Array.from({ length: turns - below(2) }, () =>
    pick([renderObservation('out\n'), renderObservation(''), 'bare', '']),
  );
  const turnIndex = pick([turns, turns, 1 + below(turns + 1), 0]);
  return {
    task: pick(['terminal', 'lwm/swe', 'android']),
    id: pick([seed, `row-${seed}`]),
    prompt,
    response,
    current_prompt: pick([prompt.at(-1), 'another', '']),
    system_str: pick(['You are a terminal.', '']),
    turn_idx: turnIndex,
    total_turns: turns,
    ...pick([{}, { source: 'x', extra: { a: null } }]),
  };
}

test('rows of AgentWorldBench give the same rows and the same messages back', async () => {
  const rows = Array.from({ length: 400 }, (_, index) => randomRow(index + 1));
  const readable = rows.filter((row) => fromAgentWorldRow(row).ok);
  assert.ok(readable.length > 300 && readable.length < rows.length);
  const text = rows.map((row) => JSON.stringify(row)).join('\n');
  const { steps, problems, redacted } = await imported(text);
  assert.equal(problems.length, rows.length - readable.length);
  assert.deepEqual(redacted, []);
  const saved = readTrajectory(trajectoryText(steps)).lines.flatMap((line) =>
    line.kind === 'step' ? [line.step] : [],
  );
  const back = exportTrajectory(saved, 'agentworld')
    .text.trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(back, readable);
  back.forEach((row, index) => {
    const again = fromAgentWorldRow(row);
    const first = fromAgentWorldRow(readable[index]);
    assert.ok(again.ok && first.ok);
    assert.deepEqual(again.messages, first.messages);
  });
});

test('the turns of a row are parsed where their fence can be read', async () => {
  const turn = (action: Parameters<typeof renderTurn>[1], number = 1) => renderTurn(number, action, 'screen $');
  const keystrokes = { kind: 'keystrokes' as const, keystrokes: [{ keystrokes: 'pwd\n', duration: 0.1 }] };
  const tool = {
    kind: 'tool' as const,
    name: 'edit',
    arguments: { file_path: '/x', old_string: '```json\n**Action:**' },
  };
  const row = {
    task: 'swe',
    id: 1,
    system_str: 's',
    prompt: [turn(keystrokes), turn(tool, 2), '### Turn 3\n**Action:**\nclick("a")'],
    response: [renderObservation('a'), renderObservation('b'), renderObservation('c')],
    turn_idx: 3,
  };
  const { steps } = await imported(JSON.stringify(row));
  assert.deepEqual(
    steps.map(({ action }) => action.kind === 'turn' && action.turn),
    [keystrokes, tool, { kind: 'text', text: 'click("a")' }],
  );
  assert.equal(steps[0]?.state, 'screen $');
  assert.deepEqual(
    steps.map(({ observation }) => observation?.text),
    ['a', 'b', 'c'],
  );
  assert.equal(stepMessagesOf(steps, steps[2] as TrajectoryStep)?.length, 6);
  // What the steps say already is not kept twice.
  const bare = await imported(JSON.stringify({ ...row, response: [...row.response.slice(0, 2), 'bare'] }));
  assert.deepEqual(bare.steps[2]?.row, { truth: 'bare', id: 1 });
  const chat = exportTrajectory(steps, 'openai').text;
  const again = await imported(chat);
  assert.deepEqual(
    again.steps.map(({ action }) => action.kind === 'turn' && action.turn),
    steps.map(({ action }) => action.kind === 'turn' && action.turn),
  );
});

test('recorded commands become rows and chats, and come back from a recording', async () => {
  const commands = [
    { command: 'ls', cwd: '/w x', output: 'a\nb\n', exitCode: 0, shell: 'bash', at: '2026-01-02T03:04:05.000Z' },
    { command: 'cat <<E\nhi\nE', cwd: '/w x', output: 'hi\n', exitCode: 1, shell: 'bash' },
  ];
  const { steps, format } = await imported(commands.map((one) => JSON.stringify(one)).join('\n'), 'mine.jsonl');
  assert.equal(format, 'terminal');
  assert.deepEqual(steps[0]?.action, { kind: 'command', script: 'ls', shell: 'bash', cwd: '/w x' });
  const rows = exportTrajectory(steps, 'agentworld', { templates: { terminal: 'You are a terminal.' } });
  const [, second] = rows.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const read = fromAgentWorldRow(second);
  assert.ok(read.ok);
  assert.deepEqual(
    read.messages.map(({ role }) => role),
    ['system', 'user', 'assistant', 'user'],
  );
  assert.equal(read.messages[2]?.content, renderObservation('a\nb\n'));
  assert.equal(second.response[1], renderObservation('hi\n'));
  const cast = await imported(exportTrajectory(steps, 'asciicast').text);
  assert.deepEqual(cast.steps.map(commandOf), ['ls\n', 'cat <<E\nhi\nE\n']);
  assert.deepEqual(cast.steps.map(outputOf), ['a\nb\n', 'hi\n']);
  assert.deepEqual(
    cast.steps.map(({ observation }) => observation?.facts?.exitCode),
    [0, 1],
  );
  assert.equal(cast.steps[0]?.action.kind === 'turn' && cast.steps[0].action.cwd, '/w x');
  const plain = exportTrajectory(steps, 'terminal')
    .text.trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    plain.map(({ command, output, exitCode }) => [command, output, exitCode]),
    commands.map(({ command, output, exitCode }) => [command, output, exitCode]),
  );
});

test('a session of Claude Code is written so that it is read back', async () => {
  for (const name of [
    'claude-code-session.jsonl',
    'claude-code-bash.jsonl',
    'openai-agent-messages.jsonl',
    'swe-agent-thought-action.traj',
  ]) {
    const { steps } = await imported(fixture(name), name);
    const written = exportTrajectory(steps, 'claude-code');
    assert.deepEqual(written.problems, []);
    const again = await imported(written.text);
    assert.equal(again.format, 'claude-code');
    assert.deepEqual(again.steps.map(commandOf), steps.map(commandOf), name);
    assert.deepEqual(
      again.steps.map(({ observation }) => observation?.text),
      steps.map(({ observation }) => observation?.text),
    );
  }
});

test('secrets are taken out wherever they stand, and counted; rows of a benchmark stay as they are', async () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const chat = [
    { role: 'user', content: `use ${token}` },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: 'c1',
          type: 'function',
          function: { name: 'login', arguments: JSON.stringify({ password: 'hunter2hunter2', user: 'me' }) },
        },
        { id: 'c2', type: 'function', function: { name: 'read_file', arguments: '{"absolute_path":"/w/.env"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'c1', content: `Authorization: Bearer ${token}` },
    { role: 'tool', tool_call_id: 'c2', content: 'PLAIN=zzz-value-9\n' },
  ];
  const { steps, redacted } = await imported(JSON.stringify(chat));
  const text = trajectoryText(steps);
  for (const secret of [token, 'hunter2', 'zzz-value-9']) assert.ok(!text.includes(secret), secret);
  assert.ok(redacted.reduce((sum, { count }) => sum + count, 0) >= 4, JSON.stringify(redacted));
  const [call] = steps;
  assert.ok(call?.action.kind === 'turn' && call.action.turn.kind === 'tool');
  assert.equal(call.action.turn.arguments['user'], 'me');
  const made = JSON.parse(exportTrajectory(steps, 'openai').text).messages[1].tool_calls[0].function.arguments;
  assert.equal(JSON.parse(made).user, 'me');
  const kept = await importTrajectory(JSON.stringify(chat), { redact: false });
  assert.ok(!('failure' in kept) && trajectoryText(kept.steps).includes(token));
});

test('what is in no format is one sentence with a next step', async () => {
  const read = await importTrajectory('hello');
  assert.ok('failure' in read);
  assert.match(read.failure.message, /name one/);
});
