import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'src/README.md',
  ...fs.readdirSync('docs').map((name) => `docs/${name}`),
].filter((file) => file.endsWith('.md') && fs.existsSync(file));

/** First parts of the paths that are ours; other names with a slash are examples. */
const tops = ['src/', 'media/', 'test/', 'prompts/', 'docs/', '.vscode/'];
/** The parts of `src` that `src/README.md` names without it. */
const partsOfSource = ['core/', 'host/', 'cli/', 'native/', 'tools/', 'protocol/'];

/** What a path in a document may be written relative to. */
function placesOf(document: string): string[] {
  return [...new Set(['.', path.dirname(document), 'src', 'src/core'])];
}

function isThere(document: string, written: string): boolean {
  const plain = written.replace(/[#:].*$/, '').replace(/\/$/, '');
  return placesOf(document).some((place) => {
    // What stands for any name below a folder: the folder has to be there.
    const [known = ''] = plain.split(/\/(?=[^/]*<)/);
    const [folder, pattern] = [path.join(place, path.dirname(known)), path.basename(known)];
    if (!/[*<]/.test(pattern)) return fs.existsSync(path.join(folder, pattern));
    const beginning = pattern.replace(/[*<].*$/, '');
    return fs.existsSync(folder) && fs.readdirSync(folder).some((name) => name.startsWith(beginning));
  });
}

/** Paths in code and the targets of links, outside of blocks of code. */
function pathsIn(document: string): string[] {
  const text = fs.readFileSync(document, 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  const code = [...text.matchAll(/`([^`\s]+)`/g)].map(([, target = '']) => target);
  const starts = document.startsWith('src/') ? [...tops, ...partsOfSource] : tops;
  return [
    ...links.filter((target) => !/^(?:https?:|#)/.test(target)),
    ...code.filter(
      (target) => starts.some((start) => target.startsWith(start)) && !/[{<>$]/.test(target.split('/')[0] ?? ''),
    ),
  ];
}

for (const document of documents) {
  test(`every path that ${document} names is there`, () => {
    const paths = pathsIn(document);
    if (document !== 'docs/measurements.md') assert.ok(paths.length > 5);
    assert.deepEqual(
      paths.filter((one) => !isThere(document, one)),
      [],
    );
  });
}

test('the settings that the README names are those there are', () => {
  const settings = manifest.contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
  const readme = fs.readFileSync('README.md', 'utf8');
  const named = [...readme.matchAll(/`(foretell\.[\w.]+(?:\.\*)?)`/g)].map(([, name = '']) => name);
  const covers = (name: string, setting: string) =>
    name.endsWith('.*') ? setting.startsWith(name.slice(0, -1)) : name === setting;
  assert.deepEqual(
    named.filter((name) => !settings.some((setting) => covers(name, setting))),
    [],
  );
  assert.ok(named.length > 8);
});

test('the commands that documents tell to run are scripts of package.json', () => {
  for (const document of documents) {
    const text = fs.readFileSync(document, 'utf8');
    for (const [, name = ''] of text.matchAll(/npm run (?:-s )?([\w:]+)/g)) {
      if (document === 'README.md' && name === 'build') continue;
      assert.ok(name in manifest.scripts, `${document}: npm run ${name}`);
    }
  }
});

interface WatchMatcher {
  pattern: { regexp: string };
  background: { beginsPattern: string; endsPattern: string };
}

test('F5 starts a task that there is, which tells what the problem matcher waits for', () => {
  const read = (file: string) => JSON.parse(fs.readFileSync(`.vscode/${file}`, 'utf8'));
  const { tasks } = read('tasks.json') as {
    tasks: { label: string; script?: string; problemMatcher: string | WatchMatcher }[];
  };
  for (const { preLaunchTask } of read('launch.json').configurations as { preLaunchTask?: string }[]) {
    if (preLaunchTask !== undefined)
      assert.ok(
        tasks.some(({ label }) => label === preLaunchTask),
        preLaunchTask,
      );
  }
  for (const { script } of tasks) assert.ok(script === undefined || script in manifest.scripts, script);
  const matcher = tasks.find(({ label }) => label === 'watch')?.problemMatcher;
  assert.ok(typeof matcher === 'object');
  const { pattern, background } = matcher;
  assert.deepEqual(new RegExp(pattern.regexp).exec('src/cli.ts:16:13: error: Unterminated string')?.slice(1), [
    'src/cli.ts',
    '16',
    '13',
    'error',
    'Unterminated string',
  ]);
  const watch = fs.readFileSync('src/tools/watch.mjs', 'utf8');
  for (const told of [background.beginsPattern, background.endsPattern]) {
    assert.ok(watch.includes(told.replace(/^\^/, '').replaceAll('\\', '')), told);
  }
});

test('files that src/README.md names as places to start reading are below the folder of their row', () => {
  const rows = fs.readFileSync('src/README.md', 'utf8').matchAll(/^\| `([^`]+)` \|.*\| ([^|]*) \|$/gm);
  const missing: string[] = [];
  let seen = 0;
  for (const [, folder = '', reading = ''] of rows) {
    const place = path.join('src', folder);
    const below = fs.statSync(place).isDirectory() ? fs.readdirSync(place, { recursive: true }).map(String) : [place];
    for (const [, name = ''] of reading.matchAll(/`([\w./]+\.(?:ts|c|md|mjs|txt))`/g)) {
      seen += 1;
      const isFound = below.some((file) => `/${file}`.endsWith(`/${name}`)) || fs.existsSync(path.join(place, name));
      if (!isFound) missing.push(`${folder}: ${name}`);
    }
  }
  assert.deepEqual(missing, []);
  assert.ok(seen > 20);
});
