import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { LanguageProvider } from '../../core/worlds/language/client/provider.ts';
import type { Language } from '../model/language.ts';
import { createLazyProvider } from '../model/lazyProvider.ts';

const trajectoryName = 'harbour.trajectory.jsonl';
const modelName = 'the tour’s script';

/** The tour of the lab: a sample trajectory whose model is a file of ours, so that it needs no server. */
export interface Tour {
  /** Opens a fresh copy of the trajectory, and beside it what to try. */
  take(): Promise<void>;
  /** Who answers for this document: for the tour's own the script, else whoever is connected. */
  languageFor(language: Language, document: vscode.Uri): Language;
}

export function createTour(context: vscode.ExtensionContext): Tour {
  const shipped = vscode.Uri.joinPath(context.extensionUri, 'media', 'tour');
  const copy = vscode.Uri.joinPath(context.globalStorageUri, 'tour', trajectoryName);
  let provider: LanguageProvider | undefined;
  return {
    async take() {
      // The tabs of an earlier tour hold what was tried then.
      const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: all }) => all);
      const old = tabs.filter(({ input }) => input instanceof vscode.TabInputCustom && isSame(input.uri, copy));
      for (const { input } of old) {
        if (!(input instanceof vscode.TabInputCustom)) continue;
        await vscode.commands.executeCommand('vscode.openWith', input.uri, input.viewType);
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      }
      provider = undefined;
      await vscode.workspace.fs.copy(vscode.Uri.joinPath(shipped, trajectoryName), copy, { overwrite: true });
      await vscode.commands.executeCommand('vscode.openWith', copy, 'foretell.trajectory', vscode.ViewColumn.One);
      const guide = vscode.Uri.joinPath(shipped, 'tour.md');
      const isShown = tabs.some(({ label }) => label.endsWith(path.basename(guide.path)));
      if (!isShown) await vscode.commands.executeCommand('markdown.showPreviewToSide', guide);
      // The guide is read, and what it says is done in the lab.
      await vscode.commands.executeCommand('vscode.openWith', copy, 'foretell.trajectory', vscode.ViewColumn.One);
    },
    languageFor(language, document) {
      if (!isSame(document, copy)) return language;
      provider ??= createLazyProvider(
        () => loadScript(shipped.fsPath),
        () => {},
      );
      const own = provider;
      return {
        ...language,
        dispose() {},
        request: () => language.requestWith(own),
        model: { provider: () => own, name: () => modelName, dispose() {} },
      };
    },
  };
}

async function loadScript(folder: string): Promise<LanguageProvider> {
  const { createScriptedProvider, ScriptedModel } = await import('../../core/worlds/language/client/scripted.ts');
  const text = await readFile(path.join(folder, 'model.json'), 'utf8');
  return createScriptedProvider(ScriptedModel.parse(JSON.parse(text)));
}

function isSame(one: vscode.Uri, other: vscode.Uri): boolean {
  return one.toString() === other.toString();
}
