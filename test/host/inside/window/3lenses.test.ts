import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { test } from '../runner.ts';
import { drive, inProject, open, runCommand, shownFor, sleep, until, withSetting } from '../window.ts';

/** Titles of our lenses in a file of the project, with the text that each stands for. */
async function lensesOf(file: string): Promise<{ line: number; text: string; command: vscode.Command }[]> {
  const address = vscode.Uri.file(inProject(file));
  await vscode.workspace.openTextDocument(address);
  const all = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', address, 100);
  return all.flatMap(({ command, range }) => {
    if (command?.command !== 'foretell.predictRunnable') return [];
    const [runnable] = command.arguments ?? [];
    return [{ line: range.start.line, text: String(runnable?.text), command }];
  });
}

const expected: [file: string, text: RegExp, shown: string | RegExp][] = [
  ['README.md', /rm -rf dist/, /^rm -rf dist\nnpm run build/],
  ['package.json', /^npm run clean$/, 'npm run clean'],
  ['Makefile', /^make tables$/, 'make tables'],
  ['Dockerfile', /^mkdir -p \/app\/dist/, /^mkdir -p \/app\/dist/],
  ['.github/workflows/ci.yml', /^make tables\ntest -s/, /^make tables/],
  ['.vscode/tasks.json', /^rm -rf /, /^rm -rf .*\/dist$/],
  ['scripts/deploy.sh', /rm -rf "\$\{TARGET:\?\}"/, /BUILD=dist/],
];

for (const [file, text, shown] of expected) {
  test(`lens: ${file}`, async () => {
    const lenses = await lensesOf(file);
    const lens = lenses.find((one) => text.test(one.text));
    assert.ok(lens, `one of ${JSON.stringify(lenses.map((one) => one.text))}`);
    await runCommand(lens.command.command, ...(lens.command.arguments ?? []));
    await shownFor(shown);
  });
}

test('lens: it is clicked in the editor', async () => {
  const editor = await open('README.md', 'rm -rf dist');
  editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenter);
  await drive('waitFor', '.codelens-decoration a[title*="rm -rf dist"]');
  await drive('click', '.codelens-decoration a[title*="rm -rf dist"]');
  await shownFor(/^rm -rf dist/);
});

test('lens: can be turned off', async () => {
  await withSetting('foretell.codeLens.enabled', false, async () => {
    await sleep(200);
    assert.deepEqual(await lensesOf('README.md'), []);
  });
  await until('lenses again', async () => (await lensesOf('README.md')).length > 0);
});
