import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Facts } from '../../src/core/verdict/facts.ts';
import { judge, worstLevel } from '../../src/core/verdict/verdict.ts';
import type { FileChange } from '../../src/core/view/fileChange.ts';
import { judgedInWords } from './judgedInWords.ts';

const folder = '/home/me/project';

function facts({ files }: { files: FileChange[] }): Facts {
  const place = { workspaceFolders: [folder], home: '/home/me', userId: 1000, env: {} };
  const nothing = { programs: [], effects: [], loss: [], errors: '', exitCode: 0 };
  return { action: { kind: 'command', script: 'x=1', shell: 'bash', cwd: folder }, ...place, ...nothing, files };
}

function file(name: string, change: FileChange['change'], rest: Partial<FileChange> = {}): FileChange {
  return { path: `${folder}/${name}`, change, type: 'file', mode: '0644', sizeBytes: 100, volatile: false, ...rest };
}

const levelOf = (given: Facts) => worstLevel(judge(given));
const reasonsOf = (given: Facts) => judgedInWords(given).map((risk) => risk.reason);

test('modes: set-user-id and writable by everybody', () => {
  const before = { type: 'file' as const, mode: '0755', sizeBytes: 100 };
  assert.equal(levelOf(facts({ files: [file('a', 'mode', { mode: '4755', before })] })), 'danger');
  assert.equal(levelOf(facts({ files: [file('a', 'mode', { mode: '0777', before })] })), 'danger');
  assert.equal(levelOf(facts({ files: [file('a', 'mode', { mode: '0700', before })] })), 'safe');
});

test('modes: what its owner may not read afterwards is a caution, with the way back', () => {
  const before = { type: 'file' as const, mode: '0644', sizeBytes: 100 };
  const folder = { type: 'directory' as const, mode: '0755', sizeBytes: 0 };
  const closed = facts({
    files: [
      file('src', 'mode', { mode: '0000', type: 'directory', before: folder }),
      file('src/a', 'mode', { mode: '0200', before }),
      file('b', 'mode', { mode: '0444', before }),
    ],
  });
  assert.equal(levelOf(closed), 'caution');
  assert.match(
    reasonsOf(closed)[0] ?? '',
    /^Leaves 1 file and 1 folder closed even to their owner; `chmod -R u\+rwX \S*src`/,
  );
  const one = facts({ files: [file('b', 'mode', { mode: '0000', before })] });
  assert.match(reasonsOf(one)[0] ?? '', /`chmod 0644 \S*b` opens it again/);
  const alone = facts({
    files: [file('src', 'mode', { mode: '0000', type: 'directory', before: folder })],
  });
  assert.match(
    reasonsOf(alone)[0] ?? '',
    /^Leaves 1 folder closed even to its owner; `chmod 0755 \S*src` opens it again/,
  );
  // A folder that may be read and not entered is closed; what was closed before, or is new and empty, is nobody's loss.
  assert.equal(
    levelOf(facts({ files: [file('src', 'mode', { mode: '0644', type: 'directory', before: folder })] })),
    'caution',
  );
  const shut = { ...before, mode: '0200' };
  assert.equal(levelOf(facts({ files: [file('b', 'mode', { mode: '0000', before: shut })] })), 'safe');
  assert.equal(levelOf(facts({ files: [file('n', 'created', { mode: '0000' })] })), 'safe');
  const into = facts({
    files: [
      file('n', 'created', { mode: '0000', type: 'directory' }),
      file('n/b', 'renamed', { from: '/work/b', mode: '0644' }),
    ],
  });
  assert.equal(levelOf(into), 'caution');
});

test('what runs on other machines and what agents may do: told of commands as of edits', () => {
  for (const name of [
    '.github/workflows/ci.yml',
    '.gitlab-ci.yml',
    'Jenkinsfile',
    '.mcp.json',
    '.devcontainer/devcontainer.json',
  ])
    assert.equal(levelOf(facts({ files: [file(name, 'created')] })), 'caution', name);
});
