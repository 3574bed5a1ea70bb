import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import { test } from '../runner.ts';
import { atPrompt, inTerminal, openTerminal, terminalRows } from '../terminals.ts';
import { drive, inPanel, inProject, panelText, press, runCommand, shownFor, sleep, until } from '../window.ts';

const seen = () => inProject('seen.txt');

/** Sends what a person would type, and waits until the shell has read it. */
async function type(terminal: vscode.Terminal, text: string): Promise<void> {
  terminal.sendText(text, false);
  await sleep(600);
}

/** Runs the line that stands in the terminal, and says what it wrote. */
async function written(terminal: vscode.Terminal): Promise<string> {
  terminal.sendText('\r', false);
  return until('what the line writes', async () => readFile(seen(), 'utf8').catch(() => undefined));
}

async function refused(pattern: RegExp): Promise<void> {
  await until(`the sentence ${pattern}`, async () => {
    const text = (await panelText()).replaceAll(/\s+/g, ' ');
    if (!pattern.test(text)) throw new Error(text.slice(0, 800));
    return true;
  });
  assert.equal(
    await inPanel("[...document.querySelectorAll('button')].some((one) => /for Real/.test(one.textContent))"),
    false,
  );
}

const line = "printf %s 'a  b é漢' > seen.txt";

/** Alt+P over `line`, which then is run and must be what it was. */
async function staysAsTyped(terminal: vscode.Terminal, after?: () => Promise<unknown>): Promise<void> {
  await rm(seen(), { force: true });
  await atPrompt(terminal);
  await inTerminal(terminal);
  await press('Alt+p');
  if (after) await after();
  else await shownFor(line);
  await runCommand('workbench.action.terminal.focus');
  assert.equal(await written(terminal), 'a  b é漢');
  await rm(seen(), { force: true });
}

async function withTerminal(shell: string, during: (terminal: vscode.Terminal) => Promise<void>, env = {}) {
  const own = { EDITOR: '', VISUAL: '', LC_ALL: 'C.UTF-8' };
  const terminal = await openTerminal(shell, { ...own, ...env });
  try {
    await during(terminal);
  } finally {
    terminal.dispose();
    await sleep(200);
  }
}

test('typed line: zsh in a locale that has no such letters keeps none of them, and that is said', () =>
  withTerminal(
    'zsh',
    async (terminal) => {
      await type(terminal, line);
      await inTerminal(terminal);
      await press('Alt+p');
      await refused(/What is typed is not UTF-8 text/);
    },
    { LC_ALL: 'C' },
  ));

/** What is typed at the prompt before, by what it changes. */
const changes: readonly [string, string, readonly string[]][] = [
  ['bash', 'set -o vi', ['set -o vi']],
  ['bash', 'set -o vi and back', ['set -o vi', 'set -o emacs']],
  ['bash', 'keys of one’s own', [`bind '"\\C-e": "docs"'; bind '"\\C-u": "x"'; bind '"\\C-x\\C-p": "y"'`]],
  ['zsh', 'bindkey -v', ['bindkey -v']],
  ['zsh', 'bindkey -v and back', ['bindkey -v', 'bindkey -e']],
  ['zsh', 'keys of one’s own', [`bindkey -s '^[x' docs; bindkey -s '^X^P' docs; bindkey -s '^[q' docs`]],
];
for (const [shell, what, commands] of changes) {
  test(`typed line: ${shell} after ${what} gives the same line, and keeps it`, () =>
    withTerminal(shell, async (terminal) => {
      for (const command of commands) await type(terminal, `${command}\r`);
      await type(terminal, line);
      await staysAsTyped(terminal);
      // The second time as well, and where the cursor is not at the end.
      await type(terminal, line);
      terminal.sendText('\u001b[D\u001b[D', false);
      await sleep(700);
      await staysAsTyped(terminal);
    }));
}

test('typed line: bash in the command mode of vi', () =>
  withTerminal('bash', async (terminal) => {
    await type(terminal, 'set -o vi\r');
    await type(terminal, line);
    await type(terminal, '\u001b');
    await staysAsTyped(terminal);
  }));

test('typed line: a shell that was replaced by another is the one that is read', () =>
  withTerminal('bash', async (terminal) => {
    await type(terminal, 'exec bash --norc\r');
    await sleep(1_000);
    await type(terminal, line);
    await staysAsTyped(terminal);
  }));

