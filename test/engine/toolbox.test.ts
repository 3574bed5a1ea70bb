import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import type { BadArguments, ToolReply } from '../../src/core/toolbox/tool.ts';
import { createToolSessions, mostSessions } from '../../src/core/toolbox/toolSessions.ts';
import { tools } from '../../src/core/toolbox/tools.ts';
import { patchText } from '../../src/core/view/patchText.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

const { foretell, folder, workspace } = throwAwayForetell('toolbox');
const sessions = createToolSessions(foretell);
after(() => sessions.closeAll());

async function call(name: string, input: object, cwd: string): Promise<ToolReply & Partial<BadArguments>> {
  const tool = tools.find((one) => one.name === name);
  assert.ok(tool, name);
  const told: string[] = [];
  const reply = await tool.call(input, {
    ...{ foretell, sessions, cwd, shell: 'bash', mostCharacters: 8_000 },
    requestIn: () => ({ hash: true, trusted: true }),
    progress: (text) => told.push(text),
    signal: new AbortController().signal,
  });
  return 'problem' in reply ? { text: '', ...reply } : reply;
}

/** The data of a reply, as whoever reads JSON has it. */
// biome-ignore lint/suspicious/noExplicitAny: what a test reads of JSON, it asserts.
const dataOf = ({ structured }: ToolReply): any => JSON.parse(JSON.stringify(structured));

test('a plan is told step by step, with its first danger and what it comes to', async () => {
  const cwd = workspace({ 'a.txt': 'one\ntwo\n', 'old/x': 'x\n', keep: 'k\n' });
  const steps = [
    { command: 'cp a.txt b.txt && cd old' },
    { edit: { name: 'Edit', arguments: { file_path: `${cwd}/a.txt`, old_string: 'two', new_string: 'three' } } },
    { command: 'pwd; rm ../b.txt; rm -rf ../old' },
    // The folder in which the step before ended is gone.
    { command: 'mv keep kept; cat a.txt; false' },
  ];
  const reply = await call('predict_plan', { steps }, cwd);
  assert.equal(reply.problem, undefined);
  const { text } = reply;
  assert.match(text, /^4 steps, first danger: step 3 \(pwd; rm \.\.\/b\.txt; rm -rf \.\.\/old\)$/m);
  assert.match(text, /^4\. mv/m);
  assert.match(text, /^-two\n\+three$/m);
  const data = dataOf(reply);
  assert.equal(data.firstDanger, 3, text);
  assert.equal(data.steps.length, 4);
  assert.equal(data.steps[2].output[0].text, `${cwd}/old\n`);
  assert.match(data.steps[3].output[0].text, /^one\nthree\n$/);
  assert.equal(data.steps[3].exitCode, 1);
  const net = data.composite.files.map(
    (file: { change: string; path: string }) => `${file.change} ${path.basename(file.path)}`,
  );
  // What came and went again is no change.
  assert.deepEqual(net.sort(), ['created kept', 'deleted keep', 'deleted old', 'deleted x', 'modified a.txt']);
  assert.equal(fs.readFileSync(`${cwd}/a.txt`, 'utf8'), 'one\ntwo\n');
});

test('steps that cannot be meant are refused by their number', async () => {
  const cwd = workspace({ a: 'a\n' });
  for (const [steps, sentence] of [
    [[{ command: 'ls' }, {}], /^Step 2 has neither/],
    [[{ command: 'ls', edit: 'x' }], /^Step 1 has both/],
    [[{ command: 'ls' }, { edit: 'no patch' }], /^Step 2: /],
    [[], /at least 1/],
    [Array.from({ length: 21 }, () => ({ command: 'ls' })), /at most 20/],
    [[{ command: 'ls', cwd: '/' }], /steps\.0.* has no argument cwd/],
  ] as const) {
    assert.match((await call('predict_plan', { steps }, cwd)).problem ?? '', sentence);
  }
});

test('a plan that comes back to where it began changes nothing', async () => {
  const cwd = workspace({ 'a.txt': 'one\n', 'd/e': 'e\n' });
  const steps = [
    { command: 'mv a.txt b.txt; chmod 600 d/e' },
    { command: 'mv b.txt a.txt; chmod 644 d/e; touch new' },
    { command: 'rm new' },
  ];
  const reply = await call('predict_plan', { steps }, cwd);
  assert.deepEqual(dataOf(reply).composite, { files: [], diff: '' });
  assert.match(reply.text, /^In the end no file is different\.$/m);
});

test('an edit tells the reply of its tool, new errors, and what a command then does', async () => {
  const cwd = workspace({ 'a.json': '{"a": 1}\n' });
  const edit = { name: 'Edit', arguments: { file_path: `${cwd}/a.json`, old_string: '1}', new_string: '1,}' } };
  // biome-ignore lint/suspicious/noThenProperty: it is the name of an argument.
  const reply = await call('predict_edit', { edit, agent: 'claude@2.1.330', then: 'cat a.json' }, cwd);
  assert.match(reply.text, /^The edit\n1 NEW ERROR /);
  assert.match(reply.text, /has been updated/);
  assert.match(reply.text, /^Then the command\nSAFE /m);
  assert.equal(dataOf(reply).then.output[0].text, '{"a": 1,}\n');
  const patch = '--- a/a.json\n+++ b/a.json\n@@ -1 +1 @@\n-{"b": 1}\n+{"b": 2}\n';
  const failing = await call('predict_edit', { edit: patch }, cwd);
  assert.match(failing.text, /^FAILS /);
  assert.match((await call('predict_edit', { edit: '' }, cwd)).problem ?? '', /no edit/);
});

