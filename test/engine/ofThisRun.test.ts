import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { CommandAction } from '../../src/core/action/action.ts';
import { createForetell, type Foretell, foldAll } from '../../src/core/foretell.ts';
import { launcherPath } from '../../src/core/launcherPath.ts';

/** Programs that read tables of the machine are answered by the machine, which knows nothing of what only the run has. */

let foretell: Foretell;
let place: string;

before(() => {
  foretell = createForetell({ launcher: launcherPath(path.resolve('dist')) });
  place = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-own-')));
  fs.writeFileSync(path.join(place, 'kept'), '1\n');
});
after(async () => {
  await foretell.dispose();
  fs.rmSync(place, { recursive: true, force: true });
});

async function predict(script: string) {
  const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd: place };
  const consent = { folder: place, programs: 'all' } as const;
  const { events, view } = foretell.predict({ action, consent, signal: new AbortController().signal });
  const prediction = await foldAll(action, events);
  await view.close();
  return prediction;
}

for (const script of [
  'touch a; ps -o comm= -p $$; true',
  'touch a; sleep 5 & ps -o comm= -p $!; true',
  'mkdir new && df new',
  'mkdir -p new/below && cd new && df below',
  'mkdir new; mountpoint new',
  'echo $$ > p; pgrep -F p; true',
  'echo $$ > p; pgrep --pidfile=p; true',
  'touch a; sleep 50 & pgrep -c sleep; kill $!',
  'touch a; sleep 50 & pidof sleep; kill $!',
  'touch a; sleep 50 & ps aux | grep -q "sleep 50" && echo up; kill $!',
  'touch a; pgrep -f foretell-nothing-of-this-name; true',
]) {
  test(`what only the run has is not asked of the machine: ${script}`, async () => {
    const { ending, programs } = await predict(script);
    assert.equal(ending, 'abstained');
    assert.ok(programs.some(({ basis }) => basis === 'assumed'));
  });
}

for (const [script, output] of [
  ['touch a; df --output=target / | tail -1', '/\n'],
  ['touch a; pgrep -x no-such-name; echo $?', '1\n'],
  ['touch a; mountpoint -q /; echo $?', '0\n'],
  ['touch a; ps -o comm= -p 1 > /dev/null; echo $?', '0\n'],
] as const) {
  test(`what the machine has is asked of it: ${script}`, async () => {
    const { ending, output: shown } = await predict(script);
    assert.equal(ending, 'done');
    assert.equal(shown.map(({ text }) => text ?? '').join(''), output);
  });
}

test('the size of a file system is the real one, not that of the copy, and what is free is of the moment', async () => {
  const { blocks } = fs.statfsSync(place);
  const node = "node -e \"fs.writeFileSync('b', ''); console.log(fs.statfsSync('.').blocks)\"";
  for (const script of ['touch a; stat -f -c %b a', node]) {
    const { ending, output } = await predict(script);
    assert.equal(ending, 'done', script);
    assert.equal(output.map(({ text }) => text).join(''), `${blocks}\n`, script);
  }
  const free = await predict("node -e \"fs.writeFileSync('b', ''); console.log(fs.statfsSync('.').bfree)\"");
  assert.deepEqual(
    free.output.map((one) => one.volatile),
    [true],
  );
});
