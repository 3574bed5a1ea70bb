import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { CommandAction } from '../../src/core/action/action.ts';
import { createForetell, type Foretell, foldAll } from '../../src/core/foretell.ts';
import { launcherPath } from '../../src/core/launcherPath.ts';

/** The kernel writes core dumps itself, past every filter: a process of a prediction never has a limit that lets it. */

let foretell: Foretell;
let place: string;

before(() => {
  foretell = createForetell({ launcher: launcherPath(path.resolve('dist')) });
  place = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-core-')));
});
after(async () => {
  await foretell.dispose();
  fs.rmSync(place, { recursive: true, force: true });
});

async function predict(script: string) {
  const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd: place };
  const { events, view } = foretell.predict({ action, signal: new AbortController().signal });
  const prediction = await foldAll(action, events);
  await view.close();
  return prediction;
}

const [, soft = '', hard = ''] =
  /^Max core file size +(\S+) +(\S+)/m.exec(fs.readFileSync('/proc/self/limits', 'utf8')) ?? [];
const skip = hard === '0' ? 'no core dumps are possible here' : false;

for (const signal of ['SEGV', 'ABRT', 'TRAP'])
  for (const script of [
    `ulimit -S -c hard; kill -${signal} $$`,
    `ulimit -S -c hard; sh -c 'kill -${signal} $$'; true`,
    `touch made; ulimit -S -c hard; kill -${signal} $$`,
  ]) {
    test(`a core dump is neither written nor kept secret: ${script}`, { skip }, async () => {
      const { ending } = await predict(script);
      assert.deepEqual(fs.readdirSync(place), []);
      assert.equal(ending, 'abstained');
    });
  }

test('a crash without a core dump is certain', async () => {
  for (const script of [
    "ulimit -c 0; sh -c 'kill -SEGV $$'; echo $?",
    "touch made; ulimit -c 0; sh -c 'kill -SEGV $$'; echo $?",
  ]) {
    const { ending, output } = await predict(script);
    assert.equal(ending, 'done', script);
    assert.equal(output.find(({ stream }) => stream === 'stdout')?.text, '139\n');
  }
});

test('the limit is told as it is, and as it was set', async () => {
  const blocks = (bytes: string) => (bytes === 'unlimited' ? bytes : String(Math.floor(Number(bytes) / 1024)));
  const shown = async (script: string) => (await predict(script)).output.map(({ text }) => text).join('');
  for (const begin of ['', 'touch made; ']) {
    assert.equal(await shown(`${begin}ulimit -S -c; ulimit -H -c`), `${blocks(soft)}\n${blocks(hard)}\n`);
    assert.equal(await shown(`${begin}ulimit -S -c 0; (ulimit -c); ulimit -H -c`), `0\n${blocks(hard)}\n`);
  }
});
