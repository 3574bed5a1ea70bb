// The launcher is not there, and no folder is open: one sentence says why, and a button how to go on.
import assert from 'node:assert/strict';
import { personAt, until } from '../support/outside.mjs';

export const missing = ['native'];
export const launchArgs = ['--host-no-folder'];

export async function drive(host) {
  const person = personAt(host);
  await person.started();
  await person.runCommand('Focus on Foretell View');
  await until('the sentence', async () => /is missing or not executable/.test(await person.panelText()));
  await person.predict('ls');
  await until('the next step', async () => /Commands cannot be rehearsed here/.test(await person.panelText()));
  await person.picture('broken-engine');
  await person.clickInPanel('Show Engine Status');
  await until('the status', async () =>
    (await host.words.texts('.editor-instance .view-lines')).some((text) => /what.this.machine.can.do/.test(text)),
  );
  // Git cannot be asked what is lost: what the words say stands first, and why there is no more.
  await person.predict('rm .bashrc');
  assert.match(await person.panelText(), /lost for good[\s\S]*bashrc[\s\S]*is missing or not executable/i);
  await person.picture('broken-engine-loss');
}
