import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import {
  consentFile,
  consentFor,
  giveConsent,
  readConsents,
  takeBackConsent,
} from '../../src/core/consent/consentStore.ts';
import { findPrograms } from '../../src/core/consent/findPrograms.ts';

const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-consent-')));
after(() => fs.rmSync(root, { recursive: true, force: true }));

const now = new Date('2026-01-02T03:04:05Z');
let place = '';
let file = '';
let count = 0;

beforeEach(() => {
  place = path.join(root, String(count++));
  file = consentFile({ XDG_CONFIG_HOME: path.join(place, 'config') });
  for (const folder of ['app/sub', 'other', 'app-two']) fs.mkdirSync(path.join(place, folder), { recursive: true });
});

const at = (name: string) => path.join(place, name);
const counts = (name: string) => consentFor(file, at(name)).consent?.folder;

function give(name: string, programs: Parameters<typeof giveConsent>[2] = 'all'): void {
  const given = giveConsent(file, at(name), programs, now);
  assert.ok(!('problem' in given), JSON.stringify(given));
}

describe('a kept consent', () => {
  test('lies with the settings of the user, for the user alone', () => {
    give('app');
    assert.equal(file, at('config/foretell/consent.json'));
    assert.equal(fs.statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(fs.readdirSync(path.dirname(file)), ['consent.json'], 'nothing is left beside it');
    assert.equal(
      consentFile({ XDG_CONFIG_HOME: 'relative', HOME: '/home/me' }),
      '/home/me/.config/foretell/consent.json',
    );
    assert.equal(JSON.parse(fs.readFileSync(file, 'utf8')).version, 1);
  });

  test('counts in its folder and below, and nowhere else', () => {
    assert.equal(counts('app'), undefined);
    give('app');
    assert.deepEqual(['app', 'app/sub', 'other', 'app-two', '.', 'app/missing'].map(counts), [
      at('app'),
      at('app'),
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('of the nearest folder is what counts', () => {
    const node = [{ name: 'node', file: process.execPath }];
    give('app');
    give('app/sub', node);
    assert.deepEqual(consentFor(file, at('app/sub')).consent?.programs, node);
    assert.equal(consentFor(file, at('app')).consent?.programs, 'all');
  });

  test('is given again in the place of the earlier one', () => {
    give('app');
    give('app', [{ name: 'a', file: '/a' }]);
    const read = readConsents(file);
    assert.ok('consents' in read);
    assert.deepEqual(
      read.consents.map(({ folder, programs, givenAt }) => [folder, programs, givenAt]),
      [[at('app'), [{ name: 'a', file: '/a' }], '2026-01-02T03:04:05.000Z']],
    );
  });

  test('is taken back, also when its folder is gone', () => {
    give('app');
    give('other');
    assert.ok('taken' in takeBackConsent(file, at('app')));
    assert.equal(counts('app'), undefined);
    fs.rmSync(at('other'), { recursive: true });
    assert.ok('taken' in takeBackConsent(file, at('other')));
    const again = takeBackConsent(file, at('app'));
    assert.ok('problem' in again && /There is no consent for/.test(again.problem));
  });

  test('of a folder above is taken back there', () => {
    give('app');
    const answer = takeBackConsent(file, at('app/sub'));
    assert.ok('problem' in answer && answer.problem.includes(`that of ${at('app')} covers it`));
    assert.equal(counts('app/sub'), at('app'));
  });
});

describe('consent for one folder never opens another', () => {
  test('through a symbolic link, in either direction', () => {
    give('app');
    fs.symlinkSync(at('other'), at('app/link'));
    fs.symlinkSync(at('app'), at('other/link'));
    assert.equal(counts('app/link'), undefined, 'it leads out');
    assert.equal(counts('other/link'), at('app'), 'it leads in');
  });

  test('that is given through a symbolic link is for the folder behind it', () => {
    fs.symlinkSync(at('app'), at('link'));
    give('link');
    assert.equal(counts('app'), at('app'));
    fs.rmSync(at('link'));
    fs.symlinkSync(at('other'), at('link'));
    assert.equal(counts('link'), undefined);
  });

  test('that came to its place, nor goes with a folder that is renamed', () => {
    give('app');
    fs.renameSync(at('app'), at('renamed'));
    assert.equal(counts('renamed'), undefined);
    fs.mkdirSync(at('app'));
    assert.equal(counts('app'), undefined, 'it is another folder');
    fs.rmdirSync(at('app'));
    fs.renameSync(at('renamed'), at('app'));
    assert.equal(counts('app'), at('app'), 'it is back');
  });

  test('that came to the place of one below', () => {
    give('app');
    give('app/sub', []);
    fs.renameSync(at('app/sub'), at('elsewhere'));
    fs.mkdirSync(at('app/sub'));
    assert.equal(counts('app/sub'), undefined);
  });
});

describe('a file that a repository brings', () => {
  test('does not count with the permissions that a checkout gives', () => {
    give('app');
    fs.chmodSync(file, 0o644);
    const { consent, problem } = consentFor(file, at('app'));
    assert.equal(consent, undefined);
    assert.match(problem ?? '', /has not the permissions 0600/);
  });

  test('does not count as a symbolic link', () => {
    give('app');
    fs.renameSync(file, at('app/shipped.json'));
    fs.symlinkSync(at('app/shipped.json'), file);
    assert.match(consentFor(file, at('app')).problem ?? '', /is a symbolic link/);
  });

  test('does not count for a folder that holds it', () => {
    give('app');
    const inside = consentFile({ XDG_CONFIG_HOME: at('app/config') });
    fs.mkdirSync(path.dirname(inside), { recursive: true });
    fs.copyFileSync(file, inside);
    fs.chmodSync(inside, 0o600);
    assert.equal(consentFor(inside, at('app')).consent, undefined);
    const given = giveConsent(inside, at('app'), 'all', now);
    assert.ok('problem' in given && /could consent to itself/.test(given.problem));
  });
});

describe('a broken file', () => {
  const broken: [string, string, RegExp][] = [
    ['no JSON', '{', /is not JSON/],
    ['another version', '{"version":2,"consents":[]}', /is of version 2/],
    ['another form', '{"version":1,"consents":[{"folder":"/"}]}', /does not hold what Foretell writes/],
    ['nothing', '', /is not JSON/],
  ];
  for (const [name, text, message] of broken)
    test(`is one sentence, no consent, and stays as it is: ${name}`, () => {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, text, { mode: 0o600 });
      const { consent, problem } = consentFor(file, at('app'));
      assert.equal(consent, undefined);
      assert.match(problem ?? '', message);
      assert.ok('problem' in giveConsent(file, at('app'), 'all', now));
      assert.ok('problem' in takeBackConsent(file, at('app')));
      assert.equal(fs.readFileSync(file, 'utf8'), text);
    });

  test('is not waited for where it is a FIFO or a folder', () => {
    fs.mkdirSync(file, { recursive: true });
    assert.match(consentFor(file, at('app')).problem ?? '', /is no regular file/);
  });
});

describe('programs that a consent names', () => {
  test('are found as a shell finds them, and resolved to their files', () => {
    for (const folder of ['first', 'second']) {
      fs.mkdirSync(at(folder));
      fs.writeFileSync(at(`${folder}/tool`), '#!/bin/sh\n', { mode: 0o755 });
    }
    fs.symlinkSync(at('second/tool'), at('first/alias'));
    const found = findPrograms(['tool', 'alias', './own'], at('app'), `.:relative:${at('first')}:${at('second')}`);
    assert.ok('problem' in found && found.problem.startsWith('There is no program ./own at that path'));
    fs.writeFileSync(at('app/own'), '', { mode: 0o755 });
    assert.deepEqual(findPrograms(['tool', 'alias', './own'], at('app'), `${at('first')}:${at('second')}`), {
      programs: [
        { name: 'tool', file: at('first/tool') },
        { name: 'alias', file: at('second/tool') },
        { name: './own', file: at('app/own') },
      ],
    });
  });
});
