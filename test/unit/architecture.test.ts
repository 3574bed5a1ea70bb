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
  ['consent'],
  ['consequences'],
  ['verdict'],
  ['prediction'],
  ['worlds'],
  // What puts the parts together; trajectories and benches predict through it.
  ['foretell.ts'],
  // What keeps what a prediction says is lost, and puts predicted results in place.
  ['safetyNet'],
  ['apply'],
  // What rules say of a prediction by its effects.
  ['policy'],
  ['alternatives'],
  // What agents call predicts through it too.
  ['toolbox'],
  ['trajectory'],
  // What agents are answered: predicts, and keeps what came of it beside real runs.
  ['hooks'],
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

function isHost(file: string): boolean {
  return file.startsWith('src/host/') || file === 'src/extension.ts';
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

/** Rooms outside of core, and what each may import besides itself. `extension.ts` and `cli.ts` put theirs together. */
const rims: Readonly<Record<string, readonly string[]>> = {
  'src/protocol': ['src/core'],
  'src/cli': ['src/core'],
  'src/cli.ts': ['src/core', 'src/cli'],
  'src/host': ['src/core', 'src/protocol'],
  'src/extension.ts': ['src/core', 'src/protocol', 'src/host'],
  media: ['src/core', 'src/protocol'],
};

test('host, command line and webviews import core and messages, and nothing of each other', () => {
  const isIn = (file: string, place: string) => file === place || file.startsWith(`${place}/`);
  for (const file of [...files('src'), ...files('media')]) {
    const place = Object.keys(rims).find((one) => isIn(file, one));
    if (!place) continue;
    const allowed = [place, ...(rims[place] ?? [])];
    for (const imported of imports(file)) {
      if (!/^(?:src|media)\//.test(imported)) continue;
      assert.ok(
        allowed.some((one) => isIn(imported, one)),
        `${file} imports ${imported}`,
      );
    }
  }
});

test('only the host imports vscode', () => {
  for (const file of [...files('src'), ...files('media')]) {
    if (isHost(file)) continue;
    assert.ok(!imports(file).includes('vscode'), `${file} imports vscode`);
  }
});

test('each page stands on its own: pages share what is in shared/', () => {
  // The panel is three scripts, of which the others know the first.
  const pageOf = (file: string) => (file.split('/')[1] ?? '').replace(/^(?:later|model)$/, 'predict');
  for (const file of files('media')) {
    for (const imported of imports(file)) {
      if (!imported.startsWith('media/')) continue;
      assert.ok([pageOf(file), 'shared'].includes(pageOf(imported)), `${file} imports ${imported}`);
    }
  }
});

/** What a file imports when it is loaded, types too; a part that is loaded later may know its loader's types. */
function importsAtOnce(file: string): string[] {
  const text = fs.readFileSync(path.join(root, file), 'utf8');
  const found = [...text.matchAll(/^(?:import|export)\s[^;]*?from\s*'(\.[^']+)'/gm)].map(([, name = '']) => name);
  return found.map((name) => path.posix.join(path.posix.dirname(file), name));
}

test('no circle of imports, of types neither', () => {
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]) => {
    assert.ok(!way.includes(file), `a circle: ${[...way.slice(way.indexOf(file)), file].join(' → ')}`);
    if (done.has(file)) return;
    if (file.endsWith('.ts')) for (const imported of importsAtOnce(file)) visit(imported, [...way, file]);
    done.add(file);
  };
  for (const file of [...files('src'), ...files('media')]) visit(file, []);
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
      const isIgnored = lines[index - 1]?.startsWith('// biome-ignore') === true;
      const before = lines[index - (isIgnored ? 2 : 1)]?.trim() ?? '';
      if (!before.endsWith('*/')) missing.push(`${file}: ${match[1]}`);
    }
  }
  assert.deepEqual(missing, []);
});

test('what the extension loads later of the core has no name twice: `engine.js` would have neither', () => {
  const loaded = new Set<string>();
  for (const file of files('src')) {
    if (!isHost(file)) continue;
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

/** What a file exports; the schema of a type has its name and counts as one. */
function exportsOf(text: string): { name: string; isType: boolean }[] {
  const found = [...text.matchAll(/^export (?:async )?(function\*?|class|const|interface|type) (\w+)/gm)];
  const types = new Set(found.filter(([, kind]) => kind === 'interface' || kind === 'type').map(([, , name]) => name));
  return found.map(([, , name = '']) => ({ name, isType: types.has(name) }));
}

/** `file#name` of everything that a file takes from others of ours. */
function* takenBy(file: string, text: string): Generator<string> {
  const targetOf = (written: string) => path.posix.join(path.posix.dirname(file), written);
  const named = /(?:import|export)\s+(?:type\s+)?(\{[^}]*\}|\*(?: as \w+)?)\s+from\s+'(\.[^']+)'/g;
  for (const [, names = '', written = ''] of text.matchAll(named)) {
    if (names.startsWith('*')) yield `${targetOf(written)}#*`;
    for (const name of names.replaceAll(/[{}*]/g, '').split(',')) {
      yield `${targetOf(written)}#${name
        .trim()
        .replace(/^type /, '')
        .replace(/ as .*/, '')}`;
    }
  }
  for (const [, written = ''] of text.matchAll(/(?:import|require)\(\s*'(\.[^']+)'/g)) {
    yield `${targetOf(written)}#later`;
  }
}

test('what is exported is used elsewhere, and not only by tests', () => {
  const sources = [...files('src'), ...files('media')].filter((file) => file.endsWith('.ts'));
  const textOf = new Map(
    [...sources, ...files('test')].map((file) => [file, fs.readFileSync(path.join(root, file), 'utf8')]),
  );
  const ours = new Set<string>();
  const tests = new Set<string>();
  for (const [file, text] of textOf) {
    // What measures and compares is no part of the product, but what it uses is no dead code either.
    const isTest = file.startsWith('test/') && !file.startsWith('test/bench/') && !file.startsWith('test/truth');
    for (const taken of takenBy(file, text)) (isTest ? tests : ours).add(taken);
  }
  // What is loaded later is handed on, and taken by name somewhere.
  const isNamedBeside = (file: string, name: string) =>
    [...textOf].some(
      ([other, text]) => other !== file && !other.startsWith('test/unit/') && new RegExp(`\\b${name}\\b`).test(text),
    );
  const unused: string[] = [];
  for (const file of sources) {
    const text = textOf.get(file) ?? '';
    for (const { name, isType } of exportsOf(text)) {
      if (ours.has(`${file}#${name}`) || ours.has(`${file}#*`) || file === 'src/extension.ts') continue;
      if (ours.has(`${file}#later`) && isNamedBeside(file, name)) continue;
      const isUsedInside = (text.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length > 1;
      // A type may have a name for those who read; a test may look at a part of what a file does.
      if (isUsedInside && (isType || tests.has(`${file}#${name}`))) continue;
      unused.push(`${file}: ${name}`);
    }
  }
  assert.equal(unused.join('\n'), '');
});
