import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { asksForConsent, type ConsentProcess, consentIn, runConsent } from '../../src/cli/consent.ts';

const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-consent-cli-')));
after(() => fs.rmSync(root, { recursive: true, force: true }));

let count = 0;
let around: ConsentProcess;
let said = '';
let told = '';

beforeEach(() => {
  const cwd = path.join(root, `app ${count++}`);
  fs.mkdirSync(cwd);
  said = '';
  told = '';
  around = {
    cwd,
    env: { XDG_CONFIG_HOME: `${cwd}-config`, PATH: '/usr/bin:/bin' },
    say: async (text) => {
      said += text;
    },
    tell: (line) => {
      told += `${line}\n`;
    },
  };
});

test('the words ask for consents; other words are a command of that name', () => {
  for (const args of [['consent'], ['consent', 'give', '/a b'], ['consent', 'take-back'], ['consent', '--json']])
    assert.ok(asksForConsent(args), args.join(' '));
  for (const args of [['consent', 'form.txt'], ['consent give'], ['cat', 'consent']])
    assert.ok(!asksForConsent(args), args.join(' '));
});

test('consent is given with its words, listed and taken back', async () => {
  assert.equal(await runConsent([], around), 0);
  assert.match(said, /^Here: no consent/);
  said = '';
  assert.equal(await runConsent(['give'], around), 0);
  for (const words of ['confined, without network, on a copy', 'read what you can read', `Given for ${around.cwd}.`])
    assert.ok(said.includes(words), said);
  assert.deepEqual(consentIn(around.cwd, around).consent?.programs, 'all');
  said = '';
  await runConsent([], around);
  assert.match(said, /^Here: every program may be rehearsed[\s\S]*All of them/);
  assert.equal(await runConsent(['take-back'], around), 0);
  assert.deepEqual(consentIn(around.cwd, around), {});
  assert.equal(await runConsent(['take-back'], around), 3);
  assert.match(told, /There is no consent/);
});

test('a look is a consent of its own', async () => {
  assert.equal(await runConsent(['give', '--look', 'localhost'], around), 0);
  for (const words of [
    'Ask servers of this machine',
    'GET or HEAD',
    'never as certain',
    'never for what an agent calls',
  ])
    assert.ok(said.includes(words), said);
  assert.deepEqual(consentIn(around.cwd, around), { looks: ['localhost'] });
  assert.equal(await runConsent(['give', '--look', 'github', '--yes'], around), 0);
  assert.equal(await runConsent(['give'], around), 0);
  assert.deepEqual(consentIn(path.join(around.cwd, '.'), around).looks, ['localhost', 'github']);
  said = '';
  await runConsent([], around);
  assert.match(said, /Here: every program[\s\S]*Here: servers of this machine[\s\S]*Here: GitHub[\s\S]*asks GitHub/);
  said = '';
  await runConsent(['--json'], around);
  assert.deepEqual(JSON.parse(said).looksHere, ['localhost', 'github']);
  // Each is taken back by itself.
  assert.equal(await runConsent(['take-back'], around), 0);
  assert.deepEqual(consentIn(around.cwd, around), { looks: ['localhost', 'github'] });
  assert.equal(await runConsent(['take-back', '--look', 'localhost'], around), 0);
  assert.equal(await runConsent(['take-back', '--look', 'localhost'], around), 3);
  assert.deepEqual(consentIn(around.cwd, around), { looks: ['github'] });
});

test('a look that is not given is not kept, and a wrong one is told', async () => {
  assert.equal(await runConsent(['give', '--look', 'localhost'], { ...around, ask: async () => false }), 1);
  assert.deepEqual(consentIn(around.cwd, around), {});
  for (const args of [
    ['give', '--look', 'internet'],
    ['--look', 'github'],
    ['give', '--look', 'github', '--programs', 'ls'],
  ])
    assert.equal(await runConsent(args, around), 64, args.join(' '));
});

test('a list of programs is kept with their files', async () => {
  assert.equal(await runConsent(['give', '--programs', 'sh,ls', '--json'], around), 0);
  const { given } = JSON.parse(said);
  assert.deepEqual(
    given.programs.map(({ name, file }: { name: string; file: string }) => [name, file]),
    ['sh', 'ls'].map((name) => [name, fs.realpathSync(`/bin/${name}`)]),
  );
  assert.equal(await runConsent(['give', '--programs', 'no-such-program'], around), 64);
  assert.match(told, /There is no program no-such-program/);
});

test('as JSON: what counts here, and everything', async () => {
  await runConsent(['give', '--json'], around);
  const other = `${around.cwd}-other`;
  fs.mkdirSync(other);
  await runConsent(['give', '--json', other], around);
  said = '';
  await runConsent(['--json'], around);
  const { version, here, consents } = JSON.parse(said);
  assert.deepEqual([version, here.folder, consents.length, consents[1].counts], [1, around.cwd, 2, true]);
});

test('at the terminal nothing is given without a yes', async () => {
  const asking = (answer: boolean) => ({ ...around, ask: async () => answer });
  assert.equal(await runConsent(['give'], asking(false)), 1);
  assert.deepEqual(consentIn(around.cwd, around), {});
  assert.equal(await runConsent(['give', '--yes'], asking(false)), 0);
  assert.equal(await runConsent(['give'], asking(true)), 0);
});

test('what stands where it means nothing is a sentence', async () => {
  for (const args of [
    ['give', 'a', 'b'],
    ['take-back', '--programs', 'npm'],
    ['--programs', 'npm'],
    ['give', '--programs', ','],
  ])
    assert.equal(await runConsent(args, around), 64, args.join(' '));
  assert.equal(await runConsent(['give', 'missing'], around), 3);
  assert.match(told, /is no folder/);
});

test('a broken file is told, and means no consent', async () => {
  await runConsent(['give'], around);
  fs.writeFileSync(path.join(`${around.cwd}-config`, 'foretell/consent.json'), '{');
  assert.deepEqual(consentIn(around.cwd, around), {});
  assert.match(told, /do not count: the file is not JSON/);
  assert.equal(await runConsent([], around), 3);
});
