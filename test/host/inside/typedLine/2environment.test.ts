import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { test } from '../runner.ts';
import { atPrompt, inTerminal, openTerminal } from '../terminals.ts';
import { inProject, panelText, predict, press, shownFor, sleep, until } from '../window.ts';

const file = () => inProject('environment.txt');

async function inShell(shell: string, during: (terminal: vscode.Terminal) => Promise<void>): Promise<void> {
  const terminal = await openTerminal(shell, { EDITOR: '', VISUAL: '', LC_ALL: 'C.UTF-8' });
  try {
    await during(terminal);
  } finally {
    terminal.dispose();
    await sleep(200);
  }
}

/**
 * Types a line, and waits until VS Code has told of its end: what is typed while a command runs is read from the screen, so
 * that its words are not sure; fish is not asked then.
 */
async function type(terminal: vscode.Terminal, line: string): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    const listener = vscode.window.onDidEndTerminalShellExecution((event) => {
      if (event.terminal !== terminal) return;
      listener.dispose();
      resolve();
    });
  });
  terminal.sendText(`${line}\r`, false);
  await Promise.race([ended, sleep(10_000)]);
  await sleep(300);
}

/** Runs a command in the terminal, and waits until the shell has its prompt again. */
async function run(terminal: vscode.Terminal, command: string): Promise<void> {
  const mark = inProject('mark.txt');
  await rm(mark, { force: true });
  await type(terminal, command);
  await type(terminal, `pwd > ${mark}`);
  await until('the prompt', async () => (await readFile(mark, 'utf8').catch(() => '')) !== '');
}

let count = 0;

/** Predicts a line that is typed, and takes it away again. */
async function predicted(terminal: vscode.Terminal, line: string): Promise<string> {
  // The panel may show the same line from another terminal: what is waited for below is none of those.
  count += 1;
  await predict(`: before ${count}`);
  terminal.sendText(line, false);
  await sleep(600);
  await atPrompt(terminal);
  await inTerminal(terminal);
  await press('Alt+p');
  const { output } = await shownFor(line);
  terminal.sendText('\u0003', false);
  await sleep(300);
  return output;
}

/** What a shell sets anew for each program, what only a terminal of a certain width has, and what zsh sets when it starts. */
const ofCall = /^(?:_|COLUMNS|LINES|OLDPWD)=/;
const variablesIn = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && !ofCall.test(line))
    .sort();

const setting: Record<string, (name: string, value: string) => string> = {
  bash: (name, value) => `export ${name}='${value}'`,
  zsh: (name, value) => `export ${name}='${value}'`,
  fish: (name, value) => `set -gx ${name} '${value}'`,
};

for (const [shell, set] of Object.entries(setting)) {
  test(`environment: ${shell} is predicted with what it exports, in its folder, with its PATH`, () =>
    inShell(shell, async (terminal) => {
      await mkdir(inProject('venv'), { recursive: true });
      await writeFile(inProject('venv/python3'), '#!/bin/sh\necho the one of the environment\n');
      await chmod(inProject('venv/python3'), 0o755);
      // fish is not asked by keys where anything may have changed them, so all of it is set where nothing can.
      await run(terminal, set('GREETING', 'a  b é'));
      await run(terminal, set('PATH', `${inProject('venv')}:/usr/bin:/bin`));
      await run(terminal, 'cd docs');
      assert.match(
        await predicted(terminal, 'printenv GREETING; pwd; command -v python3'),
        /^a {2}b é\s+\S+\/docs\s+\S+\/venv\/python3\s*$/,
      );
      assert.doesNotMatch(await panelText(), /cannot be told here/);

      // fish is asked, and takes what is typed when it is over; its variables are those above.
      if (shell === 'fish') return;
      const shown = variablesIn(await predicted(terminal, 'env'));
      await rm(file(), { force: true });
      terminal.sendText(`env > ${file()}\r`, false);
      await until('the real variables', async () =>
        (await readFile(file(), 'utf8').catch(() => '')).includes('GREETING'),
      );
      await sleep(200);
      assert.deepEqual(shown, variablesIn(await readFile(file(), 'utf8')));
    }));
}

