import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { panelHtml } from '../panelHtml.ts';
import type { LabOptions } from './labSession.ts';

/** Names of the editor in package.json: for trajectories, and for other lines of JSON when somebody asks for it. */
const viewTypes = ['foretell.trajectory', 'foretell.trajectoryOfLines'];

/**
 * Registers the editor of trajectories. It is a view of VS Code's own text document: undo, save, hot exit and what changes
 * on disk are the document's. A file of more than 50 MB VS Code gives to no extension; it says so and offers its text editor.
 */
export function registerTrajectoryEditor(
  context: vscode.ExtensionContext,
  options: Omit<LabOptions, 'openText' | 'openDiff'>,
): vscode.Disposable {
  const texts = new Map<string, string>();
  const scheme = 'foretell-lab';
  const content: vscode.TextDocumentContentProvider = {
    provideTextDocumentContent: (uri) => texts.get(uri.query) ?? '',
  };
  let count = 0;
  const addressOf = (name: string, text: string) => {
    count += 1;
    texts.set(String(count), text);
    return vscode.Uri.from({ scheme, path: `/${name}`, query: String(count) });
  };
  async function openText(name: string, text: string): Promise<void> {
    await vscode.window.showTextDocument(addressOf(name, text), { preview: true });
  }
  async function openDiff(title: string, left: string, right: string): Promise<void> {
    await vscode.commands.executeCommand('vscode.diff', addressOf('predicted', left), addressOf('real', right), title);
  }
  const provider: vscode.CustomTextEditorProvider = {
    async resolveCustomTextEditor(document, panel) {
      const media = vscode.Uri.joinPath(context.extensionUri, 'dist', 'media');
      const { webview } = panel;
      // The page loads while the core does; what it says meanwhile waits.
      const waiting: unknown[] = [];
      let receive: (raw: unknown) => void = (raw) => waiting.push(raw);
      webview.onDidReceiveMessage((raw: unknown) => receive(raw));
      let isClosed = false;
      panel.onDidDispose(() => (isClosed = true));
      webview.options = { enableScripts: true, localResourceRoots: [media] };
      const address = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(media, name)).toString();
      webview.html = panelHtml({
        script: address('lab.js'),
        style: address('lab.css'),
        origin: webview.cspSource,
        nonce: randomBytes(16).toString('base64url'),
      });
      const [{ openLabSession }, { loadLabCore }] = await Promise.all([
        import('./labSession.ts'),
        import('./labCore.ts'),
      ]);
      const core = await loadLabCore();
      if (isClosed) return;
      const session = openLabSession({ ...options, openText, openDiff }, core, document, panel);
      panel.onDidDispose(() => session.dispose());
      receive = session.receive;
      for (const raw of waiting) receive(raw);
    },
  };
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(scheme, content),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.scheme === scheme) texts.delete(uri.query);
    }),
    ...viewTypes.map((name) =>
      vscode.window.registerCustomEditorProvider(name, provider, { supportsMultipleEditorsPerDocument: true }),
    ),
  );
}
