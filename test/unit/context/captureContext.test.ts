import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type CaptureOptions, captureContext } from '../../../src/core/context/captureContext.ts';
import { estimateTokens } from '../../../src/core/context/estimateTokens.ts';
import { createContextMemory } from '../../../src/core/context/gather/contextMemory.ts';
import { homeFolder } from '../../../src/core/context/user.ts';
import type { WorkspaceContext } from '../../../src/core/context/workspaceContext.ts';
import { plainLooker, run } from '../../engine/plainLooker.ts';
import { plantSecrets } from './plantedSecrets.ts';
import { project } from './project.ts';

function capture(cwd: string, script: string, options: Partial<CaptureOptions> = {}): Promise<WorkspaceContext> {
  return captureContext({
    action: { kind: 'command', script, shell: 'bash', cwd },
    looker: plainLooker(),
    workspaceFolders: [cwd],
    cwd,
    home: homeFolder(process.env),
    budgetTokens: 16_000,
    memory: createContextMemory(),
    signal: new AbortController().signal,
    ...options,
  });
}

const shownText = (context: WorkspaceContext) =>
  context.observations.map((one) => `${JSON.stringify(one.look)}\n${one.text}`).join('\n');

test('what the action names, runs and imports is shown, as it is', async () => {
  const cwd = project({
    'package.json': '{"name":"shop","scripts":{"build":"node tools/build.js --out dist"}}\n',
    'tools/build.js': "import { list } from './list.js';\nconst text = readFileSync('data/items.txt');\n",
    'tools/list.js': 'export const list = ["listed"];\n',
    'data/items.txt': 'first item\n',
    'run.sh': '#!/bin/sh\n. ./lib.sh\ncat data/other.txt\n',
    'lib.sh': 'LIBRARY=yes\n',
    'data/other.txt': 'other text\n',
    Makefile: 'all: part\n\tcat data/made.txt\npart:\n\techo part\n',
    'data/made.txt': 'made text\n',
    'unrelated.txt': 'nobody asks for this\n',
  });
  const build = shownText(await capture(cwd, 'npm run build'));
  for (const text of ['import { list }', '["listed"]', 'first item', '"name":"shop"'])
    assert.ok(build.includes(text), text);
  const shell = shownText(await capture(cwd, 'bash run.sh && make'));
  for (const text of ['LIBRARY=yes', 'other text', 'made text']) assert.ok(shell.includes(text), text);
  assert.ok(!shell.includes('nobody asks for this'));
  const globbed = shownText(
    await capture(cwd, 'for f in data/{items,other}.txt; do head -1 "$f"; done; grep -r nobody .'),
  );
  for (const text of ['first item', 'other text', 'nobody asks for this']) assert.ok(globbed.includes(text), text);
  const edited = await capture(cwd, '', {
    action: { kind: 'edit', changes: [{ path: join(cwd, 'tools/build.js'), after: '' }] },
  });
  assert.ok(shownText(edited).includes('["listed"]'));
});

