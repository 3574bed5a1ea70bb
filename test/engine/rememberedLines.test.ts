import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import { completeRequest } from '../../src/core/prediction/request.ts';
import { readLastTime } from '../../src/core/worlds/remembered/recall.ts';
import {
  asSaid,
  edit,
  edits,
  isRemembered,
  memory,
  type Options,
  predict,
  project,
  seed,
  seeded,
  settle,
  shut,
  usual,
  workspace,
} from './rememberedFixture.ts';

/** Whether the program of a line was stood in for by what is kept of it. */
function standsIn({ noticed = [], programs }: Prediction): boolean {
  const isTold = noticed.some((fact) => fact.kind === 'remembered' && fact.argv?.[0] === 'node');
  assert.equal(
    programs.some(({ argv, basis }) => argv[0] === 'node' && basis === 'remembered'),
    isTold,
  );
  return isTold;
}

const withoutMemory: Options = { memory: undefined };

describe('one program of a line is remembered', () => {
  test('with other filters behind it nothing of it is run, also without consent', async () => {
    const place = await project();
    const first = await predict('node app.js 2>&1 | tail -3', place);
    assert.deepEqual([first.exitBasis, first.ending, standsIn(first)], ['rehearsed', 'done', false]);
    for (const script of [
      'node app.js 2>&1 | tail -3',
      'node app.js 2>&1 | tail -2',
      'node app.js 2>&1 | grep -A1 list | sort',
      'node app.js 2>&1 | head -40',
      'set -o pipefail; node app.js 2>&1 | wc -l; echo "EXIT $?"',
      'echo begins; ls data; node app.js 2>&1 | sed -n 2,3p && cat out/made.txt && git diff --no-index data/a.txt out/made.txt',
    ]) {
      const plain = await predict(script, place, withoutMemory);
      const again = await predict(script, place, shut);
      assert.ok(standsIn(again), script);
      assert.deepEqual(asSaid(again), asSaid(plain), script);
      assert.deepEqual([again.exitBasis, again.ending, again.doubt], ['remembered', 'done', undefined], script);
      assert.ok(again.programs.some(({ argv, basis }) => argv[0] !== 'node' && basis === 'rehearsed'));
    }
    assert.equal(fs.existsSync(path.join(place, 'out')), false, 'nothing is really made');
  });

  test('what the program read last time is known for another line with it', async () => {
    const place = await project();
    await predict('node app.js 2>&1 | tail -3', place);
    const action = { kind: 'command', script: 'node app.js 2>&1 | grep x', shell: 'bash', cwd: place } as const;
    const { request } = completeRequest({ action, env: usual, signal: AbortSignal.timeout(1000) }, false);
    const read = readLastTime(request, memory).map((name) => path.relative(place, name));
    assert.deepEqual(read, ['app.js', 'tool.sh', 'data/a.txt']);
  });

  test('behind cd, and between words of the shell', async () => {
    const place = workspace({
      'say.js': 'console.log(process.cwd(), process.env.OLDPWD); process.exitCode = 3',
      'data/x': 'x',
    });
    await settle();
    const lines = [
      'cd data && node ../say.js; echo "EXIT $?"',
      'cd data && node ../say.js || echo failed',
      'cd data && node ../say.js; true',
    ];
    const [first = '', ...others] = lines;
    await predict(first, place);
    for (const script of others) {
      const plain = await predict(script, place, withoutMemory);
      const again = await predict(script, place, shut);
      assert.ok(standsIn(again), script);
      assert.deepEqual(asSaid(again), asSaid(plain), script);
    }
    assert.ok(
      !standsIn(await predict('node ../say.js; true', path.join(place, 'data'), shut)),
      'OLDPWD is another one',
    );
  });

  test('how it ends counts where the line asks for it', async () => {
    const place = workspace({ 'fail.js': 'console.log("one"); console.log("two"); process.exitCode = 7' });
    await settle();
    await predict('node fail.js 2>&1 | cat -n; true', place);
    for (const [script, code] of [
      ['node fail.js 2>&1 | grep two', 0],
      ['set -o pipefail; node fail.js 2>&1 | grep two', 7],
      ['node fail.js 2>&1 | grep three', 1],
    ] as const) {
      const again = await predict(script, place, shut);
      assert.ok(standsIn(again), script);
      assert.equal(again.exitCode, code, script);
    }
  });

  test('what is volatile in it stays so, whatever reads it', async () => {
    const place = workspace({
      'now.js':
        'console.log("x"); console.log("at", Date.now()); console.log("took 1.5s"); require("fs").writeFileSync("stamp", String(Date.now()))',
    });
    await settle();
    await predict('node now.js 2>&1 | tail -9', place);
    const again = await predict('node now.js 2>&1 | grep -v nothing && cat stamp', place, shut);
    assert.ok(standsIn(again));
    const marked = again.output.flatMap(({ text = '', volatile }) => (volatile ? [text] : [])).join('');
    assert.match(marked, /at \d+/);
    assert.match(marked, /took 1\.5s/);
    assert.match(marked, /^\d{13}$/m);
    assert.ok(again.output.some(({ text = '', volatile }) => text.includes('x') && !volatile));
    assert.ok(again.files.some(({ path: name, volatile }) => name.endsWith('/stamp') && volatile));
  });

  test('not where it would not be the same: other variables, other streams, a state that was changed, a reader that leaves', async () => {
    const place = await project();
    await predict('node app.js 2>&1 | tail -3', place);
    for (const script of [
      'export MODE=two; node app.js 2>&1 | tail -3',
      'MODE=two node app.js 2>&1 | tail -3',
      'echo z > data/a.txt; node app.js 2>&1 | tail -3',
      'node app.js 2>&1 > x | tail -3',
      'echo y | node app.js 2>&1 | tail -3',
      'node app.js 2>&1 | head -3',
      'node app.js 2>&1 | grep -q list',
      'node app.js | tail -3',
      'umask 077; node app.js 2>&1 | tail -3',
      'ulimit -n 100; node app.js 2>&1 | tail -3',
      'for i in 1 2; do node app.js 2>&1 | tail -3; done',
      '(node app.js 2>&1 | tail -3)',
      'node app.js 2>&1 | tail -3 &',
      'f() { node app.js 2>&1 | tail -3; }; f',
      'node app.js 2>&1 | tee log | tail -3',
    ])
      assert.ok(!standsIn(await predict(script, place, shut)), script);
  });

  test('who signals its group, leaves another running or reaches for a network is run each time', async () => {
    const place = workspace({
      'group.js': 'process.on("SIGUSR1", () => {}); process.kill(0, "SIGUSR1"); setTimeout(() => console.log("x"), 20)',
      'net.js': 'require("net").connect(80, "192.0.2.1").on("error", () => console.log("x"))',
      'left.js':
        'require("child_process").spawn("sleep", ["9"], { detached: true, stdio: "ignore" }).unref(); console.log("x")',
    });
    await settle();
    for (const name of ['group', 'net', 'left']) {
      await predict(`node ${name}.js 2>&1 | tail -3`, place);
      assert.ok(!standsIn(await predict(`node ${name}.js 2>&1 | tail -2`, place, shut)), name);
    }
  });
});

const someLines = [
  'node app.js 2>&1 | tail -3',
  'node app.js 2>&1 | grep -A2 content',
  'node app.js 2>&1 | cat -n && cat out/made.txt',
  'cat data/b.txt; node app.js 2>&1 | sort; cat data/a.txt old.txt',
];

test(`${edits} random edits: what a line says on a remembered program is what it says without memory`, async (context) => {
  const pick = seeded(seed + 1);
  const place = await project();
  let hits = 0;
  for (let round = 0; round < edits; round++) {
    edit(place, pick);
    await settle();
    const script = someLines[pick(someLines.length)] ?? '';
    const remembered = await predict(script, place, shut);
    const isHit = isRemembered(remembered) || standsIn(remembered);
    const given = isHit ? remembered : await predict(script, place);
    const plain = await predict(script, place, withoutMemory);
    assert.deepEqual(asSaid(given), asSaid(plain), `round ${round}: ${script}`);
    if (isHit) hits += 1;
  }
  context.diagnostic(`${hits} of ${edits} were answered from memory`);
  assert.ok(hits > edits / 20, `only ${hits} hits say little`);
});
