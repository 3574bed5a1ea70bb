import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { CommandAction } from '../../src/core/action/action.ts';
import { foldAll } from '../../src/core/foretell.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** What is destroyed under another name than the one that was written is told by its real name. */

const { foretell, folder } = throwAwayForetell('spellings');

function workspace(): string {
  const place = fs.mkdtempSync(path.join(folder, 'w-'));
  for (const file of [
    'elsewhere/deep/keep.txt',
    'elsewhere/other.txt',
    'work/own.txt',
    'work/sub/a.txt',
    'work/new.txt',
  ]) {
    fs.mkdirSync(path.dirname(path.join(place, file)), { recursive: true });
    fs.writeFileSync(path.join(place, file), `${'a line of work\n'.repeat(20)}${file}`);
  }
  fs.symlinkSync('../elsewhere/deep', path.join(place, 'work/link'));
  fs.symlinkSync('own.txt', path.join(place, 'work/alias.txt'));
  return place;
}

async function spellings(script: string, place = workspace()): Promise<string[][]> {
  const cwd = path.join(place, 'work');
  const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd };
  const env = { PATH: '/usr/bin:/bin', HOME: '/nonexistent', LC_ALL: 'C.UTF-8' };
  const { events, view } = foretell.predict({ action, env, signal: new AbortController().signal });
  try {
    const { verdict } = await foldAll(action, events);
    return verdict.reasons.flatMap(({ fact, level }) =>
      fact?.kind === 'otherSpelling' ? [[fact.written, path.relative(place, fact.real), level]] : [],
    );
  } finally {
    await view.close();
  }
}

const cases: readonly (readonly [script: string, ...names: string[]])[] = [
  ['rm -rf link/*', 'link', 'elsewhere/deep'],
  ['rm link/keep.txt', 'link', 'elsewhere/deep'],
  ['find link/ -type f -delete', 'link/', 'elsewhere/deep'],
  ['cd link && rm *', 'link', 'elsewhere/deep'],
  ['cd link && rm ../other.txt', '../other.txt', 'elsewhere/other.txt'],
  ['rm link/../other.txt', 'link/../other.txt', 'elsewhere/other.txt'],
  ['echo x > alias.txt', 'alias.txt', 'work/own.txt'],
  ['cp new.txt alias.txt', 'alias.txt', 'work/own.txt'],
  ['mv new.txt link/keep.txt', 'link', 'elsewhere/deep'],
  ['truncate -s 0 alias.txt', 'alias.txt', 'work/own.txt'],
  ['rm /proc/self/cwd/own.txt', '/proc/self/cwd', 'work'],
  ['dd if=/dev/null of=alias.txt', 'alias.txt', 'work/own.txt'],
  ['tee alias.txt </dev/null', 'alias.txt', 'work/own.txt'],
  ['d=link; rm -f "$d"/keep.txt', 'link', 'elsewhere/deep'],
  ['echo link/keep.txt | xargs rm', 'link', 'elsewhere/deep'],
];

for (const [script, written = '', real = ''] of cases) {
  test(`${script}: \`${written}\` is \`${real}\``, async () => {
    const found = await spellings(script);
    assert.deepEqual(found[0]?.slice(0, 2), [written, real], JSON.stringify(found));
  });
}

for (const script of [
  'rm -rf sub',
  'rm own.txt',
  'rm link',
  'rm alias.txt',
  'ls link/; cat alias.txt',
  'echo x >> alias.txt',
  'rm ./own.txt',
  'rm sub/../own.txt',
  'rm ../elsewhere/other.txt',
  'cp new.txt link/more.txt',
  'mv own.txt moved.txt',
]) {
  test(`${script} destroys nothing under another name`, async () => {
    assert.deepEqual(await spellings(script), []);
  });
}
