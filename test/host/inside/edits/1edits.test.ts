import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import {
  answerInput,
  change,
  changeEditText,
  clickFile,
  inExplorerMenu,
  revertAll,
  shownEdit,
  shows,
  snapshot,
  withFiles,
} from '../edits.ts';
import { after, before, diff, files, list } from '../listEdit.ts';
import { test } from '../runner.ts';
import {
  clickInPanel,
  drive,
  inPanel,
  inProject,
  open,
  picture,
  press,
  runCommand,
  shownFor,
  until,
} from '../window.ts';

/** Nothing on disk is another thing afterwards. */
async function changesNothing(during: () => Promise<void>): Promise<void> {
  const then = await snapshot();
  await during();
  assert.deepEqual(await snapshot(), then);
}

test('edit: unsaved changes of all editors', () =>
  withFiles(files, async () => {
    await change('edits/list.txt', after);
    await change('edits/other.txt', 'changed\n');
    await changesNothing(async () => {
      await runCommand('foretell.predictUnsaved');
      const shown = await shownEdit('Save 2 unsaved editors');
      assert.match(shown.text, /list\.txt/);
      assert.match(shown.text, /other\.txt/);
      await shows(/\+3\s+−2/);
    });
  }));

test('edit: unsaved changes of one editor, saved for real', () =>
  withFiles(files, async () => {
    await change('edits/other.txt', 'changed\n');
    const document = await change('edits/list.txt', after);
    await runCommand('foretell.predictUnsavedEditor', document.uri);
    await shownEdit('Save list.txt');
    await clickInPanel('Apply for Real');
    await shows(/1 path as predicted/);
    assert.equal(await list(), after);
    assert.equal(await readFile(inProject('edits/other.txt'), 'utf8'), 'other two\n');
  }));

test('edit: an editor that has changed since is not saved', () =>
  withFiles(files, async () => {
    await change('edits/list.txt', after);
    await runCommand('foretell.predictUnsaved');
    await shownEdit('Save list.txt');
    await change('edits/list.txt', 'something else\n');
    await clickInPanel('Apply for Real');
    await shows(/An editor has changed since/);
    assert.equal(await list(), before);
  }));

test('edit: a selected patch, by key', () =>
  withFiles({ ...files, 'edits/chat.md': `Try this:\n\n\`\`\`diff\n${diff}\`\`\`\n` }, async () => {
    await open('edits/chat.md', diff);
    await changesNothing(async () => {
      await press('Alt+p');
      const shown = await shownEdit('Patch');
      assert.match(shown.text, /list\.txt/);
      await shows(/\+2\s+−1/);
    });
  }));

test('edit: a Markdown fence with a patch', () =>
  withFiles({ ...files, 'edits/chat.md': `Try this:\n\n\`\`\`diff\n${diff}\`\`\`\n` }, async () => {
    await open('edits/chat.md', `\`\`\`diff\n${diff}\`\`\``);
    await runCommand('foretell.predictSelection');
    await shownEdit('Patch');
  }));

test('edit: a patch file of the Explorer', () =>
  withFiles({ ...files, 'edits/fix.patch': diff }, async () => {
    await runCommand('foretell.predictPatch', vscode.Uri.file(inProject('edits/fix.patch')));
    const shown = await shownEdit('Patch');
    assert.match(shown.output, /patching file/);
  }));

test('edit: a patch from the clipboard', () =>
  withFiles(files, async () => {
    await runCommand('workbench.action.closeAllEditors');
    await vscode.env.clipboard.writeText(diff);
    await runCommand('foretell.predictPatch');
    await shownEdit('Patch');
  }));

test('edit: an agent’s edit call', () =>
  withFiles(files, async () => {
    const call = {
      name: 'Edit',
      input: { file_path: inProject('edits/list.txt'), old_string: 'two', new_string: 'TWO' },
    };
    await vscode.env.clipboard.writeText(JSON.stringify(call));
    await runCommand('foretell.predictPatch');
    const shown = await shownEdit('Edit call: Edit');
    assert.match(shown.text, /\+1|list\.txt/);
  }));

