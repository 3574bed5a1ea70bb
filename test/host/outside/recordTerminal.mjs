// Terminal commands are recorded with consent: the dialog says what and where, the status bar that it happens, and the
// file has the commands that were run until it is stopped, without secrets.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { personAt, until } from '../support/outside.mjs';

const token = `ghp_${'a1B2'.repeat(9)}`;

export async function drive(host) {
  const { words, folder } = host;
  const person = personAt(host);
  await person.started();
  const files = () => readdirSync(folder).filter((name) => name.endsWith('.trajectory.jsonl'));
  const steps = () =>
    files().flatMap((name) =>
      readFileSync(path.join(folder, name), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    );

  await person.runCommand('foretell.recordTerminal');
  await words.waitFor('.monaco-dialog-box');
  assert.match(await words.text('.monaco-dialog-box'), /what it printed[\s\S]*Secrets[\s\S]*\.trajectory\.jsonl/);
  await person.picture('record-consent');
  await words.press('Escape');
  await until('no dialog', async () => (await words.count('.monaco-dialog-box')) === 0);
  assert.deepEqual(files(), []);

  await person.runCommand('foretell.recordTerminal');
  await words.waitFor('.monaco-dialog-box');
  await words.click('.monaco-dialog-box a:text-is("Record"), .monaco-dialog-box button:text-is("Record")');
  const item = '.statusbar-item[id*="foretell.recording"]';
  await words.waitFor(item);

  await person.runCommand('Terminal: Create New Terminal');
  // The shell is ready when its integration has found its way into it.
  await until('a prompt', async () => (await words.count('.terminal-wrapper.active .xterm-rows')) > 0);
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  // One after the other is over: what is typed meanwhile would be echoed into the output of the one that runs.
  for (const [index, command] of ['echo one two', 'false', `echo ${token}`, 'cd docs', 'sleep 1; seq 2'].entries()) {
    await words.type(command);
    await words.press('Enter');
    await until(`${command} is recorded`, () => steps().length === index + 1);
  }
  await person.picture('recording');
  // The file is written first.
  await until('5 commands in the status bar', async () => /Recording 5 commands/.test(await words.text(item)));
  await words.click(`${item} a`);
  await until('no item', async () => (await words.count(item)) === 0);
  await words.type('echo after');
  await words.press('Enter');
  await new Promise((resolve) => setTimeout(resolve, 1_500));

  const recorded = steps();
  assert.deepEqual(
    recorded.map(({ action }) => action.script),
    ['echo one two', 'false', 'echo [redacted: github-token]', 'cd docs', 'sleep 1; seq 2'],
  );
  assert.deepEqual(
    recorded.map(({ observation }) => observation.facts.exitCode),
    [0, 1, 0, 0, 0],
  );
  // Of a command that is over in a moment VS Code often does not tell the output; then the step says so.
  const told = recorded.filter(({ observation }) => observation.known.includes('output'));
  const printed = {
    'echo one two': 'one two\n',
    'echo [redacted: github-token]': '[redacted: github-token]\n',
    'sleep 1; seq 2': '1\n2\n',
  };
  assert.ok(told.some(({ action }) => action.script === 'sleep 1; seq 2'));
  for (const { action, observation } of told) assert.equal(observation.text, printed[action.script] ?? '');
  assert.deepEqual(
    recorded.map(({ action }) => path.relative(folder, action.cwd)),
    ['', '', '', '', 'docs'],
  );
  assert.deepEqual(
    recorded.map(({ after }) => after),
    [undefined, ...recorded.slice(0, 4).map(({ id }) => id)],
  );
  for (const { context } of recorded) assert.match(context.digest, /^[0-9a-f]{64}$/);
}
