import assert from 'node:assert/strict';
import { lstatSync } from 'node:fs';
import * as vscode from 'vscode';
import { test } from '../runner.ts';
import { inProject } from '../window.ts';

async function invoke(name: string, input: object): Promise<string> {
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

test('the chat is offered the tools, and one of them tells what a command would do', async () => {
  await vscode.extensions.getExtension('foretell.foretell')?.activate();
  const names = vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('foretell_'));
  assert.ok(names.includes('foretell_predict_command') && names.includes('foretell_predict_plan'), names.join());
  const text = await invoke('foretell_predict_command', { command: 'rm -rf dist docs' });
  assert.match(text, /^DANGER /);
  assert.match(text, /notes\.md/);
  assert.ok(lstatSync(inProject('docs/notes.md')).isFile());
});

test('arguments that cannot be meant are refused with a sentence', async () => {
  await assert.rejects(invoke('foretell_predict_command', { comand: 'ls' }), /comand|command/);
});

test('the server is offered where the setting says so, and started by nobody else', async () => {
  const settings = vscode.workspace.getConfiguration('foretell');
  assert.equal(settings.get('mcp.enabled'), false);
  await settings.update('mcp.enabled', true, vscode.ConfigurationTarget.Global);
  assert.equal(vscode.workspace.getConfiguration('foretell').get('mcp.enabled'), true);
  await settings.update('mcp.enabled', undefined, vscode.ConfigurationTarget.Global);
});
