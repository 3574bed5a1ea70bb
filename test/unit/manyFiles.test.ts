/** What is asked once for many files in a row says of each what it says of it alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folderOf, folderReader } from '../../src/core/loss/bytePath.ts';
import type { Facts } from '../../src/core/verdict/facts.ts';
import { judge } from '../../src/core/verdict/verdict.ts';
import type { FileChange } from '../../src/core/view/fileChange.ts';

const workspace = '/home/me/project';

const paths = [
  ...['a', 'b', '.env', 'key.pem', '.git', 'AGENTS.md', 'c'].map((name) => `${workspace}/src/${name}`),
  ...['.ssh/id_rsa', '.vscode/settings.json', '.git/hooks/pre-commit', '.git/index', 'plain/x'].map(
    (name) => `${workspace}/${name}`,
  ),
  ...['/.profile', '/x', '/home/me/.bashrc', '/home/me/projects/x', '/etc/cron.d/x', '/home/me/project'],
];

function placesOf(files: readonly string[]): string[] {
  const change = (path: string): FileChange => ({
    ...{ path, change: 'modified', type: 'file', mode: '0644', sizeBytes: 9, volatile: false },
  });
  const facts: Facts = {
    action: { kind: 'command', script: 'x', shell: 'bash', cwd: workspace },
    ...{ workspaceFolders: [workspace], home: '/home/me', userId: 1000, env: {}, programs: [], effects: [], loss: [] },
    ...{ errors: '', exitCode: 0, files: files.map(change) },
  };
  return judge(facts).flatMap(({ level, fact, evidence }) =>
    fact.kind === 'placeChanged' ? evidence.map((one) => JSON.stringify([level, fact.place, one])) : [],
  );
}

test('the folder of each path is the same whatever was asked before', () => {
  const all = ['/', '/a', '/a/b', '/a/bc/d', '/a/b/c', '/a/b/d', '/ab', '//x', '/a/b/', '/a', ...paths];
  const reader = folderReader();
  for (const first of all) for (const path of [first, ...all]) assert.equal(reader(path), folderOf(path), path);
});

test('special places are found in the middle of ordinary files, whatever stood before them', () => {
  const alone = paths.map((path) => placesOf([path]));
  assert.ok(alone.filter((found) => found.length > 0).length >= 5);
  for (const [index, path] of paths.entries()) {
    const others = [`${workspace}/src/f1`, `${workspace}/f2`, `${workspace}/src/f3`];
    assert.deepEqual(placesOf([...others, path, ...others]), alone[index], path);
  }
});
