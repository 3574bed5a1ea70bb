import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { answerInput, shownEdit, shows, withFiles } from '../edits.ts';
import { test } from '../runner.ts';
import { clickInPanel, inProject, open, picture, runCommand, until } from '../window.ts';

const sources = {
  'moved/tsconfig.json':
    '{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "bundler" } }\n',
  'moved/tide.ts': "import { unit } from './unit';\nexport const tide = `3${unit}`;\n",
  'moved/unit.ts': "export const unit = 'm';\n",
  'moved/main.ts': "import { tide } from './tide';\nexport const shown = tide;\n",
  'moved/deep/low.ts': 'export {};\n',
};
const text = (file: string) => readFile(inProject(file), 'utf8');

/** Predicts renaming or moving in a project of TypeScript, with this setting of VS Code. */
async function withImports(follow: 'prompt' | 'always' | 'never', during: () => Promise<void>): Promise<void> {
  const settings = vscode.workspace.getConfiguration('typescript');
  const key = 'updateImportsOnFileMove.enabled';
  await settings.update(key, follow, vscode.ConfigurationTarget.Global);
  try {
    await withFiles(sources, async () => {
      await open('moved/main.ts');
      await until('TypeScript', async () => {
        const file = vscode.Uri.file(inProject('moved/tide.ts'));
        const names = await vscode.commands.executeCommand<unknown[]>('vscode.executeDocumentSymbolProvider', file);
        return (names?.length ?? 0) > 0;
      });
      await during();
    });
  } finally {
    await settings.update(key, undefined, vscode.ConfigurationTarget.Global);
  }
}

test('edit: imports that follow a rename are predicted, and follow when it is applied', () =>
  withImports('always', async () => {
    void runCommand('foretell.predictRename', vscode.Uri.file(inProject('moved/tide.ts')));
    await answerInput(/Predict renaming/, 'wave.ts');
    await shownEdit('Rename tide.ts to wave.ts');
    await shows(/VS Code updates the imports in 1 file when it is applied.*moved\/main\.ts.*none new, none fixed/);
    await picture('edit-imports');
    await clickInPanel('Apply for Real');
    await shows(/both paths as predicted/);
    assert.equal(await text('moved/main.ts'), sources['moved/main.ts'].replace('./tide', './wave'));
  }));

test('edit: a moved file follows with its own imports too', () =>
  withImports('always', async () => {
    await runCommand('foretell.predictMove', vscode.Uri.file(inProject('moved/tide.ts')), [], inProject('moved/deep'));
    await shownEdit('Move tide.ts to moved/deep');
    await shows(/VS Code updates the imports in 2 files/);
    await clickInPanel('Apply for Real');
    await shows(/both paths as predicted/);
    assert.match(await text('moved/deep/tide.ts'), /from '\.\.\/unit'/);
    assert.match(await text('moved/main.ts'), /from '\.\/deep\/tide'/);
  }));

test('edit: where VS Code asks about imports, both answers are told; where it never changes them, the errors are', async () => {
  await withImports('prompt', async () => {
    await runCommand('foretell.predictRename', vscode.Uri.file(inProject('moved/tide.ts')), inProject('moved/wave.ts'));
    await shownEdit('Rename tide.ts to wave.ts');
    await shows(
      /VS Code asks whether to update the imports in 1 file\. With No they stay as they are, with 1 new error\./,
    );
  });
  await withImports('never', async () => {
    await runCommand('foretell.predictRename', vscode.Uri.file(inProject('moved/tide.ts')), inProject('moved/wave.ts'));
    await shownEdit('Rename tide.ts to wave.ts');
    await shows(/No import .* is changed along with it.*1 new error/);
  });
});

test('edit: where nobody knows which imports follow, that is said', () =>
  withFiles({ 'moved/tide.py': 'x = 1\n' }, async () => {
    await runCommand('foretell.predictRename', vscode.Uri.file(inProject('moved/tide.py')), inProject('moved/wave.py'));
    await shownEdit('Rename tide.py to wave.py');
    await shows(/Which imports follow then is not known before/);
  }));