test('what scripts, tasks and targets of a project start is followed, as a rehearsal follows it', async () => {
  const texts = ['pre', 'body', 'shared', 'linted', 'tasked', 'needed', 'variable', 'beside', 'workspace'];
  const cwd = project({
    ...Object.fromEntries(texts.map((name) => [`data/${name}.txt`, `${name} text\n`])),
    'package.json':
      '{"name":"a","workspaces":["p"],"scripts":{"prego":"cat data/pre.txt","go":"npm run -s in","in":"cat data/body.txt"}}',
    'p/package.json': '{"name":"p","scripts":{"go":"cat ../data/workspace.txt"}}',
    'composer.json': '{"scripts":{"all":["cat data/shared.txt","@lint"],"lint":"cat data/linted.txt"}}',
    'deno.json': '{"tasks":{"go":"cat data/tasked.txt"}}',
    'own.mk': 'FILE := data/variable.txt\nall: part\n\t@cat $(FILE)\npart:\n\tcat data/needed.txt\n',
    Makefile: 'ifdef X\nendif\nHERE := $(shell pwd)\nall:\n\tcat $(HERE) data/beside.txt\n',
  });
  for (const [command, ...shown] of [
    ['npm run go', 'pre text', 'body text', '"prego"'],
    ['yarn go', 'pre text', 'body text'],
    ['npm run go -w p', 'workspace text'],
    ['npm install', '"prego"'],
    ['composer all', 'shared text', 'linted text', '"all"'],
    ['deno task go', 'tasked text', '"tasks"'],
    ['make -f own.mk', 'needed text', 'variable text', 'FILE := '],
    ['make', 'beside text', 'ifdef X'],
  ] as const) {
    const text = shownText(await capture(cwd, command));
    for (const one of shown) assert.ok(text.includes(one), `${command}: ${one}\n${text}`);
    const all = texts.map((name) => `${name} text`).filter((one) => text.includes(`${one}\n`));
    assert.deepEqual(all.sort(), shown.filter((one) => one.endsWith(' text')).sort(), command);
  }
});

test('the context stays under its budget, cuts say so, and what is left out is listed', async () => {
  const lines = Array.from(
    { length: 20_000 },
    (_, index) => `line ${index + 1} of the log${index === 15_000 ? ' NEEDLE' : ''}`,
  );
  const cwd = project({ 'big.log': `${lines.join('\n')}\n`, 'a.txt': 'small\n' });
  for (const budgetTokens of [1_000, 4_000, 16_000]) {
    const context = await capture(cwd, 'grep NEEDLE big.log; cat a.txt', { budgetTokens });
    const total = context.observations.reduce((sum, one) => sum + estimateTokens(one.text), 0);
    assert.ok(total <= budgetTokens && context.tokens <= budgetTokens * 1.05, `${total} of ${budgetTokens}`);
    const text = shownText(context);
    assert.ok(text.includes('NEEDLE') && text.includes('small'));
    assert.match(text, /… [\d,]+ lines left out …/);
    assert.ok(context.leftOut.some(({ what }) => what.includes('big.log')));
  }
  const tail = await capture(cwd, 'tail -n 3 big.log', { budgetTokens: 1_000 });
  assert.ok(shownText(tail).includes('line 20000 of the log'));
});

test('what the same command read the last time is shown, whatever names it', async () => {
  const cwd = project({ 'tests/deep/case.data': 'the case\n', 'other.data': 'the other\n' });
  const readLastTime = [`${cwd}/tests/deep/case.data`];
  assert.doesNotMatch(shownText(await capture(cwd, './run-all')), /the case/);
  const text = shownText(await capture(cwd, './run-all', { readLastTime }));
  assert.match(text, /the case/);
  assert.doesNotMatch(text, /the other/);
});

test('devices, FIFOs, links to them, binary and excluded files are not read', async () => {
  const cwd = project({ 'a.bin': 'x\0y', 'private/notes.txt': 'excluded text\n', 'b.txt': 'shown\n' });
  execFileSync('mkfifo', [join(cwd, 'pipe')]);
  symlinkSync('/dev/zero', join(cwd, 'zero'));
  symlinkSync('/proc/self/environ', join(cwd, 'environ'));
  const context = await capture(cwd, 'cat pipe zero environ a.bin private/notes.txt b.txt /dev/tty /proc/version', {
    excludes: ['private'],
  });
  const text = shownText(context);
  assert.ok(text.includes('shown'));
  for (const not of ['excluded text', 'PATH=', 'Linux version']) assert.ok(!text.includes(not), not);
  assert.ok(
    context.leftOut.some(({ what, why }) => what.endsWith('private/notes.txt') && why === 'excluded by private'),
  );
});

