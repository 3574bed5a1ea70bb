import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Effect } from '../../src/core/facts/effect.ts';
import type { FoundLoss } from '../../src/core/facts/loss.ts';
import type { ProgramFact } from '../../src/core/facts/programFact.ts';
import type { Facts } from '../../src/core/verdict/facts.ts';
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

/** Code in one word, as a program that ran. */
const ranCode = (argv: string[], rest: Partial<ProgramFact> = {}): ProgramFact => ({
  ...{ id: 1, argv, cwd: '/home/me/project', basis: 'rehearsed', exitCode: 0 },
  ...rest,
});

test('code that ran is judged by what it did, also where it failed or is remembered', () => {
  const code = "import os; os.remove('missing.txt')";
  const given = (rest: Partial<ProgramFact>, more: Partial<Facts> = {}) =>
    facts(`python3 -c "${code}"`, { programs: [ranCode(['python3', '-c', code], rest)], ...more });
  const deletes = 'The python code deletes files or directories';
  assert.equal(levelOf(given({})), 'safe');
  assert.equal(levelOf(given({ basis: 'remembered' })), 'safe');
  for (const basis of ['rehearsed', 'remembered'] as const) {
    const failed = given({ basis, exitCode: 1 }, { exitCode: 1 });
    assert.equal(levelOf(failed), 'caution');
    assert.ok(reasonsOf(failed).includes(`${deletes} (it failed here).`), reasonsOf(failed).join('\n'));
  }
  const half = given({ exitCode: 1 }, { exitCode: 1, files: [file('other', 'deleted')], loss: [loss('other', {})] });
  assert.ok(reasonsOf(half).includes(`${deletes}.`), reasonsOf(half).join('\n'));
  for (const uncertain of [{ volatile: true }, { basis: 'imagined' as const }, { basis: 'assumed' as const }])
    assert.equal(levelOf(given({ ...uncertain, exitCode: 1 }, { exitCode: 1 })), 'danger');
  assert.equal(levelOf(given({ exitCode: 1 }, { exitCode: 1, incomplete: {} })), 'danger');
});

test('code that failed at the files of the system or at home asked for them all the same', () => {
  for (const [at, level] of [
    ['/etc', 'danger'],
    ['/home/me', 'danger'],
    ['docs', 'caution'],
    ['/tmp/x', 'caution'],
  ] as const) {
    const code = `import shutil; shutil.rmtree('${at}')`;
    const programs = [ranCode(['python3', '-c', code], { exitCode: 1 })];
    assert.equal(levelOf(facts(`python3 -c "${code}"`, { programs, exitCode: 1 })), level, at);
  }
});

test('code whose commands were all started is judged by them', () => {
  const code = "import os; os.system('rm -rf missing')";
  const programs = [ranCode(['python3', '-c', code]), { ...ran('rm -rf missing'), id: 2, parent: 1 }];
  const script = `python3 -c "${code}"`;
  assert.equal(levelOf(facts(script, { programs })), 'safe');
  assert.equal(levelOf(facts(script, { programs: programs.slice(0, 1) })), 'danger');
  const network = { effect: 'network', basis: 'rehearsed', fact: { kind: 'connects', address: 'x' } } as never;
  assert.equal(levelOf(facts(script, { programs, effects: [network] })), 'danger');
});

test('signals that reach nobody outside are a caution', () => {
  const nobody = /\(no process outside the command is sent a signal here\)\.$/;
  for (const [script, programs] of [
    ['kill -9 1', []],
    ['kill -9 1 || true', []],
    ['pkill -9 nobody', [ran('pkill -9 nobody', { id: 1, exitCode: 1 })]],
  ] as const) {
    const given = facts(script, { programs });
    assert.equal(levelOf(given), 'caution', script);
    assert.match(reasonsOf(given)[0] ?? '', nobody, script);
    assert.equal(levelOf(facts(script, { programs, incomplete: {} })), 'danger', script);
    // It was run twice, and neither of the two signalled anybody.
    const printsByChance = { programs, incomplete: { doubt: { kind: 'outputVaries' } } } as const;
    assert.equal(levelOf(facts(script, printsByChance)), 'caution', script);
    const signal: Effect = {
      ...{ effect: 'signal', basis: 'rehearsed', detail: '' },
      fact: { kind: 'signals', signal: 'SIGKILL', pid: 1, command: 'init' },
    };
    assert.equal(levelOf(facts(script, { programs, effects: [signal] })), 'danger', script);
  }
  assert.equal(levelOf(facts('docker exec box kill -9 1')), 'danger');
  assert.equal(levelOf(facts('ssh host kill -9 1')), 'danger');
});

test('the interpreter to which the script of a known program hands its words is judged as that program', () => {
  const judged = (call: string, handed: string, found: Partial<ProgramFact> = {}) => {
    const programs = [
      ran(call, { id: 1, basis: 'assumed' }),
      ran(handed, { id: 2, parent: 1, basis: 'assumed', gatedBecause: 'not inert', ...found }),
    ];
    return levelOf(facts(call, { programs, incomplete: {} }));
  };
  const to = (words: string) => `/usr/lib/sdk/bin/python3 /usr/lib/sdk/lib/gcloud.py ${words}`;
  assert.equal(judged('gcloud compute instances list', to('compute instances list')), 'safe');
  assert.equal(judged('gcloud projects delete p', to('projects delete p')), 'danger');
  assert.equal(judged('gcloud compute instances list', to('projects delete p')), 'caution');
  assert.equal(judged('/w/gcloud compute instances list', to('compute instances list')), 'caution');
  assert.equal(
    judged('gcloud compute instances list', to('compute instances list'), { lookedThrough: true }),
    'caution',
  );
  assert.equal(judged('own compute instances list', to('compute instances list')), 'caution');
});

test('packages that a rehearsal was refused to change are a caution', () => {
  const given = (rest: Partial<ProgramFact>) =>
    facts('dpkg -r hello', { programs: [{ ...ran('dpkg -r hello', { id: 1 }), ...rest }], exitCode: 2 });
  for (const basis of ['rehearsed', 'remembered'] as const) {
    const failed = given({ basis, exitCode: 2 });
    assert.equal(levelOf(failed), 'caution');
    assert.ok(
      reasonsOf(failed).includes('`dpkg -r hello` removes packages (it failed here).'),
      reasonsOf(failed).join('\n'),
    );
  }
  for (const rest of [{ volatile: true }, { basis: 'imagined' as const }, { basis: 'assumed' as const }])
    assert.equal(levelOf(given({ ...rest, exitCode: 2 })), 'danger', JSON.stringify(rest));
  assert.equal(levelOf(facts('dpkg -r hello')), 'danger');
  assert.equal(levelOf(given({ exitCode: 0 })), 'danger');
});
