import * as vscode from 'vscode';
import type { BenchParts } from './benchParts.ts';
import type { BenchTests } from './benchTests.ts';

/** Files of rows in the form of AgentWorldBench. */
const benchGlob = '**/*_test.jsonl';

/** How long it waits for more folders before it looks for files in them, in milliseconds. */
const lookPauseMs = 2000;

/**
 * Puts the benchmark files of the workspace into the Test Explorer. Until there is one, nothing is loaded; nothing at all
 * happens in a workspace that is not trusted.
 */
export function registerBench(parts: BenchParts, log: vscode.LogOutputChannel): vscode.Disposable {
  let tests: Promise<BenchTests> | undefined;
  let isDisposed = false;
  const load = () => {
    tests ??= import('./benchTests.ts').then(({ createBenchTests }) => createBenchTests(parts, log));
    return tests;
  };
  const found = (uri: vscode.Uri, hasChanged: boolean) => {
    if (!vscode.workspace.isTrusted || isDisposed) return;
    void load().then((loaded) => loaded.add(uri, hasChanged));
  };
  const look = async () => {
    if (!vscode.workspace.isTrusted) return;
    for (const uri of await vscode.workspace.findFiles(benchGlob, '**/node_modules/**', 500)) found(uri, false);
  };
  const watcher = vscode.workspace.createFileSystemWatcher(benchGlob);
  // A folder that comes with files in it is one event: that of the folder.
  const folders = vscode.workspace.createFileSystemWatcher('**/*', false, true, true);
  let looking: NodeJS.Timeout | undefined;
  const folderMayHaveCome = ({ path: name }: vscode.Uri) => {
    if (/\/(?:node_modules|\.git)\/|\.[^/]*$/.test(name) || isDisposed) return;
    looking ??= setTimeout(() => {
      looking = undefined;
      void look();
    }, lookPauseMs);
  };
  void look();
  return vscode.Disposable.from(
    watcher,
    folders,
    folders.onDidCreate(folderMayHaveCome),
    watcher.onDidCreate((uri) => found(uri, true)),
    watcher.onDidChange((uri) => found(uri, true)),
    watcher.onDidDelete((uri) => void tests?.then((loaded) => loaded.remove(uri))),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void look()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => void look()),
    vscode.commands.registerCommand('foretell.bench.report', async () => (await load()).showReport()),
    vscode.commands.registerCommand('foretell.bench.compare', async () => (await load()).compare()),
    {
      dispose() {
        isDisposed = true;
        clearTimeout(looking);
        void tests?.then((loaded) => loaded.dispose());
      },
    },
  );
}
