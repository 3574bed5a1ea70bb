import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goingOf } from '../../src/core/loss/going.ts';
import { describeProgram } from '../../src/core/programs/describeProgram.ts';
import { isSecret } from '../../src/core/programs/targets.ts';
import { readScript } from '../../src/core/shell/script.ts';
import type { Facts } from '../../src/core/verdict/facts.ts';
import { turnsHistoryOff } from '../../src/core/verdict/historyOff.ts';
import { judge, worstLevel } from '../../src/core/verdict/verdict.ts';
import type { FileChange } from '../../src/core/view/fileChange.ts';

const cwd = '/home/me/project';

test('a database that keeps its tables and loses their rows is no edited one', () => {
  const table = 'CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT NOT NULL, mail TEXT UNIQUE);\n';
  const [ann, bob] = ["INSERT INTO users VALUES(1,'ann');\n", "INSERT INTO users VALUES(2,'bob');\n"];
  const states = (before: string, after: string) => ({ before: Buffer.from(before), after: Buffer.from(after) });
  const going = (before: string, after: string) => {
    const texts = states(before, after);
    return goingOf(texts.before, texts.after, [], texts);
  };
  assert.equal(going(table + ann + bob, table), 'replaced');
  assert.equal(going(table + ann + bob, table + bob), 'edited');
  assert.equal(going(table, `${table.slice(0, -3)}, x);\n`), 'edited');
});

test('a rehearsal of publishing publishes nothing, and runs code of the project', () => {
  const level = (command: string) => describeProgram(command.split(' '), cwd).level;
  for (const command of ['npm publish', 'cargo publish', 'uv publish', 'yarn npm publish', 'dart pub publish'])
    assert.deepEqual([level(command), level(`${command} --dry-run`)], ['danger', 'caution'], command);
  assert.equal(level('npm unpublish x'), 'danger');
});

test('the public half of a key is no secret', () => {
  assert.ok(isSecret('/home/me/.ssh/id_rsa') && isSecret('/home/me/.ssh/work') && isSecret('/home/me/.ssh/x.pub.bak'));
  assert.ok(!isSecret('/home/me/.ssh/known_hosts') && isSecret('/home/me/known_hosts/id_rsa'));
  assert.ok(!isSecret('/home/me/.ssh/id_rsa.pub') && !isSecret('/home/me/.ssh/work.pub'));
});

test('a new key is what a program is for that makes keys; over an old one, or by others, it is a danger', () => {
  const key: FileChange = {
    path: '/home/me/.ssh/id_new',
    change: 'created',
    type: 'file',
    mode: '0600',
    sizeBytes: 400,
    volatile: true,
  };
  const level = (argv: string[], change: FileChange['change']) => {
    const facts: Facts = {
      action: { kind: 'command', script: argv.join(' '), shell: 'bash', cwd },
      workspaceFolders: [cwd],
      home: '/home/me',
      userId: 1000,
      env: {},
      programs: [{ id: 1, argv, cwd, basis: 'rehearsed', exitCode: 0 }],
      effects: [],
      loss: [],
      errors: '',
      exitCode: 0,
      files: [{ ...key, change }],
    };
    return worstLevel(judge(facts));
  };
  const makes = ['ssh-keygen', '-t', 'ed25519', '-f', key.path];
  assert.equal(level(makes, 'created'), 'caution');
  assert.equal(level(makes, 'modified'), 'danger');
  assert.equal(level(['cp', 'x', key.path], 'created'), 'danger');
});

test('the length of a file is no name of one', () => {
  assert.deepEqual(describeProgram(['fallocate', '-l', '3G', 'big'], cwd).touches, [`${cwd}/big`]);
});

test('what failed before it reached anybody is not said to talk to the network', () => {
  const told = (exitCode: number | undefined) => {
    const facts: Facts = {
      action: { kind: 'command', script: 'git fetch; true', shell: 'bash', cwd },
      workspaceFolders: [cwd],
      home: '/home/me',
      userId: 1000,
      env: {},
      programs: [
        exitCode === undefined
          ? { id: 1, argv: ['git', 'fetch'], cwd, basis: 'assumed', gatedBecause: 'x' }
          : { id: 1, argv: ['git', 'fetch'], cwd, basis: 'rehearsed', exitCode },
      ],
      effects: [],
      loss: [],
      errors: '',
      exitCode: 0,
      files: [],
    };
    return judge(facts).some(({ fact }) => fact.kind === 'program');
  };
  assert.deepEqual([told(128), told(0), told(undefined)], [false, false, true]);
});

test('what only shows a stash takes nothing away', () => {
  const level = (command: string) => describeProgram(command.split(' '), cwd).level;
  for (const command of ['git stash show -p', 'git stash show --patch stash@{1}', 'git stash list -p'])
    assert.equal(level(command), 'safe', command);
  for (const command of ['git stash -p', 'git stash push -p', 'git checkout -p'])
    assert.equal(level(command), 'caution');
  assert.equal(level('git stash drop'), 'danger');
});

test('a variable that is checked to be set is no name that may be empty', () => {
  const level = (word: string) => describeProgram(['rm', '-rf', word], cwd).level;
  assert.deepEqual(['${DIR:?}/*', '${1:?no folder}/x'].map(level), ['caution', 'caution']);
  assert.deepEqual(['$DIR/*', '${DIR}/x', '${DIR:?}/$X', '$(pwd)/x', '/${DIR:?}'].map(level), Array(5).fill('danger'));
});

test('a variable without a value is told of other programs that delete, too', () => {
  const facts: Facts = {
    action: { kind: 'command', script: 'npx rimraf "$BUILD/"', shell: 'bash', cwd },
    workspaceFolders: [cwd],
    home: '/home/me',
    userId: 1000,
    env: {},
    programs: [],
    effects: [],
    loss: [],
    errors: '',
    files: [],
  };
  assert.ok(judge(facts).some(({ fact, level }) => fact.kind === 'unsetVariable' && level === 'danger'));
});

test('turning off what the shell remembers is told', () => {
  const off = (script: string) => readScript(script).commands.some(turnsHistoryOff);
  for (const script of [
    'unset HISTFILE',
    'set +o history; ls',
    'export HISTFILE=/dev/null',
    'HISTFILE=; ls',
    'HISTSIZE=0',
    'export HISTFILESIZE=0 HISTSIZE=0',
  ])
    assert.ok(off(script), script);
  for (const script of [
    'set -o history',
    'set +e',
    'export HISTSIZE=10000',
    'HISTFILE=~/.other_history',
    'HISTFILE=/dev/null bash -c ls',
    'unset FOO',
    'echo $HISTFILE',
    'grep HISTFILE=/dev/null ~/.bashrc',
  ])
    assert.ok(!off(script), script);
});
