import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { CommandAction } from '../../src/core/action/action.ts';
import { foldAll } from '../../src/core/foretell.ts';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** Plans of the system's own packages, beside what apt itself simulates. Where it has no lists, one sentence. */

const { foretell, folder } = throwAwayForetell('packages');
const lists = '/var/lib/apt/lists';
const hasApt = fs.existsSync('/usr/bin/apt-get');
const hasLists = hasApt && fs.readdirSync(lists).some((name) => /_Packages/.test(name));

// A sudo that may not run, whatever is installed: it is looked through.
const bin = path.join(folder, 'bin');
fs.mkdirSync(bin);
fs.symlinkSync(process.execPath, path.join(bin, 'sudo'));

async function predict(script: string): Promise<Prediction> {
  const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd: folder };
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: '/nonexistent', LC_ALL: 'C.UTF-8' };
  const { events, view } = foretell.predict({ action, env, signal: new AbortController().signal });
  try {
    return await foldAll(action, events);
  } finally {
    await view.close();
  }
}

function planOf({ effects }: Prediction) {
  const found = effects.find(({ fact }) => fact?.kind === 'packagePlan');
  return found?.fact?.kind === 'packagePlan' ? { ...found.fact.plan, basis: found.basis } : undefined;
}

/** What apt says itself: `Inst name`, `Remv name`. */
function simulated(words: readonly string[]): string[] {
  const options = ['-s', '-o', 'Debug::NoLocking=true'];
  const { stdout } = spawnSync('/usr/bin/apt-get', [...options, ...words], { encoding: 'utf8', env: { LC_ALL: 'C' } });
  return [...stdout.matchAll(/^(Inst|Remv|Purg) (\S+)/gm)].map(([, what, name]) => `${what} ${name}`).sort();
}

const stateOf = (file: string) => fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs;

for (const words of ['install -y hello', 'remove dpkg-dev', 'upgrade', 'autoremove'])
  test(`a plan is what apt simulates: ${words}`, { skip: !hasLists }, async () => {
    const watched = ['/var/lib/dpkg/status', '/var/lib/dpkg/lock', '/var/log/apt/eipp.log.xz', lists, '/var/cache/apt'];
    const before = watched.map(stateOf);
    const plan = planOf(await predict(`sudo apt-get ${words}`));
    assert.deepEqual(watched.map(stateOf), before);
    assert.ok(plan);
    assert.equal(plan.basis, 'computed');
    const told = [
      ...[...plan.installs, ...plan.upgrades, ...plan.downgrades].map(({ name }) => `Inst ${name}`),
      ...plan.removes.map(({ name }) => `Remv ${name}`),
    ].sort();
    assert.deepEqual(told, simulated(words.split(' ')));
    assert.match(plan.listsAt ?? '', /^20/);
  });

test('a package that is not there is told, and where lists may be newer by then it rests on that', {
  skip: !hasLists,
}, async () => {
  const { notices } = await predict('sudo apt-get install no-such-package-at-all');
  assert.ok(notices.some((text) => text.includes('no-such-package-at-all')));
  const plan = planOf(await predict('sudo apt-get update && sudo apt-get install -y hello'));
  assert.equal(plan?.basis, 'assumed');
});

test('without lists one sentence says so', { skip: !hasApt || hasLists }, async () => {
  const { notices } = await predict('sudo apt-get install hello');
  assert.ok(notices.some((text) => text.includes('apt-get update')));
});

test('nothing is planned where the command changes what decides it, or another program has that name', async () => {
  fs.symlinkSync(process.execPath, path.join(folder, 'apt-get'));
  const other = await predict(`PATH=${folder}:$PATH; apt-get install -y hello`);
  assert.equal(planOf(other), undefined);
  if (process.getuid?.() !== 0 || !hasLists) return;
  assert.equal(planOf(await predict('touch /etc/apt/preferences; apt-get install -y hello')), undefined);
});
