import assert from 'node:assert/strict';
import { test } from '../runner.ts';
import { drive, picture, press, runCommand, shownFor, until } from '../window.ts';

test('a command of the project is chosen by its words and predicted, by keyboard alone', async () => {
  const choosing = runCommand('foretell.predictProjectCommand');
  const rows = await until('the list', async () => {
    const texts = (await drive('texts', '.quick-input-list .monaco-list-row')) as string[];
    return texts.length > 3 && texts;
  });
  assert.match(rows.join('\n'), /package\.json|Makefile|README\.md/);
  await picture('project-commands');
  await drive('type', 'git clean -fdx');
  await until('the row', async () => {
    const [focused = ''] = (await drive('texts', '.quick-input-list .monaco-list-row.focused')) as string[];
    return focused.includes('git clean -fdx');
  });
  await press('Enter');
  await choosing;
  assert.equal((await shownFor('git clean -fdx')).verdict, 'DANGER');
});
