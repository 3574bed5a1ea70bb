// In a workspace that is not trusted commands are predicted, the gate stays shut, nothing is run for real, and no model is
// connected.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
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

  await followsAgents(host, person);
  await person.clickInPanel('Manage Workspace Trust');
  await until('the trust editor', async () => (await host.words.count('.workspace-trust-editor')) > 0);
}

/** What agents ask is shown here as anywhere: it is only read. Predicting a call again runs nothing that is not inert. */
async function followsAgents({ folder, words }, person) {
  await person.runCommand('foretell.showAgents');
  const hook = fileURLToPath(new URL('../../../dist/hook.js', import.meta.url));
  const event = {
    ...{ hook_event_name: 'PreToolUse', session_id: 'untrusted', cwd: folder, tool_use_id: 't1' },
    ...{ tool_name: 'Bash', tool_input: { command: 'node -e 1; rm -rf docs' } },
  };
  const [uid, gid] = (process.env.VSCODE_HOST_AS ?? '').split(':').map(Number);
  const as = uid ? { uid, gid } : {};
  const said = spawnSync(process.execPath, [hook, 'claude', '--within', '60'], { input: JSON.stringify(event), ...as });
  assert.match(String(said.stdout), /"deny"/);
  const row = '.tree-explorer-viewlet-tree-view .monaco-list-row[aria-label*="rm -rf docs"]';
  await words.waitFor(row);
  await until('what became of it', async () => /danger · denied/.test((await words.texts(row)).join()));
  await words.rightClick(`${row} .monaco-icon-label`);
  const again = '.monaco-menu [aria-label="Predict Call Again"]';
  await words.waitFor(again);
  await new Promise((resolve) => setTimeout(resolve, 500));
  await words.click(again);
  await until('the prediction', async () => {
    const command = await person.inPanel("document.getElementById('command')?.value");
    return command === 'node -e 1; rm -rf docs' && /DANGER/.test(await person.panelText());
  });
  await person.picture('untrusted-agents');
}
