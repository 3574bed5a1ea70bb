import { readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';

interface RunItem extends vscode.QuickPickItem {
  /** Folder of a variant, or a file of judged rows. */
  place: string;
  writtenMs: number;
}

/** Lets the user choose two runs of rows, and shows how they differ, row by row. `storage`: where runs are kept. */
export async function compareBenchRuns(storage: string): Promise<void> {
  const [runs, { compareRuns, comparisonText }, { scoreRun }] = await Promise.all([
    listRuns(storage),
    import('../../core/bench/score/compareRuns.ts'),
    import('../../core/bench/run/benchRun.ts'),
  ]);
  const browse: RunItem = {
    label: 'Choose Files…',
    description: 'judged.jsonl or predictions.jsonl',
    place: '',
    writtenMs: 0,
  };
  const chosen = await vscode.window.showQuickPick([...runs, browse], {
    title: 'Compare Two Runs of Benchmark Rows',
    placeHolder: 'Choose two; the newer one is compared with the older one',
    canPickMany: true,
  });
  if (!chosen) return;
  const places = chosen
    .toReversed()
    .filter(({ place }) => place !== '')
    .map(({ place, label, description }) => ({
      place,
      name: `${label} (${description})`,
    }));
  if (chosen.includes(browse)) {
    const files = await vscode.window.showOpenDialog({ canSelectMany: true, filters: { Rows: ['jsonl'] } });
    for (const { fsPath } of files ?? []) places.push({ place: fsPath, name: fsPath });
  }
  const [first, second] = places;
  if (!first || !second || places.length > 2) {
    await vscode.window.showInformationMessage('Two runs are compared; choose exactly two.');
    return;
  }
  const scored = [];
  for (const { place, name } of [first, second]) {
    const found = await scoreRun(place);
    const [variant] = 'problem' in found ? [] : found.variants;
    if ('problem' in found || !variant) {
      await vscode.window.showErrorMessage('problem' in found ? found.problem : `${place} has nothing to compare.`);
      return;
    }
    scored.push({ ...variant, name });
  }
  const [a, b] = scored;
  if (!a || !b) return;
  const comparison = compareRuns(a, b);
  if (comparison.shared === 0) {
    await vscode.window.showInformationMessage('The two have no row in common, so there is nothing to compare.');
    return;
  }
  // A file, because a text without one would ask to be saved.
  const file = path.join(storage, 'comparison.txt');
  await writeFile(file, comparisonText(comparison));
  const document = await vscode.workspace.openTextDocument(file);
  await vscode.window.showTextDocument(document, { preview: true });
}

/** The runs that are kept, the newest first. */
async function listRuns(storage: string): Promise<RunItem[]> {
  const { readRun } = await import('../../core/bench/run/runFolder.ts');
  const runs: RunItem[] = [];
  for (const name of await readdir(storage).catch(() => [])) {
    const folder = path.join(storage, name);
    const record = await readRun(folder).catch(() => undefined);
    if (!record || 'problem' in record) continue;
    for (const variant of (record as { variants: { name: string }[] }).variants) {
      const place = path.join(folder, variant.name);
      const read = await stat(path.join(place, 'predictions.jsonl')).catch(() => undefined);
      if (!read) continue;
      const description = `${name}, ${new Date(read.mtimeMs).toLocaleString()}`;
      runs.push({ label: variant.name, description, place, writtenMs: read.mtimeMs });
    }
  }
  return runs.sort((one, other) => other.writtenMs - one.writtenMs);
}
