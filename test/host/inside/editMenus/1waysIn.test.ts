import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { change, changeEditText, clickFile, shownEdit, shows, snapshot, withFiles } from '../edits.ts';
import { test } from '../runner.ts';
import { chooseInMenu, clickInPanel, drive, inPanel, inProject, open, picture, runCommand, until } from '../window.ts';

const before = 'one\ntwo\nthree\n';
const diff = `--- a/menus/list.txt\n+++ b/menus/list.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n`;
const files = { 'menus/list.txt': before, 'menus/fix.patch': diff };

test('edit menus: the button in the title of a patch', () =>
  withFiles(files, async () => {
    await open('menus/fix.patch');
    const then = await snapshot();
    await drive('click', '.editor-actions [aria-label^="Predict Patch"]');
    const shown = await shownEdit('Patch');
    assert.match(shown.output, /patching file/);
    assert.deepEqual(await snapshot(), then);
  }));

test('edit menus: the menu inside of a patch', () =>
  withFiles(files, async () => {
    await open('menus/fix.patch');
    await drive('rightClick', '.monaco-editor .view-lines');
    await chooseInMenu('Predict Patch');
    await shownEdit('Patch');
  }));

test('edit menus: the menu of the tab of an editor with unsaved changes', () =>
  withFiles(files, async () => {
    await change('menus/list.txt', 'ONE\n');
    await drive('rightClick', '.tabs-container .tab.active');
    await chooseInMenu('Predict Unsaved Changes of This Editor');
    await shownEdit('Save list.txt');
    await shows(/\+1\s+−3/);
  }));

test('edit menus: the menu of the staged changes, and that of Source Control', async () => {
  await runCommand('workbench.view.scm');
  const group = '.scm-view .resource-group';
  await drive('waitFor', group);
  await drive('rightClick', group);
  await chooseInMenu('Predict Staged Changes');
  await shownEdit(/staged file/);
  await picture('edit-staged-menu');
  await runCommand('foretell.discard');
  await runCommand('workbench.view.scm');
  await drive(
    'click',
    '.scm-viewlet .pane-header .codicon-toolbar-more, .scm-view .scm-provider .codicon-toolbar-more',
  );
  await chooseInMenu('Predict Staged Changes');
  await shownEdit(/staged file/);
  await runCommand('foretell.discard');
  await runCommand('workbench.view.explorer');
});

test('edit menus: a changed text of the edit is there when the panel was hidden and is shown again', () =>
  withFiles(files, async () => {
    await runCommand('foretell.predictPatch', diff);
    await shownEdit('Patch');
    await changeEditText('+TWO', '+second');
    await runCommand('workbench.action.closePanel');
    await until('no panel', async () => !(await inPanel('true').catch(() => false)));
    await runCommand('foretell.panel.focus');
    const text = await until('the text again', () => inPanel<string>("document.getElementById('edit-text')?.value"));
    assert.match(text, /\+second/);
    await shownEdit('Patch');
  }));

