import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { revertAll, shownEdit, shows, withFiles } from '../edits.ts';
import { test } from '../runner.ts';
import { inTerminal, openTerminal } from '../terminals.ts';
import {
  clickInPanel,
  drive,
  folder,
  inPanel,
  open,
  panelCommand,
  picture,
  predict,
  press,
  runCommand,
  shownFor,
  sleep,
  typeInPanel,
  until,
} from '../window.ts';

const buttons = () =>
  inPanel<string[]>("[...document.querySelectorAll('button')].map((one) => one.textContent.trim())");
const level = () => inPanel<string>("document.querySelector('.verdict-line .level')?.textContent?.trim() ?? ''");
const diff = '--- a/list.txt\n+++ b/list.txt\n@@ -1 +1 @@\n-one\n+ONE\n';

/** The panel says why there is no answer, and nothing of the prediction before can be taken for one. */
async function isRefused(sentence: RegExp): Promise<void> {
  await shows(sentence);
  assert.equal(await level(), 'NOT PREDICTED');
  const shown = await buttons();
  for (const word of ['Run for Real', 'Apply for Real', 'Choose…', 'Continue from Here', 'Rehearse Fully']) {
    assert.ok(!shown.includes(word), `${word} is gone: ${shown.join(' | ')}`);
  }
  assert.doesNotMatch(await inPanel<string>('document.body.innerText'), /\bSAFE\b/);
  const item = String(await drive('text', '.statusbar-item[id*="foretell.verdict"]'));
  assert.match(item, /Not predicted/);
}

/** Commands of the palette find nothing to act on either. */
async function nothingCanBeDone(): Promise<void> {
  const count = vscode.window.terminals.length;
  await runCommand('foretell.runForReal');
  await sleep(500);
  assert.equal(vscode.window.terminals.length, count);
}

test('refused: an empty line', async () => {
  await predict('echo safe');
  assert.equal(await level(), 'SAFE');
  const editor = await open('README.md');
  const blank = [...Array(editor.document.lineCount).keys()].find(
    (at) => editor.document.lineAt(at).isEmptyOrWhitespace,
  );
  assert.ok(blank !== undefined);
  editor.selection = new vscode.Selection(blank, 0, blank, 0);
  await press('Alt+p');
  await until('the refusal', async () => (await level()) === 'NOT PREDICTED');
  await isRefused(/./);
  await picture('refused');
  await nothingCanBeDone();
  await clickInPanel('Show Earlier Prediction');
  const shown = await shownFor('echo safe');
  assert.equal(shown.verdict, 'SAFE');
  assert.ok((await buttons()).includes('Run for Real'));
});

test('refused: a running program, an empty terminal line', async () => {
  const terminal = await openTerminal('bash');
  await predict('echo safe');
  await inTerminal(terminal);
  await press('Alt+p');
  await isRefused(/Nothing is typed in the terminal/);
  await predict('echo safe');
  terminal.sendText('cat', true);
  await sleep(700);
  await inTerminal(terminal);
  await press('Alt+p');
  await isRefused(/A program is running in this terminal/);
  terminal.dispose();
});

test('refused: no patch on the clipboard, after a command and after an edit', () =>
  withFiles({ 'list.txt': 'one\n' }, async () => {
    await runCommand('workbench.action.closeAllEditors');
    await predict('echo safe');
    await vscode.env.clipboard.writeText('rm -rf dist');
    await runCommand('foretell.predictPatch');
    await isRefused(/There is no patch and no edit call/);
    await runCommand('foretell.predictPatch', diff);
    await shownEdit('Patch');
    await vscode.env.clipboard.writeText('rm -rf dist');
    await runCommand('foretell.predictPatch');
    await isRefused(/There is no patch and no edit call/);
    assert.equal(await inPanel("document.querySelector('.edit') !== null"), false);
  }));

test('refused: what is no command, typed in the panel, stays there', async () => {
  await predict('echo safe');
  await runCommand('foretell.panel.focus');
  await typeInPanel('{"a": 1,\n "b": [2]}');
  await press('Enter');
  await isRefused(/JSON/);
  assert.match(await panelCommand(), /"b": \[2\]/);
});

test('refused: selected text that is none, and what follows is predicted', async () => {
  await predict('echo safe');
  await open('package.json');
  const editor = vscode.window.activeTextEditor;
  assert.ok(editor);
  editor.selection = new vscode.Selection(0, 0, editor.document.lineCount - 1, 1);
  await press('Alt+p');
  await isRefused(/This is JSON, not a shell command/);
  const shown = await predict('echo again');
  assert.equal(shown.verdict, 'SAFE');
  assert.ok(!(await buttons()).includes('Show Earlier Prediction'));
});

test('sequence: staged changes are no base of the next command', async () => {
  await runCommand('foretell.startOver');
  await runCommand('foretell.predictStaged');
  await shownEdit(/staged file/);
  assert.doesNotMatch(await inPanel<string>('document.body.innerText'), /Starts after/);
  const shown = await predict('cat data/oban.csv');
  assert.doesNotMatch(shown.text, /Starts after/);
  assert.ok(shown.output.trim() !== '' && !/No such file/.test(shown.output), shown.output);
  // In the box below the staged edit as well.
  await runCommand('foretell.predictStaged');
  await shownEdit(/staged file/);
  await inPanel("document.getElementById('command').focus()");
  await drive('type', 'git status --short');
  await press('Enter');
  // Until Enter has its effect the box below the edit holds the same text.
  const status = await until('its output', async () => {
    const found = await shownFor('git status --short');
    return /A {2}data\/oban\.csv/.test(found.output) ? found : undefined;
  });
  assert.doesNotMatch(status.text, /Starts after/);
});

test('sequence: Start Over leaves nothing that could be run', async () => {
  await predict('mkdir berth && cd berth');
  await clickInPanel('Continue from Here');
  await shows(/Starts after/);
  await predict('touch quay');
  await clickInPanel('Start Over');
  await until('an empty panel', async () => (await level()) === '');
  assert.ok(!(await buttons()).some((word) => /for Real|Anyway/.test(word)));
  await nothingCanBeDone();
  const shown = await predict('pwd');
  assert.equal(shown.output.trim(), folder());
  await revertAll();
});
