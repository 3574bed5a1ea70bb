import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { foldAll } from '../../src/core/foretell.ts';
import { Launcher } from '../../src/core/worlds/confined/wire/launcher.ts';
import { commitAll } from '../gitSettings.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** One run is enough only where no other could come out otherwise; else a second one beside it finds what is volatile. */

const { foretell, folder } = throwAwayForetell('steady');
fs.mkdirSync(path.join(folder, 'dir/sub'), { recursive: true });
for (const name of ['a', 'b', 'dir/a', 'dir/sub/b'])
  fs.writeFileSync(path.join(folder, name), 'some needle or other\n');
fs.symlinkSync('/proc/uptime', path.join(folder, 'link'));
fs.symlinkSync('/proc', path.join(folder, 'away'));

async function predict(script: string, env?: Record<string, string>, cwd = folder) {
  const action = { kind: 'command', script, shell: 'bash', cwd } as const;
  const inView: string[] = [];
  const { run } = Launcher.prototype;
  Launcher.prototype.run = function counted(request, onEvent) {
    if (request.argv.includes(script)) inView.push(script);
    return run.call(this, request, onEvent);
  };
  const { events, view } = foretell.predict({ action, ...(env && { env }), signal: new AbortController().signal });
  try {
    return { runs: inView, prediction: await foldAll(action, events) };
  } finally {
    Launcher.prototype.run = run;
    await view.close();
  }
}

test('one run of what cannot be volatile', async () => {
  for (const script of [
    'rm -rf dir',
    'mv dir moved',
    'cp -r dir copy && chmod 600 a',
    "find dir -type f -exec sed -i 's/needle/thread/' {} +",
    "find dir -name 'b' -delete",
    'touch a b',
    'tar cf new.tar dir',
    'tar -czf new.tgz dir a',
  ]) {
    const { runs, prediction } = await predict(script);
    assert.equal(prediction.ending, 'done', `${script}: ${prediction.endingReason}`);
    assert.equal(runs.length, 1, script);
    assert.ok(!prediction.files.some(({ volatile }) => volatile), script);
  }
});

test('what is read from the kernel, by whatever name, and names of this moment are volatile', async () => {
  for (const script of [
    'cp /proc/uptime now',
    'cp link now',
    'cp away/uptime now',
    'read -r line < link; echo "$line" > now',
    'cd /proc && cp uptime "$OLDPWD/now"',
    'mkdir d.$$',
    'touch $RANDOM.txt',
  ]) {
    const { prediction } = await predict(script);
    assert.ok(prediction.files.length > 0, script);
    assert.ok(
      prediction.files.every(({ volatile }) => volatile),
      `${script}: ${JSON.stringify(prediction.files)}`,
    );
  }
});

test('an archive holds times: of what was made before it, and of what the environment says', async () => {
  for (const [script, env] of [
    ['tar cf new.tar dir', { TAR_OPTIONS: '--mtime=now' }],
    ['mkdir made && tar cf new.tar made'],
    ['tar cf new.tar --mtime=now dir'],
  ] as const) {
    const { runs } = await predict(script, env && { PATH: process.env['PATH'] ?? '', ...env });
    assert.ok(runs.length > 1, script);
  }
});

test('a command that complains or fails is compared with another run', async () => {
  const { runs, prediction } = await predict('rm -r dir missing');
  assert.equal(prediction.exitCode, 1);
  assert.ok(runs.length > 1);
});

test('cancelling frees at once whatever was begun, also ahead', async () => {
  const started: Launcher[] = [];
  const { setup } = Launcher.prototype;
  Launcher.prototype.setup = function noted(request) {
    started.push(this);
    return setup.call(this, request);
  };
  try {
    const script = 'for i in {1..100000}; do /bin/true; done; touch z';
    const action = { kind: 'command', script, shell: 'bash', cwd: folder } as const;
    const abort = new AbortController();
    const { events, view } = foretell.predict({ action, signal: abort.signal });
    const folded = foldAll(action, events);
    while (started.length === 0) await new Promise((wake) => setTimeout(wake, 20));
    await new Promise((wake) => setTimeout(wake, 300));
    abort.abort();
    const prediction = await folded;
    await view.close();
    assert.equal(prediction.ending, 'cancelled');
    for (const { pid } of started)
      assert.throws(() => process.kill(pid ?? 0, 0), { code: 'ESRCH' }, `launcher ${pid} still runs`);
  } finally {
    Launcher.prototype.setup = setup;
  }
});

test('a place below a file is said to be no folder, whoever looks at it', async () => {
  for (const script of ['mv a /dev/null/x', 'mv a b/x', 'cp a b/x', 'ln a b/x', 'mv a b/x/y']) {
    const { prediction } = await predict(script);
    assert.equal(prediction.ending, 'done', `${script}: ${prediction.endingReason}`);
    assert.equal(prediction.exitCode, 1, script);
    assert.deepEqual(prediction.files, [], script);
  }
});

