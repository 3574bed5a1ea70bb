import { lstat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { compareFiles } from './compareFiles.ts';
import type { Panel } from './panel.ts';
import type { Predictions, Run } from './predictions.ts';
import type { Runner } from './realRun.ts';
import { readSettings, type Settings } from './settings.ts';

/** How long changes of files may take until a watcher has told them all. */
const settleMs = 400;
/** More files than this that nobody predicted are not listed. */
const mostTouched = 1_000;

export interface RealRunsOptions {
  predictions: Predictions;
  panel: Panel;
  runner: Runner;
  log: vscode.LogOutputChannel;
  /** The terminal that a command came from, where it came from one. */
  terminalOf(run: Run): vscode.Terminal | undefined;
}

/** Runs what was predicted, after asking what must be asked, and compares. */
export interface RealRuns {
  /** `confirmed`: the user has read the banner that held it up. */
  run(confirmed?: boolean): Promise<void>;
}

export function createRealRuns({ predictions, panel, runner, log, terminalOf }: RealRunsOptions): RealRuns {
  async function run(confirmed = false): Promise<void> {
    const current = predictions.current();
    if (!current) return panel.banner({ kind: 'information', sentence: 'Predict a command first.' });
    if (!vscode.workspace.isTrusted) {
      const sentence = 'Nothing is run for real in a workspace that is not trusted.';
      return panel.banner({ kind: 'warning', sentence, offer: 'manageTrust' });
    }
    if (current.prediction.ending === undefined) {
      return panel.banner({ kind: 'information', sentence: 'The prediction is not complete yet.' });
    }
    const settings = readSettings();
    if (!confirmed && !(await holds(current))) return;
    if (!confirmed && current.position.length > 0) {
      const count = current.position.length;
      const earlier = count === 1 ? 'a command that was' : `${count} commands that were`;
      const sentence = `This starts from ${earlier} only predicted: running it for real runs all of them, in order.`;
      return panel.banner({ kind: 'warning', sentence, offer: 'confirmRun' });
    }
    if (!(await userAgrees(current, settings))) return;
    panel.banner(null);
    await runAndCompare(current, settings);
  }

  /** Predicts again where something has changed; false when that came out otherwise. */
  async function holds(current: Run): Promise<boolean> {
    const isStale = await vscode.window.withProgress({ location: { viewId: 'foretell.panel' } }, () =>
      predictions.isStale(current),
    );
    if (predictions.current() !== current) return false;
    if (!isStale) return true;
    const fresh = predictions.again();
    await fresh?.ended;
    const sentence = 'Something has changed since, so it was predicted again. This is what it would do now.';
    panel.banner({ kind: 'warning', sentence, offer: 'confirmRun' });
    return false;
  }

  async function runAndCompare(current: Run, settings: Settings): Promise<void> {
    const watcher = watchFolder(current.action.cwd);
    panel.observed(current, { state: 'running' });
    try {
      for (const step of current.position) {
        const ending = await runner.run(step.action, terminalOf(current), settings);
        if (!ending.watched) return panel.observed(current, { state: 'lost', sentence: ending.sentence });
      }
      const ending = await runner.run(current.action, terminalOf(current), settings);
      if (!ending.watched) return panel.observed(current, { state: 'lost', sentence: ending.sentence });
      await new Promise((resolve) => setTimeout(resolve, settleMs));
      const files = current.view ? await compareFiles(current.prediction, current.view, watcher.touched) : [];
      const differing = files.filter((file) => !file.agrees).length;
      log.info(`Ran for real in ${ending.durationMs} ms: ${files.length} paths compared, ${differing} differ.`);
      panel.observed(current, {
        state: 'ended',
        ...(ending.exitCode === undefined ? {} : { exitCode: ending.exitCode }),
        output: [{ stream: 'terminal', text: ending.output }],
        files,
        durationMs: ending.durationMs,
      });
      // The terminal has taken the panel's place; what came of it is read here.
      await panel.reveal();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.error(`A real run could not be watched: ${reason}`);
      panel.observed(current, { state: 'lost', sentence: `The run could not be watched to its end: ${reason}.` });
    } finally {
      watcher.dispose();
    }
  }

  async function userAgrees(current: Run, settings: Settings): Promise<boolean> {
    // Where nothing could be computed, nothing says that it is safe.
    const level = current.prediction.verdict.level ?? 'caution';
    const asks =
      settings.confirmBeforeRun === 'always' ||
      level === 'danger' ||
      (settings.confirmBeforeRun === 'caution' && level === 'caution');
    if (!asks) return true;
    const yes = 'Run for Real';
    const reasons = current.prediction.verdict.reasons.map((reason) => `• ${reason.text}`).slice(0, 6);
    const detail = [shorten(current.action.script), '', ...reasons].join('\n');
    const message = level === 'danger' ? 'This command is dangerous. Run it for real?' : 'Run this command for real?';
    try {
      // The first choice has the keyboard, unless it is the one that closes: Enter must not run what is dangerous.
      const choices = level === 'danger' ? ['Do Not Run', yes] : [yes];
      return (await vscode.window.showWarningMessage(message, { modal: true, detail }, ...choices)) === yes;
    } catch {
      // VS Code shows no dialogs to test runs.
      panel.banner({ kind: 'warning', sentence: 'VS Code could not ask, so nothing was run.' });
      return false;
    }
  }

  return { run };
}

function shorten(script: string): string {
  return script.length > 400 ? `${script.slice(0, 400)}…` : script;
}

/** What changes below a folder until it is disposed of. Only inside the workspace, which VS Code watches anyway. */
function watchFolder(folder: string): vscode.Disposable & { touched: Map<string, 'created' | 'modified' | 'deleted'> } {
  const touched = new Map<string, 'created' | 'modified' | 'deleted'>();
  const root = vscode.Uri.file(folder);
  if (!vscode.workspace.getWorkspaceFolder(root)) return { touched, dispose: () => {} };
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(root, '**/*'));
  const startedAt = Date.now();
  const note = (how: 'created' | 'modified' | 'deleted') => async (file: vscode.Uri) => {
    if (touched.size >= mostTouched || touched.has(file.fsPath)) return;
    // Events of changes before the run may still be on their way.
    const status = how === 'deleted' ? undefined : await lstat(file.fsPath).catch(() => undefined);
    if (status && status.ctimeMs < startedAt) return;
    touched.set(file.fsPath, how);
  };
  watcher.onDidCreate(note('created'));
  watcher.onDidChange(note('modified'));
  watcher.onDidDelete(note('deleted'));
  return { touched, dispose: () => watcher.dispose() };
}
