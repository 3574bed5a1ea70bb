import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { isRemembered, predict, settle, shut, usual } from './rememberedFixture.ts';

/** What lies around the workspace, and what a process gets of whoever starts it. */

/** A workspace with a folder of its own around it: nobody else changes that. */
async function within(): Promise<{ place: string; around: string }> {
  const around = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-around-')));
  const place = path.join(around, 'place');
  fs.mkdirSync(place);
  fs.writeFileSync(path.join(around, 'thing'), 'thing\n');
  await settle();
  return { place, around };
}

const stat = (name: string) => `node -e 'console.log(require("fs").statSync("${name}").mtimeMs)'`;
const kinds =
  'python3 -c \'import os; print(sorted((one.name, one.is_file(follow_symlinks=False)) for one in os.scandir("..")))\'';

/** What is asked of the folder around the workspace, and a change of it that the answer tells. */
const asked: readonly (readonly [script: string, change: (around: string) => void])[] = [
  ['node -e 1; ls -la', (around) => fs.mkdirSync(path.join(around, 'more'))],
  ['node -e 1; stat -c "%y %h" ..', (around) => fs.writeFileSync(path.join(around, 'more'), '')],
  ['node -e 1; find .. -maxdepth 0 -printf "%T@ %n"', (around) => fs.mkdirSync(path.join(around, 'more'))],
  ['node -e 1; ls -ld $PWD/..', (around) => fs.mkdirSync(path.join(around, 'more'))],
  [stat('..'), (around) => fs.writeFileSync(path.join(around, 'more'), '')],
  [stat('./..//'), (around) => fs.writeFileSync(path.join(around, 'more'), '')],
  ['python3 -c \'import os; print(os.stat("..").st_nlink)\'', (around) => fs.mkdirSync(path.join(around, 'more'))],
  [
    kinds,
    (around) => {
      fs.rmSync(path.join(around, 'thing'));
      execFileSync('mkfifo', [path.join(around, 'thing')]);
    },
  ],
];

for (const [script, change] of asked) {
  test(`what is asked of the folder around the workspace counts: ${script}`, async () => {
    const { place, around } = await within();
    const options = { env: { ...usual, HOME: around } };
    const first = await predict(script, place, options);
    assert.ok(isRemembered(await predict(script, place, { ...options, ...shut })), 'it is remembered at first');
    change(around);
    await settle();
    const next = await predict(script, place, options);
    assert.ok(!isRemembered(next));
    assert.notEqual(next.stdout, first.stdout);
    fs.rmSync(around, { recursive: true });
  });
}

test('who asks nothing of the folder around the workspace is answered whatever comes into it', async () => {
  const { place, around } = await within();
  const options = { env: { ...usual, HOME: around } };
  for (const script of ['node -e 1; ls -a', "node -p \"require('fs').existsSync('../other')\""]) {
    await predict(script, place, options);
    fs.writeFileSync(path.join(around, `more-${script.length}`), '');
    await settle();
    assert.ok(isRemembered(await predict(script, place, { ...options, ...shut })), script);
  }
  fs.rmSync(around, { recursive: true });
});

test('priority counts, which programs have from whoever starts them', async () => {
  const { place, around } = await within();
  const script = "python3 -c 'import os; print(os.nice(0))'";
  const first = await predict(script, place);
  assert.ok(isRemembered(await predict(script, place, shut)));
  const before = os.getPriority();
  os.setPriority(before + 3);
  const next = await predict(script, place, shut);
  assert.ok(!isRemembered(next), `${first.stdout} was said again`);
  fs.rmSync(around, { recursive: true });
});

test('what a process asks the kernel of itself, and has from whoever starts it, counts', async () => {
  const { place, around } = await within();
  for (const [name, value] of [
    ['oom_score_adj', '400'],
    ['timerslack_ns', '70000'],
    ['coredump_filter', '7'],
  ] as const) {
    const script = `python3 -c 'print(open("/proc/self/${name}").read())'`;
    await predict(script, place);
    assert.ok(isRemembered(await predict(script, place, shut)), name);
    fs.writeFileSync(`/proc/self/${name}`, value);
    assert.ok(!isRemembered(await predict(script, place, shut)), name);
  }
  fs.rmSync(around, { recursive: true });
});
