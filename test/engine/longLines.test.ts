import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommandAction } from '../../src/core/action/action.ts';
import { foldAll } from '../../src/core/foretell.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

// What is looked for in an output is looked for once from each place: a pattern that goes on and on in a line of megabytes
// (`find -ok` asks without a line break) once kept a prediction busy for minutes. The ring's own limit ends such a test.
const { foretell, folder } = throwAwayForetell('long');
const pieces = ['/a: ', " '/b", ' "/', '[0m ', 'a b ', 'http://', '12:34 ', 'fatal: ', '$ ', '\\\\r', '\\\\033[1m'];

for (const piece of pieces) {
  for (const stream of ['', ' >&2'])
    test(`2 MB of ${JSON.stringify(piece)} in one line${stream}`, async () => {
      const script = `yes "$(printf '%b' ${JSON.stringify(piece)})" | tr -d '\\n' | head -c 2000000${stream}`;
      const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd: folder };
      const { events, view } = foretell.predict({ action, signal: new AbortController().signal });
      try {
        const { ending, output } = await foldAll(action, events);
        assert.equal(ending, 'done');
        const sizes = output.map(({ text = '', base64 = '' }) => text.length + base64.length);
        assert.ok(sizes.reduce((sum, size) => sum + size, 0) >= 2_000_000);
      } finally {
        await view.close();
      }
    });
}
