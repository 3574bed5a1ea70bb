import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { messagesOf } from '../../core/prediction/question.ts';
import { type PreviewMessage as Parted, previewParts } from '../../core/worlds/language/template/previewParts.ts';
import { type PreviewedPrompt, type PreviewMessage, PreviewRequest } from '../../protocol/templateProtocol.ts';
import { panelHtml } from '../panel/panelHtml.ts';
import { renderPreview } from './promptPreview.ts';
import { type TemplateFile, templateFileOf } from './templateFile.ts';
import type { TemplatesOptions } from './templatesOptions.ts';

/** The prompt of a file beside its editor, as it would be sent, while it is typed. */
export interface PreviewPanel extends vscode.Disposable {
  open(document: vscode.TextDocument): Promise<void>;
  /** What it is made of besides the text has changed. */
  refresh(): void;
}

/** Somebody who types is not followed letter by letter. */
const pauseMs = 250;

export function createPreviewPanel(
  options: TemplatesOptions,
  prefixOf: (document: vscode.TextDocument) => string | undefined,
): PreviewPanel {
  let shown: { panel: vscode.WebviewPanel; document: vscode.TextDocument; isReady: boolean } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let abort = new AbortController();
  let last: PreviewedPrompt | undefined;

  const post = (message: PreviewMessage) => {
    if (shown?.isReady) void shown.panel.webview.postMessage(message);
  };

  function make(document: vscode.TextDocument): vscode.WebviewPanel {
    const panel = previewPage(options.context.extensionUri, {
      receive,
      closed() {
        abort.abort();
        if (shown?.panel === panel) shown = undefined;
      },
      hidden() {
        if (shown?.panel === panel) shown.isReady = false;
      },
    });
    shown = { panel, document, isReady: false };
    return panel;
  }

  function receive(raw: unknown): void {
    const read = PreviewRequest.safeParse(raw);
    if (!read.success || !shown) return;
    if (read.data.type === 'ready') {
      shown.isReady = true;
      if (last) post({ type: 'prompt', prompt: last });
      void render();
    } else void reveal(shown.document, read.data.offset);
  }

  async function render(): Promise<void> {
    const at = shown;
    const file = at && templateFileOf(at.document);
    if (!at || !file) return;
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    const text = at.document.getText();
    const prefix = prefixOf(at.document);
    const made = file.kind === 'judge' ? judged(file, text) : await promptOf(options, file, text, signal);
    if (signal.aborted || shown !== at) return;
    if ('problem' in made) return post({ type: 'problem', sentence: made.problem });
    last = { ...made, ...(prefix === undefined ? {} : { prefix }) };
    post({ type: 'prompt', prompt: last });
    const counted = await countExactly(last, options.language.model.provider(), signal);
    if (signal.aborted || !counted) return;
    last = counted;
    post({ type: 'prompt', prompt: counted });
  }

  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void render(), pauseMs);
  };
  const listeners = followEditors({
    typed: (document) => {
      if (document === shown?.document) later();
    },
    scrolled: (document, place) => {
      if (document === shown?.document) post({ type: 'follow', offset: document.offsetAt(place) });
    },
    // One preview follows whoever is edited.
    entered: (document) => {
      if (shown && document !== shown.document && templateFileOf(document)) show(document);
    },
  });

  function show(document: vscode.TextDocument): void {
    const panel = shown?.panel ?? make(document);
    if (shown?.document !== document) last = undefined;
    shown = { panel, document, isReady: shown?.isReady ?? false };
    panel.title = `Prompt ${templateFileOf(document)?.name ?? ''}`;
    if (shown.isReady) void render();
  }

  return {
    async open(document) {
      show(document);
      shown?.panel.reveal(undefined, true);
    },
    refresh: later,
    dispose() {
      clearTimeout(timer);
      abort.abort();
      listeners.dispose();
      shown?.panel.dispose();
    },
  };
}

