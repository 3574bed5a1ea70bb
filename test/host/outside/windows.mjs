// Windows has a Linux in WSL: one click leads there, or to the extension that does.
import { personAt, until } from '../support/outside.mjs';

export const environment = { FORETELL_PLATFORM: 'win32' };

export async function drive(host) {
  const person = personAt(host);
  await person.started();
  await person.runCommand('Focus on Foretell View');
  await until('the sentence', async () => /WSL is Linux inside Windows/.test(await person.panelText()));
  await person.picture('windows');
  await person.clickInPanel('Reopen in WSL');
  await person.notified(/Install the extension WSL/);
  await person.picture('windows-wsl');
}
