// Sequences and questions by the keyboard alone: nothing is clicked, and nothing in the page is given the keyboard by the test.
import assert from 'node:assert/strict';
import { personAt, until } from '../support/outside.mjs';

export async function drive(host) {
  const { words } = host;
  const person = personAt(host);
  await person.started();
  const hasKeyboard = (selector) =>
    until(`the keyboard in ${selector}`, () =>
      person.inPanel(`document.hasFocus() && document.activeElement?.matches(${JSON.stringify(selector)})`),
    );
  const verdictOf = (script) =>
    until(`a prediction of ${script}`, () =>
      person.inPanel(`document.getElementById('command')?.value === ${JSON.stringify(script)} &&
        document.querySelector('main.panel[aria-busy=false]:not([data-loading])') &&
        document.querySelector('.verdict-line .level')?.textContent?.trim()`),
    );
  // VS Code does Ctrl+A itself, some milliseconds later: nobody types as fast as this does.
  const anew = async () => {
    await words.press('End');
    await words.press('Shift+Home');
  };
  const shows = (pattern) => until(`${pattern}`, async () => pattern.test(await person.panelText()));

  await person.runCommand('Focus on Foretell View');
  await hasKeyboard('#command');
  await words.type('git switch -c tidy');
  await words.press('Enter');
  assert.equal(await verdictOf('git switch -c tidy'), 'SAFE');

  // What is predicted next stands on nothing, until somebody asks for it.
  await anew();
  await words.type('git branch --show-current');
  await words.press('Enter');
  await verdictOf('git branch --show-current');
  await shows(/OUTPUT[\s\S]*\nmain\n/);
  assert.doesNotMatch(await person.panelText(), /Starts after/);

  await anew();
  await words.type('git switch -c tidy');
  await words.press('Enter');
  await verdictOf('git switch -c tidy');
  await person.runCommand('foretell.continueFromHere');
  await hasKeyboard('#command');
  assert.equal(await person.inPanel("document.getElementById('command').value"), '');
  await shows(/Starts after git switch -c tidy/);
  await words.type('git branch --show-current');
  await words.press('Enter');
  await verdictOf('git branch --show-current');
  await shows(/OUTPUT[\s\S]*\ntidy\n/);
  await person.picture('keyboard-sequence');

  // Back to the step before: its link goes away, and the keyboard stays in the panel.
  await words.press('Shift+Tab');
  await words.press('Shift+Tab');
  await hasKeyboard('.link.code');
  await words.press('Enter');
  assert.equal(await verdictOf('git switch -c tidy'), 'SAFE');
  await hasKeyboard('#verdict, #command');
  assert.doesNotMatch(await person.panelText(), /Starts after/);

  await person.runCommand('Focus on Foretell View');
  await words.press('Shift+Tab');
  await until('the keyboard in the command', async () => {
    const isThere = await person.inPanel("document.activeElement?.id === 'command'");
    if (!isThere) await words.press('Shift+Tab');
    return isThere;
  });
  const asking = 'rm -i data/bergen.csv data/brest.csv';
  await anew();
  await words.type(asking);
  await words.press('Enter');
  await hasKeyboard('#answer');
  const status = async () => (await words.texts('.statusbar-item[id*="foretell.verdict"]')).join();
  await until('the status', async () => /Waits for your answer/.test(await status()));
  await words.type('y');
  await words.press('Enter');
  await shows(/It asks[\s\S]*brest\.csv/);
  await hasKeyboard('#answer');
  // What was asked and answered before stays in sight.
  await shows(/bergen\.csv'\? y/);
  await person.picture('keyboard-question');
  await words.type('n');
  await words.press('Enter');
  assert.equal(await verdictOf(asking), 'CAUTION');
  await shows(/Deletes 1 file/);
  await person.runCommand('foretell.predictAgain');
  await shows(/Answered as before, with 2.answers of yours/);
}