test('edit: a call of an agent that is named answers in its words', () =>
  withFiles(files, async () => {
    await open('edits/list.txt');
    const input = { file_path: inProject('edits/list.txt'), old_string: 'two', new_string: 'TWO' };
    await runCommand('workbench.action.closeAllEditors');
    await vscode.env.clipboard.writeText(JSON.stringify({ name: 'Edit', input }));
    await runCommand('foretell.predictCallOf', 'claude@2.1.330');
    const shown = await shownEdit('Edit call: Edit');
    assert.match(shown.output, /has been updated successfully/);
  }));

test('edit: a text that is no edit is said to be none', () =>
  withFiles({ 'edits/list.txt': before }, async () => {
    await runCommand('workbench.action.closeAllEditors');
    await vscode.env.clipboard.writeText('rm -rf dist');
    await runCommand('foretell.predictPatch');
    await shows(/There is no patch and no edit call/);
  }));

test('edit: deleting, from the menu of the Explorer', async () => {
  await changesNothing(async () => {
    await inExplorerMenu('README.md', 'Predict Deleting');
    const shown = await shownEdit('Delete README.md');
    assert.match(shown.text, /README\.md/);
    await runCommand('foretell.discard');
  });
});

test('edit: deleting several files, what is lost is said', () =>
  withFiles(files, async () => {
    await changesNothing(async () => {
      const chosen = Object.keys(files).map((file) => vscode.Uri.file(inProject(file)));
      await runCommand('foretell.predictDelete', chosen[0], chosen);
      const shown = await shownEdit('Delete 2 paths');
      assert.equal(shown.verdict, 'DANGER');
    });
  }));

test('edit: renaming, applied and compared', () =>
  withFiles(files, async () => {
    void runCommand('foretell.predictRename', vscode.Uri.file(inProject('edits/other.txt')));
    await answerInput(/Predict renaming/, 'another.txt');
    await shownEdit('Rename other.txt to another.txt');
    assert.ok(existsSync(inProject('edits/other.txt')));
    await clickInPanel('Apply for Real');
    await shows(/as predicted/);
    assert.ok(!existsSync(inProject('edits/other.txt')));
    assert.equal(await readFile(inProject('edits/another.txt'), 'utf8'), 'other two\n');
  }));

test('edit: moving a folder', () =>
  withFiles({ ...files, 'edits/deep/a.txt': 'a\n', 'edits/deep/b.txt': 'b\n' }, async () => {
    await runCommand('foretell.predictMove', vscode.Uri.file(inProject('edits/deep')), [], inProject('edits/there'));
    const shown = await shownEdit('Move deep to edits/there');
    assert.match(shown.text, /2 (?:files )?renamed|renamed/);
    await clickInPanel('Apply for Real');
    await shows(/as predicted/);
    assert.equal(await readFile(inProject('edits/there/deep/a.txt'), 'utf8'), 'a\n');
  }));

test('edit: replacing in files', () =>
  withFiles(files, async () => {
    void runCommand('foretell.predictReplace');
    await answerInput(/\(1 of 3\)/, 'two');
    await answerInput(/\(2 of 3\)/, '2');
    await answerInput(/\(3 of 3\)/, 'edits/**');
    const shown = await shownEdit('Replace “two” with “2”');
    assert.match(shown.text, /list\.txt/);
    assert.match(shown.text, /other\.txt/);
    assert.equal(await list(), before);
    await clickInPanel('Apply for Real');
    await shows(/both paths as predicted/);
    assert.equal(await list(), 'one\n2\nthree\n');
  }));

