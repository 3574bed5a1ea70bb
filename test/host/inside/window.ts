import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';

/** What the tests do in the window, through the driver of src/tools/vscodeHost. */
export async function drive(word: string, ...args: unknown[]): Promise<unknown> {
  const address = process.env['VSCODE_HOST_DRIVER'];
  if (!address) throw new Error('There is no driver: run the tests with node test/host/main.mjs.');
  const response = await fetch(address, { method: 'POST', body: JSON.stringify({ word, args }) });
  const answer = (await response.json()) as { ok: boolean; result?: unknown; error?: string };
  if (!answer.ok) throw new Error(`${word}(${args.join(', ')}): ${answer.error}`);
  return answer.result;
}

export const press = (key: string) => drive('press', key);
export const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Asks until the answer is true, or fails with the last one. */
export async function until<T>(what: string, ask: () => Promise<T | undefined | false> | T | undefined | false) {
  const end = Date.now() + 90_000;
  let last: unknown;
  while (Date.now() < end) {
    try {
      last = await ask();
      if (last) return last as T;
    } catch (error) {
      last = error;
    }
    await sleep(50);
  }
  throw new Error(`waited in vain for: ${what}; last: ${last instanceof Error ? last.message : JSON.stringify(last)}`);
}

export const folder = (): string => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
export const inProject = (...parts: string[]) => path.join(folder(), ...parts);
export const runCommand = (name: string, ...args: unknown[]) => vscode.commands.executeCommand(name, ...args);

/** Chooses an entry of the menu that is open: one with this label, or that this selector finds in it. */
export async function chooseInMenu(entry: string): Promise<void> {
  const row = `.monaco-menu ${entry.startsWith('.') ? entry : `[aria-label="${entry}"]`}`;
  // A menu takes no click in the moment in which it opens.
  await drive('waitFor', row);
  for (let tries = 0; tries < 3; tries += 1) {
    await sleep(500);
    const rows = (await drive('texts', row)) as string[];
    if (rows.length === 0) return;
    await drive('click', row).catch(() => {});
  }
}

/** The same in the menu of Foretell that stands in the menu that is open. */
export async function chooseInSubmenu(entry: string): Promise<void> {
  const submenu = '.monaco-menu [aria-label="Foretell"]';
  await drive('waitFor', submenu);
  await sleep(500);
  await drive('click', submenu);
  await chooseInMenu(entry);
}

/** What the panel shows, as a person would read it. */
export async function panelText(): Promise<string> {
  return String(await drive('evaluateInFrame', 'main.panel', 'document.body.innerText'));
}

/** Evaluates an expression in the frame of the panel. */
export function inPanel<T>(source: string): Promise<T> {
  return drive('evaluateInFrame', 'main.panel', source) as Promise<T>;
}

/** Shows the prediction's tab, which is there when something has been asked. */
export async function showPrediction(): Promise<void> {
  const click =
    "(() => { const tab = document.getElementById('tab-prediction'); tab?.click(); return tab !== null; })()";
  await until('the tab of the prediction', () => inPanel<boolean>(click));
}

/** What the command box of the panel holds. */
export const panelCommand = () => inPanel<string>("document.getElementById('command')?.value ?? ''");

/** Puts a text into the command box as if it were typed. */
export function typeInPanel(text: string): Promise<unknown> {
  return inPanel(`(() => {
    const box = document.getElementById('command');
    box.focus();
    box.value = ${JSON.stringify(text)};
    box.dispatchEvent(new InputEvent('input', { bubbles: true }));
  })()`);
}

/** Answers the program that asks in the panel. */
export function answerInPanel(text: string): Promise<unknown> {
  return inPanel(`(() => {
    const answer = document.getElementById('answer');
    answer.value = ${JSON.stringify(text)};
    answer.dispatchEvent(new InputEvent('input', { bubbles: true }));
    answer.form.requestSubmit();
  })()`);
}

/** The parts of the panel that every test looks at. */
export interface Shown {
  command: string;
  verdict: string;
  isComplete: boolean;
  text: string;
  /** Of the command, as the panel shows it. */
  output: string;
}

/** Waits until a prediction of this command is complete in the panel. */
export async function shownFor(command: string | RegExp): Promise<Shown> {
  return until(`a prediction of ${command}`, async () => {
    const shown = await inPanel<Shown>(`({
      command: document.getElementById('command')?.value ?? '',
      verdict: document.querySelector('.verdict-line .level')?.textContent?.trim() ?? '',
      isComplete: document.querySelector('main.panel')?.getAttribute('aria-busy') === 'false' &&
        document.querySelector('.verdict.stale') === null,
      text: document.body.innerText,
      output: document.querySelector('div.output')?.innerText ?? '',
    })`);
    const fits = typeof command === 'string' ? shown.command === command : command.test(shown.command);
    return fits && shown.isComplete && shown.verdict !== '' ? shown : undefined;
  });
}

/** Predicts a command without going through the palette. */
export async function predict(script: string, cwd?: string): Promise<Shown> {
  await runCommand('foretell.predict', cwd === undefined ? script : { script, cwd });
  return shownFor(script);
}

/** Opens a file of the project and puts the selection where a text stands in it. */
export async function open(file: string, selected?: string): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(inProject(file));
  const editor = await vscode.window.showTextDocument(document);
  if (selected !== undefined) {
    const at = document.getText().indexOf(selected);
    assert.ok(at >= 0, `${file} holds ${selected}`);
    editor.selection = new vscode.Selection(document.positionAt(at), document.positionAt(at + selected.length));
  }
  return editor;
}

/** Clicks a button of the panel by its words. */
export async function clickInPanel(words: string): Promise<void> {
  await until(`a button ${words}`, () =>
    inPanel<boolean>(`(() => {
      const button = [...document.querySelectorAll('button')].find((one) => !one.disabled &&
        (one.textContent.trim() === ${JSON.stringify(words)} || one.getAttribute('aria-label') === ${JSON.stringify(words)}));
      button?.click();
      return button !== undefined;
    })()`),
  );
}

/** Part of a window, in pixels. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A picture of the whole window, or of a part of it, for a person to look at. */
export async function picture(name: string, clip?: Box): Promise<void> {
  await drive('screenshot', path.join(process.env['FORETELL_PICTURES'] ?? '/tmp', `${name}.png`), clip);
}

/** Changes a setting of the user for as long as `during` runs. */
export async function withSetting<T>(name: string, value: unknown, during: () => Promise<T>): Promise<T> {
  const settings = vscode.workspace.getConfiguration();
  await settings.update(name, value, vscode.ConfigurationTarget.Global);
  try {
    return await during();
  } finally {
    await settings.update(name, undefined, vscode.ConfigurationTarget.Global);
  }
}