function followEditors(told: {
  typed(document: vscode.TextDocument): void;
  scrolled(document: vscode.TextDocument, place: vscode.Position): void;
  entered(document: vscode.TextDocument): void;
}): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument(({ document }) => told.typed(document)),
    vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor, visibleRanges }) => {
      const [first] = visibleRanges;
      if (first) told.scrolled(textEditor.document, first.start);
    }),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (editor) told.entered(editor.document);
    }),
  );
}

/** The page beside the editor. Hidden, it is thrown away; it says `ready` when it comes back. */
function previewPage(
  extension: vscode.Uri,
  told: { receive(raw: unknown): void; closed(): void; hidden(): void },
): vscode.WebviewPanel {
  const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
  const media = vscode.Uri.joinPath(extension, 'dist', 'media');
  const panel = vscode.window.createWebviewPanel('foretell.promptPreview', 'Prompt', column, {
    enableScripts: true,
    localResourceRoots: [media],
    enableFindWidget: true,
  });
  const { webview } = panel;
  panel.iconPath = vscode.Uri.joinPath(extension, 'media', 'icon.svg');
  webview.onDidReceiveMessage(told.receive);
  panel.onDidDispose(told.closed);
  panel.onDidChangeViewState(() => {
    if (!panel.visible) told.hidden();
  });
  const address = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(media, name)).toString();
  webview.html = panelHtml({
    script: address('template.js'),
    style: address('template.css'),
    origin: webview.cspSource,
    nonce: randomBytes(16).toString('base64url'),
  });
  return panel;
}

async function promptOf(
  options: TemplatesOptions,
  file: TemplateFile,
  text: string,
  signal: AbortSignal,
): Promise<PreviewedPrompt | { problem: string }> {
  const action = options.predictions.current()?.action;
  const command = action?.kind === 'command' ? action : undefined;
  const rendered = await renderPreview(options, { file, text, command, signal });
  if ('problem' in rendered) return rendered;
  const { question, notes } = rendered;
  const messages = messagesOf([question], question);
  return {
    name: file.name,
    asks: question.title,
    notes,
    messages: withCounts(previewParts(messages, question.blocks, text)),
  };
}

/** Exact counts, where the server of the chosen model can count. */
async function countExactly(
  prompt: PreviewedPrompt,
  provider: ReturnType<TemplatesOptions['language']['model']['provider']>,
  signal: AbortSignal,
): Promise<PreviewedPrompt | undefined> {
  const parts = prompt.messages.flatMap((message) => message.parts);
  const counts = await provider?.countTexts?.(
    parts.map(({ text }) => text),
    signal,
  );
  if (!counts?.some((count) => count !== undefined)) return undefined;
  const next = counts.values();
  const messages = prompt.messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => {
      const tokens = next.next().value;
      return tokens === undefined ? part : { ...part, tokens, exact: true };
    }),
  }));
  return { ...prompt, messages };
}

function withCounts(messages: readonly Parted[]): PreviewedPrompt['messages'] {
  return messages.map(({ role, parts }) => ({ role, parts: parts.map((part) => ({ ...part, exact: false })) }));
}

/** A judge’s prompt is one message; what it judges comes behind it. */
function judged({ name }: TemplateFile, text: string): PreviewedPrompt {
  const block = { part: 'template' as const, title: 'Judge', message: 0, start: 0, end: text.length };
  const messages = previewParts([{ role: 'system', content: text }], [block], text);
  const notes = ['The history, the turn, the prediction and what really happened follow as a message of the user.'];
  return { name, asks: 'a judge', notes, messages: withCounts(messages) };
}

async function reveal(document: vscode.TextDocument, offset: number): Promise<void> {
  const place = document.positionAt(offset);
  const visible = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
  const column = visible?.viewColumn;
  await vscode.window.showTextDocument(document, {
    selection: new vscode.Range(place, place),
    ...(column === undefined ? {} : { viewColumn: column }),
  });
}
