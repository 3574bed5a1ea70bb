import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { CommandAction } from '../../src/core/action/action.ts';
import { createForetell, type Foretell, foldAll } from '../../src/core/foretell.ts';
import { launcherPath } from '../../src/core/launcherPath.ts';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import type { GivenRequest } from '../../src/core/prediction/request.ts';
import { findStaticPrograms } from '../../src/core/programs/staticPrograms.ts';
import { createPlannedDisk } from '../../src/core/worlds/confined/planned/disk.ts';
import { expandField } from '../../src/core/worlds/confined/planned/words.ts';

/** What a command would still have done when its run ended early, and what its words say where nothing was run. */

let folder: string;
const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/nonexistent', LC_ALL: 'C.UTF-8' };

before(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-unfinished-')));
});
after(() => fs.rmSync(folder, { recursive: true, force: true }));

function workspace(): string {
  const place = fs.mkdtempSync(path.join(folder, 'w-'));
  fs.mkdirSync(path.join(place, 'data'));
  for (const name of ['a', 'b', '.c', 'data/d']) fs.writeFileSync(path.join(place, name), `only here: ${name}\n`);
  return place;
}

/** An endless loop, or one of the scripts that have one in them. */
const neverEnds = /while :|^(?:\.\/|(?:ba|da)sh )s$/;

async function predict(
  foretell: Foretell,
  script: string,
  cwd: string,
  more: Partial<GivenRequest> = {},
): Promise<Prediction> {
  const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd };
  // What never ends is stopped soon; what ends has as long as a slow machine needs.
  const wallMs = neverEnds.test(script) ? 700 : 60_000;
  const limits = { wallMs, processes: 64, memoryBytes: 2 ** 31, diskBytes: 2 ** 28, outputBytes: 2 ** 20 };
  const request = { action, env: environment, signal: new AbortController().signal, limits, ...more };
  const { events, view } = foretell.predict(request);
  const prediction = await foldAll(action, events);
  const after = prediction.files.filter(({ change }) => change === 'deleted');
  for (const { path: file } of after) assert.equal(await view.read(file, 'after'), undefined);
  await view.close();
  return prediction;
}

const deletedOf = (prediction: Prediction, cwd: string) =>
  prediction.files.filter(({ change }) => change === 'deleted').map((file) => path.relative(cwd, file.path));

test('what a large file got before the run ended is compared, whatever is planned behind it', async () => {
  const foretell = createForetell({ launcher: launcherPath(path.resolve('dist')), spareLaunchers: 0 });
  const cwd = workspace();
  fs.writeFileSync(path.join(cwd, 'large'), 'a line\n'.repeat(500_000));
  const prediction = await predict(foretell, 'echo more >> large; while :; do :; done; rm -f b', cwd);
  assert.deepEqual(deletedOf(prediction, cwd), ['b']);
  assert.deepEqual(
    prediction.loss.map((lost) => path.relative(cwd, lost.path)),
    ['b'],
  );
  await foretell.dispose();
});

test('braces are words behind it only where the shell that reads them makes words of them', async () => {
  const foretell = createForetell({ launcher: launcherPath(path.resolve('dist')), spareLaunchers: 0 });
  const text = 'while :; do :; done\nrm -f {a,b}\n';
  for (const [script, name, expected] of [
    ['./s', '#!/bin/bash', ['a', 'b']],
    ['./s', '#!/bin/dash', []],
    ['dash s', '', []],
    ['bash s', '#!/bin/dash', ['a', 'b']],
  ] as const) {
    const cwd = workspace();
    fs.writeFileSync(path.join(cwd, 's'), `${name}\n${text}`, { mode: 0o755 });
    const prediction = await predict(foretell, script, cwd);
    assert.deepEqual(deletedOf(prediction, cwd).sort(), expected, `${script} ${name}`);
  }
  await foretell.dispose();
});

