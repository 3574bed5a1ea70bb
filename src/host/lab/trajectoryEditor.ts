import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { panelHtml } from '../panel/panelHtml.ts';
import type { LabOptions } from './labOptions.ts';
import { createTour } from './tour.ts';

/** Names of the editor in package.json: for trajectories, and for other lines of JSON when somebody asks for it. */
const viewTypes = ['foretell.trajectory', 'foretell.trajectoryOfLines'];

/**
 * Registers the editor of trajectories. It is a view of VS Code's own text document: undo, save, hot exit and what changes
 * on disk are the document's. A file of more than 50 MB VS Code gives to no extension: then we say so and offer its text
 * editor.
 */
export function registerTrajectoryEditor(
  context: vscode.ExtensionContext,
  options: Omit<LabOptions, 'openText' | 'openDiff'>,
): vscode.Disposable {
  const tour = createTour(context);
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
      const language = tour.languageFor(options.language, document.uri);
      const session = openLabSession({ ...options, language, openText, openDiff }, core, document, panel);
      panel.onDidDispose(() => session.dispose());
      receive = session.receive;
      for (const raw of waiting) receive(raw);
    },
  };
  return vscode.Disposable.from(
    vscode.commands.registerCommand('foretell.takeTour', () => tour.take()),
    tellOfLargeFiles(),
    vscode.workspace.registerTextDocumentContentProvider(scheme, content),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.scheme === scheme) texts.delete(uri.query);
    }),
    ...viewTypes.map((name) =>
      vscode.window.registerCustomEditorProvider(name, provider, { supportsMultipleEditorsPerDocument: true }),
    ),
  );
}

/** VS Code's own limit (`isTooLargeForSyncing` of its text models). */
const mostBytes = 50 * 1024 * 1024;

/** Of a file that is too large VS Code says only that there was an error; the reason and what helps come from us. */
function tellOfLargeFiles(): vscode.Disposable {
  const told = new Set<string>();
  async function look(tab: vscode.Tab): Promise<void> {
    const { input } = tab;
    if (!(input instanceof vscode.TabInputCustom) || !viewTypes.includes(input.viewType)) return;
    const address = input.uri.toString();
    const size = await vscode.workspace.fs.stat(input.uri).then(
      ({ size: bytes }) => bytes,
      () => 0,
    );
    if (size <= mostBytes || told.has(address)) return;
    told.add(address);
    const sentence = `This trajectory has ${Math.round(size / 1e6)} MB, and VS Code gives extensions no file of more than 50 MB. Open it as text, or split it into several files.`;
    const openAsText = 'Open as Text';
    const answer = await vscode.window.showWarningMessage(sentence, openAsText);
    told.delete(address);
    if (answer === openAsText) await vscode.commands.executeCommand('vscode.openWith', input.uri, 'default');
  }
  for (const tab of vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs)) void look(tab);
  return vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
    for (const tab of opened) void look(tab);
  });
}
