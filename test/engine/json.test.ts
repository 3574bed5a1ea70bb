import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { LiveAction } from '../../src/core/action/action.ts';
import { foldAll } from '../../src/core/foretell.ts';
import { PredictionJson, toJson } from '../../src/core/prediction/json.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** The JSON of real predictions has every field of version 1, and nothing that the schema does not tell. */

const { foretell, folder } = throwAwayForetell('json');

// Fields that are there in each object that has them at all.
const promised = fs
  .readFileSync('test/fixtures/json/version1.txt', 'utf8')
  .trimEnd()
  .split('\n')
  .flatMap((line) => /^([^:?]+): /.exec(line)?.[1] ?? []);

/** Whether a field is there wherever what it belongs to is. Of alternatives it is enough that one has it. */
function hasField(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  if (name === '[]') return Array.isArray(value) && value.every((one) => hasField(one, rest));
  if (typeof value !== 'object' || value === null) return false;
  // Whether it may be absent is told by the line of its own.
  const inner = (value as Record<string, unknown>)[name];
  return inner === undefined ? rest.length > 0 : hasField(inner, rest);
}

/** Kinds of actions, and of what a reply lacks, have fields of their own. */
const alternatives = /^action\.(?!kind$)|^(?:doubt|failed)\.|\.(?:fault|fact|because|assumes\[\]|gate|label)\./;

async function jsonOf(action: LiveAction): Promise<unknown> {
  const { events, view } = foretell.predict({ action, hash: true, signal: new AbortController().signal });
  const prediction = await foldAll(action, events);
  await view.close();
  return JSON.parse(JSON.stringify(toJson(prediction, 'x')));
}

const commands = {
  'losses and a rename': 'rm a; mv b c; chmod 600 c; ln -s c d; mkdir e',
  'a program that may not run': 'node build.js && cp a f; npm run build || echo no',
  'a failing command': 'cat nothing; exit 3',
  'bytes that are not text': "printf '\\377\\376'",
  'no syntax': 'if then',
  'a repository': 'git init -q && git add -A && git commit -qm x; git branch y',
};

for (const [name, script] of Object.entries(commands))
  test(`version 1 of ${name}`, async () => {
    const cwd = fs.mkdtempSync(path.join(folder, 'w-'));
    for (const file of ['a', 'b']) fs.writeFileSync(path.join(cwd, file), `${file}\n`);
    fs.writeFileSync(path.join(cwd, 'package.json'), '{"scripts":{"build":"rm a && node x"}}');
    check(await jsonOf({ kind: 'command', script, shell: 'bash', cwd }));
  });

test('version 1 of an edit', async () => {
  const cwd = fs.mkdtempSync(path.join(folder, 'w-'));
  const file = path.join(cwd, 'a.json');
  fs.writeFileSync(file, '{}\n');
  fs.writeFileSync(path.join(cwd, 'Makefile'), 'x:\n\tcat a.json\n');
  check(await jsonOf({ kind: 'edit', cwd, changes: [{ path: file, after: '{"a": \n' }] }));
});

test('version 1 of a folder that is not there', async () => {
  check(await jsonOf({ kind: 'command', script: 'ls', shell: 'bash', cwd: path.join(folder, 'nowhere') }));
});

function check(json: unknown): void {
  assert.deepEqual(PredictionJson.parse(structuredClone(json)), json);
  const missing = promised.filter(
    (line) => !alternatives.test(line) && !hasField(json, line.replaceAll('[]', '.[]').split('.')),
  );
  assert.deepEqual(missing, []);
}
