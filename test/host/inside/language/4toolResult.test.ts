import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { observed, scripted, withModel } from '../model.ts';
import { test } from '../runner.ts';
import { drive, press, until } from '../window.ts';

const answers = scripted([[/get_order/, observed('{"id":7,"state":"open"}')]]);
const rows = async () => (await drive('texts', '.quick-input-list .monaco-list-row')) as string[];

/** Opens a text with the cursor at a word, or with all of it selected. */
async function open(content: string, at?: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ content, language: 'plaintext' });
  const editor = await vscode.window.showTextDocument(document);
  const whole = new vscode.Selection(document.positionAt(0), document.positionAt(content.length));
  const place = document.positionAt(at === undefined ? 0 : content.indexOf(at));
  editor.selection = at === undefined ? whole : new vscode.Selection(place, place);
}

test('tool result: the call around the cursor, as Python prints it, and one of several', async () => {
  await withModel({ answer: answers }, async ({ prompts }) => {
    const pretty = JSON.stringify({ type: 'tool_use', name: 'get_order', input: { id: 7 } }, undefined, 2);
    await open(`before\n${pretty}\nafter\n`, '7');
    const first = await vscode.commands.executeCommand<string | undefined>('foretell.predictToolResult');
    assert.match(first ?? '', /^get_order \(mcp\)[\s\S]*"id": 7[\s\S]*"state":"open"/);
    assert.match(JSON.stringify(prompts()), /Model Context Protocol/);
    await open(`DEBUG ToolUseBlock(id='a', input={'id': 8}, name='get_order', type='tool_use')`);
    const second = await vscode.commands.executeCommand<string | undefined>('foretell.predictToolResult');
    assert.match(second ?? '', /^get_order \(mcp\)\n\{\n {2}"id": 8\n\}/);
    const calls = [1, 2].map((id) => JSON.stringify({ name: 'get_order', arguments: { id } }));
    await open(calls.join('\n'));
    const third = vscode.commands.executeCommand<string | undefined>('foretell.predictToolResult');
    await until('the calls to choose from', async () => (await rows()).length === 2);
    assert.deepEqual(
      (await rows()).map((row) => /"id":\d/.exec(row)?.[0]),
      ['"id":1', '"id":2'],
    );
    await press('Enter');
    assert.match((await third) ?? '', /^get_order \(mcp\)\n\{\n {2}"id": 1\n\}/);
  });
});
