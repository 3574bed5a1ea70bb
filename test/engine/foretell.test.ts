import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { CommandAction } from '../../src/core/action/action.ts';
import { createForetell, foldAll } from '../../src/core/foretell.ts';
import { createChannel } from '../../src/core/prediction/channel.ts';
import { isEnding, type PredictionEvent } from '../../src/core/prediction/event.ts';
import type { GivenRequest } from '../../src/core/prediction/request.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** The contract of a world, and what the engine promises on top of it, with the real launcher and real tools. */

const { foretell, folder } = throwAwayForetell('unit', { keepsShells: true });

/** A fresh folder with these files. */
function workspace(files: Record<string, string> = {}): string {
  const place = fs.mkdtempSync(path.join(folder, 'w-'));
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(place, name)), { recursive: true });
    fs.writeFileSync(path.join(place, name), text);
  }
  return place;
}

const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/nonexistent', LC_ALL: 'C.UTF-8' };

/** With the node that runs the tests. */
const ownPath = { ...environment, PATH: `${path.dirname(process.execPath)}:${environment.PATH}` };

function requestOf(script: string, cwd: string, more: Partial<GivenRequest> = {}): GivenRequest {
  const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd };
  return { action, env: environment, signal: new AbortController().signal, ...more };
}

async function predict(script: string, cwd: string, more: Partial<GivenRequest> = {}) {
  const request = requestOf(script, cwd, more);
  const { events, view } = foretell.predict(request);
  const all: PredictionEvent[] = [];
  const prediction = await foldAll(request.action, events, (event) => all.push(event));
  await view.close();
  return { prediction, events: all, stdout: textOf(prediction, 'stdout'), stderr: textOf(prediction, 'stderr') };
}

function textOf(prediction: Awaited<ReturnType<typeof foldAll>>, stream: 'stdout' | 'stderr'): string {
  return prediction.output
    .filter((piece) => piece.stream === stream)
    .map((piece) => piece.text ?? '')
    .join('');
}

test('the machine can confine', async () => {
  assert.deepEqual(await foretell.status().then(({ copy, look }) => ({ copy, look })), { copy: true, look: true });
});

test('started comes first and exactly one ending comes last, whatever happens', async () => {
  const place = workspace({ a: 'x\n' });
  for (const script of [
    'true',
    'false',
    'exit 7',
    'echo (',
    'rm a',
    'nosuch',
    'kill -9 $$',
    'cd /; rm -rf nothing',
    ':',
  ]) {
    const { events } = await predict(script, place);
    assert.equal(events[0]?.type, 'started', script);
    assert.deepEqual(events.filter(isEnding).length, 1, script);
    assert.ok(isEnding(events.at(-1) as PredictionEvent), script);
  }
});

test('a program that says nothing for long shows that it is at work', async () => {
  const { events, prediction } = await predict('while :; do :; done', workspace(), { limits: { wallMs: 1500 } });
  assert.equal(prediction.failureCode, 'time-limit');
  assert.ok(events.some((event) => event.type === 'progress' && /^Running on a copy for \d/.test(event.text)));
});

test('a wait is not skipped past the timer of another program', async () => {
  const ticks = 'node -e "let n = 0; setInterval(() => console.log(++n), 200)" & sleep 3; kill $!';
  const { prediction, stdout } = await predict(ticks, workspace(), { openGate: true, env: ownPath });
  assert.equal(prediction.exitCode, 0);
  assert.match(stdout, /^1\n2\n/);
  // Nothing else runs: what only waits is skipped.
  const { prediction: alone } = await predict('sleep 3000; echo x', workspace(), { openGate: true });
  assert.ok(alone.effects.some(({ fact }) => fact?.kind === 'waits' && fact.durationMs > 2_900_000));
});

