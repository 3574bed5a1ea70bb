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

/** What was unsaved when a prediction began, and what became of it. */
interface Beginning {
  /** Files, and what each was on disk then. */
  dirty: Map<string, string>;
  /** Saved before it had ended. */
  savedMeanwhile: Set<string>;
  /** Saved after that. */
  savedSince: Set<string>;
  /** It has ended, and nothing is added any more. */
  isSettled: boolean;
}

/** `changed`: something else is to be said of this prediction, which has ended. */
export function createUnsavedBeside(changed: (run: Run) => void): UnsavedBeside & vscode.Disposable {
  const before = new WeakMap<Run, Beginning>();
  let latest: Run | undefined;
  function saved({ uri }: Pick<Saveable, 'uri'>): void {
    const beginning = latest && before.get(latest);
    if (!latest || !beginning) return;
    if (latest.prediction.ending !== undefined) {
      noLongerDirty(uri.fsPath);
      return;
    }
    // VS Code may save by itself a moment after the typing: which of the two texts the command read nobody knows.
    beginning.savedMeanwhile.add(uri.fsPath);
    if (!beginning.dirty.has(uri.fsPath)) beginning.dirty.set(uri.fsPath, onDisk(uri.fsPath));
  }
  function noLongerDirty(file: string): void {
    const beginning = latest && before.get(latest);
    const was = beginning?.dirty.get(file);
    if (!latest || !beginning?.isSettled || was === undefined) return;
    if (was !== onDisk(file)) beginning.savedSince.add(file);
    else if (!beginning.savedMeanwhile.has(file)) beginning.dirty.delete(file);
    changed(latest);
  }
  const listening = vscode.Disposable.from(
    vscode.workspace.onDidSaveTextDocument(saved),
    vscode.workspace.onDidSaveNotebookDocument(saved),
    // Without a change of the text it tells that the document became unsaved, or is not any more: saved, reverted or undone.
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length === 0 && !document.isDirty) noLongerDirty(document.uri.fsPath);
    }),
  );
  return {
    started(run) {
      latest = run;
      const dirty = new Map(dirtyFiles().map((file) => [file, onDisk(file)]));
      before.set(run, { dirty, savedMeanwhile: new Set(), savedSince: new Set(), isSettled: false });
    },
    of(run) {
      const beginning = before.get(run);
      if (!beginning) return undefined;
      const { dirty, savedMeanwhile, savedSince } = beginning;
      if (run.prediction.ending !== undefined) settle(beginning);
      const matters = unsavedThatMatters(run, [...dirty.keys()]);
      if (!matters) return undefined;
      const { paths } = matters;
      if (!paths.every((file) => savedMeanwhile.has(file) || savedSince.has(file))) return matters;
      return { ...matters, saved: paths.some((file) => savedMeanwhile.has(file)) ? 'meanwhile' : 'since' };
    },
    dispose: () => listening.dispose(),
  };
}

/**
 * When it has ended, what is not unsaved any more was saved before, whenever VS Code has told of it, or was undone: then the file
 * is what it was, and the prediction saw all of it.
 */
function settle(beginning: Beginning): void {
  if (beginning.isSettled) return;
  beginning.isSettled = true;
  const { dirty, savedMeanwhile } = beginning;
  const still = new Set(dirtyFiles());
  for (const [file, was] of dirty) {
    if (still.has(file)) continue;
    if (was !== onDisk(file)) savedMeanwhile.add(file);
    else if (!savedMeanwhile.has(file)) dirty.delete(file);
  }
}

/** Which file stands there, and when it was written. */
function onDisk(file: string): string {
  const status = statSync(file, { throwIfNoEntry: false, bigint: true });
  return status === undefined ? 'none' : `${status.dev}:${status.ino}:${status.mtimeNs}:${status.size}`;
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
function unsavedThatMatters(run: Run, unsaved: readonly string[]): Pick<Unsaved, 'paths' | 'isNamed'> | undefined {
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
