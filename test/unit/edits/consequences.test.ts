import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { EditAction } from '../../../src/core/action/action.ts';
import { diagnosticsOf } from '../../../src/core/consequences/syntax.ts';
import { foldAll } from '../../../src/core/foretell.ts';
import { throwAwayForetell } from '../../throwAwayForetell.ts';

/** What an edit means: syntax errors, mentions, risks. */

const { foretell, folder } = throwAwayForetell('edits', { spareLaunchers: 0 });

async function told(name: string, then: string | undefined, now: string): Promise<string[]> {
  const found = await diagnosticsOf(`/w/${name}`, then, now);
  return found.map(
    ({ line, column, status, severity, message }) => `${status} ${severity} ${line}:${column} ${message}`,
  );
}

// Right before, wrong after: a new problem in this line.
const broken: [name: string, right: string, wrong: string, line: number][] = [
  ['a.js', 'const a = 1;\n', 'const a = 1;\nconst b = (;\n', 2],
  ['a.mjs', 'export const a = 1;\n', 'export const a = 1\nexport cost b;\n', 2],
  ['a.jsx', 'const a = <b>x</b>;\n', 'const a = <b>x</c>;\n', 1],
  ['a.ts', 'const a: number = 1;\n', 'const a: number = 1;\ninterface {\n', 2],
  ['a.tsx', 'const a = <T,>(x: T) => <b>{x}</b>;\n', 'const a = <b>{x</b>;\n', 1],
  ['a.json', '{ "a": 1 }\n', '{ "a": 1,\n  "b" }\n', 2],
  ['a.jsonc', '{ "a": 1, } // ok\n', '{ "a": } // no\n', 1],
  ['a.yaml', 'a:\n  - b\n', 'a:\n  - b\n c: d\n', 3],
  ['a.toml', 'a = 1\n', 'a = 1\nb = \n', 2],
  ['a.py', 'def f():\n    return 1\n', 'def f():\n    return (1\n', 3],
  ['a.css', 'a { color: red; }\n', 'a { color: red;\n', 2],
  ['a.go', 'package a\n\nfunc f() {}\n', 'package a\n\nfunc f( {}\n', 3],
  ['a.rs', 'fn f() {}\n', 'fn f() {\n', 2],
  ['A.java', 'class A { }\n', 'class A {\n', 2],
  ['a.php', '<?php\nfunction f() {}\n', '<?php\nfunction f( {}\n', 2],
  ['a.xml', '<a><b/></a>\n', '<a><b></a>\n', 1],
  ['a.sh', 'if true; then echo; fi\n', 'if true; then echo\n', 2],
];

test('what was right and is wrong is new', async () => {
  for (const [name, right, wrong, line] of broken) {
    const found = await told(name, right, wrong);
    assert.ok(found.length > 0, `${name}: nothing found`);
    assert.match(found[0] ?? '', /^new /, name);
    const at = Number(/ (\d+):/.exec(found[0] ?? '')?.[1]);
    assert.ok(Math.abs(at - line) <= 1, `${name}: ${found[0]}`);
    assert.deepEqual(await told(name, right, `${right}\n`), [], name);
    assert.ok(
      (await told(name, wrong, right)).every((one) => one.startsWith('fixed ')),
      name,
    );
    assert.ok(
      (await told(name, wrong, wrong)).every((one) => one.startsWith('remains ')),
      name,
    );
  }
});

test('dialects that are right are not complained about', async () => {
  assert.deepEqual(
    await told('a.ts', undefined, 'import { type A, b } from "x";\nexport { type A };\n@d class C { @e() f = 1 }\n'),
    [],
  );
  assert.deepEqual(
    await told('a.d.ts', undefined, 'declare module "x" {\n  export = y;\n}\nimport z = require("z");\n'),
    [],
  );
  assert.deepEqual(await told('a.js', undefined, '// @flow\nconst a: number = 1;\n'), []);
  assert.deepEqual(await told('a.cjs', undefined, 'return 1;\n'), []);
  assert.deepEqual(
    await told(
      'a.py',
      undefined,
      'def f():\n    try:\n        yield\n    except E:\n        pass\nmatch x:\n    case 1: pass\nprint(f"{a!r:>{w}}")\n',
    ),
    [],
  );
  assert.deepEqual(await told('tsconfig.json', undefined, '{ // why\n "a": 1, }\n'), []);
  assert.deepEqual(await told('settings.json', '{ // why\n "a": 1 }\n', '{ // why\n "a": 2, }\n'), []);
  assert.deepEqual(await told('a.yaml', undefined, 'a: {{ .Values.x }}\n'), []);
  assert.deepEqual(await told('w.yml', undefined, 'a: ${{ x }}\nb: !custom y\n'), []);
  assert.deepEqual(await told('a.unknown', undefined, '((('), []);
});

