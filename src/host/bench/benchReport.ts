import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';

let panel: vscode.WebviewPanel | undefined;

/** Shows a report beside what is open. The page has no scripts, and may load nothing. */
export async function showBenchReport(file: string): Promise<void> {
  const html = await readFile(file, 'utf8');
  if (!panel) {
    panel = vscode.window.createWebviewPanel('foretell.benchReport', 'AgentWorldBench', vscode.ViewColumn.Active, {
      enableScripts: false,
      enableCommandUris: false,
      localResourceRoots: [],
    });
    panel.onDidDispose(() => {
      panel = undefined;
    });
  }
  panel.title = `AgentWorldBench – ${path.basename(path.dirname(file))}`;
  panel.webview.html = html;
  panel.reveal(undefined, false);
}