test('edit: staged changes, compared with the last commit', async () => {
  await runCommand('foretell.predictStaged');
  const shown = await shownEdit(/staged file/);
  assert.match(shown.text, /oban\.csv/);
  assert.match(shown.text, /the last commit/);
  await clickFile('oban');
  const editor = await until('the difference', () =>
    vscode.window.visibleTextEditors.find(
      (one) => one.document.uri.scheme === 'foretell' && one.document.uri.path.endsWith('oban.csv'),
    ),
  );
  assert.ok(editor);
  await runCommand('foretell.discard');
  await revertAll();
});

test('edit: its difference is shown by the native editor', () =>
  withFiles(files, async () => {
    await runCommand('foretell.predictPatch', diff);
    await shownEdit('Patch');
    await clickFile('list.txt');
    const predicted = await until('the predicted side', () =>
      vscode.window.visibleTextEditors.find((one) => one.document.uri.scheme === 'foretell'),
    );
    assert.equal(predicted.document.getText(), after);
    await runCommand('foretell.openAllChanges');
    await picture('edit-changes');
  }));

test('edit: applied for real, compared, and undone', () =>
  withFiles(files, async () => {
    await runCommand('foretell.predictPatch', diff);
    await shownEdit('Patch');
    assert.equal(await list(), before);
    await clickInPanel('Apply for Real');
    await shows(/1 path as predicted/);
    assert.equal(await list(), after);
    await picture('edit-applied');
    await open('edits/list.txt');
    await runCommand('undo');
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.getText(), before);
    await document?.save();
    assert.equal(await list(), before);
  }));

test('edit: a created file, in a new folder', () =>
  withFiles(files, async () => {
    const patch = `--- /dev/null\n+++ b/edits/new/fresh.txt\n@@ -0,0 +1 @@\n+fresh\n`;
    await runCommand('foretell.predictPatch', patch);
    await shownEdit(/Patch/);
    await clickInPanel('Apply for Real');
    await shows(/paths? as predicted/);
    assert.equal(await readFile(inProject('edits/new/fresh.txt'), 'utf8'), 'fresh\n');
  }));

test('edit: bytes that an editor would not write are applied exactly', () =>
  withFiles(
    { 'edits/mixed.txt': 'a\r\nb\nc\n', 'edits/windows.txt': 'a\r\nb\r\n', 'edits/mark.txt': '\uFEFFa\nb\n' },
    async () => {
      const changes = [
        { path: inProject('edits/mixed.txt'), after: 'a\r\nB\nc' },
        { path: inProject('edits/windows.txt'), after: 'a\r\nB\r\n' },
        // Not all of it: what is overwritten as a whole is dangerous, and asked about.
        { path: inProject('edits/mark.txt'), after: 'plain\nb\n' },
      ];
      await runCommand('foretell.predictPatch', JSON.stringify({ kind: 'edit', changes }));
      await shownEdit('Edit');
      await clickInPanel('Apply for Real');
      await shows(/all 3 paths as predicted/);
      assert.equal(await readFile(inProject('edits/mixed.txt'), 'utf8'), 'a\r\nB\nc');
    },
  ));

test('edit: a file that changed meanwhile is predicted again first', () =>
  withFiles(files, async () => {
    await runCommand('foretell.predictPatch', diff);
    await shownEdit('Patch');
    await writeFile(inProject('edits/list.txt'), 'zero\none\ntwo\nthree\n');
    await clickInPanel('Apply for Real');
    await shows(/Something has changed since/);
    assert.equal(await list(), 'zero\none\ntwo\nthree\n');
    await clickInPanel('Apply Anyway');
    await shows(/It was applied|What was applied/);
    // patch(1) keeps what it was not sure of.
    assert.equal(await readFile(inProject('edits/list.txt.orig'), 'utf8'), 'zero\none\ntwo\nthree\n');
    await shows(/both paths as predicted/);
    assert.equal(await list(), 'zero\none\nTWO\nthree\nfour\n');
  }));