test('of a program that goes on waiting nothing is claimed but what it did so far', async () => {
  const place = workspace({ 'serve.js': "require('http').createServer().listen(0, () => console.log('serves'));" });
  const { prediction, stdout } = await predict('node serve.js', place, { openGate: true, env: ownPath });
  assert.deepEqual([prediction.ending, prediction.exitCode, stdout], ['abstained', undefined, 'serves\n']);
  const going = prediction.effects.find(({ fact }) => fact?.kind === 'goesOn')?.fact;
  assert.deepEqual(going?.kind === 'goesOn' && going.argv, ['node', 'serve.js']);
  assert.equal(prediction.doubt?.kind, 'goesOn');
  assert.notEqual(prediction.verdict.level, 'safe');
});

test('a program that only prints from time to time goes on so', async () => {
  const place = workspace({ 'clock.js': 'let n = 0; setInterval(() => console.log(n++), 700);' });
  const { prediction, stdout } = await predict('node clock.js', place, { openGate: true, env: ownPath });
  assert.deepEqual([prediction.ending, prediction.doubt?.kind], ['abstained', 'goesOn']);
  assert.match(stdout, /^0\n1\n2\n/);
});

test('what would be deleted after a long wait is not called safe', async () => {
  const place = workspace({ kept: 'x', 'later.js': "setTimeout(() => require('fs').rmSync('kept'), 60_000);" });
  const { prediction } = await predict('node later.js', place, { openGate: true, env: ownPath });
  assert.deepEqual([prediction.ending, prediction.doubt?.kind], ['abstained', 'goesOn']);
  assert.notEqual(prediction.verdict.level, 'safe');
});

test('what only runs inert programs has its own limit of time, whatever the user lets run', async () => {
  const busy = 'while :; do :; done';
  const { prediction } = await predict(busy, workspace(), {
    consent: { folder, programs: 'all' },
    limits: { wallMs: 1500 },
    rehearsalMs: 60_000,
  });
  assert.deepEqual([prediction.failureCode, prediction.failed], ['time-limit', { kind: 'timeLimit', limitMs: 1500 }]);
});

test('a reading that takes all its time is told with what it printed so far', async () => {
  for (const script of ['cat /dev/zero', 'yes']) {
    const { prediction, stdout } = await predict(script, workspace(), { limits: { wallMs: 1000 } });
    assert.deepEqual(prediction.failed, { kind: 'timeLimit', limitMs: 1000 }, script);
    assert.ok(stdout.length > 0, script);
    assert.equal(prediction.exitCode, undefined);
  }
});

test('what a long run prints is shown as it comes, by either way of running', async () => {
  const busy = 'for i in 1 2 3; do echo line $i; for ((n = 0; n < 120000; n++)); do :; done; done';
  for (const openGate of [false, true]) {
    const { events, prediction, stdout } = await predict(`${busy}; touch made`, workspace(), { openGate });
    const printed = events.flatMap((event) => (event.type === 'progress' ? (event.printed ?? []) : []));
    assert.ok(printed.length > 0);
    for (const text of printed) assert.ok(stdout.startsWith(text), text);
    assert.equal(stdout, 'line 1\nline 2\nline 3\n');
    assert.equal(prediction.progress, undefined);
  }
});

test('what is written is predicted and not written', async () => {
  const place = workspace({ a: 'one\n', b: 'two and more\n' });
  const before = fs.statSync(place, { bigint: true }).mtimeNs;
  const { prediction, stdout } = await predict(
    'echo new > c; rm a; mv b d; chmod 600 d; ln -s d e; mkdir f; cat c',
    place,
    { hash: true },
  );
  assert.deepEqual(
    prediction.files.map((file) => `${file.change} ${path.relative(place, file.path)} ${file.mode}`),
    ['deleted a 0644', 'renamed d 0600', 'created c 0644', 'created e 0777', 'created f 0755'].sort((x, y) =>
      (x.split(' ')[1] ?? '') < (y.split(' ')[1] ?? '') ? -1 : 1,
    ),
  );
  assert.equal(stdout, 'new\n');
  assert.equal(prediction.ending, 'done');
  assert.deepEqual(fs.readdirSync(place), ['a', 'b']);
  assert.equal(fs.statSync(place, { bigint: true }).mtimeNs, before);
});

