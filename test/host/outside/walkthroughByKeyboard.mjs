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
  const aMoment = () => new Promise((resolve) => setTimeout(resolve, 600));
  /** Tab until what has the keyboard says this, and keeps it: a step that has just been opened takes it for itself. */
  const goTo = (pattern) =>
    until(`the keyboard on ${pattern}`, async () => {
      if (!pattern.test(await focused())) {
        await words.press('Tab');
        return false;
      }
      await aMoment();
      return pattern.test(await focused());
    });
  /** What asks for something has the keyboard, and keeps it: where it loses the keyboard, it goes. */
  const asked = (what) =>
    until(what, async () => (await words.count('.quick-input-widget input:focus')) > 0)
      .then(aMoment)
      .then(async () => assert.equal(await words.count('.quick-input-widget input:focus'), 1, `${what} has gone`));
  const opened = async () => (await words.texts('.getting-started-step.expanded .step-title')).join();

  await person.runCommand('Open Walkthrough');
  await until('the list of walkthroughs', async () => (await words.count('.quick-input-widget input:focus')) > 0);
  await words.type('Look before you run');
  await person.listed('Look before you run');
  await words.press('Enter');
  await until('the first step', async () => /Predict a command/.test(await opened()));
  await person.picture('keyboard-walkthrough');

  await goTo(/monaco-button .*Predict a Command$/);
  await words.press('Enter');
  await asked('the input');
  await words.press('Escape');

  // Each step opens by its heading; what it offers comes next.
  await goTo(/selectTask:.*#own/);
  await words.press('Enter');
  await until('the last step', async () => /your own project/.test(await opened()));
  await goTo(/monaco-button .*Predict Project Command$/);
  await words.press('Enter');
  await asked('the list of commands');
  await words.type('git clean -fdx');
  await person.listed('git clean -fdx');
  await words.press('Enter');
  assert.equal(await person.predicted('git clean -fdx'), 'DANGER');
  await person.picture('keyboard-walkthrough-own');
}
