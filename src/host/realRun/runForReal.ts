import { lstat } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { CommandAction, LiveAction } from '../../core/action/action.ts';
import type { differences, ObservedRun } from '../../core/prediction/differences.ts';
import { memoryFolder } from '../../core/worlds/remembered/memoryStore.ts';
import type { Observed } from '../../protocol/panelProtocol.ts';
import { compareFiles, newContents } from '../panel/compareFiles.ts';
import type { Panel } from '../panel/panel.ts';
import type { Predictions } from '../predict/predictions.ts';
import type { Run } from '../predict/run.ts';
import { type KeptBefore, keepBeforeRun } from '../safetyNet/keepBeforeRun.ts';
import { readSettings, type Settings } from '../settings.ts';
import { type ApplyResults, createApplyResults } from './applyResult.ts';
import { stillHolds, userAgrees } from './beforeReal.ts';
import type { RealEnding, Runner } from './realRun.ts';

/** How long changes of files may take until a watcher has told them all. */
const settleMs = 400;
/** More files than this that nobody predicted are not listed. */
const mostTouched = 1_000;

export interface RealRunsOptions {
  predictions: Predictions;
  panel: Panel;
  runner: Runner;
  log: vscode.LogOutputChannel;
  /** See `launcherPath`. */
  launcher: string;
  /** The terminal that a command came from, where it came from one. */
  terminalOf(run: Run): vscode.Terminal | undefined;
  /** Told what came of a prediction, beside the panel. */
  compared(run: Run, observed: Observed): unknown;
}

type WatchedEnding = Extract<RealEnding, { watched: true }>;

/** Runs what was predicted, after asking what must be asked, and compares. */
export interface RealRuns extends ApplyResults {
  /** `confirmed`: the user has read the banner that held it up; `chooses`: which parts of an edit, in VS Code. */
  run(confirmed?: boolean, chooses?: boolean): Promise<void>;
}

export function createRealRuns(options: RealRunsOptions): RealRuns {
  const { predictions, panel, runner, log, launcher, terminalOf, compared } = options;
  /** The user knows that not all of what it loses can be kept. */
  let toldOf: Run | undefined;

  async function run(confirmed = false, chooses = false): Promise<void> {
    const current = predictions.current();
    if (!current) return panel.banner({ kind: 'information', sentence: 'Predict a command first.' });
    if (!vscode.workspace.isTrusted) {
      const sentence = 'Nothing is run for real in a workspace that is not trusted.';
      return panel.banner({ kind: 'warning', sentence, offer: 'manageTrust' });
    }
    if (current.prediction.ending === undefined) {
      return panel.banner({ kind: 'information', sentence: 'The prediction is not complete yet.' });
    }
    const { action } = current;
    if (action.kind === 'edit') {
      const { applyEdit } = await import('../edit/applyEdit.ts');
      return applyEdit({ predictions, panel, log, launcher, compared }, current, { confirmed, chooses });
    }
    if (!isCommands(current.position)) {
      const sentence =
        'This starts from an edit that was only predicted. Apply the edit first, then predict the command.';
      return panel.banner({ kind: 'warning', sentence });
    }
    const settings = readSettings();
    if (!confirmed && !(await stillHolds(predictions, panel, current))) return;
    if (!confirmed && current.position.length > 0) {
      const count = current.position.length;
      const earlier = count === 1 ? 'a command that was' : `${count} commands that were`;
      const sentence = `This starts from ${earlier} only predicted: running it for real runs all of them, in order.`;
      return panel.banner({ kind: 'warning', sentence, offer: 'confirmRun' });
    }
    const question = {
      yes: 'Run for Real',
      message: 'Run this command for real?',
      dangerous: 'This command is dangerous. Run it for real?',
      detail: action.script,
      unasked: 'VS Code could not ask, so nothing was run.',
    };
    if (!(await userAgrees(current, settings, panel, question))) return;
    const kept = await keepBeforeRun(current, settings, launcher);
    if (kept.problem !== undefined && toldOf !== current) {
      toldOf = current;
      return panel.banner({ kind: 'warning', sentence: kept.problem, offer: 'confirmRun' });
    }
    panel.banner(null);
    await runAndCompare(current, [...current.position.map((step) => step.action), action], settings, kept);
    kept.noteLeft();
    void kept.offer();
  }

  async function runAndCompare(
    current: Run,
    actions: CommandAction[],
    settings: Settings,
    { keptLost }: KeptBefore,
  ): Promise<void> {
    const net = keptLost === undefined ? {} : { keptLost };
    const watcher = watchFolder(actions.at(-1)?.cwd ?? '/');
    panel.observed(current, { state: 'running' });
    try {
      const held = current.view ? await newContents(current.prediction, current.view) : new Map();
      let ending: WatchedEnding | undefined;
      for (const action of actions) {
        const ended = await runner.run(action, terminalOf(current), settings);
        if (!ended.watched) return panel.observed(current, { state: 'lost', sentence: ended.sentence, ...net });
        ending = ended;
      }
      if (!ending) return;
      await new Promise((resolve) => setTimeout(resolve, settleMs));
      const files = current.view ? await compareFiles(current.prediction, current.view, watcher.touched, held) : [];
      const differing = files.filter((file) => !file.agrees).length;
      log.info(`Ran for real in ${ending.durationMs} ms: ${files.length} paths compared, ${differing} differ.`);
      const seen = {
        ...(ending.exitCode === undefined ? {} : { exitCode: ending.exitCode }),
        ...(ending.output === undefined ? {} : { output: [{ stream: 'terminal' as const, text: ending.output }] }),
        files,
      };
      const differs = await compareWithReal(current, actions, seen);
      const observed: Observed = { state: 'ended', ...seen, differs, durationMs: ending.durationMs, ...net };
      panel.observed(current, observed);
      compared(current, observed);
      // The terminal has taken the panel's place; what came of it is read here.
      await panel.reveal();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.error(`A real run could not be watched: ${reason}`);
      const sentence = `The run could not be watched to its end: ${reason}.`;
      panel.observed(current, { state: 'lost', sentence, ...net });
    } finally {
      watcher.dispose();
    }
  }

  return { run, ...createApplyResults(options) };
}

/** What came otherwise than predicted; what is remembered of the command hears of it. The engine is there by then. */
async function compareWithReal(
  { prediction }: Run,
  actions: readonly CommandAction[],
  seen: ObservedRun,
): Promise<ReturnType<typeof differences>> {
  const [core, { afterReal }] = await Promise.all([
    import('../../core/prediction/differences.ts'),
    import('../../core/worlds/remembered/afterReal.ts'),
  ]);
  const last = actions.at(-1);
  if (last) afterReal(memoryFolder(process.env), { ...last, prediction, seen, at: new Date() });
  return core.differences(prediction, seen);
}

type CommandStep = Run['position'][number] & { action: CommandAction };

function isCommands(steps: Run['position']): steps is readonly CommandStep[] {
  return steps.every((step: { action: LiveAction }) => step.action.kind === 'command');
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
