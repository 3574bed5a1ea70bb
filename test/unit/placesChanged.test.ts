import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Facts } from '../../src/core/verdict/facts.ts';
import { judge } from '../../src/core/verdict/verdict.ts';
import type { FileChange } from '../../src/core/view/fileChange.ts';
import { riskText } from '../../src/core/words/riskText.ts';

/** What is said of a path for its place: only where somebody looks for it there. */

const workspace = '/home/me/project';

type Changed = Pick<FileChange, 'path'> & Partial<FileChange>;

function said(files: readonly Changed[], home = '/home/me'): string[] {
  const facts: Facts = {
    action: { kind: 'command', script: 'x', shell: 'bash', cwd: workspace },
    ...{ workspaceFolders: [workspace], home, userId: 1000, env: {}, programs: [], effects: [], loss: [] },
    ...{ errors: '', exitCode: 0 },
    files: files.map((file) => ({
      change: 'created',
      type: 'file',
      mode: '0644',
      sizeBytes: 9,
      volatile: false,
      ...file,
    })),
  };
  return judge(facts).flatMap((risk) =>
    risk.fact.kind === 'placeChanged' ? [`${risk.level}: ${riskText(risk)}`] : [],
  );
}

const of = (folder: string, names: readonly string[], rest: Partial<FileChange> = {}): Changed[] =>
  names.map((name) => ({ path: `${folder}/${name}`, ...rest }));

const names = [
  '.husky/pre-commit',
  '.github/workflows/ci.yml',
  '.vscode/tasks.json',
  '.env',
  'certs/server.key',
  '.bashrc',
];

test('settings of installed packages are nobody’s here', () => {
  for (const folder of [
    'node_modules/a',
    'packages/b/node_modules/a',
    '.venv/lib/python3.13/site-packages/a',
    'vendor/a',
  ])
    for (const change of ['created', 'modified', 'deleted'] as const)
      assert.deepEqual(said(of(`${workspace}/${folder}`, names, { change })), [], `${folder} ${change}`);
});

test('a project that is moved as a whole brings them along', () => {
  const moved = (to: string) =>
    names.map((name) => ({
      path: `${workspace}/${to}/${name}`,
      change: 'renamed' as const,
      from: `/home/me/old/${name}`,
    }));
  const folder: Changed = { path: `${workspace}/in`, change: 'renamed', type: 'directory', from: '/home/me/old' };
  assert.deepEqual(said([folder, ...moved('in')]), []);
  assert.notDeepEqual(said(moved('in')), []);
});

test('among temporary files nobody looks for them, unless the home or the workspace lies there', () => {
  assert.deepEqual(said(of('/tmp/copy', names)), []);
  assert.deepEqual(said([{ path: '/tmp/home/.bashrc' }], '/tmp/home'), [
    'danger: Creates 1 file that will be run or read at the next start.',
  ]);
});

test('a folder is what its files are, whatever its name is', () => {
  const type = 'directory';
  for (const path of ['src/secrets', 'src/credentials', 'certs', '.vscode', '.ssh'])
    assert.deepEqual(said([{ path: `${workspace}/${path}`, type }]), [], path);
  assert.deepEqual(said(of('/home/me', ['.ssh', '.aws'], { type })), [
    'caution: Creates 2 folders outside the workspace.',
  ]);
});

test('what is deleted starts nothing, and is said to be deleted', () => {
  const change = 'deleted';
  assert.deepEqual(said(of(workspace, ['.husky/pre-commit', '.env'], { change })), [
    'caution: Deletes 1 file that would be run or read at the next start.',
    'caution: Deletes 1 file with keys or passwords.',
  ]);
  assert.deepEqual(said([{ path: '/etc/cron.d/backup', change }]), ['danger: Deletes 1 file of the system.']);
  assert.deepEqual(said([{ path: '/home/me/.ssh/id_rsa', change }]), [
    'danger: Deletes 1 file with keys or passwords.',
  ]);
  assert.deepEqual(said([{ path: `${workspace}/.env`, change }, { path: `${workspace}/.env.local` }]), [
    'caution: Deletes 1 file with keys or passwords.',
    'caution: Creates 1 file with keys or passwords.',
  ]);
});

test('what was there before is changed, and not created', () => {
  const env = { path: `${workspace}/.env`, change: 'modified' } as const;
  assert.deepEqual(said([env]), ['caution: Changes 1 file with keys or passwords.']);
  assert.deepEqual(said([env, { path: `${workspace}/.env.local` }]), [
    'caution: Changes 2 files with keys or passwords.',
  ]);
});

test('in its own place each counts', () => {
  assert.deepEqual(said(of(workspace, names)), [
    'danger: Creates 2 files that will be run or read at the next start.',
    'caution: Creates 1 file that decides what runs on other machines.',
    'caution: Creates 1 file that decides what agents and editors may do.',
    'caution: Creates 2 files with keys or passwords.',
  ]);
});

test('a project that the action itself makes starts nothing yet, and what it puts into one that is there counts', () => {
  const other = '/home/me/other';
  const folders = of('/home/me', ['other', 'other/.husky', 'other/.vscode', 'other/certs'], { type: 'directory' });
  assert.deepEqual(said([...folders, ...of(other, names)]), [
    'caution: Creates 6 files and 4 folders outside the workspace.',
  ]);
  const inside = of(workspace, ['.husky', '.vscode'], { type: 'directory' });
  assert.deepEqual(said([...inside, ...of(workspace, ['.husky/pre-commit', '.vscode/tasks.json'])]), [
    'danger: Creates 1 file that will be run or read at the next start.',
    'caution: Creates 1 file that decides what agents and editors may do.',
  ]);
  const units = of('/home/me', ['.config', '.config/systemd', '.config/systemd/user'], { type: 'directory' });
  assert.deepEqual(
    said([...units, { path: '/home/me/.config/systemd/user/x.service' }])[0],
    'danger: Creates 1 file that will be run or read at the next start.',
  );
});