test('behind a program that never ends', async () => {
  const foretell = createForetell({ launcher: launcherPath(path.resolve('dist')), spareLaunchers: 0 });
  const cwd = workspace();
  const prediction = await predict(foretell, 'rm -f a; while :; do :; done; (cd data && rm -rf *); rm -f b', cwd);
  assert.equal(prediction.failureCode, 'time-limit');
  assert.deepEqual(deletedOf(prediction, cwd).sort(), ['a', 'b', 'data/d']);
  const bases = new Map(prediction.files.map((file) => [path.relative(cwd, file.path), file.basis]));
  assert.deepEqual([bases.get('a'), bases.get('b')], ['rehearsed', 'assumed']);
  assert.deepEqual(prediction.loss.map((loss) => path.relative(cwd, loss.path)).sort(), ['a', 'b', 'data/d']);
  assert.ok(
    !prediction.effects.some(({ detail }) => /leaves running/.test(detail)),
    'what was stopped does not run on',
  );
});

test('git works in the folder that it is given', async () => {
  const foretell = createForetell({ launcher: launcherPath(path.resolve('dist')), spareLaunchers: 0 });
  const cwd = workspace();
  fs.writeFileSync(path.join(cwd, 'd'), 'another d\n');
  execFileSync('git', ['init', '-q'], { cwd });
  const prediction = await predict(foretell, 'while :; do :; done; git -C data clean -fd', cwd);
  assert.deepEqual(deletedOf(prediction, cwd), ['data/d']);
});

test('a program that asked, and was told no, is not said to have found nothing', async () => {
  const foretell = createForetell({ launcher: launcherPath(path.resolve('dist')), spareLaunchers: 0 });
  const cwd = workspace();
  const prediction = await predict(foretell, 'rm -i a', cwd);
  assert.deepEqual(prediction.files, []);
  assert.ok(!prediction.verdict.reasons.some(({ text }) => /here now/.test(text)), JSON.stringify(prediction.verdict));
});

test('where there is no launcher at all', async () => {
  const foretell = createForetell({ launcher: '/nonexistent/launcher', spareLaunchers: 0 });
  const cwd = workspace();
  const prediction = await predict(foretell, 'rm -rf data; D=a; rm "$D"', cwd);
  assert.equal(prediction.ending, 'failed');
  assert.deepEqual(deletedOf(prediction, cwd), ['a', 'data', 'data/d']);
  assert.ok(prediction.files.every(({ basis }) => basis === 'assumed'));
});

test('patterns mean what they mean to the shell', async () => {
  const cwd = workspace();
  const disk = createPlannedDisk([]);
  const words = async (script: string) => {
    const program = findStaticPrograms(script, { cwd, home: cwd, env: environment }).at(-1);
    const found = await Promise.all((program?.fields ?? []).map((field) => expandField(field, cwd, disk)));
    return found.flat().map(({ text, isOpen }) => (isOpen ? `?${text}` : text));
  };
  assert.deepEqual(await words('rm *'), ['rm', 'a', 'b', 'data']);
  assert.deepEqual(await words('rm "*"'), ['rm', '*']);
  assert.deepEqual(await words('rm .[a-z]'), ['rm', '.c']);
  assert.deepEqual(await words('rm */*'), ['rm', 'data/d']);
  assert.deepEqual(await words('rm */'), ['rm', 'data/']);
  assert.deepEqual(await words(`rm ${cwd}/?`), ['rm', `${cwd}/a`, `${cwd}/b`]);
  assert.deepEqual(await words('rm ~/a none*'), ['rm', `${cwd}/a`, 'none*']);
  assert.deepEqual(await words('rm \\* $(cat a) $X'), ['rm', '*', '?$(cat a)', '?$X']);
  assert.deepEqual(await words('rm {a,b} {1..3}'), ['rm', 'a', 'b', '1', '2', '3']);
});

