import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { folder, runCommand } from '../window.ts';

/** Our own prompts, copied into the workspace as the command does it. */
export const ownPrompts = () => path.join(folder(), '.foretell/prompts');

/** A folder laid out as a checkout of the official repository: all seven domains, the terminal's damaged as shipped there. */
export const checkout = () => path.join(folder(), 'agent-world');

/** Where the extension under test lies. */
const extensionFolder = () => vscode.extensions.getExtension('foretell.foretell')?.extensionPath ?? '';

export async function preparePrompts(): Promise<void> {
  // The editor of these tests would save what is typed by itself, after a second.
  const settings = vscode.workspace.getConfiguration('files');
  if (settings.get('autoSave') !== 'off') await settings.update('autoSave', 'off', vscode.ConfigurationTarget.Global);
  // A link in a test, and a copy of a link would be the original.
  const shipped = await realpath(path.join(extensionFolder(), 'prompts'));
  if (existsSync(ownPrompts())) return;
  await mkdir(ownPrompts(), { recursive: true });
  await cp(path.join(shipped, 'swe'), path.join(ownPrompts(), 'swe'), { recursive: true });
  await cp(path.join(shipped, 'terminal'), path.join(ownPrompts(), 'terminal'), { recursive: true });
  await cp(shipped, path.join(checkout(), 'prompts'), { recursive: true });
  const terminal = path.join(checkout(), 'prompts/terminal/system_prompt.txt');
  const text = await readFile(terminal, 'utf8');
  // Once passed through escapes, as the official one is.
  const damaged = text
    .replace('"keystrokes": "ls -la\\n"', '"keystrokes": "ls -la\n"')
    .concat('\nColours are written as \u001b[31m and end with \u001b[0m.\n');
  await writeFile(terminal, damaged);
}

/** Opens a prompt; those of the project are made first. */
export async function openPrompt(file: string): Promise<vscode.TextEditor> {
  await preparePrompts();
  const document = await vscode.workspace.openTextDocument(file);
  return vscode.window.showTextDocument(document, { preview: false, viewColumn: vscode.ViewColumn.One });
}

/** The lenses above a prompt. */
export const lensesOf = async (document: vscode.TextDocument) => {
  const lenses = await runCommand('vscode.executeCodeLensProvider', document.uri, 100);
  return (lenses as vscode.CodeLens[]).map(({ command }) => command ?? assert.fail());
};

/** Puts a text where a regular expression matches. */
export async function replace(editor: vscode.TextEditor, what: RegExp, text: string): Promise<void> {
  const { document } = editor;
  const match = what.exec(document.getText()) ?? assert.fail(String(what));
  const range = new vscode.Range(document.positionAt(match.index), document.positionAt(match.index + match[0].length));
  assert.ok(await editor.edit((edit) => edit.replace(range, text)));
}
