import * as vscode from 'vscode';
import type { LanguageProvider } from '../../core/worlds/language/client/provider.ts';
import type { ApiKeys } from './apiKeys.ts';
import { createLazyProvider } from './lazyProvider.ts';
import { type ModelSettings, onModelSettingsChanged, readModelSettings } from './modelSettings.ts';

/** The language model that the settings name. */
export interface Model extends vscode.Disposable {
  /** Absent: no model is chosen, or the workspace is not trusted. Made when it is first needed, and anew after a change. */
  provider(): LanguageProvider | undefined;
  /** What the panel calls it; absent as above. */
  name(): string | undefined;
}

/** `changed` is called when another model is used, or more is known about it. */
export function createModel(apiKeys: ApiKeys, secrets: vscode.SecretStorage, changed: () => void): Model {
  let made: { provider: LanguageProvider; settings: ModelSettings } | undefined;
  /** The model that a server named, where the settings name none. */
  let found: string | undefined;
  const renew = () => {
    made = undefined;
    found = undefined;
    changed();
  };
  const listeners = vscode.Disposable.from(
    onModelSettingsChanged(renew),
    // The client asks a server only once what it is, and what it is told can depend on the key.
    secrets.onDidChange(renew),
    vscode.lm?.onDidChangeChatModels?.(() => {
      if (made?.settings.provider === 'editor') renew();
    }) ?? { dispose() {} },
  );

  function make(settings: ModelSettings): LanguageProvider {
    const provider: LanguageProvider = createLazyProvider(
      () => loadProvider(settings, () => apiKeys.read(settings.baseUrl)),
      (status) => {
        if (!status.ok || found === status.model || made?.provider !== provider) return;
        found = status.model;
        changed();
      },
    );
    return provider;
  }

  const settingsInUse = () => {
    const settings = readModelSettings();
    return isChosen(settings) && vscode.workspace.isTrusted ? settings : undefined;
  };

  return {
    provider() {
      const settings = settingsInUse();
      if (!settings) return undefined;
      made ??= { provider: make(settings), settings };
      return made.provider;
    },
    name() {
      const settings = settingsInUse();
      if (!settings) return undefined;
      return settings.model ?? found ?? (settings.provider === 'editor' ? 'the editor’s model' : settings.baseUrl);
    },
    dispose: () => listeners.dispose(),
  };
}

/** Loads the client, and nothing of it before. `apiKey` is asked for every request; the key is kept nowhere else. */
export async function loadProvider(
  { provider, baseUrl, model, parameters }: Pick<ModelSettings, 'provider' | 'baseUrl' | 'model' | 'parameters'>,
  apiKey: () => Promise<string | undefined>,
): Promise<LanguageProvider> {
  if (provider === 'editor') {
    const [{ createEditorProvider }, { editorAccess }] = await Promise.all([
      import('./editorModel.ts'),
      import('./editorAccess.ts'),
    ]);
    return createEditorProvider(model, editorAccess);
  }
  const { createOpenAiProvider } = await import('../../core/worlds/language/client/client.ts');
  return createOpenAiProvider({ baseUrl, ...(model === undefined ? {} : { model }), apiKey, parameters });
}

function isChosen({ provider, baseUrl }: ModelSettings): boolean {
  return provider === 'editor' || (provider === 'server' && baseUrl !== '');
}
