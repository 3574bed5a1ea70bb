import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldAll } from '../../src/core/foretell.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** The first command of a session whose programs may be let run is shown while it runs, and each of its views sees it once. */

const { foretell, folder, workspace } = throwAwayForetell('ahead', { spareLaunchers: 0 });
const env = { PATH: '/usr/bin:/bin', HOME: folder };

for (const [name, given] of [
  ['with an opened gate', () => ({ openGate: true })],
  ['with a consent', (place: string) => ({ consent: { folder: place, programs: 'all' as const } })],
  ['without', () => ({})],
] as const) {
  test(name, async () => {
    const place = workspace({ log: '' });
    const session = foretell.openSession();
    const predict = async (script: string) => {
      const action = { kind: 'command', script, shell: 'bash', cwd: place } as const;
      const signal = new AbortController().signal;
      const { output } = await foldAll(action, session.predict({ action, env, ...given(place), signal }).events);
      return output.map(({ text = '' }) => text).join('');
    };
    await predict('n=$((n + 1)); export E=$((E + 1)); echo x >> log; perl -e "print 1"; cat log');
    assert.equal(await predict('echo $n $E; cat log'), '1 1\nx\n');
    await predict('n=$((n + 1)); perl -e "print 1"; ls');
    assert.equal(await predict('echo $n; wc -l < log'), '2\n1\n');
    await session.close();
  });
}
