// A dangerous command is asked about before it runs: Enter runs nothing, the other button runs it and compares.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { personAt, until } from '../support/outside.mjs';

export async function drive(host) {
  const { words, folder } = host;
  const person = personAt(host);
  const notes = path.join(folder, 'docs/notes.md');
  await person.started();
  assert.match(await person.predict('rm -rf docs'), /danger/i);

  await person.clickInPanel('Run for Real');
  await words.waitFor('.monaco-dialog-box');
  assert.match(
    await words.text('.monaco-dialog-box'),
    /dangerous[\s\S]*rm -rf docs[\s\S]*5 uncommitted lines[\s\S]*Lost for good:\s*docs\/notes\.md/,
  );
  await person.picture('danger-dialog');
  await words.press('Enter');
  await until('no dialog', async () => (await words.count('.monaco-dialog-box')) === 0);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  assert.ok(existsSync(notes), 'Enter runs nothing');

  await person.clickInPanel('Run for Real');
  await words.waitFor('.monaco-dialog-box');
  await words.click(
    '.monaco-dialog-box a:has-text("Run for Real"), .monaco-dialog-box button:has-text("Run for Real")',
  );
  await until('the real run', () => !existsSync(notes));
  await until('the comparison', async () => /as predicted/.test(await person.panelText()));
  assert.doesNotMatch(await person.panelText(), /not predicted|differs/);
  await person.picture('danger-observed');
}