test('edit menus: binary files are changed, created and deleted as predicted', async () => {
  const bytes = (seed: number) => Uint8Array.from({ length: 3_000 }, (_, at) => (at * seed) % 256);
  const work = await mkdtemp(path.join(tmpdir(), 'foretell-binary-'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: work, encoding: 'utf8' });
  try {
    git('init', '-q');
    const put = (name: string, content: Uint8Array) => writeFile(path.join(work, name), content);
    execFileSync('mkdir', [path.join(work, 'menus')]);
    await put('menus/icon.bin', bytes(7));
    await put('menus/old.bin', bytes(11));
    git('add', '.');
    git('commit', '-qm', 'a');
    await put('menus/icon.bin', bytes(13));
    await put('menus/new.bin', bytes(17));
    await rm(path.join(work, 'menus/old.bin'));
    git('add', '-A');
    const patch = git('diff', '--cached', '--binary');
    assert.match(patch, /GIT binary patch/);
    await withFiles({ 'menus/icon.bin': bytes(7), 'menus/old.bin': bytes(11) }, async () => {
      // What git has is not lost, so that nobody has to be asked: tests can answer no dialog.
      execFileSync('git', ['add', 'menus'], { cwd: inProject('.') });
      const then = await snapshot();
      await runCommand('foretell.predictPatch', patch);
      const shown = await shownEdit('Patch');
      for (const name of ['icon.bin', 'new.bin', 'old.bin']) assert.ok(shown.text.includes(name), shown.text);
      assert.deepEqual(await snapshot(), then);
      await clickFile('icon.bin');
      const predicted = await until('what stands for the bytes', () =>
        vscode.workspace.textDocuments.find(
          (one) => one.uri.scheme === 'foretell' && one.uri.path.endsWith('icon.bin') && one.getText() !== '',
        ),
      );
      assert.match(predicted.getText(), /would not be text/);
      await clickInPanel('Apply for Real');
      await shows(/all 3 paths as predicted/);
      assert.deepEqual(new Uint8Array(await readFile(inProject('menus/icon.bin'))), bytes(13));
      assert.deepEqual(new Uint8Array(await readFile(inProject('menus/new.bin'))), bytes(17));
      assert.ok(!existsSync(inProject('menus/old.bin')));
      execFileSync('git', ['reset', '-q', '--', 'menus'], { cwd: inProject('.') });
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
});

const config = JSON.stringify({ compilerOptions: { strict: true, noEmit: true, types: [] }, include: ['*.ts'] });
const project = {
  'menus/tsconfig.json': config,
  'menus/port.ts': 'export const one = 1;\n',
  'menus/ship.ts': "import { one } from './port';\nexport const ship = one;\n",
};
const ship = (name: string) => ({
  kind: 'edit',
  changes: [
    { path: inProject('menus/ship.ts'), after: `import { ${name} } from './port';\nexport const ship = ${name};\n` },
  ],
});

/** Errors of the panel, once one of them fits and nothing is looked for any more. */
function errors(fits: RegExp): Promise<string> {
  return until(`an error ${fits}`, async () => {
    const [found, isOpen] = await inPanel<[string, boolean]>(
      "[[...document.querySelectorAll('.diagnostic')].map((row) => row.className + ' ' + row.textContent).join('\\n'), /Asking the language/.test(document.body.innerText)]",
    );
    if (!fits.test(found) || isOpen) throw new Error(found);
    return found;
  });
}

test(
  'edit menus: TypeScript checks an edit on what an edit before it would leave',
  () =>
    withFiles(project, async () => {
      const changes = [{ path: inProject('menus/port.ts'), after: 'export const two = 2;\n' }];
      await runCommand('foretell.predictPatch', JSON.stringify({ kind: 'edit', changes }));
      await shownEdit('Edit');
      await errors(/new[\s\S]*has no exported member/);
      await runCommand('foretell.continueFromHere');
      await runCommand('foretell.predictPatch', JSON.stringify(ship('two')));
      await shows(/Starts after/);
      await shownEdit('Edit');
      assert.doesNotMatch(await errors(/fixed[\s\S]*has no exported member/), /\bnew\b/);
      await runCommand('foretell.startOver');
    }),
  120_000,
);

test(
  'edit menus: TypeScript checks an edit on what a command before it would leave',
  () =>
    withFiles(project, async () => {
      await runCommand(
        'foretell.predict',
        'echo "export const three = 3;" >> menus/port.ts; mv menus/port.ts menus/a.ts',
      );
      await until('the command', () => inPanel<boolean>('/port[.]ts/.test(document.body.innerText)'));
      await until('its end', () =>
        inPanel<boolean>("document.querySelector('main.panel')?.getAttribute('aria-busy') === 'false'"),
      );
      await runCommand('foretell.continueFromHere');
      const edit = ship('three');
      for (const one of edit.changes) one.after = one.after.replace('./port', './a');
      await runCommand('foretell.predictPatch', JSON.stringify(edit));
      await shownEdit('Edit');
      assert.doesNotMatch(await errors(/fixed/), /\bnew\b/);
      await runCommand('foretell.startOver');
    }),
  120_000,
);

test('edit menus: an applied edit is undone as a whole, what was created and deleted as well', () =>
  withFiles({ ...files, 'menus/other.txt': 'other\n' }, async () => {
    // What git has is not lost, so that nobody has to be asked: tests can answer no dialog.
    execFileSync('git', ['add', 'menus'], { cwd: inProject('.') });
    const then = await snapshot();
    const gone = '--- a/menus/other.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-other\n';
    const made = '--- /dev/null\n+++ b/menus/new/fresh.txt\n@@ -0,0 +1 @@\n+fresh\n';
    await runCommand('foretell.predictPatch', diff + gone + made);
    await shownEdit(/Patch/);
    await clickInPanel('Apply for Real');
    await shows(/all \d paths as predicted/);
    assert.ok(!existsSync(inProject('menus/other.txt')) && existsSync(inProject('menus/new/fresh.txt')));
    await runCommand('foretell.undoEdit');
    await shows(/was undone/);
    assert.deepEqual(await snapshot(), then);
    assert.ok(!existsSync(inProject('menus/new')));
    execFileSync('git', ['reset', '-q', '--', 'menus'], { cwd: inProject('.') });
  }));

test('edit menus: what has changed since is not undone', () =>
  withFiles(files, async () => {
    await runCommand('foretell.predictPatch', diff);
    await shownEdit('Patch');
    await clickInPanel('Apply for Real');
    await shows(/1 path as predicted/);
    await writeFile(inProject('menus/list.txt'), 'mine\n');
    await runCommand('foretell.undoEdit');
    await shows(/has changed since the edit was applied, so nothing was undone/);
    assert.equal(await readFile(inProject('menus/list.txt'), 'utf8'), 'mine\n');
  }));

test('edit menus: what was created is undone in its editor', () =>
  withFiles(files, async () => {
    const patch = '--- /dev/null\n+++ b/menus/fresh.txt\n@@ -0,0 +1 @@\n+fresh\n';
    await runCommand('foretell.predictPatch', patch);
    await shownEdit('Patch');
    await clickInPanel('Apply for Real');
    await shows(/1 path as predicted/);
    await open('menus/fresh.txt');
    await runCommand('undo');
    await until('the created file to be gone', () => !existsSync(inProject('menus/fresh.txt')));
  }));
