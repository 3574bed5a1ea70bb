import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { foldAll } from '../../src/core/foretell.ts';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import { byEachEngine, type Made } from '../byEachEngine.ts';

/**
 * Programs that run beside each other: what depends on which of them begins is no certain word. Each of these commands was run
 * for real sixty times, and came out in both ways.
 */

const lines = `${Array.from({ length: 1000 }, (_, index) => index + 1).join('\n')}\n`;

async function predictIn({ foretell, folder, workspace }: Made, script: string, openGate = false): Promise<Prediction> {
  const env = { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`, HOME: folder };
  const action = {
    kind: 'command',
    script,
    shell: 'bash',
    cwd: workspace({ log: lines, 'd/1': '', 'd/2': '' }),
  } as const;
  const { events, view } = foretell.predict({ action, env, openGate, signal: new AbortController().signal });
  const prediction = await foldAll(action, events);
  await view.close();
  return prediction;
}

const claims = ({ output }: Prediction) => output.filter(({ volatile }) => !volatile).map(({ text }) => text);
const isOpen = ({ ending }: Prediction) => ending === 'abstained';

byEachEngine('races', (made) => {
  const predict = (script: string) => predictIn(made, script);
  for (const script of [
    'sort log | tee log > /dev/null',
    'cat log | sort > log',
    'grep -v 7 log | tee log',
    'tee log < log > /dev/null | cat',
    '(echo header; cat log) | tee log',
    '{ cat log; date; } | tee log',
  ]) {
    test(`the file that it reads may be emptied first: ${script}`, async (t) => {
      const prediction = await predict(script);
      // Without namespaces a file is not copied while somebody reads it.
      if (prediction.doubt?.kind === 'needsMachine') return t.skip(prediction.endingReason);
      assert.equal(prediction.verdict.level, 'danger');
      assert.deepEqual(
        prediction.loss.filter(({ recoverable }) => recoverable === 'no').map((loss) => path.basename(loss.path)),
        ['log'],
      );
    });
  }

  for (const [script, certain] of [
    ['ls d | tee d/list', '1\n'],
    ['find d -type f -name "*s" | sort > d/files; cat d/files', ''],
    ['sort log > log2 & cat log2 2>/dev/null | wc -l; wait', ''],
    ['for i in 1 2 3; do echo $i & done; wait', ''],
    ['rm log & cat log 2>&1 | head -1; wait', ''],
    ['(echo a) > c & cat c 2>&1; wait', ''],
    ['echo one > o & echo two > o; wait; cat o', ''],
    ['touch e & ls -d e 2>/dev/null || echo none; wait', ''],
    ['(echo x > f1) | true; [ -e f1 ] && echo there', 'there\n'],
    ['head -3 log | while read x; do echo $x > f$x & done; wait; ls -d f* 2>/dev/null', ''],
  ] as const) {
    test(`what it prints is chance: ${script}`, async () => {
      const prediction = await predict(script);
      assert.ok(isOpen(prediction) || claims(prediction).join('') === certain, JSON.stringify(prediction.output));
    });
  }

  // Whoever writes to a pipe is told that nobody reads any more, or has written all by then.
  for (const [script, certain] of [
    ['seq 2000 | head -1; echo ${PIPESTATUS[@]}', '1\n'],
    ['(echo a; echo b) | head -1; echo ${PIPESTATUS[@]}', 'a\n'],
    ['seq 2000 | tee log2 | head -5 > first; wc -l < log2', ''],
    ['set -o pipefail; seq 2000 | grep -q 7 && echo yes || echo no', ''],
    ['seq 2000 | while read x; do echo $x; break; done; echo ${PIPESTATUS[@]}', '1\n'],
    ['head -1 < <(seq 2000; echo $? > status); wait; cat status', '1\n'],
    ['seq 2000 | cat | sed 3q > some; echo ${PIPESTATUS[@]}', ''],
  ] as const) {
    test(`who leaves a pipe first is chance: ${script}`, async () => {
      const prediction = await predict(script);
      assert.ok(isOpen(prediction) || claims(prediction).join('') === certain, JSON.stringify(prediction.output));
    });
  }

  test('so is what its writer does not take away any more', async () => {
    const { doubt } = await predict('{ > left; echo a; echo b; rm left; } | head -1');
    assert.ok(doubt?.kind === 'madeByChance' && path.basename(doubt.path) === 'left', JSON.stringify(doubt));
  });

  for (const take of ['mkdir lock', 'ln -s log lock', 'flock -n log true']) {
    const job = `f() { if ${take} 2>/dev/null; then seq 3000 | wc -l; rm -d -f lock; else echo locked; fi; }`;

    test(`whether two jobs meet that want one thing is chance: ${take}`, async () => {
      const { doubt } = await predict(`${job}; f & f & wait`);
      assert.equal(doubt?.kind, 'contended');
    });

    test(`one after the other they do not: ${take}`, async () => {
      const { ending, endingReason } = await predict(`${job}; f; f; true & wait`);
      assert.equal(ending, 'done', endingReason);
    });
  }

  for (const script of [
    '[ $(date +%Y) -gt 2100 ] && > made; true',
    'echo $(date +%Y) > x$(date +%s%N)',
    'mktemp ./XXXXXX > /dev/null',
  ]) {
    test(`what another clock makes, or under another name, is no chance: ${script}`, async () => {
      const { ending, endingReason } = await predict(script);
      assert.equal(ending, 'done', endingReason);
    });
  }

  for (const [script, printed] of [
    ['set -o pipefail; seq 100000 | head -1; echo $?', '1\n141\n'],
    ['seq 300 | head -1; echo ${PIPESTATUS[@]}', '1\n0 0\n'],
    ['seq 100000 | sed 3q; echo ${PIPESTATUS[@]}', '1\n2\n3\n141 0\n'],
    ['yes | head -1; echo ${PIPESTATUS[@]}', 'y\n141 0\n'],
    ['seq 1000 | sort | head -2; echo ${PIPESTATUS[@]}', '1\n10\n0 0 0\n'],
    ['seq 2000 | wc -l; echo ${PIPESTATUS[@]}', '2000\n0 0\n'],
  ] as const) {
    test(`what does not fit into a pipe is certain, and so is what is read to its end: ${script}`, async () => {
      const prediction = await predict(script);
      assert.deepEqual([prediction.ending, claims(prediction).join('')], ['done', printed], prediction.endingReason);
    });
  }

  const within = {
    'a script': (line: string) => `echo '${line}' > x.sh; bash x.sh`,
    'a function of a script that is read': (line: string) => `echo 'f() { ${line}; }' > x.sh; . ./x.sh; f`,
    'a recipe': (line: string) =>
      `printf 'SHELL=/bin/bash\nall:\n\t@%s\n' '${line.replaceAll('$', '$$$$')}' > M; make -s -f M`,
    'a script of a package': (line: string) =>
      `echo '{"scripts":{"x":"bash x.sh"}}' > package.json; echo '${line}' > x.sh; npm run -s x`,
    'a hook of git': (line: string) =>
      `git init -q .; printf '#!/bin/bash\n%s\n' '${line}' > .git/hooks/post-commit; chmod +x .git/hooks/post-commit; git -c user.name=a -c user.email=a@b.invalid commit -q --allow-empty -m x 2>&1`,
    python: (line: string) => `python3 -c 'import subprocess; subprocess.run(["bash", "-c", "${line}"])'`,
  };
  for (const [where, inner] of Object.entries(within)) {
    const isInert = where === 'a script' || where.startsWith('a function');
    for (const [count, printed] of [
      [2000, '1\n'],
      [100_000, '1\n141 0\n'],
    ] as const) {
      test(`so it is in ${where}: ${count} lines`, async () => {
        const script = inner(`seq ${count} | head -1; echo ${'$'}{PIPESTATUS[@]}`);
        const prediction = await predictIn(made, script, !isInert);
        assert.ok(isOpen(prediction) || claims(prediction).join('') === printed, JSON.stringify(prediction.output));
      });
    }
  }

  // A word of the shell, and a program of the project, which no words of the command name.
  for (const [where, inner] of Object.entries(within)) {
    if (where.startsWith('a function')) continue;
    for (const reader of ['while read x; do echo $x; break; done', 'node one.js']) {
      test(`so it is in ${where} for ${reader}`, async () => {
        const one = `printf "require('fs').readSync(0, Buffer.alloc(2)); console.log(1)" > one.js; `;
        const script = one + inner(`seq 2000 | ${reader}; echo ${'$'}{PIPESTATUS[@]}`);
        const prediction = await predictIn(made, script, true);
        assert.ok(isOpen(prediction) || claims(prediction).join('') === '1\n', JSON.stringify(prediction.output));
      });
    }
  }

  // By themselves the second job ends first, and so it does where the newest process begins first.
  test('which of two jobs of make ends first is chance, and so is whose lines come first', async () => {
    const counting = (name: string, count: number) => `${name}: ; @perl -e '$$x += $$_ for 1..${count}'`;
    const rules = ['all: p q', 'p: a ; @echo p', 'q: b ; @echo q', counting('a', 3_000_000), counting('b', 1_000_000)];
    const script = `cat > M <<'END'\n${rules.join('\n')}\n.PHONY: all p q a b\nEND\nmake -f M -j2`;
    const prediction = await predictIn(made, script, true);
    assert.deepEqual([prediction.ending, claims(prediction)], ['done', []]);
  });

  const complaining = (count: number) =>
    `node -e 'const fs = require("fs"); try { for (let i = 0; i < ${count}; i++) fs.writeSync(1, i + "\\n") } catch { console.error("broken") }' | head -1`;

  test('a program that was let in may complain of a reader that has left, or not', async () => {
    const prediction = await predictIn(made, complaining(5), true);
    assert.equal(prediction.exitCode, 0);
    assert.ok(isOpen(prediction) || !claims(prediction).includes('broken\n'), JSON.stringify(prediction));
    assert.equal(prediction.doubt?.kind, 'outputVaries');
  });

  test('it does complain where it writes more than fits into a pipe', async () => {
    const prediction = await predictIn(made, complaining(40_000), true);
    assert.deepEqual([prediction.ending, claims(prediction).sort().join('')], ['done', '0\nbroken\n']);
  });

  const writing = (length: number, end: string) => `node -e 'process.stdout.write("x".repeat(${length})); ${end}'`;

  for (const behind of ['', ' | wc -c', ' | cat > written', '; echo on'])
    test(`a program that ends before a pipe has taken all loses the rest, how much is chance: ${behind}`, async () => {
      const prediction = await predictIn(made, `${writing(300_000, 'process.exit(3)')}${behind}`, true);
      assert.deepEqual([prediction.ending, prediction.doubt?.kind], ['abstained', 'outputLeft']);
    });

  for (const [script, printed] of [
    [`${writing(300_000, '')} | wc -c`, '300000\n'],
    [`${writing(60_000, 'process.exit(3)')} | wc -c`, '60000\n'],
    [`${writing(300_000, 'process.exit(3)')} > written; wc -c < written`, '300000\n'],
    [`node -e 'process.stdout.write("x".repeat(300000), () => process.exit(3))' | wc -c`, '300000\n'],
    [`perl -e 'print "x" x 300000; exit 3' | wc -c`, '300000\n'],
  ] as const)
    test(`what a pipe takes in the end arrives whole: ${script}`, async () => {
      const prediction = await predictIn(made, script, true);
      assert.deepEqual([prediction.ending, claims(prediction).join('')], ['done', printed]);
    });

  for (const [script, printed] of [
    ['head -1 log | tee -a log > /dev/null; tail -1 log', '1\n'],
    ['(sleep 0.1; rm d/1) & sleep 0.2; ls d', '2\n'],
    ['cat log | sort -n | tail -1', '1000\n'],
    ['sort log > log2 & wait; cat log2 | wc -l', '1000\n'],
    ['echo "$(ls d | tee list | wc -l)"', '2\n'],
  ] as const) {
    test(`the order does not matter: ${script}`, async () => {
      const prediction = await predict(script);
      assert.deepEqual([prediction.ending, claims(prediction).join('')], ['done', printed], prediction.endingReason);
    });
  }
});