test('what a subshell sets and where it goes ends with it', () => {
  const place = { cwd: '/w', home: '/h', env: {} };
  const last = (script: string) => {
    const program = findStaticPrograms(script, place).at(-1);
    return [program?.cwd, ...(program?.fields ?? []).map(({ text, isOpen }) => (isOpen ? `?${text}` : text))];
  };
  assert.deepEqual(last('(cd x; D=1); rm $D'), ['/w', 'rm', '?$D']);
  assert.deepEqual(last('cd x; rm a'), ['/w/x', 'rm', 'a']);
  assert.deepEqual(last('cd x | cat; rm a'), ['/w', 'rm', 'a']);
  assert.deepEqual(last('cd x & rm a'), ['/w', 'rm', 'a']);
  assert.deepEqual(last('echo $(cd x; pwd); rm a'), ['/w', 'rm', 'a']);
  assert.deepEqual(last('bash -c "cd x; pwd"; rm a'), ['/w', 'rm', 'a']);
  assert.deepEqual(last('D=a; read D; rm $D'), ['/w', 'rm', '?$D']);
  assert.deepEqual(last('D=$(cat x); rm "$D"'), ['/w', 'rm', '?$(cat x)']);
  assert.equal(findStaticPrograms('cd "$(git rev-parse --show-toplevel)"; rm a', place).at(-1)?.isLost, true);
});

test('the planned disk keeps what is moved and loses what is overwritten', async () => {
  const cwd = workspace();
  const disk = createPlannedDisk([]);
  await disk.move(`${cwd}/data`, `${cwd}/moved`);
  assert.equal(await disk.node(`${cwd}/data/d`), undefined);
  assert.equal((await disk.node(`${cwd}/moved/d`))?.real, `${cwd}/data/d`);
  await disk.copy(`${cwd}/a`, `${cwd}/moved/copy`);
  assert.deepEqual((await disk.names(`${cwd}/moved`)).sort(), ['copy', 'd']);
  assert.equal(await disk.remove(`${cwd}/moved`), true);
  assert.deepEqual((await disk.names(cwd)).sort(), ['.c', 'a', 'b']);
  assert.equal(fs.readFileSync(`${cwd}/data/d`, 'utf8'), 'only here: data/d\n');
});

for (const [script, gone] of [
  ['(sleep 5; rm -rf data a) & disown; ls > /dev/null', ['a', 'data', 'data/d']],
  ['sleep 1 && rm b &', ['b']],
  ['nohup sh -c "sleep 3; rm -rf data" > /dev/null 2>&1 & true', ['data', 'data/d']],
  ['bash -c "(sleep 2; rm a) & ls > /dev/null"', ['a']],
  ['f() { sleep 1; rm a; }; f & ls > /dev/null', ['a']],
  ['touch new; { sleep 9; cd data; rm d; } & sleep 4 & true', ['data/d']],
] as const)
  test(`what a process that is left running goes on to delete is told: ${script}`, async () => {
    const foretell = createForetell({ launcher: launcherPath(path.resolve('dist')), spareLaunchers: 0 });
    const cwd = workspace();
    const prediction = await predict(foretell, script, cwd);
    assert.equal(prediction.ending, 'abstained');
    assert.match(prediction.endingReason ?? '', /^What it leaves running goes on with `(?:rm|cd) /);
    assert.deepEqual(deletedOf(prediction, cwd).sort(), gone);
    assert.ok(prediction.files.filter(({ change }) => change === 'deleted').every(({ basis }) => basis === 'assumed'));
    assert.equal(prediction.exitCode, 0);
    assert.equal(prediction.verdict.level, 'danger');
    await foretell.dispose();
  });

for (const script of [
  'sleep 9 &',
  'echo hi > new & sleep 9 & echo done',
  '{ echo hi; sleep 9; } & true',
  'sleep 9 & false && rm a',
])
  test(`what only waits goes on with nothing: ${script}`, async () => {
    const foretell = createForetell({ launcher: launcherPath(path.resolve('dist')), spareLaunchers: 0 });
    const prediction = await predict(foretell, script, workspace());
    assert.equal(prediction.ending, 'done', prediction.endingReason);
    assert.deepEqual(
      prediction.files.filter(({ change }) => change === 'deleted'),
      [],
    );
    await foretell.dispose();
  });
