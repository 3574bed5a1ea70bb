// Where HISTCONTROL is set, as on Debian, bash tells VS Code the first command of a line alone: no part of a line is recorded as if
// it were the whole, and what was left out is counted.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { personAt, until } from '../support/outside.mjs';

export const environment = { FORETELL_HISTCONTROL: 'ignoreboth' };

const lines = [
  'sleep 1; seq 2',
  'echo a>tide.txt && cat tide.txt | wc -l',
  'for x in 1 2; do sleep 1; done',
  'echo one',
  'ls',
];

export async function drive(host) {
  const { words, folder } = host;
  const person = personAt(host);
  await person.started();
  const scripts = () =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.trajectory.jsonl'))
      .flatMap((name) => readFileSync(path.join(folder, name), 'utf8').split('\n'))
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line).action.script);

  await person.runCommand('foretell.recordTerminal');
  await words.waitFor('.monaco-dialog-box');
  await words.click('.monaco-dialog-box a:text-is("Record"), .monaco-dialog-box button:text-is("Record")');
  const item = '.statusbar-item[id*="foretell.recording"]';
  await words.waitFor(item);
  await person.runCommand('Terminal: Create New Terminal');
  await until('a prompt', async () => (await words.count('.terminal-wrapper.active .xterm-rows')) > 0);
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  for (const line of [...lines, ' echo not-for-the-history']) {
    await words.type(line);
    await words.press('Enter');
    await new Promise((resolve) => setTimeout(resolve, 4_000));
  }
  await words.click(`${item} a`);
  await until('no item', async () => (await words.count(item)) === 0);
  const recorded = scripts();
  for (const script of recorded) assert.ok(lines.includes(script), `${script} is no whole line`);
  const said = await person.notified(/recorded in/);
  const leftOut = Number(/(\d+) lines? (?:is|are) left out/.exec(said)?.[1] ?? 0);
  console.log(`  ${recorded.length} of ${lines.length} lines recorded, ${leftOut} left out`);
  // Nothing is said of what is not to be remembered, or it is counted as one that is not known.
  assert.ok([lines.length, lines.length + 1].includes(recorded.length + leftOut));
}
