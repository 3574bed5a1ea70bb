import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { asksForMemory, runMemory } from '../../src/cli/memory.ts';
import { keepRun, makeMemory, memoryFolder, usualLimits } from '../../src/core/worlds/remembered/memoryStore.ts';

const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-memory-cli-')));
after(() => fs.rmSync(root, { recursive: true, force: true }));

const env = { XDG_STATE_HOME: path.join(root, 'state') };
const folder = memoryFolder(env);

async function run(...args: string[]): Promise<{ code: number; said: string; told: string }> {
  let said = '';
  let told = '';
  const say = async (text: string) => {
    said += text;
  };
  const tell = (line: string) => {
    told += line;
  };
  return { code: await runMemory(args, { cwd: root, env, say, tell }), said, told };
}

function keep(script: string, workspace: string): void {
  assert.ok(makeMemory(folder));
  const key = Buffer.from(script.padEnd(32)).toString('hex');
  const kept = { script, cwd: workspace, workspace, madeAt: '2026-11-23T04:00:00.000Z', variables: {}, machine: {} };
  const use = { folder, version: 'test', ...usualLimits };
  keepRun(use, key, { format: 1, ...kept, inputs: [], events: [], contents: [] }, []);
}

test('the words ask for what is remembered; other words are a command of that name', () => {
  for (const args of [['memory'], ['memory', 'list'], ['memory', 'clear', '/a b'], ['memory', '--json']])
    assert.ok(asksForMemory(args), args.join(' '));
  for (const args of [['memory', 'usage.txt'], ['memory clear'], ['cat', 'memory']])
    assert.ok(!asksForMemory(args), args.join(' '));
});

test('what is remembered is listed, and forgotten all or for one workspace', async () => {
  assert.match((await run()).said, /No rehearsal is remembered/);
  keep('npm test', path.join(root, 'a'));
  keep('make', path.join(root, 'b'));
  assert.match((await run('list')).said, /npm test/);
  const { remembered } = JSON.parse((await run('--json')).said);
  assert.deepEqual(remembered.map(({ script }: { script: string }) => script).sort(), ['make', 'npm test']);
  assert.match((await run('clear', 'a')).said, /Forgot 1 rehearsal\./);
  assert.doesNotMatch((await run()).said, /npm test/);
  assert.deepEqual(JSON.parse((await run('clear', '--json')).said), { version: 1, forgotten: 1 });
  assert.equal((await run('list', 'x')).code, 64);
});

test('a folder that others can write, or that is a link, is no memory', () => {
  const open = path.join(root, 'open');
  fs.mkdirSync(open, { mode: 0o777 });
  fs.chmodSync(open, 0o777);
  assert.ok(!makeMemory(open));
  const link = path.join(root, 'link');
  fs.symlinkSync(folder, link);
  assert.ok(!makeMemory(link));
});