test('a program that goes elsewhere does not take the shell along', async () => {
  const place = workspace({ 'sub/a': 'one\n' });
  const cwdOf = async (script: string) => (await predict(script, place)).prediction.cwd;
  assert.equal(await cwdOf('env -C sub ls'), place);
  assert.equal(await cwdOf('cd sub; env -C / ls'), path.join(place, 'sub'));
  assert.equal(await cwdOf('cd sub; ls'), path.join(place, 'sub'));
  assert.equal(await cwdOf('cd sub'), path.join(place, 'sub'));
});

test('a failure counts at a terminal, whatever is said there', async () => {
  const place = workspace({ 'docs/a': 'one\n', log: 'cp: cannot copy a directory, x, into itself\n' });
  const terminal = { columns: 80, rows: 24 };
  const copied = await predict('cp -r docs docs/sub', place, { terminal });
  assert.equal(copied.prediction.ending, 'abstained');
  const refused = await predict('rm /proc/1/status', place, { terminal });
  const reasons = refused.prediction.verdict.reasons.map(({ text }) => text);
  assert.ok(
    reasons.some((text) => text.startsWith('`rm /proc/1/status` fails with exit code 1')),
    reasons.join(' '),
  );
  const shown = await predict('echo "rm: cannot remove x: Permission denied"', place, { terminal });
  assert.equal(shown.prediction.verdict.level, 'safe');
});

test('what a copy cannot tell is known from the programs and their files, not from their words', async () => {
  const place = workspace({ 'docs/a': 'one\n', 'docs/b': 'two\n' });
  const endingOf = async (script: string) => (await predict(script, place)).prediction;
  for (const script of [
    'cp -r docs docs/sub 2>/dev/null',
    'cp -a . docs 2>/dev/null || true',
    'ln -s docs link; cp -r docs link/sub 2>/dev/null',
    'LC_ALL=C cp --recursive docs/. docs/sub 2>&1 | cat >/dev/null',
    'ln -s .. docs/up; mkdir to; cp -rL docs to 2>/dev/null',
  ]) {
    const { ending, doubt } = await endingOf(script);
    assert.deepEqual([ending, doubt], ['abstained', { kind: 'copiesIntoItself' }], script);
  }
  for (const words of [
    "cp: cannot copy a directory, 'docs', into itself, 'docs/sub'",
    "rm: cannot remove '/dev/null': Device or resource busy",
    "mv: cannot create regular file 'x': Permission denied",
  ]) {
    const { ending, effects } = await endingOf(`echo "${words}" >&2; false`);
    assert.deepEqual([ending, effects], ['done', []], words);
  }
  assert.equal(
    (await endingOf('cp -r docs docsub; cp -r nothing docs; cp docs docs/sub; cp -Rt docs/sub docs')).ending,
    'done',
  );
});

test('before and after can be read while the view is open', async () => {
  const place = workspace({ a: 'one\n' });
  const request = requestOf('echo two > a; echo three > b', place);
  const { events, view } = foretell.predict(request);
  await foldAll(request.action, events);
  const read = async (name: string, moment: 'before' | 'after') => {
    const bytes = await view.read(path.join(place, name), moment);
    return bytes === undefined ? undefined : Buffer.from(bytes).toString();
  };
  assert.deepEqual(
    [await read('a', 'before'), await read('a', 'after'), await read('b', 'before'), await read('b', 'after')],
    ['one\n', 'two\n', undefined, 'three\n'],
  );
  await view.close();
  assert.equal(await read('a', 'after'), undefined);
  await view.close();
});

test('a program that is not inert does not run; what follows is predicted under a named assumption', async () => {
  const place = workspace({ 'touch.js': "require('fs').writeFileSync('proof', '')" });
  const { prediction } = await predict(`${process.execPath} touch.js && echo went on > log`, place);
  assert.deepEqual(
    prediction.files.map((file) => [path.basename(file.path), file.basis]),
    [['log', 'assumed']],
  );
  assert.equal(prediction.ending, 'abstained');
  assert.match(prediction.assumptions[0]?.assumed ?? '', /exits 0/);
  assert.deepEqual(prediction.assumptions[0]?.ways, ['rehearse', 'connectModel']);
  assert.match(prediction.otherwise[0]?.detail ?? '', /exit code 1/);
  assert.notEqual(prediction.verdict.level, 'safe');
});

