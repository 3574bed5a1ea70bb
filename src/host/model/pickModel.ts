import * as vscode from 'vscode';
import type { FoundServer } from '../../core/worlds/language/client/servers.ts';

/** Where the model is, as the user chose. */
export type ModelPlace =
  | { kind: 'server'; baseUrl: string; models: readonly string[] }
  | { kind: 'editor'; model: string; title: string }
  | { kind: 'address' | 'serve' | 'none' };

interface PlaceItem extends vscode.QuickPickItem {
  place?: ModelPlace;
}

export interface PickModelOptions {
  /** Looks for servers on this machine; takes some seconds. */
  findServers(signal: AbortSignal): Promise<FoundServer[]>;
  editorModels(): Promise<vscode.LanguageModelChat[]>;
  editorModelName(model: vscode.LanguageModelChat): string;
  /** What is used now. */
  current: string | undefined;
}

/** Lets the user choose where the model is; what is found is listed as it is found. `undefined`: thought better of it. */
export function pickModel(options: PickModelOptions): Promise<ModelPlace | undefined> {
  const pick = vscode.window.createQuickPick<PlaceItem>();
  pick.title = 'Connect a Model';
  pick.placeholder = 'Looking for model servers on this machine…';
  pick.matchOnDescription = true;
  pick.ignoreFocusOut = true;
  pick.busy = true;
  const abort = new AbortController();
  let servers: PlaceItem[] = [];
  let inEditor: PlaceItem[] = [];
  const show = () => {
    const [active] = pick.activeItems;
    pick.items = [...servers, ...inEditor, ...otherItems(options.current)];
    const same = pick.items.find((item) => item.label === active?.label);
    if (same && active !== undefined && active.label !== addressLabel) pick.activeItems = [same];
  };
  show();
  const searching = Promise.allSettled([
    options.findServers(abort.signal).then((found) => {
      servers = serverItems(found);
      show();
    }),
    options.editorModels().then((models) => {
      inEditor = editorItems(models, options.editorModelName);
      show();
    }),
  ]);
  void searching.then(() => {
    if (abort.signal.aborted) return;
    pick.busy = false;
    pick.placeholder =
      servers.length > 0 ? 'Choose where the model is' : 'No model server runs on the usual ports of this machine';
  });
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      resolve(pick.activeItems[0]?.place);
      pick.hide();
    });
    pick.onDidHide(() => {
      abort.abort();
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

function serverItems(found: readonly FoundServer[]): PlaceItem[] {
  return found.map((server) => ({
    label: `$(server) ${server.name}`,
    description: server.problem ?? (server.models.length === 1 ? server.models[0] : `${server.models.length} models`),
    detail: server.baseUrl,
    place: { kind: 'server', baseUrl: server.baseUrl, models: server.models },
  }));
}

function editorItems(
  models: readonly vscode.LanguageModelChat[],
  nameOf: (model: vscode.LanguageModelChat) => string,
): PlaceItem[] {
  if (models.length === 0) return [];
  const items = models.map((model) => ({
    label: `$(sparkle) ${model.name}`,
    description: model.vendor,
    place: { kind: 'editor' as const, model: nameOf(model), title: model.name },
  }));
  return [{ label: 'Models of this editor', kind: vscode.QuickPickItemKind.Separator }, ...items];
}

const addressLabel = '$(globe) Type the address of a server…';

function otherItems(current: string | undefined): PlaceItem[] {
  const items: PlaceItem[] = [
    { label: 'Others', kind: vscode.QuickPickItemKind.Separator },
    { label: addressLabel, description: 'OpenAI, OpenRouter, another machine', place: { kind: 'address' } },
    {
      label: '$(book) How to serve Qwen-AgentWorld-35B-A3B',
      description: 'a model that was trained for this, on your own machine',
      place: { kind: 'serve' },
    },
  ];
  if (current !== undefined) {
    items.push({ label: '$(circle-slash) Use no model', description: `now: ${current}`, place: { kind: 'none' } });
  }
  return items;
}