test('typed line: fish that has run what may have changed its keys is not asked by keys', () =>
  withTerminal('fish', async (terminal) => {
    // Not `fish_vi_key_bindings` alone: that is kept for every fish that comes later.
    await type(terminal, 'set -g fish_key_bindings fish_vi_key_bindings\r');
    await sleep(500);
    await type(terminal, line);
    await staysAsTyped(terminal, () => refused(/may have changed the keys of fish/));
  }));

test('typed line: fish with a command of several lines', () =>
  withTerminal('fish', async (terminal) => {
    await type(terminal, 'for i in 1 2\r');
    await type(terminal, 'printf %s $i >> seen.txt\r');
    await type(terminal, 'end');
    await rm(seen(), { force: true });
    await inTerminal(terminal);
    await press('Alt+p');
    await shownFor(/^for i in 1 2\n\s*printf %s \$i >> seen\.txt\nend$/);
    assert.equal(await written(terminal), '12');
    await rm(seen(), { force: true });
  }));

for (const shell of ['bash', 'zsh']) {
  test(`typed line: ${shell}, a line that goes on from those above it is refused and kept`, () =>
    withTerminal(shell, async (terminal) => {
      await type(terminal, 'for i in 1 2\r');
      await type(terminal, 'do printf %s $i >> seen.txt\r');
      await type(terminal, 'done');
      await rm(seen(), { force: true });
      await inTerminal(terminal);
      await press('Alt+p');
      await refused(/continues a command from the lines above it/);
      assert.equal(await written(terminal), '12');
      await rm(seen(), { force: true });
    }));
  test(`typed line: ${shell}, control characters in it are refused`, () =>
    withTerminal(shell, async (terminal) => {
      await type(terminal, 'ls docs\u0016\u0005');
      await inTerminal(terminal);
      await press('Alt+p');
      await refused(/control characters/);
    }));
}

/** Programs that read the terminal themselves: no key of ours may reach them. */
const programs: readonly [string, string, RegExp][] = [
  ['a shell in the shell', 'bash --norc', /A program is running in this terminal \(bash\)/],
  ['cat', 'cat', /A program is running in this terminal \(cat\)/],
  ['less', 'less README.md', /A program is running in this terminal \(less\)/],
  ['vim', 'vim -u NONE README.md', /A program is running in this terminal \(vim/],
  ['python', 'python3 -i', /A program is running in this terminal \(python3/],
  ['read -e', 'read -e answer', /A program is running in this terminal/],
  ['read', 'read answer', /A program is running in this terminal/],
];
for (const [what, command, sentence] of programs) {
  test(`typed line: ${what} runs in the terminal, and gets no key`, () =>
    withTerminal('bash', async (terminal) => {
      await type(terminal, `${command}\r`);
      await sleep(700);
      const before = await terminalRows();
      await inTerminal(terminal);
      await press('Alt+p');
      await refused(sentence);
      // The panel is in its place.
      await runCommand('workbench.action.terminal.focus');
      await until('the same rows', async () => {
        const rows = await terminalRows();
        return rows.length > 0 && JSON.stringify(rows) === JSON.stringify(before);
      });
    }));
}

test('typed line: a terminal without a shell is refused', async () => {
  const terminal = vscode.window.createTerminal({ shellPath: '/bin/cat' });
  terminal.show(false);
  await sleep(1_000);
  await inTerminal(terminal);
  await press('Alt+p');
  await refused(/A program is running in this terminal \(cat\)/);
  terminal.dispose();
});

test('typed line: no notification comes of asking', () =>
  withTerminal('bash', async (terminal) => {
    await runCommand('notifications.clearAll');
    for (const typed of [line, '']) {
      if (typed === '') await type(terminal, '\u0003');
      else await type(terminal, typed);
      await inTerminal(terminal);
      await press('Alt+p');
      if (typed === '') await refused(/Nothing is typed/);
      else await shownFor(typed);
      await runCommand('foretell.predictTerminal');
    }
    await runCommand('notifications.showList');
    await sleep(300);
    assert.deepEqual(await drive('texts', '.notifications-center .notification-list-item'), []);
    await runCommand('notifications.hideList');
    assert.ok(!existsSync(seen()));
  }));
