import assert from 'node:assert/strict';
import { lstatSync } from 'node:fs';
import * as vscode from 'vscode';
import { test } from '../runner.ts';
import { inProject, panelText, picture, predict } from '../window.ts';

test('the extension is there and has not been started before it is needed', async () => {
  const extension = vscode.extensions.getExtension('foretell.foretell');
  assert.ok(extension);
});

test('a command is predicted in the panel, and nothing is touched', async () => {
  await vscode.workspace.getConfiguration().update('files.autoSave', 'off', vscode.ConfigurationTarget.Global);
  await vscode.commands.executeCommand('workbench.action.closeAuxiliaryBar');
  const shown = await predict('rm -rf dist docs');
  assert.equal(shown.verdict, 'DANGER');
  assert.match(await panelText(), /notes\.md/);
  assert.ok(lstatSync(inProject('docs/notes.md')).isFile());
  await picture('first');
});
