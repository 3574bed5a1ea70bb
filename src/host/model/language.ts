import * as vscode from 'vscode';
import type { LanguageRequest } from '../../core/worlds/language/imagine/languageRequest.ts';
import type { TemplateFolder } from '../../core/worlds/language/template/templates.ts';
import type { PanelSettings } from '../../protocol/panelProtocol.ts';
import { localFolders } from '../predict/selection.ts';
import { createTerminalHistory } from '../terminal/terminalHistory.ts';
import { type ApiKeys, createApiKeys } from './apiKeys.ts';
import { createImagining, type Imagining } from './imagining.ts';
import { createModel, type Model } from './model.ts';
import { readModelSettings } from './modelSettings.ts';
import { createPromptFiles, type PromptFiles } from './promptFiles.ts';
import { templateFolders } from './templateFolders.ts';

/** The language model's part in this window. */
export interface Language extends vscode.Disposable {
  /** How the model takes part in the next prediction; absent: there is none, or the workspace is not trusted. */
  request(): LanguageRequest | undefined;
  /** The same with another model, to try it. */
  requestWith(provider: LanguageRequest['provider']): LanguageRequest;
  panelSettings(): Pick<PanelSettings, 'model' | 'imagining'>;
  model: Model;
  apiKeys: ApiKeys;
  imagining: Imagining;
  promptFiles: PromptFiles;
  /** Another model is used, or more is known about it. */
  onChanged: vscode.Event<void>;
}

/** `storage`: folder of our own files; `changed`: the panel shows something else now. */
export function createLanguage(context: vscode.ExtensionContext, storage: vscode.Uri, changed: () => void): Language {
  const apiKeys = createApiKeys(context);
  const changes = new vscode.EventEmitter<void>();
  const model = createModel(apiKeys, context.secrets, () => {
    changed();
    changes.fire();
  });
  const imagining = createImagining(context.workspaceState, () => readModelSettings().samples);
  const isHistoryWanted = () => model.name() !== undefined && readModelSettings().terminalHistory;
  const history = createTerminalHistory(isHistoryWanted, storage.fsPath);

  const folders = (): TemplateFolder[] =>
    templateFolders({
      workspaceFolders: vscode.workspace.isTrusted ? localFolders() : [],
      configured: readModelSettings().promptsFolder,
      extensionFolder: context.extensionPath,
    });

  function requestWith(provider: LanguageRequest['provider']): LanguageRequest {
    const settings = readModelSettings();
    const { conditions, text, samples } = imagining.read();
    return {
      provider,
      templateFolders: folders(),
      style: settings.style,
      dialect: settings.dialect,
      budgetTokens: settings.contextTokens,
      conditions,
      conditionText: text,
      samples,
      parameters: settings.parameters,
      terminalHistory: history.read(),
      excludes: settings.excludes,
      mostQuestions: settings.mostQuestions,
      countsBlocks: true,
    };
  }

  return {
    request() {
      const provider = model.provider();
      return provider && requestWith(provider);
    },
    requestWith,
    panelSettings() {
      const name = model.name();
      return name === undefined ? {} : { model: name, imagining: imagining.settings() };
    },
    model,
    apiKeys,
    imagining,
    promptFiles: createPromptFiles(folders, context.extensionPath),
    onChanged: changes.event,
    dispose() {
      changes.dispose();
      history.dispose();
      model.dispose();
    },
  };
}
