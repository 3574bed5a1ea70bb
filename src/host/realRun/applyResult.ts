import * as vscode from 'vscode';
import type { applyPrediction } from '../../core/apply/applyPrediction.ts';
import type { Preparation, prepareApply } from '../../core/apply/prepareApply.ts';
import type { ApplyRefusal } from '../../core/facts/applyFact.ts';
import { printable } from '../../core/prediction/text/printable.ts';
import type { KeptEntry } from '../../core/safetyNet/keptEntry.ts';
import { type NetUse, netFolder, usualNetBytes } from '../../core/safetyNet/netUse.ts';
import { countOf } from '../../core/view/quantity.ts';
import { applyRefusalText } from '../../core/words/applyText.ts';
import { notPutText } from '../../core/words/keptText.ts';
import type { Observed } from '../../protocol/panelProtocol.ts';
import { compareFiles, newContents } from '../panel/compareFiles.ts';
import type { Panel } from '../panel/panel.ts';
import type { Predictions } from '../predict/predictions.ts';
import { isComplete, type Run } from '../predict/run.ts';
import { keptOf } from '../safetyNet/keepBeforeRun.ts';
import { readSettings } from '../settings.ts';
import { stillHolds, userAgrees } from './beforeReal.ts';

export interface ApplyResultsOptions {
  predictions: Predictions;
  panel: Panel;
  /** See `launcherPath`. */
  launcher: string;
  /** Told what came of a prediction, beside the panel. */
  compared(run: Run, observed: Observed): unknown;
}

/** Puts the predicted result of a command in place, in the stead of running it. */
export interface ApplyResults {
  /** Notes what the files are like right after a prediction. */
  ended(run: Run): void;
  /** `chooses`: the user picks the files. */
  apply(chooses?: boolean): Promise<void>;
}

type Prepared = Preparation | { refused: ApplyRefusal };

/** The safety net of what is applied: without it nothing could be taken back, whatever the room for real runs is. */
const use = (launcher: string): NetUse => ({
  folder: netFolder(process.env),
  mostBytes: Math.max(readSettings().safetyNetBytes, usualNetBytes),
  launcher,
});

export function createApplyResults({ predictions, panel, launcher, compared }: ApplyResultsOptions): ApplyResults {
  const held = new WeakMap<Run, Promise<Prepared>>();
  const refuse = (refused: ApplyRefusal) => panel.banner({ kind: 'warning', sentence: applyRefusalText(refused) });

  async function apply(chooses = false): Promise<void> {
    const run = predictions.current();
    if (!run) return panel.banner({ kind: 'information', sentence: 'Predict a command first.' });
    if (!vscode.workspace.isTrusted) {
      const sentence = 'Nothing is applied in a workspace that is not trusted.';
      return panel.banner({ kind: 'warning', sentence, offer: 'manageTrust' });
    }
    if (run.position.length > 0) return refuse({ kind: 'afterAnother' });
    // The panel shows the end a moment before what is prepared of it is there.
    if (isComplete(run.prediction)) await run.ended;
    const prepared = (await held.get(run)) ?? { refused: { kind: 'unfinished' as const } };
    if ('refused' in prepared) return refuse(prepared.refused);
    const only = chooses ? await choosePaths(prepared) : undefined;
    if (chooses && !only) return;
    const dirty = vscode.workspace.textDocuments.find(
      ({ isDirty, uri }) => isDirty && prepared.items.some(({ change }) => change.path === uri.fsPath),
    );
    if (dirty) {
      const sentence = `${vscode.workspace.asRelativePath(dirty.uri)} has unsaved changes. Save or revert it first.`;
      return panel.banner({ kind: 'warning', sentence });
    }
    if (!chooses && !(await stillHolds(predictions, panel, run))) return;
    const question = {
      yes: 'Apply',
      message: 'Put this result in place?',
      dangerous: 'This result is dangerous. Put it in place?',
      detail: run.action.kind === 'command' ? run.action.script : '',
      unasked: 'VS Code could not ask, so nothing was applied.',
    };
    if (!(await userAgrees(run, readSettings(), panel, question))) return;
    panel.banner(null);
    await applyAndCompare(run, prepared, only);
  }

  async function applyAndCompare(
    run: Run,
    prepared: Preparation,
    only: ReadonlySet<string> | undefined,
  ): Promise<void> {
    const startedAt = Date.now();
    panel.observed(run, { state: 'running', isApplied: true });
    const cwd = run.action.cwd ?? '/';
    const held = run.view && !only ? await newContents(run.prediction, run.view) : new Map();
    const core = await import('../../core/apply/applyPrediction.ts');
    const end = await core.applyPrediction(prepared, {
      use: use(launcher),
      cwd,
      now: startedAt,
      ...(only ? { only } : {}),
    });
    if ('refused' in end) {
      panel.observed(run, { state: 'lost', isApplied: true, sentence: applyRefusalText(end.refused) });
      return;
    }
    if (!only && run.view) {
      const { differences } = await import('../../core/prediction/differences.ts');
      const files = await compareFiles(run.prediction, run.view, new Map(), held);
      const differs = differences(run.prediction, { files });
      const observed: Observed = {
        state: 'ended',
        isApplied: true,
        files,
        differs,
        durationMs: Date.now() - startedAt,
        ...(await keptLostOf(run, end, launcher)),
      };
      panel.observed(run, observed);
      compared(run, observed);
    } else {
      const sentence = 'A part of the result was applied, so it is not compared.';
      panel.observed(run, { state: 'lost', isApplied: true, sentence });
    }
    // Its message may stand there for as long as the user likes.
    void offerUndo(end, launcher);
  }

  return {
    ended(run) {
      if (run.action.kind !== 'command' || !run.view || run.prediction.ending !== 'done') return;
      const preparing = prepare(run.prediction, run.view, Date.now() - (run.prediction.durationMs ?? 0));
      held.set(
        run,
        preparing.catch(() => ({ refused: { kind: 'gone' as const } })),
      );
    },
    apply,
  };
}

