import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { test } from '../runner.ts';
import { inTerminal, openTerminal, terminalRows } from '../terminals.ts';
import { drive, inProject, picture, runCommand, shownFor, sleep, until, withSetting } from '../window.ts';

const item = '.statusbar-item[id*="foretell.hint"]';
const setting = 'foretell.hintWhileTyping';

/** What the status bar says of the typed line; empty: nothing. */
const hint = async () =>
  String(await drive('evaluate', `(document.querySelector('${item.replaceAll('"', '\\"')}')?.innerText ?? '').trim()`));
const saysOf = (word: string) => until(`a hint ${word}`, async () => (await hint()).includes(word));
const saysNothing = () => until('no hint', async () => (await hint()) === '');

async function withTerminal(shell: string, during: (terminal: vscode.Terminal) => Promise<void>) {
  const terminal = await openTerminal(shell, { LC_ALL: 'C.UTF-8' });
  try {
    await inTerminal(terminal);
    await during(terminal);
  } finally {
    terminal.dispose();
    await sleep(200);
  }
}

test('hint: where the setting is off nothing is said', () =>
  withTerminal('bash', async (terminal) => {
    terminal.sendText('rm -rf docs', false);
    await sleep(2_500);
    assert.equal(await hint(), '');
    assert.equal(await drive('count', item), 0);
  }));

for (const shell of ['bash', 'zsh']) {
  test(`hint: ${shell}, after a pause the status bar says what the typed line would do; the next key takes it away`, () =>
    withSetting(setting, true, () =>
      withTerminal(shell, async (terminal) => {
        writeFileSync(inProject('only-here.txt'), 'work that nothing brings back\n');
        const before = await terminalRows();
        terminal.sendText('rm only-here.txt', false);
        await saysOf('Typed: Danger');
        assert.match(
          String(await drive('evaluate', `document.querySelector('${item.replaceAll('"', '\\"')}').className`)),
          /error-kind/,
        );
        assert.match(
          String(await drive('evaluate', `document.querySelector('${item.replaceAll('"', '\\"')} a').ariaLabel`)),
          /^Foretell, typed line: Danger\. Deletes 1 file/,
        );
        await drive('hover', item);
        const hover = await until('the hover', async () => {
          const text = String(await drive('text', '.monaco-hover')).replaceAll('\u00a0', ' ');
          return /Typed line: Danger/.test(text) ? text : undefined;
        });
        assert.match(hover, /rm only-here\.txt/);
        assert.match(hover, /Lost for good: only-here\.txt\./);
        assert.match(hover, /There is no way back\./);
        await picture(`hint-hover-${shell}`);
        // The terminal shows what was typed and nothing else.
        const rows = await terminalRows();
        assert.equal(rows.length, before.length);
        assert.match(rows.at(-1) ?? '', /rm only-here\.txt\s*$/);
        await inTerminal(terminal);
        terminal.sendText('x', false);
        await until('no hint of another line', async () => !(await hint()).includes('Danger'));
        terminal.sendText('\u0015echo one', false);
        await saysOf('Typed: Safe');
        await picture(`hint-safe-${shell}`);
        // A program runs, and then nothing is typed.
        terminal.sendText('\rsleep 3', false);
        await saysOf('Typed: Safe');
        terminal.sendText('\r', false);
        await saysNothing();
        assert.ok(existsSync(inProject('only-here.txt')));
      }),
    ));
}

test('hint: a line that is not whole, a search and what a program reads have none', () =>
  withSetting(setting, true, () =>
    withTerminal('bash', async (terminal) => {
      for (const typed of [
        'echo "a',
        '\u0003for f in a b; do',
        '\u0003cat <<E',
        '\u0003read -r answer\rrm -rf docs',
        '\u0003\u0012docs',
      ]) {
        terminal.sendText(typed, false);
        await sleep(1_800);
        assert.equal(await hint(), '', typed);
      }
      terminal.sendText('\u0003', false);
    }),
  ));

test('hint: a click predicts the line in the panel, and the line stays', () =>
  withSetting(setting, true, () =>
    withTerminal('bash', async (terminal) => {
      terminal.sendText('rm -rf docs', false);
      await saysOf('Typed:');
      await drive('click', item);
      await shownFor('rm -rf docs');
      assert.match((await terminalRows()).at(-1) ?? '', /rm -rf docs\s*$/);
      assert.ok(existsSync(inProject('docs')));
    }),
  ));

test('hint: it is the line of the terminal that is shown, and it goes when the setting does', () =>
  withSetting(setting, true, () =>
    withTerminal('bash', async (terminal) => {
      terminal.sendText('git reset --hard', false);
      await saysOf('Typed:');
      await withTerminal('bash', async (other) => {
        await saysNothing();
        other.sendText('echo two', false);
        await saysOf('Typed: Safe');
      });
      await inTerminal(terminal);
      await until('the hint of the first', async () => /Typed: (?!Safe)/.test(await hint()));
      await vscode.workspace.getConfiguration().update(setting, false, vscode.ConfigurationTarget.Global);
      await saysNothing();
    }),
  ));

test('hint: fish lets nobody see its line, and that is said once', () =>
  withSetting(setting, true, () =>
    withTerminal('fish', async (terminal) => {
      terminal.sendText('rm -rf docs', false);
      await until('the sentence', async () =>
        /fish lets nobody see what is typed/.test(String(await drive('text', '.notifications-toasts'))),
      );
      assert.equal(await hint(), '');
      await runCommand('notifications.clearAll');
    }),
  ));

for (const [theme, name] of [
  ['Default Dark Modern', 'dark'],
  ['Default Light Modern', 'light'],
  ['Default High Contrast', 'high-contrast'],
  ['Default High Contrast Light', 'high-contrast-light'],
] as const)
  test(`hint: a picture in ${name}`, () =>
    withSetting('workbench.colorTheme', theme, () =>
      withSetting(setting, true, () =>
        withTerminal('bash', async (terminal) => {
          for (const [line, word] of [
            ['rm -rf src', 'Danger'],
            ['git push', 'Typed:'],
            ['echo one', 'Safe'],
          ] as const) {
            terminal.sendText(`\u0015${line}`, false);
            await saysNothing();
            await saysOf(word);
            await picture(`hint-${name}-${line.replaceAll(' ', '-')}`);
          }
        }),
      ),
    ));
