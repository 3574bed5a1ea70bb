import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { CommandAction } from '../../src/core/action/action.ts';
import { foldAll } from '../../src/core/foretell.ts';
import { gitSettings } from '../gitSettings.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** What git packs in several threads is volatile, also where two runs agree by chance. */

const { foretell, folder } = throwAwayForetell('packing');
const env = {
  ...{ PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/nonexistent', LC_ALL: 'C.UTF-8' },
  ...gitSettings,
};

function repository(commits: number): string {
  const place = fs.mkdtempSync(path.join(folder, 'r-'));
  const script = `git init -q; for i in $(seq ${commits}); do seq $i $((i * 30)) > f; git add f; git commit -qm $i; done`;
  execFileSync('bash', ['-euc', script], { cwd: place, env });
  return place;
}

async function packs(script: string, place: string) {
  const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd: place };
  const { events, view } = foretell.predict({ action, env, hash: true, signal: new AbortController().signal });
  try {
    const prediction = await foldAll(action, events);
    assert.equal(prediction.ending, 'done', prediction.endingReason);
    const files = prediction.files.filter((file) => /\.(pack|idx|bundle)$/.test(file.path));
    assert.ok(files.length > 0);
    return { prediction, volatile: [...new Set(files.map((file) => file.volatile))] };
  } finally {
    await view.close();
  }
}

test('packs of many objects are volatile with several threads, and exact with one', async () => {
  const place = repository(12);
  for (const command of ['git gc -q', 'git repack -adq', 'git bundle create -q all.bundle --all']) {
    execFileSync('git', ['config', 'pack.threads', '4'], { cwd: place, env });
    assert.deepEqual((await packs(command, place)).volatile, [true], command);
    execFileSync('git', ['config', 'pack.threads', '1'], { cwd: place, env });
    assert.deepEqual((await packs(command, place)).volatile, [false], command);
  }
  execFileSync('git', ['config', 'pack.threads', '4'], { cwd: place, env });
  const { prediction } = await packs('git gc -q; ls .git/objects/pack; echo done', place);
  assert.deepEqual(
    prediction.output.map(({ volatile = false, text = '' }) => [volatile, text.split('\n')[0]?.slice(0, 5)]),
    [
      [true, 'pack-'],
      [false, 'done'],
    ],
  );
});

test('few objects are packed by one thread, and exactly', async () => {
  const place = repository(3);
  execFileSync('git', ['config', 'pack.threads', '4'], { cwd: place, env });
  assert.deepEqual((await packs('git gc -q', place)).volatile, [false]);
});
