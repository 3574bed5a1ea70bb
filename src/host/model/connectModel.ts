import { mkdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Foretell } from '../../core/foretell.ts';
import type { LanguageProvider, ProviderStatus } from '../../core/worlds/language/client/provider.ts';
import { keyboardIsFree } from '../walkthrough.ts';
import type { Language } from './language.ts';
import { loadProvider } from './model.ts';
import { type ModelSettings, readModelSettings, saveModelSettings } from './modelSettings.ts';
import { type ModelPlace, pickModel } from './pickModel.ts';
import { type Trial, tryModel } from './tryModel.ts';

export interface ConnectModelOptions {
  context: vscode.ExtensionContext;
  language: Language;
  engine: () => Promise<Foretell>;
  /** An empty folder of our own, for the trial. */
  folder: vscode.Uri;
}

/** A model that answers, with what has to be remembered. */
interface Candidate {
  settings: Pick<ModelSettings, 'provider' | 'baseUrl' | 'model' | 'parameters'>;
  /** Typed just now; kept only when the model is used. */
  key?: string;
  provider: LanguageProvider;
  title: string;
}

/** Leads from nothing to a model that has made its first prediction. Each step can be left; then nothing is changed. */
export async function connectModel(options: ConnectModelOptions): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    const manage = 'Manage Workspace Trust';
    const sentence = 'A model is not used in a workspace that is not trusted, because prompts hold its files.';
    if ((await vscode.window.showWarningMessage(sentence, manage)) === manage) {
      await vscode.commands.executeCommand('workbench.trust.manage');
    }
    return;
  }
  const { findServers } = await import('../../core/worlds/language/client/servers.ts');
  const { editorModelName } = await import('./editorModel.ts');
  const { editorAccess } = await import('./editorAccess.ts');
  const current = options.language.model.name();
  await keyboardIsFree();
  const place = await pickModel({ findServers, editorModels: editorAccess.models, editorModelName, current });
  if (!place) return;
  if (place.kind === 'serve') return showServing(options.context);
  if (place.kind === 'none') return saveModelSettings({ provider: undefined });
  const candidate = place.kind === 'editor' ? await editorCandidate(place) : await serverCandidate(options, place);
  if (!candidate) return;
  const trial = await withProgress(`${candidate.title} makes a first prediction`, async (signal, report) => {
    const engine = await options.engine();
    await mkdir(options.folder.fsPath, { recursive: true });
    const request = options.language.requestWith(candidate.provider);
    return tryModel(engine, request, options.folder.fsPath, signal, report);
  });
  if (await isAccepted(candidate, trial)) await save(options, candidate, trial);
}

async function isAccepted({ title }: Candidate, trial: Trial): Promise<boolean> {
  if (trial.ok) return true;
  if (trial.code === 'cancelled') return false;
  const anyway = 'Use It Anyway';
  return (await vscode.window.showWarningMessage(`${title}: ${trial.message}`, anyway)) === anyway;
}

async function save(
  { language }: ConnectModelOptions,
  { settings, key, title }: Candidate,
  trial: Trial,
): Promise<void> {
  const { provider, baseUrl, model } = settings;
  if (key !== undefined) await language.apiKeys.store(baseUrl, key);
  // The provider last: nothing is asked before everything is set.
  await saveModelSettings({ name: model, ...(provider === 'server' ? { baseUrl } : {}) });
  await saveModelSettings({ provider });
  const sentence = trial.ok ? trial.sentence : 'Its first prediction failed.';
  const predict = 'Predict a Command';
  // Not awaited: the guide is over, whatever becomes of the message.
  void vscode.window.showInformationMessage(`${title} is connected. ${sentence}`, predict).then((answer) => {
    if (answer === predict) void vscode.commands.executeCommand('foretell.predict');
  });
}

async function editorCandidate({ model, title }: Extract<ModelPlace, { kind: 'editor' }>): Promise<Candidate> {
  const settings = { ...readModelSettings(), provider: 'editor' as const, model };
  return { settings, provider: await loadProvider(settings, async () => undefined), title };
}

async function serverCandidate({ language }: ConnectModelOptions, place: ModelPlace): Promise<Candidate | undefined> {
  const baseUrl = place.kind === 'server' ? place.baseUrl : await askAddress();
  if (baseUrl === undefined) return undefined;
  const { model: _, ...others } = readModelSettings();
  const settings = { ...others, provider: 'server' as const, baseUrl };
  let key: string | undefined;
  const apiKey = async () => key ?? (await language.apiKeys.read(baseUrl));
  for (;;) {
    const provider = await loadProvider(settings, apiKey);
    const status = await withProgress('Asking the server what it is', (signal) => provider.status(signal));
    if (status.ok) {
      const model = await pickName(status);
      if (model === undefined) return undefined;
      const chosen = { ...settings, model };
      return {
        settings: chosen,
        ...(key === undefined ? {} : { key }),
        provider: await loadProvider(chosen, apiKey),
        title: `${model} (${status.name})`,
      };
    }
    if (status.code === 'cancelled') return undefined;
    if (status.code === 'key-refused') {
      key = await askKey(baseUrl, status.message);
      if (key === undefined) return undefined;
    } else {
      const again = 'Try Again';
      if ((await vscode.window.showErrorMessage(status.message, again)) !== again) return undefined;
    }
  }
}

async function askAddress(): Promise<string | undefined> {
  const { readBaseUrl } = await import('../../core/worlds/language/client/clientAddress.ts');
  const written = await vscode.window.showInputBox({
    title: 'Connect a Model: address of the server',
    prompt: 'Base URL of a server that speaks the OpenAI API',
    placeHolder: 'http://127.0.0.1:8000/v1',
    value: readModelSettings().baseUrl,
    ignoreFocusOut: true,
    validateInput(text) {
      const read = readBaseUrl(text);
      return read.ok ? undefined : read.message;
    },
  });
  const read = written === undefined ? undefined : readBaseUrl(written);
  return read?.ok ? read.address.baseUrl : undefined;
}

/** Asks for the key of an address; what is typed is not shown. */
export async function askKey(baseUrl: string, why: string): Promise<string | undefined> {
  const key = await vscode.window.showInputBox({
    title: `API key for ${baseUrl}`,
    prompt: `${why} It is kept in the editor’s secret storage and sent to this address only.`,
    password: true,
    ignoreFocusOut: true,
  });
  return key?.trim() || undefined;
}

async function pickName(status: Extract<ProviderStatus, { ok: true }>): Promise<string | undefined> {
  if (status.models.length <= 1) return status.model;
  const names = [status.model, ...status.models.filter((name) => name !== status.model)];
  return vscode.window.showQuickPick(names, {
    title: `Connect a Model: ${status.name}`,
    placeHolder: 'Choose one of its models',
    ignoreFocusOut: true,
  });
}

async function showServing(context: vscode.ExtensionContext): Promise<void> {
  const file = vscode.Uri.joinPath(context.extensionUri, 'media', 'walkthrough', 'serve.md');
  await vscode.commands.executeCommand('markdown.showPreview', file).then(undefined, async () => {
    // Without the Markdown extension its text can still be read.
    await vscode.window.showTextDocument(file);
  });
}

function withProgress<T>(
  title: string,
  work: (signal: AbortSignal, report: (text: string) => void) => Promise<T>,
): Promise<T> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  const run = vscode.window.withProgress(options, (progress, token) => {
    const abort = new AbortController();
    token.onCancellationRequested(() => abort.abort());
    return work(abort.signal, (message) => progress.report({ message }));
  });
  return Promise.resolve(run);
}
