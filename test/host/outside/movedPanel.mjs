// A panel that the user has moved to the secondary side bar, and sees when something is predicted in a terminal first: it stays there,
// comes back from an editor when it was hidden, leaves the keyboard where it is, and fits its width. VS Code has no way to move a view into the editor area.
import assert from 'node:assert/strict';
import { personAt, until } from '../support/outside.mjs';

export const settings = {
  // Only so are the rows of a terminal text that can be read.
  'terminal.integrated.gpuAcceleration': 'off',
  'terminal.integrated.env.linux': { PS1: '$ ' },
};

const rowsOf = '.terminal-wrapper.active .xterm-rows > div';

export async function drive(host) {
  const { words, page } = host;
  const person = personAt(host);
  await person.started();
  const { listed, openFile, predicted } = person;
  const isInSideBar = () =>
    until('the panel in the secondary side bar', async () =>
      (await words.texts('.part.auxiliarybar .composite.title')).join().includes('Foretell'),
    );
  /** Nothing is wider than the panel. */
  const fits = async () => {
    const sizes = await person.inPanel('({ width: innerWidth, needs: document.documentElement.scrollWidth })');
    assert.ok(sizes.needs <= sizes.width, JSON.stringify(sizes));
    return sizes.width;
  };
  await person.predict('git status --short');
  await person.runCommand('View: Move View');
  await words.type('Foretell');
  await listed('Foretell');
  await words.press('Enter');
  await until('where to', async () => (await words.texts('.quick-input-title')).join().includes('Move Foretell'));
  await words.type('New Secondary Side Bar');
  await listed('New Secondary Side Bar Entry');
  await words.press('Enter');
  await isInSideBar();
  await predicted('git status --short');

  // From an editor, with the panel hidden: it comes, and the keyboard stays.
  await person.runCommand('View: Toggle Secondary Side Bar Visibility');
  await openFile('deploy.sh');
  const inEditor = () => words.evaluate("document.activeElement?.closest('.editor-instance') !== null");
  await until('the keyboard in the editor', inEditor);
  await words.press('Alt+p');
  await isInSideBar();
  await until('a verdict', () => person.inPanel("document.querySelector('.verdict-line .level') !== null"));
  assert.ok(await inEditor());

  // From a terminal: it is not moved beside it.
  await person.runCommand('Terminal: Create New Terminal');
  const rows = async () => (await words.texts(rowsOf)).map((row) => row.replaceAll('\u00a0', ' ')).join('');
  await until('a prompt', async () => (await rows()).includes('$'));
  // The shell is ready when its integration has found its way into it.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  const inTerminal = () =>
    until('the keyboard in the terminal', () =>
      page.evaluate(() => document.activeElement?.classList.contains('xterm-helper-textarea') === true),
    );
  await person.runCommand('Terminal: Focus Terminal');
  await inTerminal();
  await words.type('rm -rf docs');
  await until('the line', async () => (await rows()).includes('rm -rf docs'));
  await words.press('Alt+p');
  assert.equal(await predicted('rm -rf docs'), 'DANGER');
  await isInSideBar();
  await inTerminal();
  await person.picture('moved-narrow');
  await words.type(' dist');
  await until('the longer line', async () => (await rows()).includes('rm -rf docs dist'));
  await words.press('Alt+p');
  assert.equal(await predicted('rm -rf docs dist'), 'DANGER');
  await isInSideBar();
  await inTerminal();
  await fits();

  // Wide, and in high contrast.
  await words.resize(1800, 900);
  await until('a wide panel', async () => {
    if ((await fits()) > 850) return true;
    // A busy window may not have its edge there yet; whoever misses it drags again.
    const { x, y } = await words.box('.part.auxiliarybar');
    await words.mouseDrag({ x: x - 1, y: y + 300 }, { x: x - 700, y: y + 300 });
    return (await fits()) > 850;
  });
  for (const theme of ['Dark High Contrast', 'Light High Contrast']) {
    await person.runCommand('Preferences: Color Theme');
    await words.type(theme);
    await listed(theme);
    await words.press('Enter');
    await until(theme, () => person.inPanel("document.body.className.includes('high-contrast')"));
    await person.picture(`moved-wide-${theme.split(' ')[0]?.toLowerCase()}`);
    await fits();
  }
}
