// What the outside scripts share: they see the window as a person does, and have no part in VS Code.
import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));

/** What the palette calls a command: one of the extension by its id, so that no test repeats its words. */
function titleOf(command) {
  if (!command.startsWith('foretell.')) return command;
  const found = manifest.contributes.commands.find((one) => one.command === command);
  if (found === undefined) throw new Error(`no command ${command} in package.json`);
  return `${found.category}: ${found.title}`;
}

/** Asks until the answer is true, or fails: of several windows on two processors one may stand still for a minute. */
export async function until(what, ask, timeLimitMs = 120_000) {
  const end = Date.now() + timeLimitMs;
  let last;
  while (Date.now() < end) {
    try {
      last = await ask();
      if (last) return last;
    } catch (error) {
      last = error.message;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`waited in vain for: ${what}; last: ${last}`);
}

/** The window of one script, with the words that it needs. */
export function personAt({ page, words }) {
  const inPanel = (source) => words.evaluateInFrame('main.panel', source);
  const panelText = () => inPanel('document.body.innerText');
  /** The palette lists what is registered when it opens; an extension may be later. */
  const runCommand = (command) => {
    const title = titleOf(command);
    return until(
      `the command ${title}`,
      async () => {
        await words.press('F1');
        await words.waitFor('.quick-input-widget input');
        await words.type(title);
        // Others go on behind the same words: "Create New Terminal (With Profile)", "… in Editor Area".
        const isIts = (row) => row.includes(title) && !/^ [a-z(]/.test(row.slice(row.indexOf(title) + title.length));
        const isFound = async () => (await words.texts('.quick-input-list .monaco-list-row.focused')).some(isIts);
        let found = await until(title, isFound, 2_500).catch(() => false);
        // What was used of late stands first, also where it has only letters in common.
        for (let row = 1; !found && row < (await words.count('.quick-input-list .monaco-list-row')); row += 1) {
          await words.press('ArrowDown');
          found = await isFound();
        }
        await words.press(found ? 'Enter' : 'Escape');
        return found;
      },
      60_000,
    );
  };
  /** The verdict of this command, when it is there. */
  const predicted = (script) =>
    until(`a prediction of ${script}`, () =>
      inPanel(`document.getElementById('command')?.value === ${JSON.stringify(script)} &&
        document.querySelector('main.panel[aria-busy=false]:not([data-loading])') &&
        document.querySelector('.verdict-line .level')?.textContent?.trim()`),
    );
  /** The row with this text in the list that has dropped down. `isNext`: it is the one that Enter takes. */
  const listed = (text, { isNext = true } = {}) =>
    until(`${text} in the list`, async () =>
      (await words.texts(`.quick-input-list .monaco-list-row${isNext ? '.focused' : ''}`)).find((row) =>
        row.includes(text),
      ),
    );
  return {
    inPanel,
    panelText,
    runCommand,
    predicted,
    listed,
    /** The panel's text, its blanks as one, when this is in it. */
    shows: (pattern) =>
      until(`${pattern}`, async () => {
        const shown = (await panelText()).replaceAll(/\s+/g, ' ');
        if (!pattern.test(shown)) throw new Error(shown.slice(0, 2_000));
        return shown;
      }),
    /** Opens the file of this name by the keyboard. */
    async openFile(name) {
      await words.press('Control+p');
      await words.waitFor('.quick-input-widget input:focus');
      await words.type(name);
      await listed(name);
      await words.press('Enter');
      await words.waitFor(`[role=tab][aria-selected=true][data-resource-name="${name}"]`);
    },
    started: () => words.waitFor('.monaco-workbench .part.statusbar', 60_000),
    async predict(script) {
      await runCommand('foretell.predict');
      await until('the input', async () =>
        (await words.texts('.quick-input-title')).some((text) => /Predict a command/.test(text)),
      );
      await words.type(script);
      await words.press('Enter');
      return predicted(script);
    },
    clickInPanel: (button) =>
      until(`a button ${button}`, () =>
        inPanel(`(() => {
          const found = [...document.querySelectorAll('button')].find((one) => !one.disabled && one.textContent.trim() === ${JSON.stringify(button)});
          found?.click();
          return found !== undefined;
        })()`),
      ),
    /** By the keyboard: Tab from where it is, through the whole panel if need be, until a button with these words has it; then Enter. */
    async pressInPanel(button) {
      await runCommand('Focus on Foretell View');
      await until('the keyboard in the panel', () => inPanel('document.hasFocus()'));
      for (let steps = 0; steps < 80; steps += 1) {
        const name = await inPanel(
          "document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.innerText?.trim() ?? ''",
        );
        if (name === button) return words.press('Enter');
        await words.press('Tab');
      }
      throw new Error(`no Tab leads to ${button}`);
    },
    /** Goes down the menu that is open to an entry, and presses a key there. */
    async chooseInMenu(entry, key) {
      const focused = async () => (await words.texts('.monaco-menu .action-item.focused')).map((one) => one.trim());
      await until(`${entry} in the menu`, async () => {
        if ((await focused()).some((one) => one.startsWith(entry))) return true;
        await words.press('ArrowDown');
        return false;
      });
      await words.press(key);
    },
    /** What pops up goes after some seconds; the list behind the bell keeps it. */
    async notified(pattern, timeLimitMs) {
      const bell = '.statusbar-item[id="status.notifications"] a';
      return until(
        `a notification ${pattern}`,
        async () => {
          if ((await words.count('.notifications-center.visible')) === 0) await words.click(bell);
          return (await words.texts('.notifications-center.visible .notification-list-item')).find((text) =>
            pattern.test(text),
          );
        },
        timeLimitMs,
      );
    },
    picture: (name) => words.screenshot(`${process.env.FORETELL_PICTURES}/${name}.png`),
    page,
  };
}
