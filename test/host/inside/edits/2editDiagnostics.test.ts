import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { type DiagnosticCase, jsonCases, typescriptCases } from '../diagnosticCases.ts';
import { shownEdit, snapshot, withFiles } from '../edits.ts';
import { say, test } from '../runner.ts';
import { inPanel, inProject, picture, runCommand, sleep, until } from '../window.ts';

interface Said {
  path: string;
  severity: string;
  text: string;
}

const keyOf = ({ path: file, severity, text }: Said) =>
  `${path.basename(file)} | ${severity} | ${text.replaceAll(/\s+/g, ' ')}`;

/** What VS Code says about these files now, errors and warnings; waits until it says nothing new any more. */
async function said(files: readonly string[]): Promise<string[]> {
  let last = '';
  let since = Date.now();
  await until('quiet language services', () => {
    const now = JSON.stringify(files.map((file) => vscode.languages.getDiagnostics(vscode.Uri.file(file)).length));
    if (now !== last) since = Date.now();
    last = now;
    return Date.now() - since > 3_000;
  });
  return files.flatMap((file) =>
    vscode.languages
      .getDiagnostics(vscode.Uri.file(file))
      .filter((one) => one.severity <= vscode.DiagnosticSeverity.Warning)
      .map((one) => {
        const severity = one.severity === vscode.DiagnosticSeverity.Error ? 'error' : 'warning';
        return keyOf({ path: file, severity, text: one.message });
      }),
  );
}

/** What is in the first and not in the second; the same twice counts twice. */
function without(all: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return all.filter((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

interface Row {
  change: string;
  severity: string;
  place: string;
  text: string;
}

const rows = () =>
  inPanel<Row[]>(`[...document.querySelectorAll('.diagnostic')].map((row) => ({
    change: row.classList.contains('new') ? 'new' : 'fixed',
    severity: row.classList.contains('error') ? 'error' : 'warning',
    place: row.querySelector('.link').textContent.trim(),
    text: [...row.querySelector('span').childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent).join('').trim(),
  }))`);

/** Writes these texts in the editors that are open, and saves them, all at once: one after the other each is shown first. */
async function saveAll(texts: readonly (readonly [file: string, after: string])[]): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  for (const [file, after] of texts) {
    const { uri, lineCount } = await vscode.workspace.openTextDocument(file);
    edit.replace(uri, new vscode.Range(0, 0, lineCount, 0), after);
  }
  assert.ok(await vscode.workspace.applyEdit(edit));
  assert.ok(await vscode.workspace.saveAll());
  for (const [file, after] of texts) assert.equal(await readFile(file, 'utf8'), after);
}

/** Predicts all cases as one edit, then saves them for real; gives how many cases came out as VS Code says. */
async function compareAll(
  cases: readonly DiagnosticCase[],
  extension: string,
  more: Record<string, string>,
): Promise<{ wrong: string[] }> {
  const nameOf = ({ name, file }: DiagnosticCase) => `diag/${file ?? `${name}${extension}`}`;
  const files = Object.fromEntries(
    cases.flatMap((one): [string, string][] => [
      [nameOf(one), one.before],
      ...(one.beside === undefined ? [] : ([[`diag/${one.name}-user${extension}`, one.beside]] as [string, string][])),
    ]),
  );
  return withFiles({ ...files, ...more }, async () => {
    const all = Object.keys(files).map((file) => inProject(file));
    // TypeScript speaks of files that have a tab.
    for (const file of all) {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file), { preview: false });
    }
    await sleep(2_000);
    const before = await said(all);
    const changes = cases.map((one) => ({ path: inProject(nameOf(one)), after: one.after }));
    const then = await snapshot();
    await runCommand('foretell.predictPatch', JSON.stringify({ kind: 'edit', changes }));
    await shownEdit('Edit');
    await until('the end of the search', () =>
      inPanel<boolean>(
        "document.querySelector('.facts-diagnostics') !== null && !/Asking the language/.test(document.body.innerText)",
      ),
    );
    await inPanel(
      "[...document.querySelectorAll('button.link')].find((one) => /^Show [0-9,]+ more/.test(one.textContent))?.click()",
    );
    await sleep(200);
    await picture(`edit-diagnostics${extension}`);
    const predicted = (await rows()).map((row) => ({
      change: row.change,
      key: keyOf({ path: row.place.split(':')[0] ?? '', severity: row.severity, text: row.text }),
    }));
    assert.deepEqual(await snapshot(), then, 'nothing on disk has changed');
    await saveAll(cases.map((one) => [inProject(nameOf(one)), one.after]));
    const after = await said(all);
    const truth = { new: without(after, before), fixed: without(before, after) };
    const guess = (kind: string) => predicted.filter((one) => one.change === kind).map((one) => one.key);
    const wrong: string[] = [];
    for (const { name } of cases) {
      const own = (list: readonly string[]) =>
        list.filter((key) => key.startsWith(`${name}.`) || key.startsWith(`${name}-user.`)).sort();
      for (const kind of ['new', 'fixed'] as const) {
        const missing = without(own(truth[kind]), own(guess(kind)));
        const tooMuch = without(own(guess(kind)), own(truth[kind]));
        for (const key of missing) wrong.push(`${name}: ${kind}, not predicted: ${key}`);
        for (const key of tooMuch) wrong.push(`${name}: ${kind}, predicted but not so: ${key}`);
      }
    }
    say(
      `  ${cases.length} cases, ${truth.new.length} new and ${truth.fixed.length} fixed for real, ${wrong.length} differ`,
    );
    return { wrong };
  });
}

const schema = {
  type: 'object',
  properties: { $schema: { type: 'string' }, depth: { type: 'number' } },
  additionalProperties: false,
};

test('edit diagnostics: JSON, as VS Code says after saving', async () => {
  const { wrong } = await compareAll(jsonCases, '.json', { 'diag/port.schema.json': JSON.stringify(schema) });
  assert.deepEqual(wrong, []);
});

test('edit diagnostics: TypeScript, as VS Code says after saving', async () => {
  assert.ok(jsonCases.length + typescriptCases.length >= 60, 'at least 60 cases');
  const options = {
    strict: true,
    noUnusedLocals: true,
    noEmit: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
  };
  const config = JSON.stringify({ compilerOptions: { ...options, types: [] }, include: ['*.ts'] });
  const { wrong } = await compareAll(typescriptCases, '.ts', { 'diag/tsconfig.json': config });
  assert.deepEqual(wrong, []);
});
