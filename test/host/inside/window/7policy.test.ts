import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { test } from '../runner.ts';
import { predict, runCommand, until } from '../window.ts';

const file = path.join(process.env['XDG_CONFIG_HOME'] ?? '', 'foretell/policy.json');
const policyEditor = () => {
  const editor = vscode.window.activeTextEditor;
  return editor?.document.uri.fsPath === file ? editor : undefined;
};

test('policy: a rule is made of the shown prediction, and counts once it is saved', async () => {
  await predict('mkdir -p out && touch out/new.txt');
  await runCommand('foretell.allowEffects');
  const editor = await until('the policy', policyEditor);
  await until('the rule', () => editor.document.getText().includes('out/**'));
  assert.equal(editor.document.isDirty, true);
  assert.notEqual(readFileSync(file, 'utf8'), editor.document.getText());
  await editor.document.save();
  await until('the file', () => readFileSync(file, 'utf8').includes('out/**'));
  const policy = JSON.parse(readFileSync(file, 'utf8'));
  assert.equal(policy.rules.at(-1).answer, 'allow');
  assert.deepEqual(policy.rules.at(-1).only, { writes: ['out/**'], exit: 'success' });
  assert.deepEqual(vscode.languages.getDiagnostics(editor.document.uri), []);
  await runCommand('workbench.action.closeAllEditors');
});

test('policy: what cannot be known makes no rule', async () => {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  await runCommand('workbench.action.closeAllEditors');
  await predict('npm test');
  void runCommand('foretell.allowEffects');
  await until('no editor', () => policyEditor() === undefined);
  assert.equal(readFileSync(file, 'utf8'), before);
});
