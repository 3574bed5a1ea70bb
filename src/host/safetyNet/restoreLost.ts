import path from 'node:path';
import * as vscode from 'vscode';
import { isNotText } from '../../core/loss/bytePath.ts';
import { printable } from '../../core/prediction/text/printable.ts';
import { compareKept, type NodeNow } from '../../core/safetyNet/compareKept.ts';
import { contentOf, type KeptEntry, listEntries } from '../../core/safetyNet/keptEntry.ts';
import { type NetUse, netFolder } from '../../core/safetyNet/netUse.ts';
import { restoreKept } from '../../core/safetyNet/restore.ts';
import { countOf } from '../../core/view/quantity.ts';
import { keptCountText, keptForText, keptStateText, notPutText } from '../../core/words/keptText.ts';
import { readSettings } from '../settings.ts';

interface EntryItem extends vscode.QuickPickItem {
  entry: KeptEntry;
}

interface NodeItem extends vscode.QuickPickItem {
  now: NodeNow;
}

/** Lets the user restore what was kept before a real run or an agent's call. `launcher`: see `launcherPath`; `id`: of one entry; default: it is asked. */
export async function restoreLost(launcher: string, id?: unknown): Promise<void> {
  // What is restored is kept whatever the room is for what commands lose: else nothing could be undone.
  const mostBytes = Math.max(readSettings().safetyNetBytes, 1024 ** 3);
  const use: NetUse = { folder: netFolder(process.env), mostBytes, launcher };
  const entries = listEntries(use.folder, Date.now());
  const entry = entries.find((one) => one.id === id) ?? (await chooseEntry(entries));
  if (!entry) return;
  const now = await compareKept(use.folder, entry);
  const differing = now.filter(({ state }) => state !== 'same');
  if (differing.length === 0)
    return void vscode.window.showInformationMessage('Everything that was kept there is as it was.');
  const chosen = await choosePaths(use.folder, entry, differing);
  if (!chosen || chosen.length === 0) return;
  const dirty = vscode.workspace.textDocuments.find(
    (document) => document.isDirty && chosen.some(({ node }) => node.path === document.uri.fsPath),
  );
  if (dirty) {
    const sentence = `${path.basename(dirty.fileName)} has unsaved changes, so nothing was restored. Save or revert it first.`;
    return void vscode.window.showWarningMessage(sentence);
  }
  const newer = chosen.filter(({ state }) => state === 'newer');
  if (newer.length > 0 && !(await agreesToReplace(newer))) return;
  const folders = new Set(chosen.map(({ node }) => node.path));
  const wanted = now.filter(({ node }) => folders.has(node.path) || isAbove(node.path, folders));
  const { restored, failed, keptAs } = await restoreKept(entry, wanted, {
    use,
    replacesNewer: true,
    now: Date.now(),
  });
  const kept = keptAs === undefined ? '' : ' What was replaced is kept.';
  const [first] = failed;
  if (!first) return void vscode.window.showInformationMessage(`Restored ${countOf(restored.length, 'path')}.${kept}`);
  const reason = `${printable(first.path)}: ${notPutText(first.code)}`;
  void vscode.window.showWarningMessage(
    `Restored ${countOf(restored.length, 'path')}; ${countOf(failed.length, 'path')} could not be (${reason}).${kept}`,
  );
}

async function chooseEntry(entries: readonly KeptEntry[]): Promise<KeptEntry | undefined> {
  if (entries.length === 0) {
    void vscode.window.showInformationMessage(
      'Nothing is kept. What a command would lose is kept for a week when it is run for real.',
    );
    return undefined;
  }
  const items: EntryItem[] = entries.map((entry) => ({
    label: printable(entry.title.split('\n')[0] ?? ''),
    description: keptCountText(entry),
    detail: `${new Date(entry.at).toLocaleString()}, ${keptForText(entry.for)}, in ${printable(entry.cwd)}`,
    entry,
  }));
  const options = { title: 'Restore What Was Lost', placeHolder: 'What was done?', matchOnDetail: true };
  return (await vscode.window.showQuickPick(items, options))?.entry;
}

const showChange: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('diff'),
  tooltip: 'Show What Would Change',
};

function choosePaths(
  folder: string,
  entry: KeptEntry,
  differing: readonly NodeNow[],
): Promise<readonly NodeNow[] | undefined> {
  const pick = vscode.window.createQuickPick<NodeItem>();
  pick.title = 'Restore What Was Lost';
  pick.placeholder = 'Which paths? What is replaced is kept in its turn.';
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.items = differing.map((now) => ({
    label: printable(vscode.workspace.asRelativePath(now.node.path)),
    description: keptStateText(now.state),
    ...(now.node.content === undefined ? {} : { buttons: [showChange] }),
    now,
  }));
  pick.selectedItems = pick.items.filter(({ now: { state } }) => state === 'gone' || state === 'asLeft');
  return new Promise((resolve) => {
    pick.onDidTriggerItemButton(({ item }) => void showDiff(folder, entry, item.now));
    pick.onDidAccept(() => {
      resolve(pick.selectedItems.map(({ now }) => now));
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

/** What stands there now, beside what would. */
async function showDiff(folder: string, entry: KeptEntry, { node, status }: NodeNow): Promise<void> {
  const kept = vscode.Uri.file(contentOf(folder, entry, node));
  const name = path.basename(node.path);
  if (!status?.isFile() || isNotText(node.path))
    await vscode.commands.executeCommand('vscode.open', kept, undefined, `${name} (kept)`);
  else {
    const title = `${name} (now ↔ restored)`;
    await vscode.commands.executeCommand('vscode.diff', vscode.Uri.file(node.path), kept, title);
  }
}

function isAbove(folder: string, paths: ReadonlySet<string>): boolean {
  return [...paths].some((one) => one.startsWith(`${folder}/`));
}

async function agreesToReplace(newer: readonly NodeNow[]): Promise<boolean> {
  const yes = 'Replace';
  const message = `${countOf(newer.length, 'path has', 'paths have')} changed since. Replace what stands there now?`;
  const detail = [
    'It is kept in its turn.',
    '',
    ...newer.slice(0, 10).map(({ node }) => printable(vscode.workspace.asRelativePath(node.path))),
  ].join('\n');
  return (await vscode.window.showWarningMessage(message, { modal: true, detail }, yes)) === yes;
}
