// In a workspace that is not trusted commands are predicted, the gate stays shut, nothing is run for real, and no model is
// connected.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { personAt, until } from '../support/outside.mjs';

export async function drive(host) {
  const { folder } = host;
  const person = personAt(host);
  await person.started();
  await person.predict('rm -rf dist');
  assert.match(await person.panelText(), /Restricted Mode/);
  await person.picture('untrusted');

  const runButton = "[...document.querySelectorAll('button')].find((one) => /Run for Real/.test(one.textContent))";
  assert.equal(await person.inPanel(`${runButton}.disabled`), true);
  assert.match(await person.inPanel(`${runButton}.title`), /Trust the workspace first/);
  // What pops up meanwhile takes the pointer: it comes anew from elsewhere.
  await until('the hover', async () => {
    await host.words.hover('.statusbar-item[id="status.notifications"]');
    await host.words.hover('.statusbar-item[id*="foretell.verdict"]');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return /workspace is not trusted/.test(await host.words.text('.monaco-hover'));
  });
  assert.ok(existsSync(path.join(folder, 'dist/ports.json')));

  await person.predict('npm run build');
  const buttons = await person.inPanel(
    "[...document.querySelectorAll('button')].map((one) => one.textContent.trim()).join('|')",
  );
  assert.doesNotMatch(buttons, /Rehearse/);

  // Neither can consent be given, nor does one count that was given before.
  const cli = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
  execFileSync(process.execPath, [cli, 'consent', 'give', folder]);
  await person.predict('node -p 6*7');
  assert.match(await person.panelText(), /is not known/);
  await person.runCommand('foretell.alwaysRehearse');
  await until('the sentence', async () =>
    /stay stopped in a workspace that is not trusted/.test(await person.panelText()),
  );
  assert.equal(await host.words.count('.monaco-dialog-box'), 0);

  await person.runCommand('foretell.connectModel');
  await person.notified(/A model is not used in a workspace that is not trusted/);
  assert.equal(await host.words.count('.quick-input-list .monaco-list-row:has-text("127.0.0.1")'), 0);

  await person.clickInPanel('Manage Workspace Trust');
  await until('the trust editor', async () => (await host.words.count('.workspace-trust-editor')) > 0);
}
