import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRunnables } from '../../src/host/lens/findRunnables.ts';
import { readJson } from '../../src/host/lens/jsonText.ts';

function runnables(path: string, languageId: string, text: string) {
  return findRunnables({ path, languageId, text, home: '/home/u', workspaceFolder: '/w' });
}

const linesAndTexts = (found: ReturnType<typeof runnables>) => found.map(({ line, text }) => [line, text]);

test('shell script: a paragraph has the scene above it, not the paragraphs', () => {
  const script = [
    '#!/bin/bash',
    'set -e',
    'OUT=dist',
    '',
    'f() {',
    '  echo f',
    '}',
    '',
    'mkdir "$OUT"',
    'f',
    '',
    'rm -r "$OUT"',
  ];
  const found = runnables('/w/x.sh', 'shellscript', `${script.join('\n')}\n`);
  const scene = '#!/bin/bash\nset -e\nOUT=dist\nf() {\n  echo f\n}\n';
  assert.deepEqual(linesAndTexts(found), [
    [8, `${scene}mkdir "$OUT"\nf\n`],
    [11, `${scene}rm -r "$OUT"\n`],
  ]);
  assert.deepEqual(
    found.map((one) => one.title),
    ['Predict 2 lines', 'Predict'],
  );
});

test('shell script: a here-document belongs to its command', () => {
  const found = runnables('/w/x.sh', 'shellscript', 'cat <<EOF >a\nrm -rf /\nEOF\n\nls\n');
  assert.deepEqual(linesAndTexts(found), [
    [0, 'cat <<EOF >a\nrm -rf /\nEOF\n'],
    [4, 'ls\n'],
  ]);
});

test('shell script: none where it cannot be read, or is no POSIX shell', () => {
  assert.deepEqual(runnables('/w/x.sh', 'shellscript', 'if true; then\n'), []);
  assert.deepEqual(runnables('/w/x.fish', 'shellscript', 'rm x\n'), []);
});

test('Markdown: only blocks for a shell, also in lists', () => {
  const text = [
    '```js',
    'rm()',
    '```',
    '```sh',
    'ls',
    '```',
    '- step',
    '  ```console',
    '  $ rm x',
    '  ```',
    '```bash',
    '  ',
    '```',
  ];
  const found = runnables('/w/README.md', 'markdown', text.join('\n'));
  assert.deepEqual(
    found.map((one) => one.line),
    [3, 7],
  );
  assert.equal(found[0]?.text, '```sh\nls\n```');
});

test('package.json: each script, as its package manager runs it', () => {
  const text = '{\n  "packageManager": "pnpm@9.0.0",\n  "scripts": {\n    "build": "tsc",\n    "a b": "x"\n  }\n}\n';
  assert.deepEqual(linesAndTexts(runnables('/w/package.json', 'json', text)), [
    [3, 'pnpm run build'],
    [4, "pnpm run 'a b'"],
  ]);
  assert.deepEqual(runnables('/w/package.json', 'json', '{ "scripts": { "a":'), []);
});

test('Makefile: targets, without patterns, special targets and variables', () => {
  const text =
    'A := 1\n.PHONY: all\nall: x.o | dir\n\techo\n%.o: %.c\nx.o: CFLAGS = -g\na b:\nurl = http://x\n$(A): b\n';
  assert.deepEqual(linesAndTexts(runnables('/w/Makefile', 'makefile', text)), [
    [2, 'make all'],
    [6, 'make a'],
    [6, 'make b'],
  ]);
  assert.equal(runnables('/w/rules.mk', 'makefile', 'x:\n')[0]?.text, 'make -f rules.mk x');
});

test('Dockerfile: RUN with continuation, flags, words and here-document', () => {
  const text = [
    'FROM x',
    'RUN --mount=type=cache,target=/c apt-get update \\',
    '    # a comment',
    '    && rm -rf /var/lib',
    'RUN ["echo", "a b"]',
    'RUN <<EOF',
    'ls',
    'EOF',
    'COPY a b',
  ].join('\n');
  assert.deepEqual(linesAndTexts(runnables('/w/Dockerfile', 'dockerfile', text)), [
    [1, 'apt-get update \\\n  && rm -rf /var/lib'],
    [4, "echo 'a b'"],
    [5, 'ls'],
  ]);
});

test('workflow: run in one line, as a block, folded, in a folder, for another shell', () => {
  const text = [
    'defaults:',
    '  run:',
    '    shell: bash',
    'jobs:',
    '  a:',
    '    steps:',
    '      - run: npm ci # install',
    '      - name: x',
    '        run: |',
    '          one',
    '            two',
    '',
    '          three',
    '        working-directory: docs',
    '      - shell: pwsh',
    '        run: Get-Item',
    '      - run: >-',
    '          a',
    '          b',
    '      - run: "echo \\"x\\""',
  ].join('\n');
  const found = runnables('/w/.github/workflows/ci.yml', 'yaml', text);
  assert.deepEqual(linesAndTexts(found), [
    [6, 'npm ci'],
    [8, 'one\n  two\n\nthree'],
    [16, 'a b'],
    [19, 'echo "x"'],
  ]);
  assert.equal(found[1]?.folder, 'docs');
  assert.deepEqual(runnables('/w/compose.yml', 'yaml', text), []);
});

test('tasks.json: words, variables and folders; none that asks or needs the open file', () => {
  const text = `{
  // comment
  "tasks": [
    { "type": "shell", "command": "rm", "args": ["-rf", "\${workspaceFolder}/a b", { "value": "*", "quoting": "strong" }] },
    { "type": "process", "command": "echo", "args": ["$HOME"], "options": { "cwd": "\${workspaceFolder}/x" } },
    { "type": "npm", "script": "build" },
    { "type": "shell", "command": "cat \${file}" },
    { "label": "nothing" },
  ],
}`;
  const found = runnables('/w/.vscode/tasks.json', 'jsonc', text);
  assert.deepEqual(linesAndTexts(found), [
    [3, "rm -rf '/w/a b' '*'"],
    [4, "echo '$HOME'"],
    [5, 'npm run build'],
  ]);
  assert.equal(found[1]?.folder, '/w/x');
});

test('JSON with comments: values, offsets, and nothing thrown', () => {
  const text = '/* a */ { "x": [1, "two", null, true,], // b\n "y": { "z": -1.5e3 } }';
  const node = readJson(text);
  assert.deepEqual(node?.value, { x: [1, 'two', null, true], y: { z: -1500 } });
  assert.equal(node?.members?.get('y')?.offset, text.indexOf('"y"'));
  for (const wrong of ['', '{', '{"a"}', '[1 2]', '{"a":}', 'nope', '['.repeat(10_000)]) {
    assert.equal(readJson(wrong), undefined, wrong.slice(0, 20));
  }
});
