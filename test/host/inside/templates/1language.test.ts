import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { withModel } from '../model.ts';
import { test } from '../runner.ts';
import { drive, picture, runCommand, sleep, until } from '../window.ts';
import { checkout, lensesOf, openPrompt, ownPrompts, preparePrompts, replace } from './promptFolder.ts';

const swe = () => path.join(ownPrompts(), 'swe/system_prompt.txt');
const damaged = () => path.join(checkout(), 'prompts/terminal/system_prompt.txt');

const codes = (document: vscode.TextDocument) =>
  vscode.languages.getDiagnostics(document.uri).map(({ code }) => String(code));

const isReady = (document: vscode.TextDocument) =>
  until('the help with prompts', async () => (await lensesOf(document)).length > 0);

async function fixesAt(document: vscode.TextDocument, code: string): Promise<vscode.CodeAction[]> {
  const diagnostic =
    vscode.languages.getDiagnostics(document.uri).find((one) => one.code === code) ?? assert.fail(code);
  const { range } = diagnostic;
  const found = await runCommand('vscode.executeCodeActionProvider', document.uri, range, 'quickfix');
  // The editor's own AI adds some that do nothing here.
  return (found as vscode.CodeAction[]).filter(({ edit }) => edit !== undefined);
}

const revert = () => runCommand('workbench.action.revertAndCloseActiveEditor');

test('prompt files: placeholders complete, and say what they stand for and how long they are', async () => {
  await preparePrompts();
  const editor = await openPrompt(swe());
  const { document } = editor;
  assert.equal(document.languageId, 'foretell-prompt');
  await isReady(document);
  await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '{to'));
  const list = (await runCommand(
    'vscode.executeCompletionItemProvider',
    document.uri,
    new vscode.Position(0, 3),
  )) as vscode.CompletionList;
  const item = list.items.find(({ label }) => label === '{tool_definitions}') ?? assert.fail('no completion');
  assert.match(item.detail ?? '', /^≈ [\d,]+ tokens$/);
  assert.ok(!list.items.some(({ label }) => label === '{state}'));
  await runCommand('undo');

  await withModel({}, async ({ server }) => {
    const at = document.positionAt(document.getText().indexOf('{tool_definitions}') + 4);
    const hover = await until('an exact count', async () => {
      const found = (await runCommand('vscode.executeHoverProvider', document.uri, at)) as vscode.Hover[];
      const values = found.flatMap(({ contents }) => contents.map((one) => (one as vscode.MarkdownString).value));
      const text = values.join('\n');
      return /counted by the model/.test(text) ? text : undefined;
    });
    assert.match(hover, /run\\?_shell\\?_command/);
    assert.match(hover, /more characters/);
    assert.ok(server.requests.some(({ path: asked }) => asked === '/tokenize'));
    editor.selection = new vscode.Selection(at, at);
    editor.revealRange(new vscode.Range(at, at));
    await runCommand('editor.action.showHover');
    await sleep(800);
    await picture('template-hover');
    await drive('press', 'Escape');
  });
  await revert();
});

test('prompt files: outline, folding and lenses', async () => {
  const { document } = await openPrompt(swe());
  await isReady(document);
  const symbols = (await runCommand('vscode.executeDocumentSymbolProvider', document.uri)) as vscode.DocumentSymbol[];
  assert.deepEqual(symbols.map(({ name }) => name).slice(0, 4), ['Role', 'Tools', 'Input', 'Output']);
  assert.match(symbols[0]?.detail ?? '', /^≈ \d+ tokens$/);
  const folds = (await runCommand('vscode.executeFoldingRangeProvider', document.uri)) as vscode.FoldingRange[];
  assert.ok(folds.length >= 8);
  const titles = (await lensesOf(document)).map(({ title }) => title).join(' · ');
  assert.match(titles, /Run on Selection · .*Run on Trajectory… · .*Compare… · .*Preview · ≈ 1?,?\d+ tokens/);
  const judge = await openPrompt(path.join(ownPrompts(), 'swe/judge_system_prompt.txt'));
  assert.doesNotMatch((await lensesOf(judge.document)).map(({ title }) => title).join(), /Run on/);
  await runCommand('workbench.action.closeAllEditors');
});

test('prompt files: what is unknown, missing or changes each time is underlined, and quick fixes answer it', async () => {
  const editor = await openPrompt(swe());
  const { document } = editor;
  await isReady(document);
  assert.deepEqual(codes(document), []);
  await replace(editor, /\{tool_definitions\}/, '{tool_definition}');
  await replace(editor, /\{demonstrations\}\n/, 'Today is 2026-03-01.\n');
  await until('the doubts', () => codes(document).length === 4);
  assert.deepEqual(codes(document).sort(), [
    'changing-text',
    'missing-placeholder',
    'missing-placeholder',
    'unknown-placeholder',
  ]);
  await picture('template-diagnostics');
  const [fix] = await fixesAt(document, 'unknown-placeholder');
  assert.equal(fix?.title, 'Change to {tool_definitions}');
  assert.ok(await vscode.workspace.applyEdit(fix.edit ?? assert.fail()));
  await until('fewer doubts', () => codes(document).length === 2);
  const [insert] = await fixesAt(document, 'missing-placeholder');
  assert.equal(insert?.title, 'Insert {demonstrations}');
  assert.ok(await vscode.workspace.applyEdit(insert.edit ?? assert.fail()));
  await until('one doubt', () => codes(document).length === 1);
  assert.match(document.getText(), /\n# Demonstrations\n\n\{demonstrations\}\n\n# Tools\n/);
  await revert();
});

test('prompt files: a checkout is a folder of prompts, and its damaged one is told of and never changed by itself', async () => {
  const before = await readFile(damaged(), 'utf8');
  const { document } = await openPrompt(damaged());
  await until('the damage', () => {
    if (codes(document).length === 3) return true;
    throw new Error(`${document.languageId} ${document.uri.fsPath}: ${codes(document).join()}`);
  });
  assert.deepEqual(codes(document), ['broken-escape', 'control-character', 'control-character']);
  assert.equal(document.isDirty, false);
  const fixes = await fixesAt(document, 'broken-escape');
  assert.deepEqual(
    fixes.map(({ title }) => title),
    ['Restore the escape \\n', 'Restore all 3 escapes'],
  );
  assert.ok(await vscode.workspace.applyEdit(fixes[1]?.edit ?? assert.fail()));
  await until('no damage', () => codes(document).length === 0);
  assert.match(document.getText(), /"keystrokes": "ls -la\\n"/);
  assert.match(document.getText(), /\\x1b\[31m/);
  assert.equal(await readFile(damaged(), 'utf8'), before, 'nothing is saved by itself');
  await revert();
});