test('a file can be read as it is in another state', async () => {
  const cwd = project({ 'a.js': 'before\n' });
  const context = await capture(cwd, 'node a.js', {
    readFile: async (path) => (path.endsWith('a.js') ? Buffer.from('as it would be\n') : undefined),
  });
  assert.ok(shownText(context).includes('as it would be'));
  assert.ok(!shownText(context).includes('before\n'));
});

test('of 200 planted secrets none is in any observation', async () => {
  const planted = plantSecrets();
  const files = Object.fromEntries(planted.map(({ path, text }) => [path, text]));
  const cwd = project({ ...files, '.env': planted[0]?.text ?? '' });
  run(cwd, 'git rm -rq --cached . && git commit -qm removed');
  const secrets = planted.flatMap((file) => file.secrets);
  const history = planted.slice(0, 20).map(({ path, text }) => ({ command: `cat ${path}`, cwd, output: text }));
  const scripts = [
    ...Array.from(
      { length: 12 },
      (_, index) =>
        `cat ${planted
          .filter((_file, at) => at % 12 === index)
          .map(({ path }) => path)
          .join(' ')}`,
    ),
    'grep -r . .',
    'git show HEAD~1; git log -p; git diff HEAD~1 HEAD',
    'cat .env; git stash; git diff',
    `deploy --token ${secrets[20]}`,
  ];
  let seen = 0;
  for (const script of scripts) {
    const context = await capture(cwd, script, { budgetTokens: 64_000, terminalHistory: history.splice(0, 4) });
    const text = shownText(context);
    for (const secret of secrets) assert.ok(!text.includes(secret), `${script}: ${secret}`);
    seen += context.redacted.reduce((sum, { count }) => sum + count, 0);
  }
  assert.ok(seen > 200, `${seen} taken out`);
});

test('lines and bytes of the files that are named are counted', async () => {
  const cwd = project({ 'a.csv': 'x\n'.repeat(37), 'b.bin': '\0\0', '.env': 'KEY=1\n', 'other.txt': 'o\n' });
  const { observations } = await capture(cwd, 'import-rows a.csv b.bin .env missing.csv');
  const counts = observations.filter(({ look }) => look.kind === 'run' && look.command.startsWith('wc '));
  assert.deepEqual(
    counts.map(({ look, text }) => [look.kind === 'run' ? look.command : '', text]),
    [['wc -lc -- a.csv', '37 74 a.csv\n']],
  );
});

test('two predictions in a row begin with the same prompt', async () => {
  const files: Record<string, string> = { 'package.json': '{"name":"x"}\n', 'README.md': 'About it.\n'.repeat(200) };
  for (let index = 0; index < 30; index++)
    files[`src/file${index}.ts`] = `export const value${index} = ${index};\n`.repeat(10);
  const cwd = project(files);
  const memory = createContextMemory();
  const looker = plainLooker();
  const scripts = [
    'npm test',
    'cat src/file1.ts',
    'node src/file2.ts',
    'wc -l src/file3.ts src/file4.ts',
    'cat src/file1.ts',
    'git status',
    'npm run build',
  ];
  const shares: number[] = [];
  let before: string | undefined;
  for (const script of scripts) {
    const text = shownText(await capture(cwd, script, { memory, looker }));
    if (before !== undefined) {
      let same = 0;
      while (same < text.length && text[same] === before[same]) same++;
      shares.push(same / text.length);
    }
    before = text;
  }
  shares.sort((a, b) => a - b);
  console.log(`the same prefix: ${shares.map((share) => `${(share * 100).toFixed(0)} %`).join(', ')}`);
  assert.ok((shares[Math.floor(shares.length / 2)] ?? 0) >= 0.9);
});

test('an aborted capture ends at once, and nothing is thrown', async () => {
  const cwd = project({ 'a.txt': 'a\n' });
  const controller = new AbortController();
  controller.abort();
  const { observations } = await capture(cwd, 'cat a.txt', { signal: controller.signal });
  assert.ok(!observations.some(({ text }) => text === 'a\n'));
});
