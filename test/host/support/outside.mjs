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

/** Asks until the answer is true, or fails. */
export async function until(what, ask, timeLimitMs = 20_000) {
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
        const isFound = async () =>
          (await words.texts('.quick-input-list .monaco-list-row.focused')).some((row) => row.includes(title));
        const found = await until(title, isFound, 1_500).catch(() => false);
        await words.press(found ? 'Enter' : 'Escape');
        return found;
      },
      40_000,
    );
  };
  return {
    inPanel,
    panelText,
    runCommand,
    started: () => words.waitFor('.monaco-workbench .part.statusbar', 60_000),
    async predict(script) {
      await runCommand('foretell.predict');
      await until('the input', async () =>
        (await words.texts('.quick-input-title')).some((text) => /Predict a command/.test(text)),
      );
      await words.type(script);
      await words.press('Enter');
      return until(`a prediction of ${script}`, () =>
        inPanel(`document.getElementById('command')?.value === ${JSON.stringify(script)} &&
          document.querySelector('main.panel[aria-busy=false]:not([data-loading])') &&
          document.querySelector('.verdict-line .level')?.textContent?.trim()`),
      );
    },
    clickInPanel: (button) =>
      until(`a button ${button}`, () =>
        inPanel(`(() => {
          const found = [...document.querySelectorAll('button')].find((one) => !one.disabled && one.textContent.trim() === ${JSON.stringify(button)});
          found?.click();
          return found !== undefined;
        })()`),
      ),
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
