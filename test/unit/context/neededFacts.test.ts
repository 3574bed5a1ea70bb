import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { captureContext } from '../../../src/core/context/captureContext.ts';
import { createContextMemory } from '../../../src/core/context/gather/contextMemory.ts';
import type { Observation } from '../../../src/core/context/workspaceContext.ts';
import { plainLooker } from '../../engine/plainLooker.ts';
import { furtherFacts } from './furtherFacts.ts';
import { project } from './project.ts';
import { workspacesOfFacts } from './workspacesOfFacts.ts';

async function shownFor(
  cwd: string,
  command: string,
  { looker = plainLooker(), memory = createContextMemory() } = {},
): Promise<readonly Observation[]> {
  const { observations } = await captureContext({
    action: { kind: 'command', script: command, shell: 'bash', cwd },
    looker,
    workspaceFolders: [cwd],
    cwd,
    home: cwd,
    budgetTokens: 16_000,
    memory,
    signal: new AbortController().signal,
  });
  return observations;
}

/** More than fits, and nearer than most: the rest of a repository must not be what makes a fact be there. */
const unrelated = Object.fromEntries(
  Array.from({ length: 20 }, (_, table) => [
    `warehouse/table${table}.sql`,
    Array.from({ length: 200 }, (__, row) => `INSERT INTO t${table} VALUES (${row * 7919});\n`).join(''),
  ]),
);

const said = (one: Observation) => `${one.look.kind === 'run' ? one.look.command : one.look.path}\n${one.text}`;

for (const { name, files, commands } of [...workspacesOfFacts, ...furtherFacts]) {
  describe(`what an exact answer needs is in the prompt: ${name}`, () => {
    const cwd = project({ ...files, ...unrelated });
    for (const { command, needs, noise = [] } of commands) {
      test(command, async () => {
        const text = (await shownFor(cwd, command)).map(said).join('\n');
        assert.deepEqual(
          { missing: needs.filter((fact) => !text.includes(fact)), noise: noise.filter((one) => text.includes(one)) },
          { missing: [], noise: [] },
        );
      });
    }
  });
}

test('what an exact answer needs is there as well behind other questions', async () => {
  for (const { name, files, commands } of workspacesOfFacts) {
    const cwd = project({ ...files, ...unrelated });
    const kept = { looker: plainLooker(), memory: createContextMemory() };
    for (const { command, needs } of commands) {
      const text = (await shownFor(cwd, command, kept)).map(said).join('\n');
      assert.deepEqual(
        needs.filter((fact) => !text.includes(fact)),
        [],
        `${name}: ${command}`,
      );
    }
  }
});

test('a prompt begins as the one before it in the same workspace did', async () => {
  const shares: number[] = [];
  for (const { files, commands } of workspacesOfFacts) {
    const cwd = project({ ...files, ...unrelated });
    const kept = { looker: plainLooker(), memory: createContextMemory() };
    let before: string | undefined;
    for (const { command } of commands) {
      const text = (await shownFor(cwd, command, kept)).map(said).join('\n');
      if (before !== undefined) {
        let same = 0;
        while (same < text.length && text[same] === before[same]) same++;
        shares.push(same / text.length);
      }
      before = text;
    }
  }
  const mean = shares.reduce((sum, one) => sum + one, 0) / shares.length;
  console.log(`the same prefix: ${(100 * mean).toFixed(1)} %, at least ${(100 * Math.min(...shares)).toFixed(0)} %`);
  assert.ok(mean >= 0.95 && Math.min(...shares) >= 0.8);
});

/** Larger by far than the budget, all of one length class: `src/m0.ts` to `src/m19.ts`, and tests beside them. */
function largeProject(): Record<string, string> {
  const body = (name: string, lines: number, from: string) =>
    `import { x } from '${from}';\nexport function ${name}() {\n${Array.from({ length: lines }, (_, line) => `  const v${line} = x(${(line * 7919) % 1000}, 'text ${line}');\n`).join('')}}\n`;
  const sources = Array.from({ length: 20 }, (_, at) => [
    `src/m${at}.ts`,
    body(`f${at}`, 60 + at * 12, `./m${(at + 1) % 20}`),
  ]);
  const tests = Array.from({ length: 6 }, (_, at) => [`test/t${at}.test.ts`, body(`t${at}`, 80, `../src/m${at}`)]);
  return { 'package.json': '{"devDependencies":{"prettier":"^3"}}', ...Object.fromEntries([...sources, ...tests]) };
}

test('files that are too large stay as they were shown, where that is about what there is room for', async () => {
  const cwd = project({ ...largeProject(), 'tsconfig.json': '{"include":["src"]}', '.prettierrc': '{"semi":false}' });
  const kept = { looker: plainLooker(), memory: createContextMemory() };
  const commands = ['npx tsc --noEmit', 'npx prettier --write .', 'npx eslint src', 'npx prettier --check .'];
  const shares: number[] = [];
  let before = (await shownFor(cwd, 'git status', kept)).map(said).join('\n');
  for (const command of commands) {
    const shown = await shownFor(cwd, command, kept);
    const text = shown.map(said).join('\n');
    let same = 0;
    while (same < text.length && text[same] === before[same]) same++;
    shares.push(same / text.length);
    before = text;
    // No file gets nothing, because another one keeps what it had.
    for (let at = 0; at < 20; at++) assert.ok(text.includes(`function f${at}()`), `${command}: m${at}`);
  }
  console.log(`the same prefix of large files: ${shares.map((one) => `${(100 * one).toFixed(0)} %`).join(', ')}`);
  assert.ok(Math.min(...shares) >= 0.6);
});

describe('room that is left', () => {
  test('goes to the other sources, nearest first, to long ones by what they declare', async () => {
    const body = Array.from({ length: 900 }, (_, line) => `  step(${line});\n`).join('');
    const cwd = project({
      'package.json': '{}',
      'README.md': 'words\n',
      'near.js': 'const near = 1;\n',
      'a/b/c/far.js': 'const far = 1;\n',
      'long.js': `export function first() {\n${body}}\nexport class Last {\n${body}}\n`,
      'dist/made.js': 'const made = 1;\n',
      '.gitignore': 'dist\n',
      '.env.ts': 'export const TOKEN = "x";\n',
    });
    const shown = await shownFor(cwd, 'mytool --check');
    const text = shown.map(said).join('\n');
    for (const one of ['near = 1', 'far = 1', 'function first', 'class Last']) assert.ok(text.includes(one), one);
    assert.ok(!text.includes('made = 1'));
    const rest = shown.filter(({ why }) => why === 'it is a source of the same repository').map(({ look }) => look);
    assert.deepEqual(
      rest.flatMap((look) => (look.kind === 'read' ? [look.path.slice(cwd.length + 1)] : [])),
      ['near.js', 'long.js', 'a/b/c/far.js'],
    );
  });
});
