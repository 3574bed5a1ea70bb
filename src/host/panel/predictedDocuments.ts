import path from 'node:path';
import * as vscode from 'vscode';
import { formatBytes } from '../../core/view/quantity.ts';
import type { Predictions } from '../predict/predictions.ts';
import type { Run } from '../predict/run.ts';

/** Scheme of documents that exist only in a prediction. */
const scheme = 'foretell';

/** A longer file is not shown: nobody reads such a diff. */
const longestBytes = 8 * 1024 ** 2;
/** Most files in one multi-diff editor. */
const mostFiles = 500;

/** What the multi-diff editor is called. */
const allTitle = 'Predicted Changes';

/** A place of a text, now or as it is predicted. */
export interface Place {
  path: string;
  line: number;
  column: number;
  moment: 'before' | 'after';
}

/** Opens what a prediction says about files in VS Code's own diff editors. */
export interface PredictedDocuments extends vscode.Disposable {
  openDiff(run: Run, file: string): Promise<boolean>;
  openAllChanges(run: Run): Promise<boolean>;
  /** Shows a place of a file as it is now, or as it is predicted; `line` and `column` from 1. */
  openAt(run: Run, place: Place): Promise<void>;
  /** Shows a text of our own, read-only. */
  openText(name: string, text: string): Promise<void>;
}

export function createPredictedDocuments(predictions: Pick<Predictions, 'current'>): PredictedDocuments {
  const texts = new Map<string, string>();
  const provider: vscode.TextDocumentContentProvider = {
    async provideTextDocumentContent(address) {
      const query = new URLSearchParams(address.query);
      const own = texts.get(address.path);
      if (query.has('text')) return own ?? '';
      const moment = query.get('moment');
      if (moment === 'nothing') return '';
      const run = predictions.current();
      if (run?.number !== Number(query.get('run')) || !run.view) {
        return 'This prediction is gone. Predict the command again to see what it would do to this file.';
      }
      const side = moment === 'before' ? 'before' : 'after';
      const bytes = await run.view.read(address.path, side, longestBytes + 1);
      return bytes ? readable(bytes) : '';
    },
  };
  const registration = vscode.workspace.registerTextDocumentContentProvider(scheme, provider);
  closeStale();

  return {
    async openDiff(run, file) {
      const change = run.prediction.files.find((one) => one.path === file || one.from === file);
      if (!change) return false;
      const { before, after } = await sidesNow(run, change);
      if (!before && !after) return false;
      const name = path.basename(change.path);
      const title = `${name} (${wordFor(change.change)}, predicted)`;
      const nothing = (side: string) => predicted(`${side}${change.path}`, { moment: 'nothing' });
      await vscode.commands.executeCommand('vscode.diff', before ?? nothing(''), after ?? nothing(''), title);
      return true;
    },
    async openAllChanges(run) {
      const shown = run.prediction.files.filter((one) => one.type === 'file' && one.change !== 'mode');
      // Git's own files are binary for the most part: whoever reads changes comes to them last.
      const changes = shown.toSorted((one, other) => Number(isInGit(one.path)) - Number(isInGit(other.path)));
      if (changes.length === 0) return false;
      const rows = changes.slice(0, mostFiles).map((change) => {
        const { before, after } = sides(run, change);
        return [vscode.Uri.file(change.path), before, after];
      });
      const more = changes.length > mostFiles ? `, the first ${mostFiles} of ${changes.length}` : '';
      await vscode.commands.executeCommand('vscode.changes', `${allTitle}${more}`, rows);
      return true;
    },
    async openAt(run, { path: file, line, column, moment }) {
      const isChanged = run.prediction.files.some((one) => one.path === file);
      const at = new vscode.Position(Math.max(line - 1, 0), Math.max(column - 1, 0));
      const address = moment === 'after' && isChanged ? predictedAddress(run, file, 'after') : vscode.Uri.file(file);
      const document = await vscode.workspace.openTextDocument(address);
      await vscode.window.showTextDocument(document, { preview: true, selection: new vscode.Range(at, at) });
    },
    async openText(name, text) {
      texts.set(`/${name}`, text);
      const address = predicted(`/${name}`, { text: String(Date.now()) });
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(address), { preview: true });
    },
    dispose: () => registration.dispose(),
  };
}

/** A multi-diff of before a reload would say that there are no changed files: its prediction is gone, and so is it. */
function closeStale(): void {
  const stale = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    // The API has no input for such editors; one with a file in it is somebody else's.
    .filter(({ label, input }) => input === undefined && label.startsWith(allTitle));
  if (stale.length > 0) void vscode.window.tabGroups.close(stale, true).then(undefined, () => {});
}

type Change = Run['prediction']['files'][number];

/** The left side is the real file, so that it can be edited there; what does not exist has no side. */
function sides(run: Run, change: Change): { before?: vscode.Uri; after?: vscode.Uri } {
  if (change.type !== 'file' && change.before?.type !== 'file') return {};
  const existed = change.change !== 'created';
  return {
    ...(existed ? { before: beforeAddress(run, change.from ?? change.path) } : {}),
    ...(change.change === 'deleted' ? {} : { after: predictedAddress(run, change.path, 'after') }),
  };
}

/** The same without a real file that is gone since. */
async function sidesNow(run: Run, change: Change): Promise<ReturnType<typeof sides>> {
  const { before, ...rest } = sides(run, change);
  if (before?.scheme !== 'file') return { ...rest, ...(before ? { before } : {}) };
  const isThere = await vscode.workspace.fs.stat(before).then(
    () => true,
    () => false,
  );
  return isThere ? { ...rest, before } : rest;
}

/** The document of one side of a prediction. */
export function predictedAddress(run: Run, file: string, moment: 'before' | 'after'): vscode.Uri {
  return predicted(file, { run: String(run.number), ...(moment === 'before' ? { moment } : {}) });
}

/** In a sequence the text before is a predicted one, too. */
function beforeAddress(run: Run, file: string): vscode.Uri {
  return run.position.length > 0 ? predictedAddress(run, file, 'before') : vscode.Uri.file(file);
}

function predicted(file: string, query: Record<string, string>): vscode.Uri {
  return vscode.Uri.from({ scheme, path: file, query: new URLSearchParams(query).toString() });
}

function wordFor(change: Change['change']): string {
  return change === 'mode' ? 'mode changed' : change;
}

function readable(bytes: Uint8Array): string {
  if (bytes.length > longestBytes) return `This file would have more than ${formatBytes(longestBytes)}.`;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Told below.
  }
  return `This file would not be text (${formatBytes(bytes.length)}).`;
}

function isInGit(file: string): boolean {
  return file.split('/').includes('.git');
}
