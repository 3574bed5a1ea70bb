import { chmod, lstat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { differences } from '../../core/prediction/differences.ts';
import { countOf } from '../../core/view/quantity.ts';
import type { Observed } from '../../protocol/panelProtocol.ts';
import { followImports } from '../consequences/followingImports.ts';
import { compareFiles, newContents } from '../panel/compareFiles.ts';
import type { Panel } from '../panel/panel.ts';
import type { Predictions } from '../predict/predictions.ts';
import type { Run } from '../predict/run.ts';
import { stillHolds, userAgrees } from '../realRun/beforeReal.ts';
import { keepBeforeRun } from '../safetyNet/keepBeforeRun.ts';
import { readSettings } from '../settings.ts';
import { baseName } from './baseName.ts';
import { keepBefore, offerUndo } from './undoEdit.ts';
import { workspaceEditOf } from './workspaceEditOf.ts';

/** Files that are saved at a time. */
const atOnce = 16;

export interface ApplyEditOptions {
  predictions: Predictions;
  panel: Panel;
  log: vscode.LogOutputChannel;
  /** See `launcherPath`. */
  launcher: string;
  /** Told what came of the edit, beside the panel. */
  compared(run: Run, observed: Observed): unknown;
}

/**
 * Applies a predicted edit to the real files through the editor, so that it can be undone, saves it, and compares.
 * `confirmed`: the user has read the banner that held it up.
 */
export async function applyEdit(
  { predictions, panel, log, launcher, compared: tell }: ApplyEditOptions,
  run: Run,
  { confirmed, chooses }: { confirmed: boolean; chooses: boolean },
): Promise<void> {
  const say = (sentence: string, kind: 'information' | 'warning' = 'information') => panel.banner({ kind, sentence });
  const { origin, view, prediction } = run;
  if (origin?.applies === 'nothing') return say('What is staged is in the files already. There is nothing to apply.');
  if (run.position.length > 0) {
    return say('This starts from what was only predicted. Start over, and predict the edit on the real files.');
  }
  if (prediction.files.length === 0) return say('The edit would change no file, so there is nothing to apply.');
  if (!view) return say('This prediction is gone. Predict the edit again.');
  if (origin?.applies === 'save') {
    if (!holdsStill(run)) return say('An editor has changed since. Predict the unsaved changes again.', 'warning');
  } else {
    const dirty = dirtyAmong(prediction.files.flatMap(({ path, from }) => (from ? [path, from] : [path])));
    if (dirty.length > 0) {
      const names = dirty.map((document) => baseName(document.fileName)).join(', ');
      return say(`${names} has unsaved changes, which the edit would collide with. Save or revert first.`, 'warning');
    }
  }
  if (!confirmed && !(await stillHolds(predictions, panel, run))) return;
  const title = origin?.title ?? 'Edit';
  const question = {
    yes: 'Apply for Real',
    message: 'Apply this edit for real?',
    dangerous: 'This edit is dangerous. Apply it for real?',
    detail: title,
    unasked: 'VS Code could not ask, so nothing was applied.',
  };
  const settings = readSettings();
  if (!(await userAgrees(run, settings, panel, question))) return;
  panel.banner(null);
  // *Undo* lasts as long as the window, this for a week.
  const kept = await keepBeforeRun(run, settings, launcher);
  // What was only unsaved can be undone in its editor.
  const before = origin?.applies === 'save' ? undefined : await keepBefore(prediction);
  const held = await newContents(prediction, view);
  const startedAt = Date.now();
  panel.observed(run, { state: 'running', isApplied: true });
  try {
    if (origin?.applies === 'save') await saveAll(origin.editors ?? []);
    else if (!(await applyChanges(run, title, chooses))) {
      return panel.observed(run, { state: 'lost', isApplied: true, sentence: 'Nothing was applied.' });
    }
    const imports = chooses ? [] : await followImports(run);
    const followed = new Set(imports.map(({ path }) => path));
    const compared = await compareFiles(prediction, view, new Map(), held);
    const files = [...compared.filter(({ path }) => !followed.has(path)), ...imports];
    const differing = files.filter((file) => !file.agrees).length;
    log.info(`Applied an edit: ${files.length} paths compared, ${differing} differ.`);
    const differs = differences(prediction, { files });
    const durationMs = Date.now() - startedAt;
    const net = kept.keptLost === undefined ? {} : { keptLost: kept.keptLost };
    const observed: Observed = { state: 'ended', isApplied: true, files, differs, durationMs, ...net };
    panel.observed(run, observed);
    tell(run, observed);
    kept.noteLeft();
    if (before) void offerUndo({ title, paths: files.length }, before, say);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log.error(`An edit could not be applied: ${reason}`);
    panel.observed(run, {
      state: 'lost',
      isApplied: true,
      sentence: `The edit could not be applied to its end: ${reason}`,
    });
  }
}

async function applyChanges(run: Run, title: string, chooses: boolean): Promise<boolean> {
  const { edit, texts, modes } = await workspaceEditOf(run, title, chooses);
  if (!(await vscode.workspace.applyEdit(edit, { isRefactoring: true }))) return false;
  await saveAll(texts);
  for (const [file, mode] of modes) {
    const status = await lstat(file).catch(() => undefined);
    if (status?.isFile() && (status.mode & 0o7777) !== mode) await chmod(file, mode);
  }
  return true;
}

/** Saves the documents of these files that are open with changes. */
async function saveAll(files: readonly string[]): Promise<void> {
  const refused: string[] = [];
  const dirty = dirtyAmong(files);
  for (let start = 0; start < dirty.length; start += atOnce) {
    const save = async (document: vscode.TextDocument) => {
      if (!(await document.save())) refused.push(baseName(document.fileName));
    };
    await Promise.all(dirty.slice(start, start + atOnce).map(save));
  }
  if (refused.length > 0)
    throw new Error(`${countOf(refused.length, 'file')} could not be saved: ${refused.join(', ')}.`);
}

function dirtyAmong(files: readonly string[]): vscode.TextDocument[] {
  const wanted = new Set(files);
  return vscode.workspace.textDocuments.filter(
    (document) => document.isDirty && document.uri.scheme === 'file' && wanted.has(document.uri.fsPath),
  );
}

/** The editors hold what was predicted. */
function holdsStill({ action }: Run): boolean {
  if (action.kind !== 'edit') return false;
  const real = vscode.workspace.textDocuments.filter((document) => document.uri.scheme === 'file');
  const open = new Map(real.map((document) => [document.uri.fsPath, document]));
  return action.changes.every(({ path, after }) => open.get(path)?.getText() === after);
}
