import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Foretell } from '../../core/foretell.ts';
import { type EditorState, type LabHostMessage, LabMessage } from '../../protocol/labProtocol.ts';
import type { Language } from '../model/language.ts';
import type { EditorRequest } from '../predict/run.ts';
import { domainOf } from './askStep.ts';
import { createDocumentReading } from './documentReading.ts';
import type { LabCore } from './labCore.ts';
import { createLabRuns } from './labRuns.ts';
import { stepDetail } from './stepDetail.ts';
import { chooseWay } from './stepWay.ts';
import { createTrajectoryEdits } from './trajectoryEdits.ts';

/** Most samples of one go. */
const mostSamples = 32;

/** What the trajectory editor needs of the window. */
export interface LabOptions {
  engine: () => Promise<Foretell>;
  language: Language;
  editorRequest: () => EditorRequest;
  /** Opens a text that can only be read. */
  openText: (name: string, text: string) => Promise<void>;
  /** Shows two texts beside each other. */
  openDiff: (title: string, left: string, right: string) => Promise<void>;
  log: vscode.LogOutputChannel;
}

type Notice = Extract<LabHostMessage, { type: 'notice' }>['notice'];

/** One trajectory in one editor, until the editor is closed. */
export interface LabSession extends vscode.Disposable {
  /** Takes what the webview says. */
  receive(raw: unknown): void;
}

