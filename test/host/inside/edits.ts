import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import {
  chooseInSubmenu,
  clickInPanel,
  drive,
  folder,
  inPanel,
  inProject,
  press,
  runCommand,
  sleep,
  until,
} from './window.ts';

/** What the panel shows of an edit. */
export interface ShownEdit {
  title: string;
  verdict: string;
  text: string;
  output: string;
}

/** Waits until the prediction of an edit with this title is complete in the panel. */
export async function shownEdit(title: string | RegExp): Promise<ShownEdit> {
  return until(`a predicted edit ${title}`, async () => {
    const shown = await inPanel<ShownEdit & { isComplete: boolean }>(`({
      title: document.querySelector('.edit-action strong')?.textContent?.trim() ?? '',
      verdict: document.querySelector('.verdict-line .level')?.textContent?.trim() ?? '',
      isComplete: document.querySelector('main.panel')?.getAttribute('aria-busy') === 'false',
      text: document.body.innerText,
      output: document.querySelector('div.output')?.innerText ?? '',
    })`);
    const fits = typeof title === 'string' ? shown.title === title : title.test(shown.title);
    if (!fits || !shown.isComplete || shown.verdict === '') throw new Error(shown.text.replaceAll(/\s+/g, ' '));
    return shown;
  });
}

/** Waits until the panel shows a text. */
export async function shows(pattern: RegExp): Promise<string> {
  return until(`the panel to show ${pattern}`, async () => {
    const text = (await inPanel<string>('document.body.innerText')).replaceAll(/\s+/g, ' ');
    // The last text tells what was there instead.
    if (!pattern.test(text)) throw new Error(text.slice(0, 3_000));
    return text;
  });
}

/** A folder with these files in the project, away again after `during`, with all editors closed. */
export async function withFiles<T>(files: Record<string, string | Uint8Array>, during: () => Promise<T>): Promise<T> {
  // What is unsaved must stay so.
  await vscode.workspace.getConfiguration('files').update('autoSave', 'off', vscode.ConfigurationTarget.Global);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(inProject(name)), { recursive: true });
    await writeFile(inProject(name), text);
  }
  try {
    return await during();
  } finally {
    await revertAll();
    await vscode.workspace.getConfiguration('files').update('autoSave', undefined, vscode.ConfigurationTarget.Global);
    const tops = new Set(Object.keys(files).map((name) => name.split('/')[0] ?? name));
    for (const top of tops) await rm(inProject(top), { recursive: true, force: true });
    if (await inPanel<boolean>("document.querySelector('.edit') !== null")) await runCommand('foretell.discard');
  }
}

/** Closes all editors without saving. */
export async function revertAll(): Promise<void> {
  while (vscode.window.activeTextEditor?.document.isDirty) {
    await runCommand('workbench.action.revertAndCloseActiveEditor');
  }
  for (const document of vscode.workspace.textDocuments.filter((one) => one.isDirty && one.uri.scheme === 'file')) {
    await vscode.window.showTextDocument(document);
    await runCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await runCommand('workbench.action.closeAllEditors');
}

/** Every file of the project with its content, but for git's own. */
export async function snapshot(): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const entry of await readdir(folder(), { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isFile() || file.includes('/.git/')) continue;
    all[path.relative(folder(), file)] = (await readFile(file)).toString('base64');
  }
  return all;
}

/** Opens a file and changes its text without saving. */
export async function change(file: string, after: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(inProject(file));
  const editor = await vscode.window.showTextDocument(document);
  const all = new vscode.Range(0, 0, document.lineCount, 0);
  await editor.edit((builder) => builder.replace(all, after));
  return document;
}

/** Opens the menu of a file in the Explorer, in it the one of Foretell, and clicks an entry. */
export async function inExplorerMenu(file: string, entry: string): Promise<void> {
  await runCommand('workbench.files.action.refreshFilesExplorer');
  await sleep(300);
  await runCommand('revealInExplorer', vscode.Uri.file(inProject(file)));
  const row = `.explorer-folders-view [aria-label^="${path.basename(file)}"]`;
  await drive('waitFor', row);
  await drive('rightClick', row);
  await chooseInSubmenu(entry);
}

/** Types into the input box that is open, and presses Enter. */
export async function answerInput(title: RegExp, text: string): Promise<void> {
  await until(`the input ${title}`, async () => title.test(String(await drive('text', '.quick-input-title'))));
  await until('the keyboard in it', async () => {
    if (await drive('evaluate', "document.activeElement?.closest('.quick-input-widget') !== null")) return true;
    // Another part of the window may take it in the moment in which the input opens.
    await drive('click', '.quick-input-widget input').catch(() => {});
    return false;
  });
  await press('Control+a');
  await drive('type', text);
  await press('Enter');
}

/** Clicks the row of a file in the panel; nothing happens where there is none. */
export async function clickFile(name: string): Promise<void> {
  await inPanel(
    `[...document.querySelectorAll('#files .row')].find((row) => row.textContent.includes(${JSON.stringify(name)}))?.click()`,
  );
}

/** Shows the text of the edit in the panel and replaces a part of it, as if it were typed. */
export async function changeEditText(from: string, to: string): Promise<void> {
  await clickInPanel('Text of the edit');
  await until('the text', () => inPanel<boolean>("document.getElementById('edit-text') !== null"));
  await inPanel(`(() => {
    const box = document.getElementById('edit-text');
    box.value = box.value.replace(${JSON.stringify(from)}, ${JSON.stringify(to)});
    box.dispatchEvent(new Event('input', { bubbles: true }));
  })()`);
}
