// Where no command can be rehearsed yet: what the panel says then, and what works all the same.
import assert from 'node:assert/strict';
import { personAt, until } from '../support/outside.mjs';

export const environment = { FORETELL_PLATFORM: 'darwin' };

export async function drive(host) {
  const person = personAt(host);
  await person.started();
  await person.runCommand('Focus on Foretell View');
  await until('the sentence', async () => /not on macOS yet/.test(await person.panelText()));
  assert.match(await person.panelText(), /Connect a Model/);
  await person.picture('macos');

  // The words alone tell what would be lost; nothing is claimed that was not run.
  const verdict = await person.predict('rm -rf docs');
  assert.match(verdict, /DANGER/);
  assert.match(await person.panelText(), /Not predicted to its end|rehearsed on Linux only/);
  assert.match(await person.panelText(), /3 deleted/);
  assert.doesNotMatch(await person.panelText(), /\brehearsed\b(?! on)/);
  await person.picture('macos-words');
  // Of what only prints nothing is known but why.
  await person.predict('ls');
  await until('the next step', async () => /Commands cannot be rehearsed here/.test(await person.panelText()));
  await person.clickInPanel('Connect a Model');
  await until('the guide', async () => (await host.words.count('.quick-input-widget')) > 0);
}
