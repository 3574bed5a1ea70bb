import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { asksForTrajectory, runTrajectory } from '../../../src/cli/trajectory.ts';
import { folder as samples } from './samples.ts';

async function run(cwd: string, ...args: string[]) {
  let out = '';
  const told: string[] = [];
  const status = await runTrajectory(args, {
    cwd,
    extensionFolder: process.cwd(),
    say: async (text) => {
      out += text;
    },
    tell: (line) => told.push(line),
  });
  return { status, out, told };
}

test('a program that is called trajectory can still be predicted', () => {
  assert.ok(asksForTrajectory(['trajectory', 'check', 'x']));
  assert.ok(asksForTrajectory(['trajectory']));
  assert.ok(!asksForTrajectory(['trajectory --version']));
  assert.ok(!asksForTrajectory(['trajectory', 'plan']));
});

test('a log is imported, checked and exported, and what is skipped is told', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-'));
  const log = path.join(samples, 'claude-code-sidechain.jsonl');
  const imported = await run(folder, 'import', log, '-o', 'log.trajectory.jsonl');
  assert.equal(imported.status, 1);
  assert.match(imported.told[0] ?? '', /sidechain\.jsonl:5: The result of a tool/);
  assert.equal(imported.told.at(-1), '2 steps out of claude-code.');
  const again = await run(folder, 'import', log, '-o', 'log.trajectory.jsonl');
  assert.equal(again.status, 3);
  assert.match(again.told[0] ?? '', /--force/);
  const checked = await run(folder, 'check', 'log.trajectory.jsonl');
  assert.deepEqual([checked.status, checked.out], [0, '2 steps in 2 trajectories, 0 problems.\n']);
  const exported = await run(folder, 'export', 'log.trajectory.jsonl', '--format', 'openai');
  assert.equal(exported.status, 0);
  assert.equal(JSON.parse(exported.out.split('\n')[0] ?? '').messages.at(-2).role, 'tool');
  const rows = await run(folder, 'export', 'log.trajectory.jsonl', '--format', 'agentworld');
  const template = fs.readFileSync(path.join(process.cwd(), 'prompts/swe/system_prompt.txt'), 'utf8');
  assert.ok(JSON.parse(rows.out).system_str.startsWith(template.slice(0, 60)));
  fs.appendFileSync(path.join(folder, 'log.trajectory.jsonl'), 'oops\n');
  const bad = await run(folder, 'check', 'log.trajectory.jsonl');
  assert.equal(bad.status, 1);
  assert.match(bad.out, /^log\.trajectory\.jsonl:3: This is not JSON/);
  fs.writeFileSync(path.join(folder, 'latin1'), Buffer.from([0xe9]));
  assert.match((await run(folder, 'import', 'latin1')).told[0] ?? '', /not text in UTF-8/);
  fs.rmSync(folder, { recursive: true });
});

test('wrong words get one sentence with a next step', async () => {
  for (const args of [['import'], ['export', 'x'], ['check', 'a', 'b'], ['import', '--nope']]) {
    const { status, told } = await run('/', ...args);
    assert.ok(status === 64 || status === 3, args.join(' '));
    assert.equal(told.length, 1);
    assert.match(told[0] ?? '', /^foretell: .*\.$/);
  }
  assert.equal((await run('/')).status, 64);
  assert.equal((await run('/', '--help')).status, 0);
});
