// The walkthrough by the keyboard alone, from the palette to a prediction in the user's own project. Nothing is clicked, and nothing in
// the page is given the keyboard by the test.
import assert from 'node:assert/strict';
import { personAt, until } from '../support/outside.mjs';

export async function drive(host) {
  const { words } = host;
  const person = personAt(host);
  await person.started();
  const focused = () =>
    words.evaluate(`(() => {
      const element = document.activeElement;
      return [element?.getAttribute('x-dispatch'), element?.className, element?.innerText].join(' ').trim();
    })()`);
  /** Tab until what has the keyboard says this. */
  const goTo = (pattern) =>
    until(`the keyboard on ${pattern}`, async () => {
      if (pattern.test(await focused())) return true;
      await words.press('Tab');
      return false;
    });
  const opened = async () => (await words.texts('.getting-started-step.expanded .step-title')).join();

  await person.runCommand('Open Walkthrough');
  await until('the list of walkthroughs', async () => (await words.count('.quick-input-widget input:focus')) > 0);
  await words.type('Look before you run');
  await person.listed('Look before you run');
  await words.press('Enter');
  await until('the first step', async () => /Predict a command/.test(await opened()));
  await person.picture('keyboard-walkthrough');

  // Each step opens by its heading; what it offers comes next.
  await goTo(/selectTask:.*#own/);
  await words.press('Enter');
  await until('the last step', async () => /your own project/.test(await opened()));
  await goTo(/monaco-button .*Predict Project Command$/);
  await words.press('Enter');
  await until('the list of commands', async () => (await words.count('.quick-input-widget input:focus')) > 0);
  await words.type('git clean -fdx');
  await person.listed('git clean -fdx');
  await words.press('Enter');
  assert.equal(await person.predicted('git clean -fdx'), 'DANGER');
  await person.picture('keyboard-walkthrough-own');
}
