import { statSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Unsaved } from '../../protocol/panelProtocol.ts';
import { pathsItRestsOn } from '../predict/fingerprint.ts';
import type { Run } from '../predict/run.ts';
import { shellNamed } from '../predict/selection.ts';

/** A document of an editor that can be saved to a file. */
type Saveable = Pick<vscode.TextDocument, 'uri' | 'isDirty' | 'save'>;

/** Texts in editors that a prediction did not see, because they are not on disk. */
export interface UnsavedBeside {
  /** Remembers what is unsaved when a prediction begins. */
  started(run: Run): void;
  /** What of it matters to this one. */
  of(run: Run): Unsaved | undefined;
}

/** What was unsaved when a prediction began, and which of it was saved before it had ended. */
interface Beginning {
  dirty: string[];
  /** Milliseconds since 1970. */
  at: number;
  savedMeanwhile: Set<string>;
  /** It has ended, and nothing is added any more. */
  isSettled: boolean;
}

export function createUnsavedBeside(): UnsavedBeside & vscode.Disposable {
  const before = new WeakMap<Run, Beginning>();
  let latest: Run | undefined;
  function saved({ uri }: Saveable): void {
    // VS Code may save by itself a moment after the typing: which of the two texts the command read nobody knows.
    if (latest && latest.prediction.ending === undefined) before.get(latest)?.savedMeanwhile.add(uri.fsPath);
  }
  const listening = vscode.Disposable.from(
    vscode.workspace.onDidSaveTextDocument(saved),
    vscode.workspace.onDidSaveNotebookDocument(saved),
  );
  return {
    started(run) {
      latest = run;
      before.set(run, { dirty: dirtyFiles(), at: Date.now(), savedMeanwhile: new Set(), isSettled: false });
    },
    of(run) {
      const beginning = before.get(run);
      if (beginning && run.prediction.ending !== undefined) settle(beginning);
      const { dirty = [], savedMeanwhile = new Set<string>() } = beginning ?? {};
      const matters = unsavedThatMatters(run, dirty);
      return matters && { ...matters, savedMeanwhile: matters.paths.every((file) => savedMeanwhile.has(file)) };
    },
    dispose: () => listening.dispose(),
  };
}

/**
 * When it has ended, what is not unsaved any more was saved before, whenever VS Code has told of it, or was undone: then the file
 * is as old as it was, and the prediction saw all of it.
 */
function settle(beginning: Beginning): void {
  if (beginning.isSettled) return;
  beginning.isSettled = true;
  const { at, savedMeanwhile } = beginning;
  const still = new Set(dirtyFiles());
  const saved = beginning.dirty.filter((file) => !still.has(file) && isWrittenSince(file, at));
  for (const file of saved) savedMeanwhile.add(file);
  beginning.dirty = beginning.dirty.filter((file) => still.has(file) || savedMeanwhile.has(file));
}

/** A file that is gone counts as written. The clock of a file system may be a little behind. */
function isWrittenSince(file: string, time: number): boolean {
  const status = statSync(file, { throwIfNoEntry: false });
  return status === undefined || status.mtimeMs > time - 20;
}

/** Saves these files where they are open with changes. Those that could not be saved are given back. */
export async function saveFiles(paths: readonly string[]): Promise<string[]> {
  const wanted = new Set(paths);
  const open = saveables().filter((one) => one.isDirty && wanted.has(one.uri.fsPath));
  const saved = await Promise.all(open.map((one) => one.save()));
  return open.flatMap((one, index) => (saved[index] ? [] : [one.uri.fsPath]));
}

function dirtyFiles(): string[] {
  return saveables()
    .filter((one) => one.isDirty && one.uri.scheme === 'file')
    .map((one) => one.uri.fsPath);
}

function saveables(): Saveable[] {
  return [...vscode.workspace.textDocuments, ...vscode.workspace.notebookDocuments];
}

/** Those that the command or edit names; else those in the folders in which programs run. */
function unsavedThatMatters(run: Run, unsaved: readonly string[]) {
  if (unsaved.length === 0) return undefined;
  const { action, origin, prediction } = run;
  // Saving an editor is about just what is unsaved there.
  const others = origin?.applies === 'save' ? unsaved.filter((file) => !origin.editors?.includes(file)) : [...unsaved];
  const script = action.kind === 'command' ? action.script : '';
  const rests = new Set(pathsItRestsOn(prediction));
  const named = others.filter((file) => rests.has(file) || namesFile(script, file));
  if (named.length > 0) return { paths: named, isNamed: true };
  if (action.kind === 'edit') return undefined;
  const programs = prediction.programs.filter(({ argv }) => !shellNamed(argv[0]));
  const near = others.filter((file) => programs.some(({ cwd }) => file.startsWith(cwd === '/' ? cwd : `${cwd}/`)));
  return near.length > 0 ? { paths: near, isNamed: false } : undefined;
}

/** The name of the file stands in a script as a word, or as the end of one. */
function namesFile(script: string, file: string): boolean {
  const name = path.basename(file).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?:^|[\\s/'"<>=;&|(])${name}(?:$|[\\s'"<>;&|):])`).test(script);
}