test('environment: in fish a virtual environment of Python is put in place, and taken back', () =>
  inShell('fish', async (terminal) => {
    await mkdir(inProject('env/bin'), { recursive: true });
    const text = await readFile(path.join(__dirname, '../../fixtures/activate.fish'), 'utf8');
    await writeFile(inProject('env/bin/activate.fish'), text.replaceAll('/home/me/work/v', inProject('env')));
    await run(terminal, 'source env/bin/activate.fish');
    assert.match(await predicted(terminal, 'echo in $VIRTUAL_ENV'), /^in \S+\/env\s*$/);
    await run(terminal, 'deactivate');
    assert.match(await predicted(terminal, 'echo "now [$VIRTUAL_ENV]"'), /^now \[\]\s*$/);
  }));

for (const shell of ['bash', 'zsh']) {
  test(`environment: an alias that ${shell} was given at its prompt means the same in a prediction`, () =>
    inShell(shell, async (terminal) => {
      await run(terminal, `alias tidy='rm -rf'; alias names='ls -1'`);
      assert.match(await predicted(terminal, 'names docs'), /^\S+\.md\s/);
      await predicted(terminal, 'tidy docs');
      assert.match((await panelText()).replaceAll(/\s+/g, ' '), /DANGER.*docs\/notes\.md/);
      // What it leads to is not seen.
      await run(terminal, `sweep() { rm -rf "$1"; }; alias broom='sweep '`);
      await predicted(terminal, 'broom docs');
      const text = (await panelText()).replaceAll(/\s+/g, ' ');
      assert.match(text, /sweep.{0,20} a function in this terminal/);
      assert.doesNotMatch(text, /\bSAFE\b/i);
    }));
}

const options: Record<string, { set: string; line: string }> = {
  bash: { set: 'shopt -s nullglob extglob; set -o noclobber', line: 'echo *.none docs/!(*.png); echo x > options.txt' },
  zsh: { set: 'setopt null_glob extendedglob no_clobber', line: 'echo *.none docs/^*.png; echo x > options.txt' },
};

for (const [shell, { set, line }] of Object.entries(options)) {
  test(`environment: an option that ${shell} was given at its prompt means the same in a prediction`, () =>
    inShell(shell, async (terminal) => {
      await writeFile(inProject('options.txt'), 'kept\n');
      await run(terminal, set);
      // The real one goes the way of the prediction: names that match, and a file that is not overwritten.
      assert.match(await predicted(terminal, line), /^docs\/\S+\.md\s[\s\S]*(?:cannot overwrite|file exists)/);
      assert.doesNotMatch(await panelText(), /options\.txt\s+modified|Edits 1 file/);
      await rm(inProject('options.txt'));
    }));
}

test('environment: an alias of bash that its start file defines means the same for a line in an editor', async () => {
  const file = path.join(process.env['HOME'] ?? '', '.bashrc');
  const before = await readFile(file, 'utf8').catch(() => '');
  await writeFile(file, `${before}\nalias names='ls -1'\n`);
  try {
    assert.match((await predict('names docs')).output, /^\S+\.md\s/);
  } finally {
    await writeFile(file, before);
  }
});

test('environment: while a long start file of bash is read the panel says so, and Cancel is there', async () => {
  const file = path.join(process.env['HOME'] ?? '', '.bashrc');
  const before = await readFile(file, 'utf8').catch(() => '');
  await writeFile(file, `n=0; while ((n < 1200000)); do ((n++)); done\n${before}\nalias names='ls -1'\n`);
  try {
    const shown = predict('names docs');
    await until('words for it', async () => /reading the start files of bash[\s\S]*Cancel/.test(await panelText()));
    assert.match((await shown).output, /^\S+\.md\s/);
  } finally {
    await writeFile(file, before);
  }
});

for (const shell of ['bash', 'zsh', 'fish']) {
  test(`environment: a function that ${shell} was given at its prompt is named as not seen`, () =>
    inShell(shell, async (terminal) => {
      // What fish was given a function by may have changed its keys; its aliases are functions.
      const define = shell === 'fish' ? `alias sweep='rm -rf'` : 'sweep() { rm -rf "$1"; }';
      await run(terminal, define);
      await predicted(terminal, 'sweep docs');
      const text = (await panelText()).replaceAll(/\s+/g, ' ');
      assert.match(text, /sweep.{0,20} a function in this terminal/);
      assert.doesNotMatch(text, /\bSAFE\b/i);
    }));
}
