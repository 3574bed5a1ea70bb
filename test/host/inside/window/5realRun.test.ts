import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { appendFile, readFile, rm } from 'node:fs/promises';
import { test } from '../runner.ts';
import { clickInPanel, drive, inPanel, inProject, panelText, picture, predict, runCommand, until } from '../window.ts';

/** Waits until the panel shows what was observed. */
async function observed(pattern: RegExp): Promise<string> {
  return until(`what was observed: ${pattern}`, async () => {
    const text = await panelText();
    return pattern.test(text) ? text : undefined;
  });
}

test('real run: it came out as predicted', async () => {
  await predict('cp README.md COPY.md && wc -l COPY.md');
  await clickInPanel('Run for Real');
  await until('the file', () => existsSync(inProject('COPY.md')));
  const text = await observed(/as predicted|agree/i);
  await picture('observed');
  assert.doesNotMatch(text, /not predicted/);
});

test('real run: several lines go through a file', async () => {
  await predict('mkdir -p log\nfor day in 1 2 3; do\n  echo "day $day" > log/$day\ndone\ncat log/*');
  await clickInPanel('Run for Real');
  await until('the files', () => existsSync(inProject('log/3')));
  await observed(/as predicted|agree/i);
  assert.equal(await readFile(inProject('log/2'), 'utf8'), 'day 2\n');
});

test('real run: what was only assumed shows its difference', async () => {
  await predict('npm run build');
  await clickInPanel('Run for Real');
  const text = await observed(/not predicted/);
  await picture('observed-differs');
  const headline = await inPanel<string>("document.querySelector('.verdict-line .level')?.textContent?.trim()");
  assert.equal(headline, 'DIFFERS');
  assert.match(String(await drive('text', '.statusbar-item[id*="foretell.verdict"]')), /Differs/);
  assert.match(text, /ports\.json/);
});

test('real run: what has changed since is predicted again first', async () => {
  await predict('cat server.log');
  await appendFile(inProject('server.log'), 'a line more\n');
  await clickInPanel('Run for Real');
  const text = await observed(/Something has changed since/);
  assert.match(text, /a line more/);
  await clickInPanel('Run Anyway');
  await observed(/as predicted|agree/i);
});

test('real run: a dangerous command is asked about, and without an answer it is not run', async () => {
  await predict('rm -rf docs');
  await clickInPanel('Run for Real');
  // VS Code shows no dialog to a test run; the dialog itself is tried from outside.
  await observed(/could not ask, so nothing was run/);
  assert.ok(existsSync(inProject('docs/notes.md')));
});

test('apply: the predicted result is put in place in the stead of running the command', async () => {
  await rm(inProject('APPLIED.md'), { force: true });
  await predict('tr a-z A-Z < README.md > APPLIED.md');
  await runCommand('foretell.applyPrediction');
  await until('the file', () => existsSync(inProject('APPLIED.md')));
  await observed(/as predicted|agree/i);
  const upper = (await readFile(inProject('README.md'), 'latin1')).replace(/[a-z]+/g, (word) => word.toUpperCase());
  assert.equal(await readFile(inProject('APPLIED.md'), 'latin1'), upper);
});
