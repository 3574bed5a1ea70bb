import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { cliFile } from '../hostile/batch.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { placeWords, whyNoPlace } from './places.ts';

// Where no copy can be made, a step of a session does not know what the ones before have left.
const home = temporaryFolder('sessions');
fs.writeFileSync(path.join(home, 'file'), 'text\n');

interface Answer {
  ending: string;
  output: { text: string; basis: string }[];
}

function session(...scripts: string[]): Answer[] {
  const [program = '', ...words] = [...placeWords('docker'), process.execPath, cliFile, 'batch'];
  const requests = scripts.map((script, index) => ({
    id: String(index),
    script,
    session: 's',
    ...(index ? {} : { cwd: home }),
  }));
  const { stdout } = spawnSync(program, words, {
    input: requests.map((request) => `${JSON.stringify(request)}\n`).join(''),
    cwd: home,
    // What is tried is what holds where no copy can be made at all.
    env: { PATH: '/usr/bin:/bin', HOME: home, XDG_CACHE_HOME: home, FORETELL_ENGINE: 'overlays' },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer);
}

const skip = whyNoPlace('docker') ?? false;
const claims = ({ ending, output }: Answer) => ending === 'done' || output.some(({ basis }) => basis === 'rehearsed');

for (const [name, steps] of Object.entries({
  'a file that an earlier step deletes': ['rm file', 'cat file'],
  'a file that an earlier step makes': ['echo new > made', 'test -e made || echo missing'],
  'a variable that an earlier step sets': ['X=1', 'echo "[$X]"'],
})) {
  test(`${name} is not told as if that step had not been`, { skip }, () => {
    const last = session(...steps).at(-1);
    assert.ok(last);
    assert.equal(claims(last), false, JSON.stringify(last));
  });
}

test('the first step is answered as a single command is', { skip }, () => {
  const [first] = session('cat file');
  assert.equal(first?.ending, 'done');
  assert.equal(first.output[0]?.basis, 'rehearsed');
});