export function openLabSession(
  options: LabOptions,
  core: LabCore,
  document: vscode.TextDocument,
  panel: vscode.WebviewPanel,
): LabSession {
  const { language, log } = options;
  let isReady = false;
  let notice: Notice = null;
  let query = '';
  const post = (message: LabHostMessage) => {
    if (isReady) void panel.webview.postMessage(message);
  };
  const reading = createDocumentReading(document, core, (changes) => {
    post({
      type: 'lines',
      revision: reading.revision(),
      total: reading.total(),
      splices: changes.map(({ start, removed, lines }) => ({ start, removed, lines })),
    });
    if (query !== '' && reading.lines().length === reading.total()) void search();
  });
  const edits = createTrajectoryEdits(document, reading, core);
  const runs = createLabRuns({
    ...{ core, reading, edits, post, engine: options.engine, editorRequest: options.editorRequest },
    language: () => language.request(),
    say: (kind, sentence) => say({ kind, sentence }),
  });

  function say(next: Notice): void {
    notice = next;
    post({ type: 'notice', notice });
  }

  function editorState(): EditorState {
    const model = language.model.name();
    return {
      file: path.basename(document.uri.path),
      trusted: vscode.workspace.isTrusted,
      home: os.homedir(),
      ...(model === undefined ? {} : { model }),
    };
  }

  /** Says why nothing can be predicted; true when it can. */
  function canPredict(): boolean {
    if (!vscode.workspace.isTrusted) {
      const sentence = 'Nothing is sent to a model in a workspace that is not trusted.';
      say({ kind: 'warning', sentence, offer: 'manageTrust' });
      return false;
    }
    if (language.request()) {
      say(null);
      return true;
    }
    const sentence = 'No language model is connected, so no turn can be predicted.';
    say({ kind: 'information', sentence, offer: 'connectModel' });
    return false;
  }

  async function search(): Promise<void> {
    const mine = query;
    await reading.search(
      mine,
      () => mine === query,
      (lines, isComplete) => {
        if (mine === query) post({ type: 'found', query: mine, lines, isComplete });
      },
    );
  }

  function sendDetail(id: string): void {
    const step = reading.step(id);
    const place = reading.place(id);
    if (!step || !place) return;
    post({ type: 'detail', revision: reading.revision(), detail: stepDetail(core, step, place.index) });
  }

  async function predict({ id, choose, samples = 1 }: Extract<LabMessage, { type: 'predict' }>): Promise<void> {
    const step = reading.step(id);
    const request = canPredict() ? language.request() : undefined;
    if (!step || !request) return;
    const folders = request.templateFolders;
    const way = choose ? await chooseWay(choose, { language, core, domain: domainOf(step), folders }) : { title: '' };
    const count = Math.min(Math.max(1, Math.round(samples)), mostSamples);
    if (way) await runs.predict([id], way, count);
  }

  async function open({ id, what }: Extract<LabMessage, { type: 'open' }>): Promise<void> {
    const step = reading.step(id);
    if (!step) return;
    const name = `${path.basename(document.uri.path)}, step ${id}`;
    if (what === 'reply') return options.openText(`${name}, reply.md`, step.reply?.raw ?? '');
    if (what === 'prompt') {
      const messages = core.promptOfAttempt(step, { get: reading.step }) ?? [];
      const text = messages.map(({ role, content }) => `## ${role}\n\n${content}\n`).join('\n');
      return options.openText(`${name}, prompt.md`, text);
    }
    const predicted = step.prediction ? core.answerText(step.prediction) : '';
    return options.openDiff(`${name}: predicted ↔ real`, predicted, step.observation?.text ?? '');
  }

  async function errand(what: Extract<LabMessage, { type: 'errand' }>['errand']): Promise<void> {
    if (what === 'connectModel') await vscode.commands.executeCommand('foretell.connectModel');
    else if (what === 'manageTrust') await vscode.commands.executeCommand('workbench.trust.manage');
    else await vscode.commands.executeCommand('vscode.openWith', document.uri, 'default');
  }

  async function answer(message: LabMessage): Promise<void> {
    switch (message.type) {
      case 'ready':
        isReady = true;
        return post({
          type: 'snapshot',
          revision: reading.revision(),
          lines: [...reading.lines()],
          total: reading.total(),
          editor: editorState(),
          runs: runs.shown(),
          ...(notice ? { notice } : {}),
        });
      case 'want':
        return sendDetail(message.id);
      case 'wantMessages': {
        const step = reading.step(message.id);
        const messages = step && core.promptOfAttempt(step, { get: reading.step });
        return post({ type: 'messages', id: message.id, messages: messages ?? [] });
      }
      case 'search':
        query = message.query;
        await reading.whenRead();
        return search();
      case 'predict':
        return predict(message);
      case 'predictFollowing': {
        const place = reading.place(message.id);
        if (!place || !canPredict()) return;
        const following = core.followersOf(place).filter((one) => one.restsOnEdited || one.observationIsOld);
        return runs.predict(
          following.map(({ step }) => step.id),
          { title: '' },
          1,
        );
      }
      case 'rehearse':
        say(null);
        return runs.rehearse(message.id, message.from);
      case 'cancel':
        return runs.cancel(message.run);
      case 'fork': {
        const made = await edits.fork(message.id, message.text);
        post({ type: 'answered', request: message.request, ...(made.ok ? {} : { refusal: made.message }) });
        if (made.ok) post({ type: 'select', id: made.id });
        return;
      }
      case 'edit': {
        const { id, what, text, request } = message;
        const edit = { action: edits.editAction, observation: edits.editObservation, note: edits.editNote }[what];
        const refusal = await edit(id, text);
        return post({ type: 'answered', request, ...(refusal ? { refusal } : {}) });
      }
      case 'showAttempt': {
        const refusal = await edits.showAttempt(message.id, message.attempt);
        if (refusal) say({ kind: 'warning', sentence: refusal });
        return;
      }
      case 'open':
        return open(message);
      case 'openLine': {
        await vscode.commands.executeCommand('vscode.openWith', document.uri, 'default', vscode.ViewColumn.Beside);
        const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
        const at = new vscode.Position(message.line - 1, 0);
        if (editor) editor.selection = new vscode.Selection(at, at);
        editor?.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenter);
        return;
      }
      case 'errand':
        return errand(message.errand);
    }
  }

  function receive(raw: unknown): void {
    const parsed = LabMessage.safeParse(raw);
    if (!parsed.success) {
      log.error('The trajectory editor sent a message that is not in the protocol.');
      return;
    }
    answer(parsed.data).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      log.error(`The trajectory editor could not answer ${parsed.data.type}: ${reason}`);
      say({ kind: 'error', sentence: `Foretell has a fault: ${reason}` });
    });
  }

  reading.refresh();
  const listeners = vscode.Disposable.from(
    reading,
    runs,
    panel.onDidChangeViewState(() => {
      // Hidden, its page is thrown away; it says `ready` when it comes back.
      if (!panel.visible) isReady = false;
    }),
    vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document && event.contentChanges.length > 0) reading.refresh();
    }),
    language.onChanged(() => post({ type: 'editor', editor: editorState() })),
    vscode.workspace.onDidGrantWorkspaceTrust(() => say(null)),
  );
  return { receive, dispose: () => listeners.dispose() };
}