test('find is told the real status of files only where it asks for it, by whatever words', async () => {
  const told = async (script: string) => {
    const { setup } = Launcher.prototype;
    let isTold = false;
    Launcher.prototype.setup = function watched(request) {
      isTold ||= request.mode === 'copy' && (request.correct?.length ?? 0) > 0;
      return setup.call(this, request);
    };
    try {
      const { prediction } = await predict(script);
      assert.equal(prediction.ending, 'done', `${script}: ${prediction.endingReason}`);
      return isTold;
    } finally {
      Launcher.prototype.setup = setup;
    }
  };
  assert.equal(await told("find dir -type f -exec sed -i 's/needle/thread/' {} +"), false);
  assert.equal(await told('find dir -name b -delete'), false);
  assert.equal(await told('find dir -size -2 -name b -delete'), true);
  // Only the run tells.
  assert.equal(await told('find dir $(echo -links) 1 -delete; mkdir "$(basename x)"'), true);
});

describe('one reading of what cannot be volatile', () => {
  const beforeMs = Date.now() - 60_000;
  const reading = path.join(folder, 'reading');
  fs.mkdirSync(path.join(reading, 'src'), { recursive: true });
  for (const name of ['c', 'd', 'src/e']) {
    fs.writeFileSync(path.join(reading, name), 'some needle or other\n'.repeat(3));
    fs.utimesSync(path.join(reading, name), beforeMs / 1000, beforeMs / 1000);
  }
  fs.symlinkSync('/proc/uptime', path.join(reading, 'link'));
  commitAll(reading);

  for (const [script, printed] of [
    ['cat c', /^(some needle or other\n){3}$/],
    ['cat missing', /^$/],
    ['grep -rn needle . | head -2', /needle.*\n.*needle.*\n$/],
    ['cd src && ls && wc -l e', /^e\n3 e\n$/],
    ['sort c d | uniq -c', /6 some/],
    ['git ls-files | wc -l', /^4\n$/],
    ["find . -name 'c'", /c\n$/],
    ['echo "$PWD"; sed -n \'1,2p\' c', /reading\n(some.*\n){2}$/],
  ] as const)
    test(script, async () => {
      const { runs, prediction } = await predict(script, undefined, reading);
      assert.equal(prediction.ending, 'done', prediction.endingReason);
      assert.equal(runs.length, 1);
      assert.match(
        prediction.output.flatMap(({ stream, text = '' }) => (stream === 'stdout' ? text : [])).join(''),
        printed,
      );
      assert.ok(prediction.output.every(({ basis, volatile }) => basis === 'rehearsed' && !volatile));
      assert.equal(prediction.exitBasis, 'rehearsed');
    });

  for (const script of [
    'cat link',
    'cat /proc/loadavg',
    'ls -l',
    'git log -1 --format=%ar',
    'git status --short',
    "printf '%(%s)T\\n'",
    'echo $RANDOM',
    'cat missing | cat gone',
    'set -o pipefail; cat c | head -1',
    'echo ${PIPESTATUS[@]}',
    'tail -n 1 fresh',
  ])
    test(`more than one: ${script}`, async () => {
      fs.writeFileSync(path.join(reading, 'fresh'), 'x\n');
      const { runs } = await predict(script, undefined, reading);
      assert.ok(runs.length > 1);
    });

  test('what git takes away is named in an order of its own, so one run of it is enough', async () => {
    for (const name of ['z', 'm', 'a.o']) fs.writeFileSync(path.join(reading, name), 'x\n');
    const script = 'rm -rf src && git clean -fdx';
    const { runs, prediction } = await predict(script, undefined, reading);
    assert.equal(runs.length, 1);
    assert.match(
      prediction.output.map(({ text }) => text).join(''),
      /^Removing a\.o\n(Removing fresh\n)?Removing m\nRemoving z\n$/,
    );
    assert.equal(prediction.verdict.level, 'danger');
    assert.ok(prediction.loss.some(({ path: lost }) => lost.endsWith('/m')));
    const verbose = await predict('rm -rv src && git clean -fdx', undefined, reading);
    assert.ok(verbose.runs.length > 1);
  });

  test('a function in the place of a program is none', async () => {
    const env = { PATH: process.env['PATH'] ?? '', 'BASH_FUNC_cat%%': '() {  echo $RANDOM\n}' };
    const { runs, prediction } = await predict('cat c', env, reading);
    assert.ok(runs.length > 1);
    assert.ok(prediction.output.some(({ volatile }) => volatile));
  });
});
