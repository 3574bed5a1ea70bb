import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { type EnterStart, enterShells, enterStart } from '../../core/hooks/enterStart.ts';
import { installClient } from '../../core/hooks/staticClient.ts';
import { inSentence } from '../../core/view/quantity.ts';

interface ShellItem extends vscode.QuickPickItem {
  start: EnterStart;
}

/**
 * *Hold Lines at Enter…*: the start file of a shell with the line that switches it on, or without. It counts once it is saved, so
 * that nobody's start file is written unseen.
 */
export async function holdAtEnter({ extension, extensionPath }: vscode.ExtensionContext): Promise<void> {
  const items: ShellItem[] = enterShells.map((shell) => {
    const start = enterStart(shell, process.env);
    return { label: shell, description: `${start.isOn ? 'on' : 'off'} · ${inSentence(start.file)}`, start };
  });
  const title = 'Hold lines that would lose work when Enter is pressed, in every terminal';
  const chosen = await vscode.window.showQuickPick(items, { title, placeHolder: 'A shell to switch it on or off in' });
  if (!chosen) return;
  const { start } = chosen;
  const version = String((extension.packageJSON as { version?: unknown }).version);
  const isElectron = process.versions['electron'] !== undefined;
  const distFolder = path.join(extensionPath, 'dist');
  const installation = { distFolder, version, node: process.execPath, isElectron };
  if (!start.isOn && installClient(installation, process.env) === undefined) {
    void vscode.window.showErrorMessage('The program that shells ask cannot be installed here; it is for Linux only.');
    return;
  }
  await showStartFile(start);
}

async function showStartFile({ shell, file, line, isOn }: EnterStart): Promise<void> {
  const uri = fs.existsSync(file) ? vscode.Uri.file(file) : vscode.Uri.file(file).with({ scheme: 'untitled' });
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = new vscode.WorkspaceEdit();
  const last = document.lineAt(document.lineCount - 1);
  if (isOn) {
    const ours = Array.from({ length: document.lineCount }, (_, at) => document.lineAt(at)).filter(
      ({ text }) => text.includes(`enter ${shell}`) && text.includes('foretell'),
    );
    for (const { rangeIncludingLineBreak } of ours) edit.delete(uri, rangeIncludingLineBreak);
  } else edit.insert(uri, last.range.end, `${last.text === '' ? '' : '\n'}${line}\n`);
  await vscode.workspace.applyEdit(edit);
  const editor = await vscode.window.showTextDocument(document);
  editor.revealRange(document.lineAt(document.lineCount - 1).range);
  const what = isOn ? 'without it' : 'in which lines are held';
  void vscode.window.showInformationMessage(`Save the file; the next ${shell} that starts is one ${what}.`);
}