test('what happened before the first assumption stays rehearsed', async () => {
  const place = workspace();
  const { prediction } = await predict(`echo 1 > early; ${process.execPath} x.js; echo 2 > late`, place);
  assert.deepEqual(
    prediction.files.map((file) => [path.basename(file.path), file.basis]),
    [
      ['early', 'rehearsed'],
      ['late', 'assumed'],
    ],
  );
});

test('an answer flows into the waiting pipe, and its files into the view', async () => {
  const place = workspace();
  const asked: string[] = [];
  const { prediction, stdout } = await predict(`echo in | ${process.execPath} build.js | tr a-z A-Z; cat made`, place, {
    async handOver(program) {
      const { bytes } = await program.readStdin(100);
      asked.push(`${program.argv.at(-1)} in ${program.cwd} reads ${Buffer.from(bytes)}`);
      return {
        stdout: Buffer.from('imagined\n'),
        stderr: Buffer.alloc(0),
        exitCode: 0,
        changes: [{ path: path.join(program.cwd, 'made'), after: Buffer.from('by the model\n') }],
        basis: 'imagined',
      };
    },
  });
  assert.equal(stdout, 'IMAGINED\nby the model\n');
  assert.deepEqual(asked, [`build.js in ${place} reads in\n`], 'the same question is asked once');
  assert.ok(prediction.files.every((file) => file.basis === 'imagined'));
  assert.equal(fs.existsSync(path.join(place, 'made')), false);
});

test('with the gate open the program really runs, confined', async () => {
  const place = workspace({ 'touch.js': "require('fs').writeFileSync('proof', 'x'); console.log('ran')" });
  const { prediction, stdout } = await predict(`${process.execPath} touch.js`, place, { openGate: true });
  assert.equal(stdout, 'ran\n');
  assert.deepEqual(
    prediction.files.map((file) => [path.basename(file.path), file.basis]),
    [['proof', 'rehearsed']],
  );
  assert.equal(fs.existsSync(path.join(place, 'proof')), false);
});

test('npm run is looked through to the programs of its script', async () => {
  const place = workspace({
    'package.json': '{"name":"p","version":"1.2.3","scripts":{"clean":"rm -rf dist"}}',
    'dist/a': 'x',
  });
  const { prediction } = await predict('npm run clean', place, {
    env: { ...environment, PATH: process.env['PATH'] ?? '' },
  });
  assert.ok(
    prediction.programs.some((program) => program.argv.join(' ') === 'rm -rf dist'),
    JSON.stringify(prediction.programs),
  );
  assert.deepEqual(
    prediction.files.map((file) => file.change),
    ['deleted', 'deleted'],
  );
  assert.equal(fs.existsSync(path.join(place, 'dist/a')), true);
});

test('what differs from run to run is volatile', async () => {
  const place = workspace();
  const { prediction } = await predict('echo same; date; echo $$; mktemp -u', place);
  const marks = prediction.output.map((piece) => [piece.text?.split('\n').length, Boolean(piece.volatile)]);
  assert.deepEqual(marks, [
    [2, false],
    [4, true],
  ]);
});

test('waiting is skipped and told', async () => {
  const place = workspace();
  const { prediction } = await predict('sleep 3600; echo up', place);
  assert.ok(prediction.effects.some((effect) => effect.effect === 'waits' && effect.detail.includes('1 h')));
  assert.equal(prediction.ending, 'done');
});

