import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShellName } from '../../src/core/action/action.ts';
import { foldAll } from '../../src/core/foretell.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

// Each command of a sequence starts from what the ones before left, whatever the shell, and however few runs those took.
const { foretell, workspace } = throwAwayForetell('sessionShells');

/** `before`: is called before each command, with its index. */
async function sequence(shell: ShellName, scripts: readonly string[], before?: (index: number) => void) {
  const cwd = workspace({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'own.js': '' });
  const session = foretell.openSession();
  try {
    let last: Awaited<ReturnType<typeof foldAll>> | undefined;
    for (const [index, script] of scripts.entries()) {
      const action = { kind: 'command', script, shell, cwd } as const;
      before?.(index);
      last = await foldAll(action, session.predict({ action, signal: new AbortController().signal }).events);
    }
    assert.ok(last);
    return { ...last, output: last.output.filter(({ stream }) => stream === 'stdout') };
  } finally {
    await session.close();
  }
}

for (const shell of ['bash', 'sh'] as const) {
  test(`${shell}: behind what one run was enough for`, async () => {
    const { output } = await sequence(shell, ['rm a.txt', 'ls *.txt']);
    assert.deepEqual(
      output.map(({ text, volatile }) => [text, volatile ?? false]),
      [['b.txt\n', false]],
    );
  });
  test(`${shell}: a stopped program behind it`, async () => {
    const { output } = await sequence(shell, ['echo new > c.txt', 'ls *.txt; node own.js']);
    assert.equal(output[0]?.text, 'a.txt\nb.txt\nc.txt\n');
    assert.ok(!output[0]?.volatile);
  });
}

test('what an earlier command left running, and goes on to change files, is not there in the view', async () => {
  const late = await sequence('bash', ['(sleep 0.2; rm a.txt) &', 'sleep 0.5; ls a.txt']);
  assert.equal(late.ending, 'abstained');
  const { ending } = await sequence('bash', ['sleep 100 &', 'ls a.txt']);
  assert.equal(ending, 'done');
});

test('options that the shell was given stay, and are told by nothing of ours', async () => {
  const { output, ending } = await sequence('bash', ['set -C; set -x', 'echo x > a.txt; cat a.txt']);
  assert.equal(ending, 'done');
  assert.equal(output[0]?.text, 'a\n');
});

test('a secret is set in each command of a session, and only those get its value that name it', async () => {
  process.env['FORETELL_TEST_TOKEN'] = 'hunter22';
  try {
    const shown = async (...scripts: string[]) => {
      const { output } = await sequence('bash', scripts);
      return output.map(({ text }) => text).join('');
    };
    const show = 'env | grep _TEST_TOKEN';
    assert.equal(await shown('a=1', show), 'FORETELL_TEST_TOKEN=xxxxxx11\n');
    // A step that names it, and one behind it.
    const named = 'echo $FORETELL_TEST_TOKEN';
    assert.equal(await shown(show, named), 'hunter22\n');
    assert.equal(await shown(named, show), 'FORETELL_TEST_TOKEN=xxxxxx11\n');
    // What somebody sets is kept.
    assert.equal(await shown('export FORETELL_TEST_TOKEN=mine', show), 'FORETELL_TEST_TOKEN=mine\n');
    assert.equal(await shown('set -eux', show), 'FORETELL_TEST_TOKEN=xxxxxx11\n');
    assert.equal(await shown(show, 'set | grep -c __foretell; declare | grep -c __foretell_'), '0\n0\n');
  } finally {
    delete process.env['FORETELL_TEST_TOKEN'];
  }
});

test('so is one that comes into the environment later', async () => {
  try {
    const { output } = await sequence(
      'bash',
      ['a=1', 'echo $LATER_TEST_TOKEN > named', 'env | grep _TEST_TOKEN'],
      (index) => {
        if (index === 1) process.env['LATER_TEST_TOKEN'] = 'hunter22';
      },
    );
    assert.equal(output.map(({ text }) => text).join(''), 'LATER_TEST_TOKEN=xxxxxx11\n');
  } finally {
    delete process.env['LATER_TEST_TOKEN'];
  }
});
