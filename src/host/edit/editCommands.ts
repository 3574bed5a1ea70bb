import * as vscode from 'vscode';
import type { Panel } from '../panel/panel.ts';
import type { RealRuns } from '../realRun/runForReal.ts';
import type { PredictEdits, PredictEditsOptions } from './predictEdits.ts';

export interface EditCommandsOptions extends PredictEditsOptions {
  panel: Panel;
  realRuns: RealRuns;
}

/** Registers the commands of package.json that are about edits. What they do is loaded when it is asked for. */
export function registerEditCommands(options: EditCommandsOptions): vscode.Disposable {
  const { predictions, panel, realRuns } = options;
  let made: Promise<PredictEdits> | undefined;
  const edits = () => {
    made ??= import('./predictEdits.ts').then(({ createPredictEdits }) => createPredictEdits(options));
    return made;
  };
  const handlers: Record<string, (...args: never[]) => unknown> = {
    predictUnsaved: async () => (await edits()).unsaved(),
    predictUnsavedEditor: async (file?: unknown) =>
      (await edits()).unsaved(file ?? vscode.window.activeTextEditor?.document.uri),
    predictPatch: async (given?: unknown) => (await edits()).patch(given),
    predictCallOf: async (given?: unknown) => (await edits()).callOf(given),
    predictStaged: async (given?: unknown) => (await edits()).staged(given),
    predictDelete: async (file?: vscode.Uri, all?: vscode.Uri[]) => (await edits()).remove(file, all),
    predictRename: async (file?: vscode.Uri, to?: unknown) => (await edits()).rename(file, to),
    predictMove: async (file?: vscode.Uri, all?: unknown, to?: unknown) => (await edits()).move(file, all, to),
    predictReplace: async (given?: unknown) => (await edits()).replace(given),
    applyForReal: () => panel.reveal().then(() => realRuns.run()),
    chooseAndApply: () => panel.reveal().then(() => realRuns.run(false, true)),
    undoEdit: async () => (await import('./undoEdit.ts')).undoLatest(),
    discard: () => predictions.discard(),
  };
  const registered = Object.entries(handlers).map(([name, handler]) =>
    vscode.commands.registerCommand(`foretell.${name}`, handler),
  );
  return vscode.Disposable.from(...registered);
}
