// Finding and returning, by keyboard alone: Ctrl+F over files and output, copies, and what was predicted before, also after
// the window was loaded again.
import assert from 'node:assert/strict';
import { personAt, until } from '../support/outside.mjs';

const script = "mkdir pier && seq 1 300 | sed 's|^|pier/buoy|' | xargs touch && seq -f 'buoy %g' 1 5000";

export async function drive(host) {
  const { words } = host;
  const person = personAt(host);
  await person.started();
  await person.predict(script);
  const focus = async (id) => {
    await person.runCommand('Focus on Foretell View');
    await until(`the keyboard in ${id}`, () =>
      person.inPanel(`(document.getElementById('${id}')?.focus(), document.activeElement?.id === '${id}')`),
    );
  };

  await focus('command');
  await words.press('Control+f');
  await until('the box for what is looked for', () => person.inPanel("document.activeElement?.id === 'find'"));
  await words.type('buoy 4999');
  const count = () => person.inPanel("document.querySelector('.find-count')?.textContent");
  await until('the line far out of sight', async () => (await count()) === '1 of 1');
  await person.picture('find-line');
  await words.press('Control+a');
  await words.type('buoy300');
  await until('the file', async () => (await count()) === '1 of 1');
  await person.picture('find-file');
  await words.press('Escape');

  const copied = async (entry, beginning) => {
    await person.clickInPanel('Copy');
    await person.clickInPanel(entry);
    return until(entry, async () => {
      const text = await words.readClipboard();
      return text.startsWith(beginning) && text;
    });
  };
  const markdown = await copied('Copy as Markdown', '**SAFE**');
  // What is left out is counted: 300 files and their folder.
  const [, more] = /and (\d+) more path/.exec(markdown) ?? [];
  const named = markdown.match(/^- A .*pier/gm) ?? [];
  assert.equal(named.length + Number(more ?? 0), 301, 'all files are named or counted');
  const transcript = await copied('Copy as Shell Transcript', '# Predicted by Foretell');
  assert.match(transcript, /^\$ mkdir pier/m);
  assert.ok(transcript.includes('\nbuoy 1\n') && transcript.includes('\nbuoy 5000'), 'the output is in the transcript');

  await person.predict('ls data');
  // A window that is loaded again keeps what it was given some moments before.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await words.reload();
  await person.started();
  await person.runCommand('Focus on Foretell View');
  await until('the panel', () => person.inPanel("document.getElementById('past') !== null"));
  await focus('command');
  const typed = () => person.inPanel("document.getElementById('command').value");
  await person.inPanel("document.getElementById('command').select()");
  await words.press('Delete');
  await words.press('ArrowUp');
  await until('the last command', async () => (await typed()) === 'ls data');
  await words.press('ArrowUp');
  await until('the one before', async () => (await typed()) === script);
  await focus('past');
  await words.press('Enter');
  await until('the list', async () =>
    /caution|safe/.test(await person.inPanel("document.querySelector('.menu.past')?.innerText")),
  );
  await person.picture('earlier-after-reload');
  await words.press('Enter');
  await until('the prediction', () =>
    person.inPanel("document.querySelector('.verdict-line .level')?.textContent?.trim()"),
  );
}
