import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { test } from '../runner.ts';
import { atPrompt, inTerminal, openTerminal } from '../terminals.ts';
import {
  chooseInMenu,
  chooseInSubmenu,
  drive,
  inProject,
  open,
  panelText,
  predict,
  press,
  runCommand,
  shownFor,
  sleep,
  until,
} from '../window.ts';

test('key: the selection in an editor', async () => {
  await open('README.md', 'npm run build && cp -r dist /tmp/harbour');
  await press('Alt+p');
  const shown = await shownFor('npm run build && cp -r dist /tmp/harbour');
  assert.equal(shown.verdict, 'CAUTION');
});

test('key: the line that the cursor is on, without its prompt', async () => {
  const editor = await open('README.md', '$ git status --short');
  editor.selection = new vscode.Selection(editor.selection.active, editor.selection.active);
  await press('Alt+p');
  const shown = await shownFor('git status --short');
  assert.equal(shown.verdict, 'SAFE');
  assert.match(shown.text, /docs\/|notes\.md/);
});

test('key: the keyboard stays in the editor', async () => {
  await open('README.md', 'rm -rf dist');
  await press('Alt+p');
  await shownFor('rm -rf dist');
  await press('ArrowRight');
  assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, inProject('README.md'));
  await until('the arrow in the editor', () => vscode.window.activeTextEditor?.selection.isEmpty);
});

test('key: what changed since it was selected is seen, though it was predicted ahead', async () => {
  const file = inProject('selected.txt');
  try {
    writeFileSync(file, 'before\n');
    const document = await vscode.workspace.openTextDocument({ content: 'cat selected.txt\n' });
    const editor = await vscode.window.showTextDocument(document);
    await predict('true');
    editor.selection = new vscode.Selection(0, 0, 0, 'cat selected.txt'.length);
    await sleep(400);
    writeFileSync(file, 'behind\n');
    await press('Alt+p');
    assert.match((await shownFor('cat selected.txt')).text, /behind/);
  } finally {
    rmSync(file, { force: true });
  }
  await runCommand('workbench.action.revertAndCloseActiveEditor');
});

test('editor menu: the selection', async () => {
  const editor = await open('scripts/deploy.sh', 'cp data/*.csv "$BUILD"/');
  editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenter);
  await drive('rightClick', '.monaco-editor.focused .selected-text');
  await chooseInMenu('Predict Selection or Line');
  await shownFor('cp data/*.csv "$BUILD"/');
});

test('palette: a typed command, and the one before from the history', async () => {
  await predict('rm -rf dist');
  await press('F1');
  await drive('waitFor', '.quick-input-widget input');
  await drive('type', 'Foretell: Predict Command');
  await until('the command to be chosen', async () =>
    ((await drive('texts', '.quick-input-list .monaco-list-row.focused')) as string[]).some((row) =>
      row.includes('Foretell: Predict Command…'),
    ),
  );
  await press('Enter');
  await until('the input', async () => /Predict a command in/.test(String(await drive('text', '.quick-input-title'))));
  await drive('type', 'echo from the palette');
  await press('Enter');
  await shownFor('echo from the palette');
  void runCommand('foretell.predict');
  await until('the history', async () =>
    ((await drive('texts', '.quick-input-list .monaco-list-row')) as string[]).some((row) =>
      row.includes('rm -rf dist'),
    ),
  );
  await drive('type', 'rm -rf');
  // The list follows what is typed a moment later, and begins with it then; before, a row is one of the old list.
  await until('the list for what is typed', async () => {
    const [first = ''] = (await drive('texts', '.quick-input-list .monaco-list-row')) as string[];
    return first.includes('rm -rf') && !first.includes('rm -rf dist');
  });
  await until('the row from the history', async () => {
    const focused = (await drive('texts', '.quick-input-list .monaco-list-row.focused')) as string[];
    if (focused.some((row) => row.includes('rm -rf dist'))) return true;
    await press('ArrowDown');
    await sleep(200);
    return false;
  });
  await until('the input to be gone', async () => {
    await press('Enter');
    await sleep(300);
    return !(await drive('evaluate', "document.querySelector('.quick-input-widget')?.checkVisibility() ?? false"));
  });
  await shownFor('rm -rf dist');
});

