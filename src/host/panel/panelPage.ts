import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { HostMessage, PanelMessage } from '../../protocol/panelProtocol.ts';
import { panelHtml } from './panelHtml.ts';

/** Name of the view in package.json. */
export const panelView = 'foretell.panel';

/** The page of the panel, which may be hidden or reloaded at any time. */
export interface PanelPage extends vscode.Disposable {
  /** Its script has said `ready` and is visible: it takes messages. */
  isReady(): boolean;
  whenReady(): Promise<void>;
  isVisible(): boolean;
  /** Says it where somebody listens. */
  post(message: HostMessage): void;
  reveal(preserveFocus: boolean): Promise<void>;
}

/** `listens`: the page listens anew, and knows nothing. */
export function createPanelPage(
  context: vscode.ExtensionContext,
  {
    listens,
    onMessage,
    log,
  }: { listens(): void; onMessage(message: PanelMessage): void; log: vscode.LogOutputChannel },
): PanelPage {
  let view: vscode.WebviewView | undefined;
  let isReady = false;
  let wake = () => {};

  async function receive(raw: unknown): Promise<void> {
    const { PanelMessage: schema } = await import('../../protocol/panelProtocol.ts');
    const parsed = schema.safeParse(raw);
    if (!parsed.success) {
      log.error('The panel sent a message that is not in the protocol.');
      return;
    }
    if (parsed.data.type !== 'ready') {
      onMessage(parsed.data);
      return;
    }
    isReady = true;
    listens();
    wake();
  }

  const registration = vscode.window.registerWebviewViewProvider(panelView, {
    resolveWebviewView(resolved) {
      view = resolved;
      isReady = false;
      const media = vscode.Uri.joinPath(context.extensionUri, 'dist', 'media');
      const { webview } = resolved;
      webview.options = { enableScripts: true, localResourceRoots: [media] };
      const address = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(media, name)).toString();
      webview.html = panelHtml({
        script: address('predict.js'),
        style: address('predict.css'),
        origin: webview.cspSource,
        nonce: randomBytes(16).toString('base64url'),
      });
      webview.onDidReceiveMessage((raw: unknown) => void receive(raw));
      resolved.onDidChangeVisibility(() => {
        // Hidden, its page is thrown away; it says `ready` when it comes back.
        if (!resolved.visible) isReady = false;
      });
      resolved.onDidDispose(() => {
        if (view === resolved) view = undefined;
        isReady = false;
      });
    },
  });

  return {
    isReady: () => isReady,
    isVisible: () => view?.visible === true,
    async whenReady() {
      if (!isReady) await new Promise<void>((resolve) => (wake = resolve));
    },
    post(message) {
      // Not awaited: a webview that is hidden answers false, and says `ready` when it is shown again.
      if (isReady) void view?.webview.postMessage(message);
    },
    async reveal(preserveFocus) {
      if (view?.visible && preserveFocus) return;
      if (view && preserveFocus) view.show(true);
      else await vscode.commands.executeCommand(`${panelView}.focus`, { preserveFocus });
    },
    dispose: () => registration.dispose(),
  };
}
