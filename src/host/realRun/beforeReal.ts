import * as vscode from 'vscode';
import { isLostForGood } from '../../core/facts/recovery.ts';
import { printable } from '../../core/prediction/text/printable.ts';
import { lostTitle } from '../../core/words/recoveryText.ts';
import type { Panel } from '../panel/panel.ts';
import type { Predictions } from '../predict/predictions.ts';
import type { Run } from '../predict/run.ts';
import { netSentence } from '../safetyNet/keepBeforeRun.ts';
import type { Settings } from '../settings.ts';

/** What is asked before something is done for real. */
export interface Question {
  /** The button: `Run for Real`. */
  yes: string;
  message: string;
  dangerous: string;
  /** What would be done. */
  detail: string;
  /** Where VS Code cannot ask. */
  unasked: string;
}

/** Predicts again where something has changed; false when that came out otherwise. */
export async function stillHolds(predictions: Predictions, panel: Panel, current: Run): Promise<boolean> {
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

const show = 'Show in Panel';
const mostNamed = 8;

/** The files that would be lost for good, by name. */
function lostLines(run: Run, settings: Settings): string[] {
  const { prediction } = run;
  const lost = prediction.loss.filter(isLostForGood);
  if (lost.length === 0) return [];
  const named = lost.slice(0, mostNamed).map(({ path }) => `  ${printable(vscode.workspace.asRelativePath(path))}`);
  const more = lost.length - named.length;
  return [
    '',
    `${lostTitle(lost)}:`,
    ...named,
    ...(more > 0 ? [`  and ${more.toLocaleString('en')} more`] : []),
    netSentence(run, settings),
  ];
}

/** Asks where the settings and the verdict say so. */
export async function userAgrees(
  current: Run,
  settings: Settings,
  panel: Panel,
  { yes, message, dangerous, detail, unasked }: Question,
): Promise<boolean> {
  // Where nothing could be computed, nothing says that it is safe.
  const level = current.prediction.verdict.level ?? 'caution';
  const asks =
    settings.confirmBeforeRun === 'always' ||
    level === 'danger' ||
    (settings.confirmBeforeRun === 'caution' && level === 'caution');
  if (!asks) return true;
  const reasons = current.prediction.verdict.reasons.map((reason) => `• ${reason.text}`).slice(0, 6);
  const shown = detail.length > 400 ? `${detail.slice(0, 400)}…` : detail;
  const lines = [shown, '', ...reasons, ...lostLines(current, settings)].join('\n');
  try {
    const asked = level === 'danger' ? dangerous : message;
    // The first choice has the keyboard: Enter must not run what is dangerous. *Cancel* is the one way out.
    const choices = level === 'danger' ? [show, yes] : [yes];
    const chosen = await vscode.window.showWarningMessage(asked, { modal: true, detail: lines }, ...choices);
    if (chosen === show) await panel.reveal();
    return chosen === yes;
  } catch {
    // VS Code shows no dialogs to test runs.
    panel.banner({ kind: 'warning', sentence: unasked });
    return false;
  }
}
