import assert from 'node:assert/strict';
import os from 'node:os';
import { test } from '../runner.ts';
import { panelText, predict, until } from '../window.ts';

test('without a folder a command is predicted in the home directory', async () => {
  const shown = await predict('pwd');
  assert.equal(shown.verdict, 'SAFE');
  const text = await until('the output', async () => {
    const all = await panelText();
    return all.includes(os.homedir()) ? all : undefined;
  });
  assert.match(text, /exit code 0/);
});