/** Behind a prediction the engine is there. */
async function prepare(...of: Parameters<typeof prepareApply>): ReturnType<typeof prepareApply> {
  const core = await import('../../core/apply/prepareApply.ts');
  return core.prepareApply(...of);
}

async function choosePaths({ items }: Preparation): Promise<ReadonlySet<string> | undefined> {
  const picks = items.map(({ change }) => ({
    label: printable(vscode.workspace.asRelativePath(change.path)),
    description: change.change,
    picked: true,
    path: change.path,
  }));
  const options = {
    canPickMany: true as const,
    title: 'Apply Predicted Result',
    placeHolder: 'Which paths? What was edited meanwhile is merged, or left.',
  };
  const chosen = await vscode.window.showQuickPick(picks, options);
  return chosen && chosen.length > 0 ? new Set(chosen.map(({ path }) => path)) : undefined;
}

type Applied = Exclude<Awaited<ReturnType<typeof applyPrediction>>, { refused: ApplyRefusal }>;

/** What the way back of an applied result holds of what was lost for good. */
async function keptLostOf(
  { prediction }: Run,
  { keptAs }: Applied,
  launcher: string,
): Promise<Pick<Observed, 'keptLost'>> {
  const entry = keptAs === undefined ? undefined : await kept(launcher, keptAs);
  return entry ? { keptLost: keptOf(prediction, entry) } : {};
}

async function kept(launcher: string, id: string): Promise<KeptEntry | undefined> {
  const { readEntry } = await import('../../core/safetyNet/keptEntry.ts');
  return readEntry(use(launcher).folder, id);
}

/** Says what was applied, and what was not, and offers to take it back. */
async function offerUndo(result: Applied, launcher: string): Promise<void> {
  const { applied, merged, conflicts, failed, keptAs } = result;
  const [left] = conflicts;
  const [first] = failed;
  const parts = [
    `Applied ${countOf(applied.length + merged.length, 'path')}.`,
    merged.length > 0
      ? `${countOf(merged.length, 'text')} edited meanwhile ${merged.length === 1 ? 'has' : 'have'} both changes.`
      : '',
    left === undefined ? '' : `${printable(left)} was edited meanwhile, and left.`,
    first ? `${printable(first.path)} was not applied: ${notPutText(first.code)}.` : '',
  ];
  const undo = 'Undo';
  const sentence = parts.filter((part) => part !== '').join(' ');
  const chosen = await vscode.window.showInformationMessage(sentence, ...(keptAs === undefined ? [] : [undo]));
  const entry = chosen === undo && keptAs !== undefined ? await kept(launcher, keptAs) : undefined;
  if (!entry) return;
  const [{ compareKept }, { restoreKept }] = await Promise.all([
    import('../../core/safetyNet/compareKept.ts'),
    import('../../core/safetyNet/restore.ts'),
  ]);
  const now = await compareKept(use(launcher).folder, entry);
  const back = await restoreKept(entry, now, { use: use(launcher), replacesNewer: false, now: Date.now() });
  const stays = back.newer.length + back.failed.length;
  const rest = stays === 0 ? '' : ` ${countOf(stays, 'path')} changed since, and ${stays === 1 ? 'was' : 'were'} left.`;
  void vscode.window.showInformationMessage(`Taken back: ${countOf(back.restored.length, 'path')}.${rest}`);
}
