// Unsaved editors, renaming, moving and *Choose* by the keyboard alone: nothing is clicked, and nothing in the page is given the
// keyboard by the test.
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { personAt, until } from '../support/outside.mjs';

/** What is unsaved must stay so. */
export const settings = { 'files.autoSave': 'off' };

const sources = {
  'quay/tsconfig.json':
    '{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "bundler" } }\n',
  'quay/tide.ts': "import { unit } from './unit';\nexport const tide = `3${unit}`;\n",
  'quay/unit.ts': "export const unit = 'm';\n",
  'quay/main.ts': "import { tide } from './tide';\nexport const shown = tide;\n",
  'quay/lib/deep/low.ts': 'export {};\n',
};

export async function drive(host) {
  const { words, folder } = host;
  const person = personAt(host);
  const text = (file) => readFile(path.join(folder, file), 'utf8').catch(() => '');
  for (const [file, content] of Object.entries(sources)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), content);
  }
  await person.started();
  const { openFile, shows } = person;
  const complete = () =>
    person.inPanel("document.querySelector('main.panel[aria-busy=false]:not([data-loading])') !== null");
  const answerInput = async (title, typed) => {
    await until(`the input ${title}`, async () =>
      (await words.texts('.quick-input-title')).some((one) => title.test(one)),
    );
    await words.type(typed);
    await words.press('Enter');
  };

  await saveAndPredictAgain();
  await rename();
  await move();
  await choose();

  /** An editor that is unsaved is named; one press saves it, and the prediction has its text. */
  async function saveAndPredictAgain() {
    await openFile('bergen.csv');
    await until('the keyboard in the editor', () =>
      words.evaluate("document.activeElement?.closest('.editor-instance') !== null"),
    );
    await words.press('Control+Home');
    await words.type('stavanger,typed\n');
    assert.doesNotMatch(await text('data/bergen.csv'), /stavanger/);
    await person.predict('grep -c , data/bergen.csv && head -1 data/bergen.csv');
    await shows(/data\/bergen\.csv has unsaved changes, which are not in this prediction/);
    assert.doesNotMatch(await person.panelText(), /stavanger/);
    await person.picture('keyboard-unsaved');
    await person.pressInPanel('Save and Predict Again');
    await shows(/stavanger,typed/);
    assert.match(await text('data/bergen.csv'), /^stavanger,typed/);
    assert.doesNotMatch(await person.panelText(), /unsaved changes/);
    await person.picture('keyboard-saved');
  }

  /** From the Explorer, as whoever renames there does: the imports follow, as VS Code asks. */
  async function rename() {
    await openFile('main.ts');
    await openFile('tide.ts');
    await person.runCommand('File: Reveal Active File in Explorer View');
    await person.runCommand('Explorer: Focus on Folders View');
    await until('the file in the Explorer', () =>
      words.evaluate(
        "document.activeElement?.closest('.explorer-folders-view')?.querySelector('.monaco-list-row.focused')?.innerText.trim() === 'tide.ts'",
      ),
    );
    await words.press('Shift+F10');
    await words.waitFor('.monaco-menu');
    await person.chooseInMenu('Foretell', 'ArrowRight');
    await person.chooseInMenu('Predict Renaming…', 'Enter');
    await answerInput(/Predict renaming tide\.ts/, 'wave');
    await shows(/Rename tide\.ts to wave\.ts.*imports in 1 file/);
    await until('the whole prediction', complete);
    await person.picture('keyboard-rename');
    await person.pressInPanel('Apply for Real');
    await until('the question of VS Code', async () => (await words.count('.monaco-dialog-box')) > 0);
    await person.picture('keyboard-rename-question');
    await words.press('Enter');
    // VS Code leaves what it changed unsaved, as behind the Explorer's own renaming.
    await until('the unsaved import', async () => (await words.count('.tab.dirty[data-resource-name="main.ts"]')) > 0);
    await person.runCommand('File: Save All');
    await until('the import that follows', async () => /'\.\/wave'/.test(await text('quay/main.ts')));
    assert.equal(await text('quay/tide.ts'), '');
    await shows(/Files agree: 1 path as predicted/);
    await until('the notification', async () =>
      (await words.texts('.notification-toast .notification-list-item')).some((one) =>
        /Applied .* to 1 path\./.test(one),
      ),
    );
  }

  async function move() {
    await openFile('unit.ts');
    await person.runCommand('foretell.predictMove');
    await until('the input', async () => (await words.texts('.quick-input-title')).some((one) => /moving/.test(one)));
    await words.type('/lib/deep');
    await words.press('Enter');
    await shows(/Move unit\.ts to quay\/lib\/deep/);
    await shows(/imports in 1 file/);
    await until('the whole prediction', complete);
    await person.picture('keyboard-move');
  }

  /** Everything is chosen at first; what is left out of the choice is not applied. */
  async function choose() {
    await person.pressInPanel('Choose…');
    await words.waitFor('.bulk-edit-panel .monaco-list-row');
    await person.picture('keyboard-choose');
    const boxes = await words.evaluate(
      "[...document.querySelectorAll('.bulk-edit-panel .monaco-list-row [role=checkbox][aria-checked]')].map((one) => one.getAttribute('aria-checked')).join()",
    );
    assert.match(boxes, /^true(,true)*$/);
    await until('the keyboard in the preview', () =>
      words.evaluate("document.activeElement?.closest('.bulk-edit-panel') !== null"),
    );
    await words.press('Control+Enter');
    await until('the moved file', async () => (await text('quay/lib/deep/unit.ts')) !== '', 40_000);
    await person.runCommand('Focus on Foretell View');
    await shows(/DONE/);
    await person.picture('keyboard-chosen');
  }
}