test('however much a command does, the text keeps its limit and the lists are counted', async () => {
  const cwd = workspace({ a: 'a\n' });
  const script =
    'mkdir many; for i in $(seq 400); do echo "line $i" > "many/a long name of a file, number $i"; done; seq 5000; rm -rf ../none';
  const made = await call('predict_command', { command: script }, cwd);
  assert.ok(made.text.length <= 8_000, `${made.text.length}`);
  assert.match(made.text, /\(the last 40 of 5,000 lines\)\n(?:.*\n)*? {2}5000\n/);
  assert.match(made.text, /^\+line 1$/m);
  const data = dataOf(made);
  assert.equal(data.files.length, 200);
  assert.equal(data.omitted.files, 201);
  fs.mkdirSync(`${cwd}/real`);
  for (let at = 0; at < 300; at += 1) fs.writeFileSync(`${cwd}/real/file with a long name ${at}`, `${at}\n`);
  const lost = await call('predict_command', { command: 'rm -rf real', session: 'new' }, cwd);
  assert.ok(lost.text.length <= 8_000, `${lost.text.length}`);
  assert.match(lost.text, /^ {2}\(\d+ more lines left out\)$/m);
  const explained = await call(
    'explain_loss',
    {
      paths: [
        'real',
        ...fs
          .readdirSync(`${cwd}/real`)
          .slice(0, 40)
          .map((name) => `real/${name}`),
      ],
    },
    cwd,
  );
  assert.ok(explained.text.length <= 8_000, `${explained.text.length}`);
  assert.match(explained.text, /real: 300 files: 300 would be lost for good\.$/m);
});

test('a new session beyond the most closes the one that was not used for the longest time', async () => {
  const cwd = workspace({ a: 'a\n' });
  const handles: string[] = [];
  for (let at = 0; at <= mostSessions; at += 1) {
    // The first one is used again, so the second is the oldest.
    if (at === mostSessions) assert.ok(sessions.find(handles[0] ?? ''));
    handles.push(sessions.open().handle);
  }
  assert.equal(sessions.find(handles[1] ?? ''), undefined);
  assert.match(
    (await call('predict_command', { command: 'ls', session: handles[1] }, cwd)).problem ?? '',
    /no open session/,
  );
  assert.equal((await call('predict_command', { command: 'cat a', session: handles[0] }, cwd)).isError, undefined);
  await sessions.closeAll();
});

test('patch makes of each text what the diff says', () => {
  const random = (seed: number) => () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31;
  };
  const next = random(7);
  const place = path.join(folder, 'patched');
  fs.mkdirSync(place);
  for (let round = 0; round < 40; round += 1) {
    const lines = Array.from({ length: Math.floor(next() * 40) }, () => `l${Math.floor(next() * 6)}\n`);
    const changed = lines.flatMap((line) =>
      next() < 0.15 ? [] : next() < 0.2 ? [line, `n${Math.floor(next() * 9)}\n`] : [line],
    );
    const ends = (all: string[]) => all.join('').slice(0, next() < 0.3 ? -1 : undefined);
    const [before, after] = [ends(lines), ends(changed)];
    const { text, added, removed } = patchText('f', before, after);
    if (before === after) {
      assert.equal(text, '');
      continue;
    }
    fs.writeFileSync(path.join(place, 'f'), before);
    execFileSync('patch', ['-p0', '--silent', '--fuzz=0'], { cwd: place, input: text });
    assert.equal(fs.existsSync(path.join(place, 'f')) ? fs.readFileSync(path.join(place, 'f'), 'utf8') : '', after);
    const body = text.split('\n').slice(2);
    assert.equal(body.filter((line) => line.startsWith('+')).length, added);
    assert.equal(body.filter((line) => line.startsWith('-')).length, removed);
  }
});

test('commands are compared: which leave the same, and which loses nothing', async () => {
  const cwd = workspace({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
  const commands = ['mv a.txt c.txt', 'cp a.txt c.txt && rm a.txt', 'rm a.txt'];
  const reply = await call('compare_commands', { commands }, cwd);
  const data = dataOf(reply);
  assert.equal(data.agreeing, 2);
  assert.equal(data.best, 0);
  const of = (index: number) => data.alternatives.find((one: { index: number }) => one.index === index);
  assert.deepEqual([of(0).sameState, of(1).sameState, of(2).sameState], [true, true, false]);
  assert.equal(of(2).losses.forGood, 1);
  for (const command of commands) assert.ok(reply.text.includes(command), reply.text);
  assert.match(reply.text, /1 thing lost for good/);
  assert.match((await call('compare_commands', { commands: ['ls'] }, cwd)).problem ?? '', /at least 2/);
});
