// The lab by the keyboard alone: the tour to its end, and a log that is open becomes a trajectory. Nothing is clicked, and nothing in
// the page is given the keyboard by the test.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { personAt, until } from '../support/outside.mjs';

const cast = [
  '{"version": 2, "width": 80, "height": 24}',
  '[0.1, "o", "\\u001b]133;A\\u0007$ \\u001b]133;B\\u0007echo moored\\r\\n\\u001b]133;C\\u0007moored\\r\\n\\u001b]133;D;0\\u0007"]',
].join('\n');

export async function drive(host) {
  const { words, folder } = host;
  const person = personAt(host);
  await person.started();
  const inLab = (source) => words.evaluateInFrame('main.lab', source);
  const shows = (pattern) =>
    until(`${pattern}`, async () => {
      const shown = (await inLab('document.body.innerText')).replaceAll(/\s+/g, ' ');
      if (!pattern.test(shown)) throw new Error(shown.slice(0, 3_000));
      return shown;
    });
  const focused = () =>
    inLab(`(() => {
      const element = document.hasFocus() ? document.activeElement : undefined;
      return element?.getAttribute('aria-label') ?? element?.innerText?.trim() ?? '';
    })()`);
  /** Tab, or Shift+Tab, until something with this name has the keyboard. */
  const goTo = async (name, key = 'Tab') => {
    const seen = new Set();
    for (let steps = 0; steps < 150; steps += 1) {
      const at = await focused();
      if (at.startsWith(name)) return;
      seen.add(at);
      await words.press(key);
    }
    throw new Error(`no ${key} leads to ${name}: ${[...seen].join(' | ')}`);
  };
  const press = async (button) => {
    await goTo(button);
    await words.press('Enter');
  };
  const isAtRest = () => until('the end', () => inLab("document.querySelector('#predict:enabled') !== null"));
  /** Up and down the turns to one of them. */
  const chooseTurn = async (text) => {
    await goTo('Turns', 'Shift+Tab');
    await words.press('Home');
    await until(`the turn ${text}`, async () => {
      const row = await inLab(
        "document.getElementById(document.activeElement?.getAttribute('aria-activedescendant') ?? '')?.innerText ?? ''",
      );
      if (row.includes(text)) return true;
      await words.press('ArrowDown');
      return false;
    });
  };

  await person.runCommand('foretell.takeTour');
  await until('the turns', () => inLab("document.querySelectorAll('#turns .row').length === 6"));
  await until('the guide', async () => (await words.count('[role=tab][aria-label*="tour.md"]')) > 0);
  // The guide is read; the keyboard is where it is followed.
  await until('the keyboard in the lab', async () => (await focused()) !== '');
  await words.waitFor('h1:has-text("Ten minutes in the Lab")');
  await person.picture('keyboard-tour-begin');

  // 1. Predict a turn.
  await chooseTurn('wc -l');
  await press('Predict');
  await shows(/9 total/);
  await shows(/factual score 0\.\d+/);
  await isAtRest();
  await person.picture('keyboard-tour-predicted');

  // 2. Read the prompt.
  await press('Prompt');
  await shows(/system # Role/);
  await person.picture('keyboard-tour-prompt');

  // 3. What it costs: tokens, and what a server's cache has already read of the next one.
  await press('Model and effort');
  // The last message of the prompt, which has come into sight.
  await shows(/Work out step by step what this action does/);
  await shows(/Reply ≈ 113 tokens, 21 of them reasoning/);
  await chooseTurn('docs/missing.md');
  await press('Predict');
  await shows(/Turn 4 .*\bcached\b/);
  await isAtRest();
  await person.picture('keyboard-tour-cost');

  // 4. Several answers of the same turn.
  await chooseTurn('wc -l');
  await press('Samples');
  await shows(/2 distinct answers of 6 tries/);
  await isAtRest();
  await person.picture('keyboard-tour-samples');

  // 5. Another world.
  await chooseTurn('mkdir -p out');
  await press('Condition…');
  await until('the conditions', async () => (await words.count('.quick-input-widget input:focus')) > 0);
  await words.type('Disk full');
  await until('the condition', async () => (await words.count('.quick-input-list .monaco-list-row')) === 1);
  await words.press('ArrowDown');
  await words.press('Space');
  await until('it is chosen', async () =>
    /1 Selected/.test((await words.texts('.quick-input-count .monaco-count-badge, .quick-input-count')).join()),
  );
  await words.press('Enter');
  // The answer itself is in sight only while it comes; what is said of it stays.
  await shows(/under Disk full \(shown\)/);
  await isAtRest();
  await person.picture('keyboard-tour-condition');

  // 6. Another way: a branch of one's own, for which the script has no answer, and says so.
  const turns = () => inLab("[...document.querySelectorAll('#turns .row')].map((row) => row.innerText)");
  await chooseTurn('docs/missing.md');
  await press('Fork From Here');
  await until('the keyboard in the draft', async () => (await focused()) === 'Fork With This Action');
  // What the turn did is selected, and goes with the first letter.
  await words.type('cat docs/tables.md');
  await words.press('Control+Enter');
  await until('a turn more', async () => (await turns()).length === 7);
  await shows(/branch.*cat docs\/tables\.md/);
  await press('Predict');
  await shows(/The script knows the turns of the tour alone/);
  await isAtRest();
  await person.picture('keyboard-tour-fork');

  // 7. What was predicted wrongly: the filters above the list leave it, one after the other.
  const wrong = ['docs/missing.md', 'mkdir -p out'];
  for (const filter of ['Differs', 'Wrong exit code']) {
    await goTo(filter, 'Shift+Tab');
    await words.press('Enter');
    await until(`the turns by ${filter}`, async () => {
      const shown = await turns();
      return shown.length === wrong.length && wrong.every((turn, index) => shown[index].includes(turn));
    });
    await person.picture(`keyboard-tour-${filter.split(' ')[0].toLowerCase()}`);
    await goTo(filter, 'Shift+Tab');
    await words.press('Enter');
    await until('all turns again', async () => (await turns()).length === 7);
  }

  // With a log of one's own: the one that is open.
  await writeFile(path.join(folder, 'agent.cast'), cast);
  await person.openFile('agent.cast');
  await person.runCommand('foretell.importTrajectory');
  await until('where to', async () => (await words.count('.quick-input-widget input:focus')) > 0);
  await person.picture('keyboard-import-target');
  await words.press('Enter');
  await words.waitFor('[role=tab][aria-selected=true][data-resource-name="agent.trajectory.jsonl"]');
  assert.match(await readFile(path.join(folder, 'agent.trajectory.jsonl'), 'utf8'), /echo moored/);
  await person.picture('keyboard-imported');
}
