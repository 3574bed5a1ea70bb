import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inWords } from '../../src/core/prediction/factEvent.ts';
import { aptCall, readAptDownload, readAptPlan } from '../../src/core/programs/aptCall.ts';
import { judge } from '../../src/core/verdict/verdict.ts';

const of = (line: string) => aptCall(line.split(' '))?.join(' ');

test('a call of apt is asked again as what it would change', () => {
  for (const [line, expected] of [
    ['apt-get install -y hello', '-y install hello'],
    ['apt install --no-install-recommends curl git=1:2.39-1', '--no-install-recommends install curl git=1:2.39-1'],
    ['apt-get -qq -o Dpkg::Options::=--force-confnew upgrade', '-qq upgrade'],
    ['apt-get -o APT::Install-Recommends=false install x', '-o APT::Install-Recommends=false install x'],
    ['apt-get -t bookworm-backports install x', '-t bookworm-backports install x'],
    ['apt upgrade', '--with-new-pkgs upgrade'],
    ['apt-get autoremove --purge', '--purge autoremove'],
    ['apt-get remove libfoo* bar-', 'remove libfoo* bar-'],
    ['apt full-upgrade', 'full-upgrade'],
  ] as const)
    assert.equal(of(line), expected, line);
  for (const line of [
    'apt-get update',
    'apt-get install ./x.deb',
    'apt-get install /tmp/x.deb',
    'apt-get -c own.conf install x',
    'apt-get -o Dir::Etc=/tmp install x',
    'apt-get -o DPkg::Pre-Invoke::=id -o Dir=/x install x',
    'apt-get -d install x',
    'apt-get source x',
    'apt list --upgradable',
    'apt-get install $(id)',
    'dnf install x',
  ])
    assert.equal(of(line), undefined, line);
});

const said = `Reading package lists...
The following packages will be REMOVED:
  old
The following NEW packages will be installed:
  libnew:i386
The following packages have been kept back:
  held other
  third
The following packages will be upgraded:
  tool
The following packages will be DOWNGRADED:
  down
1 upgraded, 1 newly installed, 1 downgraded, 1 to remove and 3 not upgraded.
Remv old [1.0-1]
Inst tool [1.0] (1.1 Debian:12/stable [amd64]) []
Inst down [2.0] (1.9 Debian:12/stable [amd64])
Inst libnew:i386 (3:0.1~rc1 Debian:12/stable [i386])
Conf tool (1.1 Debian:12/stable [amd64])
`;

test('what a simulation says is read as data, and only where its own numbers agree', () => {
  const argv = ['apt-get', 'upgrade'];
  const plan = readAptPlan(argv, said);
  assert.deepEqual(plan, {
    argv,
    installs: [{ name: 'libnew:i386', to: '3:0.1~rc1' }],
    upgrades: [{ name: 'tool', from: '1.0', to: '1.1' }],
    downgrades: [{ name: 'down', from: '2.0', to: '1.9' }],
    removes: [{ name: 'old', from: '1.0-1' }],
    keeps: ['held', 'other', 'third'],
  });
  assert.equal(readAptPlan(argv, said.replace('Remv old [1.0-1]\n', '')), undefined);
  assert.equal(readAptPlan(argv, ''), undefined);
  const uris =
    "'http://h/a_1_amd64.deb' a_1_amd64.deb 53080 MD5Sum:00\n'http://h/b.deb' b.deb 20 \nNeed to get 53 kB\n";
  assert.equal(readAptDownload(uris), 53_100);
});

test('a plan is told with every removal, and its level is that of its numbers', () => {
  const plan = readAptPlan(['apt-get', 'upgrade'], said);
  assert.ok(plan);
  const full = { ...plan, downloadBytes: 53_100, listsAt: '2026-11-20T10:00:00.000Z' };
  const event = inWords({ type: 'effect', basis: 'computed', fact: { kind: 'packagePlan', plan: full } });
  assert.equal(
    'detail' in event && event.detail,
    '`apt-get upgrade` would remove 1 package (old); downgrade 1 package (down 2.0 → 1.9); install 1 package (libnew:i386 3:0.1~rc1); upgrade 1 package (tool 1.0 → 1.1); keeps back held, other, third; downloads 53.1 kB (by the package lists of 2026-11-20)',
  );
  const none = { ...plan, installs: [], upgrades: [], downgrades: [], removes: [], keeps: [] };
  const level = (one: typeof plan) => {
    const fact = { kind: 'packagePlan', plan: one } as const;
    const effects = [{ effect: 'package', detail: '', basis: 'computed', fact } as const];
    const action = { kind: 'command', script: '', shell: 'bash', cwd: '/w' } as const;
    const facts = { action, home: '/h', workspaceFolders: [], env: {}, userId: 1000, incomplete: undefined };
    const judged = judge({ ...facts, limit: undefined, programs: [], files: [], loss: [], errors: '', effects });
    return judged[0]?.level;
  };
  assert.equal(level(plan), 'danger');
  assert.equal(level({ ...plan, removes: [] }), 'caution');
  assert.equal(level(none), 'safe');
  const many = { ...none, removes: Array.from({ length: 40 }, (_, at) => ({ name: `p${at}` })) };
  const told = inWords({ type: 'effect', basis: 'computed', fact: { kind: 'packagePlan', plan: many } });
  assert.match('detail' in told ? (told.detail ?? '') : '', /remove 40 packages .*p39\)/);
  const unknown = inWords({ type: 'notice', fact: { kind: 'packagesUnknown', because: 'noLists' } });
  assert.match('text' in unknown ? (unknown.text ?? '') : '', /apt-get update/);
});
