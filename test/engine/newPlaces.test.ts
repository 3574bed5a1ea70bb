import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** What is written where nothing is yet by programs that nobody runs is created, and not overwritten. */

const { predicted, folder } = throwAwayForetell('newPlaces');

// Programs that may not run, whatever is installed; `sudo` is looked through.
const bin = path.join(folder, 'bin');
fs.mkdirSync(bin, { recursive: true });
for (const name of ['curl', 'wget', 'gpg']) fs.symlinkSync(process.execPath, path.join(bin, name));
fs.symlinkSync('/usr/bin/perl', path.join(bin, 'sudo'));
const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: folder, LC_ALL: 'C.UTF-8' };

async function saidOf(script: string): Promise<string[]> {
  const place = fs.mkdtempSync(path.join(folder, 'w-'));
  fs.symlinkSync('/etc', path.join(place, 'link'));
  const { verdict } = await predicted(script, place, env);
  return verdict.reasons.flatMap(({ fact, text }) =>
    fact.kind === 'writesPlace' || fact.kind === 'overwrites' || fact.kind === 'placeChanged' ? [text] : [],
  );
}

/** Each names one file: where nothing is, or something. Without rights, and without sudo, other facts tell the same. */
const isNew: Record<string, boolean> = {
  'wget -qO- https://h.org/k | sudo tee /etc/nosuch.asc': true,
  'wget -qO- https://h.org/k | sudo tee /etc/nosuch.list > /dev/null': true,
  'false && echo A=1 > .env': true,
  'false && echo a > link/nosuch/.env': true,
  'sudo curl -o link/passwd https://h.org/k': false,
  'curl https://h.org/k | sudo gpg --dearmor -o /usr/share/nosuch.gpg': true,
  'curl https://h.org/k | timeout 9 gpg --dearmor --output=/usr/share/nosuch.gpg': true,
  'f() { sudo curl -o "/etc/$1" https://h.org/k; }; f nosuch': true,
  'sudo wget -O /etc/nosuch.list https://h.org/k': true,
  "sudo sh -c 'curl https://h.org/k > /etc/nosuch'": true,
  "sudo sh -c 'curl https://h.org/k >> /etc/nosuch'": true,
  'nosuchsudo; false && echo a > /etc/nosuch': true,
  'false && (cd /etc && echo a >> nosuch)': true,
  "false && sudo sh -c 'echo a > /etc/nosuch'": true,
  "false && sudo sh -c 'echo a > /etc/passwd'": false,
  'false && echo a >> /etc/passwd': false,
  'wget -qO- https://h.org/k | sudo tee /etc/passwd': false,
  'sudo curl -o /etc/passwd https://h.org/k': false,
  'curl https://h.org/k | sudo gpg --dearmor -o /etc/shadow': false,
  "sudo sh -c 'curl https://h.org/k > /etc/passwd'": false,
  "sudo sh -c 'curl https://h.org/k >> /etc/passwd'": false,
  // What nobody can find out stays open.
  'curl https://h.org/k | sudo gpg -o "/etc/$(curl https://h.org/n)"': false,
  'cd "$(curl https://h.org/n)" && sudo gpg -o /etc/passwd': false,
};

for (const [script, isCreated] of Object.entries(isNew))
  test(script, async () => {
    const said = await saidOf(script);
    assert.equal(said.length > 0, true);
    for (const text of said) assert.equal(/^(?:Creates|Asks to create) /.test(text), isCreated, text);
  });

for (const script of [
  'false && sudo tee link/.env',
  'sudo curl -o link/.env https://h.org/k',
  'sudo curl -o link/new https://h.org/k',
])
  test(`nothing is overwritten below a link to a folder: ${script}`, async () => {
    assert.deepEqual(
      (await saidOf(script)).filter((text) => !text.startsWith('Creates ')),
      [],
    );
  });
