import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FoundLoss } from '../../src/core/facts/loss.ts';
import type { Recovery } from '../../src/core/facts/recovery.ts';
import { judgedInWords } from './judgedInWords.ts';

/** No way back is told of what another one brings back. */

function reasons(loss: FoundLoss[]): string[] {
  const action = { kind: 'command' as const, script: 'rm -rf one two', shell: 'bash' as const, cwd: '/w' };
  const program = { id: 1, argv: ['rm', '-rf', 'one', 'two'], cwd: '/w', basis: 'rehearsed' as const, exitCode: 0 };
  const place = { workspaceFolders: ['/w'], home: '/home/me', userId: 1000, env: {} };
  const facts = { action, ...place, programs: [program], files: [], effects: [], loss, errors: '' };
  return judgedInWords(facts).map(({ reason }) => reason);
}

function lost(path: string, lossClass: FoundLoss['class'], recovery: Recovery): FoundLoss {
  const because = lossClass === 'commits' ? ({ kind: 'allOnRemote' } as const) : ({ kind: 'untracked' } as const);
  return { path, class: lossClass, because, going: 'deleted', sizeBytes: 100, recovery };
}

test('each repository has its own way back', () => {
  const repository = (name: string) =>
    lost(`/w/${name}`, 'commits', { kind: 'remote', address: `/far/${name}.git`, by: 'clone' });
  const reason = (name: string) =>
    `Takes away the repository; every commit is on a remote; it can be brought back from /far/${name}.git as of the last fetch (git clone).`;
  assert.deepEqual(reasons([repository('one'), repository('two')]), [reason('one'), reason('two')]);
});

test('files that come back from several places are counted together, and no place is told of all of them', () => {
  const link = (name: string, target: string) => lost(`/w/${name}`, 'committed-local', { kind: 'linkTarget', target });
  assert.deepEqual(reasons([link('a', '/to/a'), link('b', '/to/b')]), [
    'Deletes 2 files with 200 B that can be brought back, from 2 different places.',
  ]);
  assert.deepEqual(reasons([link('a', '/to/a'), link('b', '/to/a')]), [
    'Deletes 2 files with 200 B that can be brought back from its target, which is known: /to/a.',
  ]);
});

test('one commit is one place, whatever command brings each file back from it', () => {
  const committed = (name: string, commit: string) =>
    lost(`/w/${name}`, 'committed-local', { kind: 'commit', commit, command: `git checkout ${commit} -- ${name}` });
  assert.deepEqual(reasons([committed('a', '1a2b3c4d5e6f'), committed('b', '1a2b3c4d5e6f')]), [
    'Deletes 2 files with 200 B that can be brought back from commit 1a2b3c4d5e.',
  ]);
  assert.deepEqual(reasons([committed('a', '1a2b3c4d5e6f'), committed('b', '6f5e4d3c2b1a')]), [
    'Deletes 2 files with 200 B that can be brought back, from 2 different places.',
  ]);
});

test('the index is one place, and so is the object database; the id of one file is not told of the others', () => {
  const staged = (name: string) => lost(`/w/${name}`, 'index', { kind: 'index', id: name.repeat(40) });
  assert.deepEqual(reasons([staged('a'), staged('b')]), [
    'Deletes 2 files with 200 B that can be brought back from the index.',
  ]);
  assert.deepEqual(reasons([staged('a')]), [
    'Deletes 1 file with 100 B that can be brought back from the index (git cat-file -p aaaaaaaaaa).',
  ]);
  const inObjects = (name: string) =>
    lost(`/w/${name}`, 'index', { kind: 'objectDatabase', id: name.repeat(40), command: `git cat-file -p ${name}` });
  assert.deepEqual(reasons([inObjects('a'), inObjects('b')]), [
    'Deletes 2 files with 200 B that can be brought back from git’s object database until the next gc.',
  ]);
});

test('an edit is said where only git’s next gc waits for what was there; a copy that stays is nothing to say', () => {
  const edited = (recovery: Recovery) => reasons([{ ...lost('/w/a', 'elsewhere-in-git', recovery), going: 'edited' }]);
  assert.match(edited({ kind: 'objectDatabase' }).join('\n'), /^Edits 1 file .* until the next gc/);
  assert.doesNotMatch(edited({ kind: 'storedByAction' }).join('\n'), /Edits/);
});