test('explorer menu: a script', async () => {
  await runCommand('revealInExplorer', vscode.Uri.file(inProject('scripts/deploy.sh')));
  await sleep(500);
  await drive(
    'rightClick',
    '.explorer-folders-view [aria-label="deploy.sh"], .explorer-folders-view [aria-label^="deploy.sh"]',
  );
  await chooseInSubmenu('Predict This Script');
  await shownFor('bash scripts/deploy.sh');
});

/** Selects a row of the terminal; what the shell still prints, its next prompt for one, may take the selection away again. */
async function selectRow(text: string): Promise<void> {
  await until(`${text} to be selected`, async () => {
    await drive('tripleClick', '.xterm-rows > div', text);
    await sleep(500);
    return Number(await drive('count', '.xterm-selection > div')) > 0;
  });
}

test('terminal key: selected text', async () => {
  const terminal = await openTerminal();
  terminal.shellIntegration?.executeCommand("printf '\\nrm -%s docs\\n' rf");
  await until('the printed line', async () =>
    ((await drive('texts', '.xterm-rows > div')) as string[]).some((row) => row.trim() === 'rm -rf docs'),
  );
  await selectRow('rm -rf docs');
  await inTerminal(terminal);
  await press('Alt+p');
  const shown = await shownFor('rm -rf docs');
  assert.equal(shown.verdict, 'DANGER');
  terminal.dispose();
});

test('terminal menu: selected text, and the clipboard is left as it was', async () => {
  const terminal = await openTerminal();
  await vscode.env.clipboard.writeText('the user copied this');
  terminal.shellIntegration?.executeCommand("printf '\\nls -%s data\\n' a");
  await until('the printed line', async () =>
    ((await drive('texts', '.xterm-rows > div')) as string[]).some((row) => row.trim() === 'ls -a data'),
  );
  await selectRow('ls -a data');
  await runCommand('foretell.predictTerminalSelection');
  const shown = await shownFor('ls -a data');
  assert.match(shown.text, /dover\.csv/);
  assert.equal(await vscode.env.clipboard.readText(), 'the user copied this');
  terminal.dispose();
});

// In vi mode the same keys would change the line, or run it.
for (const [shell, env] of [
  ['bash', {}],
  ['zsh', { EDITOR: 'nano' }],
  ['zsh', { EDITOR: 'vi' }],
  ['fish', {}],
] as const) {
  const mode = 'EDITOR' in env && env.EDITOR === 'vi' ? ' in vi mode' : '';
  test(`terminal key: the line typed in ${shell}${mode}, which is not run and stays`, async () => {
    const terminal = await openTerminal(shell, { VISUAL: '', ...env });
    // Longer than the terminal is wide: blanks at the end of a row must not get lost.
    // The last after one that was given up and could have been anything.
    for (const typed of ['rm -rf dist', `rm -rf dist ${'a b '.repeat(60)}| cat 'x  y' *`, 'rm -rf docs']) {
      terminal.sendText(typed, false);
      await sleep(500);
      await atPrompt(terminal);
      await inTerminal(terminal);
      await press('Alt+p');
      await shownFor(typed);
      assert.ok(existsSync(inProject('dist/ports.json')), 'it was not run');
      await runCommand('workbench.action.terminal.focus');
      await until('the line is still there', async () => {
        const rows = ((await drive('texts', '.xterm-rows > div')) as string[]).filter((row) => row.trim() !== '');
        // Included, not at the end: fish shows its suggestion behind it.
        return rows.slice(-20).join('').replace(/\s/g, '').includes(typed.replace(/\s/g, ''));
      });
      terminal.sendText('\u0003', false);
      await sleep(300);
    }
    terminal.dispose();
  });
}

test('terminal: a sentence while a program is running', async () => {
  const terminal = await openTerminal('bash');
  terminal.sendText('cat', true);
  await sleep(500);
  await runCommand('foretell.predictTypedLine');
  await until('the sentence', async () => /A program is running in this terminal/.test(await panelText()));
  terminal.dispose();
});

test('a sentence for what is no command', async () => {
  await open('package.json');
  const editor = vscode.window.activeTextEditor;
  assert.ok(editor);
  editor.selection = new vscode.Selection(0, 0, editor.document.lineCount - 1, 1);
  await press('Alt+p');
  await until('the sentence', async () => /This is JSON, not a shell command/.test(await panelText()));
});
