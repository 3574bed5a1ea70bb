import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { chooseRow, clickInLab, inLab, labShows } from '../lab.ts';
import { test } from '../runner.ts';
import { drive, picture, runCommand, until } from '../window.ts';

test('the tour shows prompt, tokens, cache and scores without a model of one’s own', async () => {
  await runCommand('workbench.action.closeAllEditors');
  await runCommand('foretell.takeTour');
  await until('the turns', () => inLab<boolean>("document.querySelectorAll('#turns .row').length === 6"));
  await until('the guide', () =>
    vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).some(({ label }) => /tour\.md/.test(label)),
  );
  await chooseRow('wc -l');
  await clickInLab('Predict');
  await labShows(/9 total/);
  await labShows(/score 0\.\d+/);
  await until('the end', () => inLab<boolean>("document.querySelector('#predict:enabled') !== null"));
  await chooseRow('docs/missing.md');
  await clickInLab('Predict');
  await until('the numbers, with what was cached', () =>
    inLab<boolean>(
      "document.querySelector('#fold-numbers[aria-expanded=false]')?.click(), /cached/.test(document.body.innerText)",
    ),
  );
  await until('the end', () => inLab<boolean>("document.querySelector('#predict:enabled') !== null"));
  await picture('tour');
  await clickInLab('Samples');
  await labShows(/distinct answers of \d/);
  // Nothing of the user's settings was touched.
  assert.equal(vscode.workspace.getConfiguration('foretell.model').get('provider'), 'none');
});

test('the tour begins anew with a fresh trajectory', async () => {
  await runCommand('foretell.takeTour');
  await until('six turns without a score', () =>
    inLab<boolean>(
      "document.querySelectorAll('#turns .row').length === 6 && !/score \\d/.test(document.body.innerText)",
    ),
  );
  await drive('resize', 1400, 900);
  await runCommand('workbench.action.closeAllEditors');
});