test('a program that asks is shown as asking, and the answer goes on', async () => {
  const place = workspace({ a: 'x' });
  const answers = createChannel<string>();
  const request = requestOf('rm -i a && echo gone', place, { terminal: { columns: 80, rows: 24 }, answers });
  const { events, view } = foretell.predict(request);
  const prompts: string[] = [];
  const prediction = await foldAll(request.action, events, (event) => {
    if (event.type !== 'asks') return;
    prompts.push(event.prompt);
    answers.push('y\n');
  });
  await view.close();
  assert.equal(prompts.length, 1);
  assert.match(prompts[0] ?? '', /remove/);
  assert.deepEqual(
    prediction.files.map((file) => file.change),
    ['deleted'],
  );
  assert.equal(fs.existsSync(path.join(place, 'a')), true);
});

test('a session goes on from the predicted state: files, folder, variables, functions', async () => {
  const place = workspace();
  const session = foretell.openSession();
  const step = async (script: string, cwd: string) => {
    const request = requestOf(script, cwd);
    const prediction = await foldAll(request.action, session.predict(request).events);
    return { cwd: prediction.cwd ?? '', stdout: textOf(prediction, 'stdout'), files: prediction.files };
  };
  const one = await step('mkdir d; cd d; echo a > f; X=5; hi() { echo hi $X; }', place);
  assert.equal(one.cwd, path.join(place, 'd'));
  const two = await step('hi; echo b >> f; cat f', one.cwd);
  assert.equal(two.stdout, 'hi 5\na\nb\n');
  assert.deepEqual(
    two.files.map((file) => [file.change, path.basename(file.path)]),
    [['modified', 'f']],
  );
  await session.close();
  assert.deepEqual(fs.readdirSync(place), []);
});

test('each expected failure is one sentence with a code', async () => {
  const gone = path.join(folder, 'gone');
  assert.equal((await predict('ls', gone)).prediction.failureCode, 'no-folder');
  const place = workspace();
  const long = await predict(`: ${'x'.repeat(140_000)}`, place);
  assert.equal(long.prediction.failureCode, 'script-too-long');
  const endless = await predict('while :; do :; done', place, { limits: { wallMs: 300 } });
  assert.equal(endless.prediction.failureCode, 'time-limit');
  const broken = createForetell({ launcher: path.join(folder, 'missing') });
  const request = requestOf('ls', place);
  const prediction = await foldAll(request.action, broken.predict(request).events);
  assert.equal(prediction.ending, 'failed');
  assert.match(prediction.endingReason ?? '', /\.$/);
});

test('cancelling ends it as cancelled and leaves no process', async () => {
  const place = workspace();
  const marker = `foretell-cancel-${process.pid}`;
  for (const waitMs of [0, 5, 20, 100]) {
    const abort = new AbortController();
    const request = requestOf(`exec -a ${marker} tail -f /dev/null`, place, { signal: abort.signal });
    const { events } = foretell.predict(request);
    setTimeout(() => abort.abort(), waitMs);
    const prediction = await foldAll(request.action, events);
    assert.equal(prediction.ending, 'cancelled');
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
  const processes = execFileSync('ps', ['-e', '-o', 'args'], { encoding: 'utf8' });
  assert.ok(!processes.includes(`${marker} -f`), processes);
});

test('lost work is counted, and decides the verdict', async () => {
  const place = workspace({ a: 'committed\n', b: '1\n2\n3\n' });
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: place,
      env: {
        ...environment,
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_AUTHOR_NAME: 'a',
        GIT_AUTHOR_EMAIL: 'a@b',
        GIT_COMMITTER_NAME: 'a',
        GIT_COMMITTER_EMAIL: 'a@b',
      },
    });
  git('init', '-q');
  git('add', 'a');
  git('commit', '-qm', 'one');
  const { prediction } = await predict('rm -rf a b', place, { workspaceFolders: [place] });
  assert.equal(prediction.verdict.level, 'danger', JSON.stringify([prediction.verdict, prediction.loss]));
  const lost = prediction.loss.filter((loss) => loss.recoverable === 'no');
  assert.deepEqual(
    lost.map((loss) => [path.basename(loss.path), loss.lines]),
    [['b', 3]],
  );
  assert.match(prediction.verdict.reasons[0]?.text ?? '', /3 uncommitted lines/);
});
