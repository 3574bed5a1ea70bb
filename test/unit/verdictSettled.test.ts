import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FoundLoss } from '../../src/core/facts/loss.ts';
import { facts, file, levelOf, loss, ran, reasonsOf } from './verdictFacts.ts';

/** What was asked for, and the rehearsal shows for certain that nothing of it happened. */

const destroying = [
  'rm -rf important',
  'git reset --hard',
  'git clean -fd',
  'git checkout -- .',
  'find . -delete',
  'git stash clear',
];

test('where nothing was there to be deleted, and all of it is certain, nothing is said of it', () => {
  for (const command of destroying) {
    const given = facts(command, { programs: [ran(command, { id: 1 })] });
    assert.equal(levelOf(given), 'safe', command);
    const after = facts(`touch new && ${command}`, {
      programs: [ran('touch new', { id: 1 }), ran(command, { id: 2 })],
      files: [file('new', 'created')],
    });
    assert.equal(levelOf(after), 'safe', command);
  }
  const started = facts('ls | xargs rm -f', { programs: [ran('ls', { id: 1 }), ran('rm -f', { id: 2 })] });
  assert.equal(levelOf(started), 'safe');
  const copied = facts('cp .env kept', {
    programs: [ran('cp .env kept', { id: 1 })],
    files: [file('kept', 'created')],
  });
  assert.equal(levelOf(copied), 'caution');
});

test('an archive that was unpacked here is judged by what it wrote', () => {
  for (const command of ['tar -xzf a.tgz --overwrite', 'tar -xPf a.tar', 'tar --absolute-names -xf a.tar'])
    assert.equal(levelOf(facts(command, { programs: [ran(command, { id: 1 })] })), 'safe', command);
  assert.equal(levelOf(facts('tar -xPf a.tar')), 'danger');
});

test('a call for each line that is read has one of them', () => {
  const runs = ['a', 'b'].map((name, index) => ran(`git branch ${name}`, { id: index + 3 }));
  const programs = [ran("printf '%s\\n' a b", { id: 1 }), ran('xargs -I{} git branch {}', { id: 2 }), ...runs];
  const given = facts("printf '%s\\n' a b | xargs -I{} git branch {}", { programs });
  assert.ok(!reasonsOf(given).some((reason) => reason.includes("'a b'")), reasonsOf(given).join('\n'));
});

test('what asks first is a caution, for a rehearsal has nobody who answers', () => {
  for (const command of ['rm -i a', 'rm -rI a b', 'git clean -i', 'git checkout -p', 'git restore -p .']) {
    const given = facts(command, { programs: [ran(command, { id: 1 })] });
    assert.equal(levelOf(given), 'caution', command);
    assert.match(reasonsOf(given)[0] ?? '', / asks (?:before|which) [^()]*\.$/, command);
  }
});

test('a thing that is not there now is still asked for where it may be another time', () => {
  for (const command of destroying) {
    const given = facts(command, { programs: [ran(command, { id: 1, volatile: true })] });
    assert.equal(levelOf(given), 'caution', command);
    assert.match(reasonsOf(given)[0] ?? '', /nothing would be lost now/, command);
    const incomplete = facts(`make && ${command}`, { programs: [ran(command, { id: 1 })], incomplete: {} });
    assert.equal(levelOf(incomplete), 'caution', command);
  }
  const failed = facts('git merge --abort', { programs: [ran('git merge --abort', { exitCode: 128 })], exitCode: 128 });
  assert.match(reasonsOf(failed)[0] ?? '', /it failed here/);
});

test('work in a repository is no temporary file, wherever it lies', () => {
  const level = (rest: Partial<FoundLoss>) => {
    const at = '/tmp/other/a';
    return levelOf(facts('rm -rf /tmp/other', { files: [file(at, 'deleted')], loss: [loss(at, rest)] }));
  };
  assert.equal(level({ class: 'outside-repository', because: { kind: 'outsideRepository' } }), 'caution');
  assert.equal(level({ class: 'ignored', because: { kind: 'ignored' } }), 'caution');
  assert.equal(level({ class: 'untracked' }), 'danger');
  assert.equal(level({ class: 'modified', because: { kind: 'modified' } }), 'danger');
});

test('a home directory is one wherever it lies', () => {
  const home = '/tmp/me';
  const at = `${home}/letters.txt`;
  const lost = loss(at, { class: 'outside-repository', because: { kind: 'outsideRepository' } });
  const given = { home, files: [file(at, 'deleted')], loss: [lost] };
  assert.deepEqual(reasonsOf(facts('rm -rf ~', { ...given, programs: [ran(`rm -rf ${home}`, { id: 1 })] })), [
    'Deletes 1 file with 100 B that no repository has.',
    '`rm` asks to delete `/tmp/me`, the home directory.',
    'Deletes 1 file outside the workspace.',
  ]);
});
