import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { CompareMessage } from '../../protocol/compareProtocol.ts';
import { panelHtml } from '../panel/panelHtml.ts';

/** What the page shows and what its buttons do. */
export interface CompareSource {
  message(): CompareMessage;
  predict(index: number): unknown;
  copy(index: number): unknown;
  closed(): void;
}

/** Alternatives side by side, in an editor beside. There is at most one. */
export interface ComparePage extends vscode.Disposable {
  show(): void;
  refresh(): void;
}

export function createComparePage(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  source: CompareSource,
): ComparePage {
  let panel: vscode.WebviewPanel | undefined;

  function refresh(): void {
    // Not awaited: a page that is hidden answers false, and says `ready` when it is shown again.
    void panel?.webview.postMessage(source.message());
  }

  async function receive(raw: unknown): Promise<void> {
    const { CompareRequest } = await import('../../protocol/compareProtocol.ts');
    const parsed = CompareRequest.safeParse(raw);
    if (!parsed.success) log.error('The page of alternatives sent a message that is not in its protocol.');
    else if (parsed.data.type === 'ready') refresh();
    else if (parsed.data.type === 'predict') await source.predict(parsed.data.index);
    else await source.copy(parsed.data.index);
  }

  function show(): void {
    if (panel) {
      panel.reveal();
      return;
    }
    const media = vscode.Uri.joinPath(context.extensionUri, 'dist', 'media');
    const options = { enableScripts: true, localResourceRoots: [media] };
    panel = vscode.window.createWebviewPanel('foretell.compare', 'Alternatives', vscode.ViewColumn.Beside, options);
    panel.iconPath = vscode.Uri.joinPath(context.extensionUri, 'media', 'icon.svg');
    const { webview } = panel;
    const [script = '', style = ''] = ['compare.js', 'compare.css'].map((name) =>
      webview.asWebviewUri(vscode.Uri.joinPath(media, name)).toString(),
    );
    webview.onDidReceiveMessage((raw: unknown) => void receive(raw));
    webview.html = panelHtml({
      script,
      style,
      origin: webview.cspSource,
      nonce: randomBytes(16).toString('base64url'),
    });
    panel.onDidDispose(() => {
      panel = undefined;
      source.closed();
    });
  }

  return { show, refresh, dispose: () => panel?.dispose() };
}
