// Alt+P on a line that is typed in a terminal, as a person sees it: the panel stands beside the terminal, which keeps the
// keyboard and its rows; one more chord runs what stands there. In bash, zsh and fish.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { personAt, until } from '../support/outside.mjs';

const rowsOf = '.terminal-wrapper.active .xterm-rows > div';
const promptMark = '.terminal-wrapper.active .terminal-command-decoration';

export async function drive(host) {
  const { words, folder, page } = host;
  const person = personAt(host);
  await person.started();
  const rows = async () =>
    (await words.texts(rowsOf)).map((row) => row.replaceAll('\u00a0', ' ').trimEnd()).filter((row) => row !== '');
  const hasKeyboard = () =>
    page.evaluate(() => document.activeElement?.classList.contains('xterm-helper-textarea') === true);
  const verdictFor = (script) =>
    until(`a prediction of ${script}`, () =>
      person.inPanel(`document.getElementById('command')?.value === ${JSON.stringify(script)} &&
        document.querySelector('main.panel[aria-busy=false]:not([data-loading])') &&
        document.querySelector('.verdict-line .level')?.textContent?.trim()`),
    );
  // When it is started for the first time, fish works in the foreground for seconds.
  const data = path.join(folder, '../data');
  mkdirSync(path.join(data, 'fish/generated_completions'), { recursive: true });
  mkdirSync(path.join(folder, '.vscode'), { recursive: true });

  for (const shell of ['bash', 'zsh', 'fish']) {
    const settings = {
      // Only so are the rows of a terminal text that can be read.
      'terminal.integrated.gpuAcceleration': 'off',
      'terminal.integrated.defaultProfile.linux': shell,
      'terminal.integrated.env.linux': { XDG_DATA_HOME: data, PS1: '$ ' },
    };
    writeFileSync(path.join(folder, '.vscode/settings.json'), JSON.stringify(settings));
    // VS Code sees the file a moment later, and nothing tells when.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await person.runCommand('Terminal: Create New Terminal');
    await until('a terminal', async () => (await words.count(rowsOf)) > 0);
    await until('a prompt', async () => (await rows()).length > 0);
    // The shell is ready when its integration has found its way into it: VS Code marks the line of its prompt then.
    await until('the mark of a prompt', async () => (await words.count(promptMark)) > 0);
    await new Promise((resolve) => setTimeout(resolve, 1_000));

    const made = path.join(folder, `made-${shell}`);
    const script = `mkdir made-${shell}`;
    await words.type(script);
    await until('the line', async () => (await rows()).join('').includes(script));
    const before = await rows();
    await person.picture(`typed-${shell}-1-typed`);
    const startedAt = performance.now();
    await words.press('Alt+p');
    await verdictFor(script);
    console.log(`  ${shell}: from the chord to the verdict ${Math.round(performance.now() - startedAt)} ms`);
    await until('the keyboard in the terminal', hasKeyboard);
    await person.picture(`typed-${shell}-2-known`);
    // The first time the terminal becomes narrower, and its rows are others.
    if (shell !== 'bash') assert.deepEqual(await rows(), before);
    // There the shell draws its line anew a moment later.
    await until('the line, once', async () => (await rows()).join('').split(script).length === 2);

    await words.press('Alt+Shift+p');
    await until('the run', () => existsSync(made));
    await until('the comparison', async () => /as predicted/.test(await person.panelText()));
    assert.ok(await hasKeyboard());
    await person.picture(`typed-${shell}-3-run`);
    // It ran where it stood: nothing was taken back, and nothing of ours was typed.
    const after = (await rows()).join('\n');
    assert.equal(after.split(script).length, 2);
    assert.doesNotMatch(after, /ask-|\^C/);
  }
}
