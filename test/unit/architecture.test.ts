import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

/** Folders of core from left to right; a file may import only from its own place or from further left. */
const order = [
  ['view', 'shell'],
  ['facts'],
  ['programs'],
  ['action'],
  ['words'],
  ['context', 'loss'],
  ['consequences'],
  ['verdict'],
  ['prediction'],
  ['worlds'],
  // What puts the parts together; trajectories and benches predict through it.
  ['foretell.ts'],
  ['trajectory'],
  ['bench'],
  ['loop'],
];
const root = process.cwd();

function* files(folder: string): Generator<string> {
  for (const entry of fs.readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) yield* files(file);
    else if (/\.(ts|c|h)$/.test(entry.name)) yield file;
  }
}

function imports(file: string): string[] {
  const text = fs.readFileSync(path.join(root, file), 'utf8');
  const found = [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map((match) => match[1] ?? '');
  return found.map((name) => (name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : name));
}

function placeOf(file: string): number {
  const folder = file.split('/')[2] ?? '';
  return order.findIndex((names) => names.includes(folder));
}

test('inside core, imports point to the left', () => {
  for (const file of files('src/core')) {
    const place = placeOf(file);
    if (place < 0) continue;
    for (const imported of imports(file)) {
      if (!imported.startsWith('src/')) continue;
      assert.ok(imported.startsWith('src/core/'), `${file} imports ${imported}`);
      const other = placeOf(imported);
      assert.ok(other >= 0 && other <= place, `${file} imports ${imported}, which stands to its right`);
    }
  }
});

test('no world imports another', () => {
  for (const file of files('src/core/worlds')) {
    const world = file.split('/')[3];
    for (const imported of imports(file)) {
      if (imported.startsWith('src/core/worlds/'))
        assert.equal(imported.split('/')[3], world, `${file} imports ${imported}`);
    }
  }
});

test('only the host imports vscode, and the webview nothing of the host', () => {
  for (const file of [...files('src'), ...files('media')]) {
    const isHost = file.startsWith('src/host/') || file === 'src/extension.ts';
    for (const imported of imports(file)) {
      if (imported === 'vscode') assert.ok(isHost, `${file} imports vscode`);
      if (file.startsWith('media/')) assert.ok(!imported.startsWith('src/host'), `${file} imports ${imported}`);
    }
  }
});

test('files stay under 400 lines of code', () => {
  for (const file of [...files('src'), ...files('media'), ...files('test')]) {
    if (file.startsWith('test/fixtures') || file.includes('/.cache/')) continue;
    const lines = fs.readFileSync(path.join(root, file), 'utf8').split('\n');
    const code = lines.filter((line) => !/^\s*($|\/\/|\/\*|\*)/.test(line)).length;
    assert.ok(code < 400, `${file} has ${code} lines of code`);
  }
});

test('every export of core has a docstring', () => {
  const missing: string[] = [];
  for (const file of files('src/core')) {
    if (!file.endsWith('.ts')) continue;
    const lines = fs.readFileSync(path.join(root, file), 'utf8').split('\n');
    for (const [index, line] of lines.entries()) {
      const match = /^export (?:async )?(?:function\*?|class|interface|const|type) (\w+)/.exec(line);
      if (!match) continue;
      const twin = /^export type (\w+) = z\.infer/.exec(line);
      if (twin) continue;
      const before = lines[index - 1]?.trim() ?? '';
      if (!before.endsWith('*/')) missing.push(`${file}: ${match[1]}`);
    }
  }
  assert.deepEqual(missing, []);
});

test('what the extension loads later of the core has no name twice: `engine.js` would have neither', () => {
  const loaded = new Set<string>();
  for (const file of files('src')) {
    if (!file.startsWith('src/host') && file !== 'src/extension.ts') continue;
    const text = fs.readFileSync(path.join(root, file), 'utf8');
    for (const [, name = ''] of text.matchAll(/[^f] import\(\s*'(\.[^']+)'/g)) {
      const imported = path.posix.join(path.posix.dirname(file), name);
      if (/^src\/(core|cli)\//.test(imported)) loaded.add(imported);
    }
  }
  const places = new Map<string, string>();
  for (const file of loaded) {
    const text = fs.readFileSync(path.join(root, file), 'utf8');
    for (const [, name = ''] of text.matchAll(/^export (?:async )?(?:function\*?|class|const) (\w+)/gm)) {
      assert.equal(places.get(name), undefined, `${name} stands in ${places.get(name)} and in ${file}`);
      places.set(name, file);
    }
  }
  assert.ok(loaded.size > 10);
});
