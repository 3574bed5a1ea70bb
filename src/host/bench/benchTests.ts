import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { createBenchItems } from './benchItems.ts';
import type { BenchParts } from './benchParts.ts';
import { showBenchReport } from './benchReport.ts';
import { createRowRuns, type Ways } from './rowRuns.ts';

/** The benchmark files of the workspace in the Test Explorer. */
export interface BenchTests extends vscode.Disposable {
  /** `hasChanged`: what was read of it before does not count any more. */
  add(uri: vscode.Uri, hasChanged: boolean): void;
  remove(uri: vscode.Uri): void;
  /** Opens the report of the last run; says so where there is none. */
  showReport(): Promise<void>;
  /** Compares two of the runs that are kept. */
  compare(): Promise<void>;
}

/** Makes the tests: three ways to run them. */
export function createBenchTests(parts: BenchParts, log: vscode.LogOutputChannel): BenchTests {
  const { context } = parts;
  const controller = vscode.tests.createTestController('foretell.bench', 'AgentWorldBench');
  const items = createBenchItems(controller, log);
  const storage = vscode.Uri.joinPath(context.storageUri ?? context.globalStorageUri, 'bench').fsPath;
  let lastReport: string | undefined;
  const rows = createRowRuns({
    parts,
    controller,
    items,
    storage,
    log,
    reported: (file) => {
      lastReport = file;
    },
  });
  controller.resolveHandler = async (item) => {
    if (item) await items.resolve(item);
  };

  const add = (name: string, ways: Ways, isDefault = false) =>
    controller.createRunProfile(
      name,
      vscode.TestRunProfileKind.Run,
      (request, token) => rows.run(request, token, ways),
      isDefault,
    );
  add('Predict and Compare', { judged: false, cached: true }, true);
  add('Predict and Judge', { judged: true, cached: true });
  add('Predict Again, Without Kept Replies', { judged: false, cached: false });

  return {
    add: (uri, hasChanged) => items.add(uri, hasChanged),
    remove: (uri) => items.remove(uri),
    async showReport() {
      lastReport ??= await newestReport(storage);
      if (lastReport !== undefined) return showBenchReport(lastReport);
      await vscode.window.showInformationMessage('No rows were run yet; the Test Explorer runs them.');
    },
    async compare() {
      const { compareBenchRuns } = await import('./compareBenchRuns.ts');
      await compareBenchRuns(storage);
    },
    dispose: () => controller.dispose(),
  };
}

/** The report of an earlier window. */
async function newestReport(storage: string): Promise<string | undefined> {
  const names = await readdir(storage).catch(() => []);
  const found: { file: string; writtenMs: number }[] = [];
  for (const name of names) {
    const file = path.join(storage, name, 'report.html');
    const read = await stat(file).catch(() => undefined);
    if (read) found.push({ file, writtenMs: read.mtimeMs });
  }
  return found.sort((a, b) => b.writtenMs - a.writtenMs)[0]?.file;
}