test('edit: a file with unsaved changes is not overwritten', () =>
  withFiles(files, async () => {
    await runCommand('foretell.predictPatch', diff);
    await shownEdit('Patch');
    await change('edits/list.txt', 'typed meanwhile\n');
    await clickInPanel('Apply for Real');
    await shows(/list\.txt has unsaved changes/);
    assert.equal(await list(), before);
  }));

test('edit: a patch that does not apply says so, and offers nothing to apply', () =>
  withFiles({ 'edits/list.txt': 'quite\nanother\ntext\n' }, async () => {
    await runCommand('foretell.predictPatch', diff);
    const shown = await shownEdit('Patch');
    assert.match(shown.output, /FAILED|does not apply/);
  }));

test('edit: a command after the edit, in one session', () =>
  withFiles(files, async () => {
    await runCommand('foretell.predictPatch', diff);
    await shownEdit('Patch');
    await inPanel("document.getElementById('command').focus()");
    await drive('type', 'cat edits/list.txt');
    await press('Enter');
    await shows(/Starts after Patch/);
    await until('its output', async () =>
      /one\s+TWO\s+three\s+four/.test((await shownFor('cat edits/list.txt')).output),
    );
    assert.equal(await list(), before);
    await runCommand('foretell.runForReal');
    await shows(/starts from an edit that was only predicted/);
    await runCommand('foretell.startOver');
  }));

test('edit: an edit after a command, in one session', () =>
  withFiles(files, async () => {
    await runCommand('foretell.predict', 'sed -i s/one/ONE/ edits/list.txt');
    await shownFor('sed -i s/one/ONE/ edits/list.txt');
    await runCommand('foretell.continueFromHere');
    await runCommand('foretell.predictPatch', diff.replace('\n one\n', '\n ONE\n'));
    const shown = await shownEdit('Patch');
    assert.match(shown.output, /patching file|^$/);
    await shows(/\+2\s+−1/);
    assert.equal(await list(), before);
    await runCommand('foretell.startOver');
  }));

test('edit: the usual commands of the project are offered', () =>
  withFiles(files, async () => {
    await runCommand('foretell.predictPatch', diff);
    await shownEdit('Patch');
    await shows(/npm test/);
    await clickInPanel('npm test');
    await shows(/Starts after Patch/);
    await shownFor('npm test');
    await runCommand('foretell.startOver');
  }));

test('edit: the text of a patch is changed in the panel and predicted again', () =>
  withFiles(files, async () => {
    await runCommand('foretell.predictPatch', diff);
    await shownEdit('Patch');
    await changeEditText('+TWO', '+second');
    await clickInPanel('Predict This Text');
    await runCommand('foretell.openAllChanges');
    await until('the other text', async () => {
      const document = vscode.workspace.textDocuments.findLast((one) => one.uri.scheme === 'foretell');
      return document?.getText().includes('second');
    });
  }));

test('edit: Discard takes it away', () =>
  withFiles(files, async () => {
    await runCommand('foretell.predictPatch', diff);
    await shownEdit('Patch');
    await clickInPanel('Discard');
    await until('an empty panel', () => inPanel<boolean>("document.querySelector('.edit') === null"));
  }));

test(
  'edit: 500 files and a file of 5 MB',
  () =>
    withFiles(
      {
        ...Object.fromEntries(
          Array.from({ length: 500 }, (_, index) => [`edits/many/${index}.txt`, `word ${index}\n`]),
        ),
        'edits/large.txt': `word\n${'x'.repeat(79)}\n`.repeat(62_000),
      },
      async () => {
        await runCommand('foretell.predictReplace', { search: 'word', replacement: 'WORD', include: ['edits/**'] });
        const shown = await shownEdit('Replace “word” with “WORD”');
        assert.match(shown.text, /501 modified/);
        assert.equal(await readFile(inProject('edits/many/7.txt'), 'utf8'), 'word 7\n');
        await clickInPanel('Apply for Real');
        await shows(/all 501 paths as predicted/);
      },
    ),
  90_000,
);
