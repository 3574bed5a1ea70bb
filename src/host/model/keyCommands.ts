import * as vscode from 'vscode';
import type { ApiKeys } from './apiKeys.ts';
import { askKey } from './connectModel.ts';
import { readModelSettings } from './modelSettings.ts';

/** Asks for the key of the configured server and keeps it. */
export async function setApiKey(apiKeys: ApiKeys): Promise<void> {
  const { baseUrl } = readModelSettings();
  if (baseUrl === '') {
    const connect = 'Connect a Model';
    const sentence = 'A key belongs to a server, and none is set. Connect a model first.';
    if ((await vscode.window.showInformationMessage(sentence, connect)) === connect) {
      await vscode.commands.executeCommand('foretell.connectModel');
    }
    return;
  }
  const has = (await apiKeys.read(baseUrl)) !== undefined;
  const key = await askKey(baseUrl, has ? 'It replaces the key that is kept for it.' : 'A key of this server.');
  if (key !== undefined) await apiKeys.store(baseUrl, key);
}

/** Lets the user choose whose keys are deleted; one that is the only one is deleted at once. */
export async function forgetApiKey(apiKeys: ApiKeys): Promise<void> {
  const places = apiKeys.places();
  if (places.length === 0) {
    void vscode.window.showInformationMessage('No API key is kept.');
    return;
  }
  const chosen =
    places.length === 1
      ? places
      : await vscode.window.showQuickPick(places, { title: 'Forget API Key', canPickMany: true });
  for (const place of chosen ?? []) await apiKeys.forget(place);
  if (chosen && chosen.length > 0) {
    void vscode.window.showInformationMessage(`The API key for ${chosen.join(', ')} is forgotten.`);
  }
}
