import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type { CommandAction } from '../../src/core/action/action.ts';
import { launcherPath } from '../../src/core/launcherPath.ts';
import { completeRequest } from '../../src/core/prediction/request.ts';
import { createConfinedEngine } from '../../src/core/worlds/confined/engine.ts';

/**
 * Whoever hears that a prediction has ended reads from its view, and in that very moment: loss, git and the verdict do. A view that
 * is still the real disk by then tells them that nothing has changed.
 */

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-end-')));
const engine = createConfinedEngine({ binary: launcherPath(path.resolve('dist')), spareLaunchers: 0 });
after(async () => {
  await engine.dispose();
  fs.rmSync(folder, { recursive: true, force: true });
});

const file = path.join(folder, 'config');
const command = (script: string): CommandAction => ({ kind: 'command', script, shell: 'bash', cwd: folder });

/** What a read that is asked for at the ending finds, without any turn of the event loop in between. */
async function readAtTheEnd(action: CommandAction): Promise<string | undefined> {
  const { request } = completeRequest({ action, signal: new AbortController().signal }, false);
  const { events, view } = engine.openSession(false).predict(request);
  let found: Promise<Uint8Array | undefined> | undefined;
  for await (const event of events)
    if (event.type === 'done' || event.type === 'abstained') found = view.read(file, 'after');
  const bytes = await found;
  await view.close();
  return bytes && Buffer.from(bytes).toString();
}

for (const script of [
  'echo new > config',
  'echo new > other && mv other config',
  'echo new > config; ls',
  'echo old | sed s/old/new/ | tee config',
  'printf "new\\n" | dd of=config status=none; nosuchprogram',
]) {
  test(script, async () => {
    fs.writeFileSync(file, 'old\n');
    assert.equal(await readAtTheEnd(command(script)), 'new\n');
    assert.equal(fs.readFileSync(file, 'utf8'), 'old\n');
  });
}
