import assert from 'node:assert/strict';
import path from 'node:path';
import { after, test } from 'node:test';
import { launcherPath } from '../../src/core/launcherPath.ts';
import { inertNow } from '../../src/core/worlds/confined/gate/inert.ts';
import { createLooker } from '../../src/core/worlds/confined/look/looker.ts';
import { Launcher } from '../../src/core/worlds/confined/wire/launcher.ts';

const caller = { env: { PATH: '/usr/bin:/bin' } };
const binary = launcherPath(path.resolve(process.env['FORETELL_PROJECT'] ?? process.cwd(), 'dist'));
const started: Launcher[] = [];
const launch = () => {
  const launcher = new Launcher(binary, caller);
  started.push(launcher);
  return launcher;
};
const looker = createLooker(launch, () => inertNow('/usr/bin:/bin'), caller);
after(() => Promise.all(started.map((launcher) => launcher.close())));

async function said(...words: string[]): Promise<string> {
  const { exitCode, stdout } = await looker.look(words, { cwd: '/' });
  assert.equal(exitCode, 0);
  return Buffer.from(stdout).toString();
}

test('looks one after the other are made in one view, and those at the same time in several', async () => {
  assert.equal(await said('echo', 'one'), 'one\n');
  assert.equal(await said('echo', 'two'), 'two\n');
  assert.equal(started.length, 1);
  assert.deepEqual(await Promise.all([said('echo', 'three'), said('echo', 'four')]), ['three\n', 'four\n']);
  assert.equal(started.length, 2);
});

test('a look that ends its run early leaves nothing to the next one', async () => {
  const { exitCode } = await looker.look(['sh', '-c', 'cd /usr; FOO=bar; export FOO; rm -f /nothing; mkdir /nothing'], {
    cwd: '/',
  });
  assert.equal(exitCode, -1);
  assert.equal(await said('sh', '-c', 'pwd; echo "[$FOO]"'), '/\n[]\n');
});

test('a view that was killed while it waited is made anew', async () => {
  await said('true');
  const waiting = started.filter(({ isAlive }) => isAlive);
  assert.ok(waiting.length > 0);
  for (const { pid } of waiting) if (pid !== undefined) process.kill(pid, 'SIGKILL');
  assert.equal(await said('echo', 'again'), 'again\n');
});

test('where no launcher can be started a look fails, and nothing is thrown', async () => {
  for (const file of ['/nowhere/confine', path.join(binary, '../../cli.js')]) {
    const none = createLooker(
      () => new Launcher(file, caller),
      () => inertNow('/usr/bin:/bin'),
      caller,
    );
    assert.equal((await none.look(['true'], { cwd: '/' })).exitCode, -1);
  }
});
