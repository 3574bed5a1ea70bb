import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { change, shows, withFiles } from '../edits.ts';
import { test } from '../runner.ts';
import {
  answerInPanel,
  clickInPanel,
  inPanel,
  inProject,
  panelText,
  picture,
  predict,
  runCommand,
  shownFor,
  until,
  withSetting,
} from '../window.ts';

const files = { 'unsaved/list.txt': 'on disk\n', 'unsaved/other.txt': 'on disk\n' };
/** It goes on while somebody is asked, however fast the machine. */
const asks = 'rm -i unsaved/asked.txt';
const asked = { 'unsaved/asked.txt': 'asked\n' };
const banner = () => inPanel<string>("document.querySelector('.banner')?.innerText ?? ''");

test('unsaved: a file that the command reads is named, saved and predicted again', () =>
  withFiles(files, async () => {
    await change('unsaved/list.txt', 'in the editor\n');
    const shown = await predict('cat unsaved/list.txt');
    assert.match(shown.output, /on disk/);
    await shows(/unsaved\/list\.txt has unsaved changes, which are not in this prediction/);
    await picture('unsaved');
    await clickInPanel('Save and Predict Again');
    await until('the other text', async () => /in the editor/.test((await shownFor('cat unsaved/list.txt')).output));
    assert.equal(await readFile(inProject('unsaved/list.txt'), 'utf8'), 'in the editor\n');
    assert.doesNotMatch(await panelText(), /unsaved changes/);
  }));

test('unsaved: what is saved while the command runs may have been read before, and that is said', () =>
  withFiles({ 'unsaved/meanwhile.txt': 'on disk\n' }, async () => {
    const document = await change('unsaved/meanwhile.txt', 'in the editor\n');
    const script = 'cat unsaved/meanwhile.txt; seq 100000 | sort -R | wc -l';
    // The command may end with the prediction.
    const predicting = runCommand('foretell.predict', script);
    await shows(/predicting/i);
    assert.ok(await document.save(), 'VS Code saves it');
    await predicting;
    await shownFor(script);
    await shows(/unsaved\/meanwhile\.txt was saved while this was predicted: it may have read what was on disk before/);
    await clickInPanel('Predict Again');
    await until('the saved text', async () => /in the editor/.test((await shownFor(script)).output));
    await until('nothing of a saved file', async () => !/was saved/.test(await banner()));
  }));

/** What takes an editor back to what is on disk; in the editor that is in front. */
const waysBack = { undo: 'undo', 'File > Revert': 'workbench.action.files.revert' };

for (const [name, command] of Object.entries(waysBack)) {
  // Files of their own: VS Code keeps what could be undone in a file that was closed.
  const file = (part: string) => `unsaved/${part}-${command}.txt`;

  test(`unsaved: ${name} while the command runs leaves nothing to say: it saw what the editor shows`, () =>
    withFiles({ [file('during')]: 'on disk\n', ...asked }, async () => {
      const document = await change(file('during'), 'in the editor\n');
      const script = `cat ${file('during')}; ${asks}`;
      const predicting = runCommand('foretell.predict', script);
      await shows(/remove regular file/);
      await vscode.window.showTextDocument(document);
      await runCommand(command);
      await until('what is on disk in the editor', () => {
        if (document.isDirty || document.getText() !== 'on disk\n') throw new Error(document.getText());
        return true;
      });
      await answerInPanel('y');
      await predicting;
      const shown = await shownFor(script);
      assert.match(shown.output, /on disk/);
      assert.equal(await banner(), '');
    }));

  test(`unsaved: ${name} afterwards takes away what was said`, () =>
    withFiles({ [file('afterwards')]: 'on disk\n' }, async () => {
      const document = await change(file('afterwards'), 'in the editor\n');
      await predict(`cat ${file('afterwards')}`);
      await shows(/\.txt has unsaved changes/);
      await vscode.window.showTextDocument(document);
      await runCommand(command);
      await until('nothing unsaved', () => !document.isDirty);
      await until('no word of it', async () => (await banner()) === '');
    }));
}

test('unsaved: what is saved afterwards is not called unsaved', () =>
  withFiles({ 'unsaved/later.txt': 'on disk\n' }, async () => {
    const document = await change('unsaved/later.txt', 'in the editor\n');
    await predict('cat unsaved/later.txt');
    await shows(/unsaved\/later\.txt has unsaved changes/);
    assert.ok(await document.save(), 'VS Code saves it');
    await shows(/unsaved\/later\.txt was saved since: this prediction read what was on disk before/);
    assert.doesNotMatch(await banner(), /unsaved changes/);
    await picture('saved-since');
    await clickInPanel('Predict Again');
    await until('the saved text', async () => /in the editor/.test((await shownFor('cat unsaved/later.txt')).output));
    await until('nothing of a saved file', async () => (await banner()) === '');
  }));

test('unsaved: several files below the folder of the command', () =>
  withFiles(files, async () => {
    await change('unsaved/list.txt', 'a\n');
    await change('unsaved/other.txt', 'b\n');
    await predict('grep -r disk .');
    await shows(/unsaved\/list\.txt, unsaved\/other\.txt have unsaved changes/);
  }));

test('unsaved: a file named by a redirection', () =>
  withFiles(files, async () => {
    await change('unsaved/list.txt', 'a\n');
    await predict('while read -r line; do echo "$line"; done < unsaved/list.txt');
    await shows(/unsaved\/list\.txt has unsaved changes/);
  }));

test('unsaved: a patch of a file with unsaved changes', () =>
  withFiles(files, async () => {
    await change('unsaved/list.txt', 'a\n');
    await runCommand(
      'foretell.predictPatch',
      '--- a/unsaved/list.txt\n+++ b/unsaved/list.txt\n@@ -1 +1 @@\n-on disk\n+new\n',
    );
    await shows(/unsaved\/list\.txt has unsaved changes/);
  }));

test('unsaved: nothing is said of what has no part in it', () =>
  withFiles(files, async () => {
    await change('unsaved/list.txt', 'a\n');
    await predict('cat README.md', '/');
    await predict('echo hello');
    assert.doesNotMatch(await banner(), /unsaved/);
    await runCommand('foretell.predictUnsaved');
    await shows(/Save list\.txt/);
    assert.doesNotMatch(await banner(), /unsaved changes, which/);
    assert.ok(vscode.workspace.textDocuments.some((one) => one.isDirty));
  }));

test('a question waits for its answer longer than the time limit', async () => {
  await withSetting('foretell.limits.seconds', 2, async () => {
    await runCommand('foretell.predict', 'rm -i LICENSE');
    await until('the question', async () => /remove regular file/.test(await panelText()));
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    assert.match(await panelText(), /WAITING/);
    await answerInPanel('y');
    const shown = await shownFor('rm -i LICENSE');
    assert.doesNotMatch(shown.text, /still running|time limit/);
    assert.match(shown.text, /1 deleted|Deletes 1 file|LICENSE/);
  });
});