test('what a parser did not come to before is not new', async () => {
  const found = await told('a.ts', 'const a = (;\nconst b = [;\n', 'const a = 1;\nconst b = [;\n');
  assert.deepEqual(
    found.map((one) => one.split(' ')[0]),
    ['fixed', 'remains'],
  );
});

async function predict(
  files: Record<string, string>,
  edit: (at: (name: string) => string) => Partial<EditAction>,
  more = {},
) {
  const cwd = fs.mkdtempSync(path.join(folder, 'w-'));
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true });
    fs.writeFileSync(path.join(cwd, name), text);
  }
  execFileSync('sh', ['-c', 'git init -q && git add -A && git -c user.name=T -c user.email=t@x commit -qm x'], { cwd });
  const at = (name: string) => path.join(cwd, name);
  const action: EditAction = { kind: 'edit', changes: [], cwd, ...edit(at) };
  const extra = typeof more === 'function' ? more(at) : more;
  const { events, view } = foretell.predict({
    action,
    workspaceFolders: [cwd],
    signal: new AbortController().signal,
    ...extra,
  });
  const prediction = await foldAll(action, events);
  await view.close();
  return {
    prediction,
    reasons: prediction.verdict.reasons.map(({ level, text }) => `${level}: ${text}`).join('\n'),
    at,
  };
}

const write = (name: string, after: string) => (at: (name: string) => string) => ({
  changes: [{ path: at(name), after }],
});

test('risks of edits', async () => {
  const reasons = async (files: Record<string, string>, name: string, after: string, more = {}) =>
    (await predict(files, write(name, after), more)).reasons;
  assert.match(
    await reasons({ 'a.ts': 'a\n' }, 'a.ts', `const k = 'ghp_${'a1B2'.repeat(9)}';\n`),
    /danger: Writes what looks like a secret \(github-token/,
  );
  assert.match(
    await reasons({ 'a.go': '// Code generated by x. DO NOT EDIT.\npackage a\n' }, 'a.go', 'package a\n'),
    /caution: Edits 1 file that are generated|generated/,
  );
  assert.match(await reasons({ 'dist/a.js': 'a\n' }, 'dist/a.js', 'b\n'), /generated/);
  assert.match(await reasons({ 'package-lock.json': '{}\n' }, 'package-lock.json', '{"a":1}\n'), /by hand/);
  assert.match(
    await reasons({ '.github/workflows/ci.yml': 'a: 1\n' }, '.github/workflows/ci.yml', 'a: 2\n'),
    /what runs on other machines/,
  );
  assert.match(
    await reasons({ '.claude/settings.json': '{}\n' }, '.claude/settings.json', '{"a":1}\n'),
    /what agents and editors may do/,
  );
  assert.match(
    await reasons({ 'a.txt': 'a\n' }, 'a.txt', 'b\n', (at: (name: string) => string) => ({
      unsavedPaths: [at('a.txt')],
    })),
    /unsaved changes/,
  );
  assert.match(await reasons({ 'a.json': '{}\n' }, 'a.json', '{\n'), /syntax error: .*\(line/);
  assert.match(
    await reasons({ 'a.txt': 'a\n' }, '../../../etc/hosts.new', 'b\n'),
    /of the system|outside the workspace/,
  );
  assert.match(await reasons({ 'a.txt': 'a\n' }, 'a.txt', 'b\n'), /^safe: /);
});

test('a patch that does not apply says so', async () => {
  const text = '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-x\n+y\n';
  const { reasons } = await predict({ 'a.txt': 'a\n' }, () => ({ patch: { text, tool: 'git-apply', strip: 1 } }));
  assert.match(reasons, /caution: The patch does not apply: error: patch failed: a.txt:1/);
});

test('who mentions what is edited', async () => {
  const files = {
    'src/tool.ts': 'export function oldName() {}\nexport const kept = 1;\n',
    'src/user.ts': "import { oldName } from './tool.ts';\noldName();\n",
    'package.json': '{ "scripts": { "x": "node src/tool.ts" } }\n',
    'notes.md': 'tool.ts\n',
  };
  const { prediction, at } = await predict(
    files,
    write('src/tool.ts', 'export function newName() {}\nexport const kept = 1;\n'),
  );
  const found = (prediction.mentions ?? []).map(({ of, name, path: file, line }) => [of, name, file, line]);
  assert.deepEqual(found, [
    ['file', 'tool.ts', at('package.json'), 1],
    ['symbol', 'oldName', at('src/user.ts'), 1],
    ['symbol', 'oldName', at('src/user.ts'), 2],
  ]);
});
