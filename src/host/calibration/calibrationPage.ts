import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { CalibrationMessage } from '../../protocol/calibrationProtocol.ts';
import { panelHtml } from '../panel/panelHtml.ts';

/** What the page shows and what its buttons do. */
export interface CalibrationSource {
  message(): Promise<CalibrationMessage>;
  deleteAll(): Promise<void>;
  openSettings(): unknown;
}

/** The page with the hit rates, in an editor. There is at most one. */
export interface CalibrationPage extends vscode.Disposable {
  show(): void;
  /** Shows what is kept now, where the page is open. */
  refresh(): Promise<void>;
}

export function createCalibrationPage(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  source: CalibrationSource,
): CalibrationPage {
  let panel: vscode.WebviewPanel | undefined;

  async function refresh(): Promise<void> {
    if (!panel) return;
    const message = await source.message();
    // Not awaited: a page that is hidden answers false, and says `ready` when it is shown again.
    void panel?.webview.postMessage(message);
  }

  async function receive(raw: unknown): Promise<void> {
    const { CalibrationRequest } = await import('../../protocol/calibrationProtocol.ts');
    const parsed = CalibrationRequest.safeParse(raw);
    if (!parsed.success) {
      log.error('The page of the calibration sent a message that is not in its protocol.');
      return;
    }
    if (parsed.data.type === 'openSettings') await source.openSettings();
    if (parsed.data.type === 'deleteAll') await source.deleteAll();
    await refresh();
  }

  function show(): void {
    if (panel) {
      panel.reveal();
      return;
    }
    const media = vscode.Uri.joinPath(context.extensionUri, 'dist', 'media');
    panel = vscode.window.createWebviewPanel(
      'foretell.calibration',
      'Foretell: Calibration',
      vscode.ViewColumn.Active,
      {
        enableScripts: true,
        localResourceRoots: [media],
      },
    );
    panel.iconPath = vscode.Uri.joinPath(context.extensionUri, 'media', 'icon.svg');
    const { webview } = panel;
    const address = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(media, name)).toString();
    webview.onDidReceiveMessage((raw: unknown) => void receive(raw));
    webview.html = panelHtml({
      script: address('calibration.js'),
      style: address('calibration.css'),
      origin: webview.cspSource,
      nonce: randomBytes(16).toString('base64url'),
    });
    panel.onDidDispose(() => {
      panel = undefined;
    });
  }

  return { show, refresh, dispose: () => panel?.dispose() };
}
