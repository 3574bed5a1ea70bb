import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { shownEdit, shows, withFiles } from '../edits.ts';
import { after, before, diff, files, list } from '../listEdit.ts';
import { test } from '../runner.ts';
import { clickInPanel, drive, inProject, picture, runCommand, sleep, until } from '../window.ts';

test('edit: Refactor Preview lets the user choose, and nothing is applied without an answer', () =>
  withFiles(files, async () => {
    await runCommand('foretell.predictPatch', diff);
    await shownEdit('Patch');
    await clickInPanel('Choose…');
    await drive('waitFor', '.bulk-edit-panel');
    await picture('edit-choose');
    assert.equal(await list(), before);
    await runCommand('refactorPreview.discard');
    await sleep(300);
    assert.equal(await list(), before);
    await runCommand('foretell.panel.focus');
    await shows(/Nothing was applied/);
  }));

test('edit: Refactor Preview begins with everything chosen, and Apply applies just that', () =>
  withFiles(files, async () => {
    await runCommand('foretell.predictPatch', diff);
    await shownEdit('Patch');
    await clickInPanel('Choose…');
    await drive('waitFor', '.bulk-edit-panel');
    await until(
      'the chosen file',
      async () =>
        Number(
          await drive(
            'count',
            '.bulk-edit-panel input:checked, .bulk-edit-panel .monaco-checkbox.checked, .bulk-edit-panel .codicon-check',
          ),
        ) > 0,
    );
    await picture('edit-choose-all');
    await runCommand('refactorPreview.apply');
    await until('the edit on disk', async () => (await list()) === after);
    await runCommand('foretell.panel.focus');
    await shows(/1 path as predicted/);
  }));

test('edit: Refactor Preview applies what is left of the choice, and the rest is told as different', () =>
  withFiles(files, async () => {
    const changes = [
      { path: inProject('edits/list.txt'), after },
      { path: inProject('edits/fresh.txt'), after: 'fresh\n' },
    ];
    await runCommand('foretell.predictPatch', JSON.stringify({ kind: 'edit', changes }));
    await shownEdit('Edit');
    await clickInPanel('Choose…');
    await drive('waitFor', '.bulk-edit-panel');
    const row = '.bulk-edit-panel .monaco-list-row:has-text("list.txt")';
    await drive('waitFor', row);
    await drive('click', `${row} .edit-checkbox`);
    await runCommand('refactorPreview.apply');
    await until('the new file on disk', () => existsSync(inProject('edits/fresh.txt')));
    assert.equal(await list(), before);
    await runCommand('foretell.panel.focus');
    await shows(/DIFFERS/);
  }));
