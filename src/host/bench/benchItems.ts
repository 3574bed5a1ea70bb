import * as vscode from 'vscode';
import type { TurnAction } from '../../core/action/turnAction.ts';
import type { BenchRow } from '../../core/bench/run/benchRow.ts';

/** The rows of the workspace as test items: files, in them trajectories, in them turns. */
export interface BenchItems {
  add(uri: vscode.Uri, hasChanged: boolean): void;
  remove(uri: vscode.Uri): void;
  /** Reads the rows of a file; once, until it changes. */
  resolve(file: vscode.TestItem): Promise<void>;
  /** The item of a row in a file (its path). */
  itemOf(file: string, key: string): vscode.TestItem | undefined;
  /** Keys of rows below an item, by the path of their file; all of a file's rows without reading them: `undefined`. */
  keysBelow(item: vscode.TestItem): string[];
}

/** Longest label of a turn, in UTF-16 code units. */
const longestLabel = 80;

export function createBenchItems(controller: vscode.TestController, log: vscode.LogOutputChannel): BenchItems {
  /** By path of the file: row items by key. */
  const rows = new Map<string, Map<string, vscode.TestItem>>();
  const keys = new WeakMap<vscode.TestItem, string>();
  const reading = new Map<string, Promise<void>>();

  async function read(file: vscode.TestItem, uri: vscode.Uri): Promise<void> {
    const { readBenchRows } = await import('../../core/bench/run/benchRow.ts');
    const byKey = new Map<string, vscode.TestItem>();
    const trajectories = new Map<string, vscode.TestItem>();
    let bad = 0;
    file.busy = true;
    try {
      for await (const line of readBenchRows([uri.fsPath])) {
        if (!line.ok) {
          bad += 1;
          log.warn(`${uri.fsPath}:${line.number}: ${line.problem}`);
          continue;
        }
        const { row } = line;
        if (byKey.has(row.key)) continue;
        let trajectory = trajectories.get(row.trajectory);
        if (!trajectory) {
          trajectory = controller.createTestItem(`${uri.toString()}#${row.trajectory}`, row.trajectory, uri);
          trajectory.range = rangeOf(line.number);
          trajectories.set(row.trajectory, trajectory);
        }
        const item = controller.createTestItem(`${uri.toString()}#${row.key}`, labelOf(row), uri);
        item.range = rangeOf(line.number);
        item.sortText = String(row.turn).padStart(6, '0');
        keys.set(item, row.key);
        byKey.set(row.key, item);
        trajectory.children.add(item);
      }
      file.children.replace([...trajectories.values()]);
      file.error = bad === 0 ? undefined : `${bad} ${bad === 1 ? 'line is' : 'lines are'} no rows; the log says which.`;
      rows.set(uri.fsPath, byKey);
    } catch (error) {
      // A folder that goes takes its files with it silently.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') controller.items.delete(file.id);
      file.error = `The file cannot be read (${error instanceof Error ? error.message : String(error)}).`;
    } finally {
      file.busy = false;
    }
  }

  return {
    add(uri, hasChanged) {
      const before = controller.items.get(uri.toString());
      if (before) {
        if (!hasChanged) return;
        // What was read is read again when it is needed.
        reading.delete(uri.fsPath);
        rows.delete(uri.fsPath);
        if (before.children.size > 0) void this.resolve(before);
        return;
      }
      const item = controller.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
      item.canResolveChildren = true;
      controller.items.add(item);
    },
    remove(uri) {
      controller.items.delete(uri.toString());
      rows.delete(uri.fsPath);
      reading.delete(uri.fsPath);
    },
    resolve(file) {
      const { uri } = file;
      if (!uri) return Promise.resolve();
      const under = reading.get(uri.fsPath) ?? read(file, uri);
      reading.set(uri.fsPath, under);
      return under;
    },
    itemOf: (file, key) => rows.get(file)?.get(key),
    keysBelow(item) {
      const key = keys.get(item);
      if (key !== undefined) return [key];
      return [...item.children].flatMap(([, child]) => this.keysBelow(child));
    },
  };
}

const rangeOf = (line: number) => new vscode.Range(line - 1, 0, line - 1, 0);

function labelOf({ turn, action }: BenchRow): string {
  const text = actionText(action.turn).replace(/\s+/g, ' ').trim();
  const short = text.length > longestLabel ? `${text.slice(0, longestLabel)}…` : text;
  return `${turn}: ${short || 'waits'}`;
}

function actionText(turn: TurnAction): string {
  if (turn.kind === 'text') return turn.text;
  if (turn.kind === 'keystrokes') return turn.keystrokes.map(({ keystrokes }) => keystrokes).join('');
  const { command } = turn.arguments;
  return typeof command === 'string' ? command : `${turn.name} ${JSON.stringify(turn.arguments)}`;
}
