import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { EditorState, LabHostMessage, LabMessage } from '../../protocol/labProtocol.ts';
import { domainOf } from './askStep.ts';
import type { DocumentReading } from './documentReading.ts';
import type { LabCore } from './labCore.ts';
import type { LabOptions } from './labOptions.ts';
import type { LabPage } from './labPage.ts';
import type { LabRuns } from './labRuns.ts';
import type { LabSearch } from './labSearch.ts';
import { stepDetail } from './stepDetail.ts';
import { chooseWay } from './stepWay.ts';
import type { TrajectoryEdits } from './trajectoryEdits.ts';

/** Most samples of one go. */
const mostSamples = 32;

/** What one trajectory in one editor is made of. */
export interface LabParts {
  options: LabOptions;
  core: LabCore;
  document: vscode.TextDocument;
  reading: DocumentReading;
  edits: TrajectoryEdits;
  runs: LabRuns;
  page: LabPage;
  search: LabSearch;
}

type MessageOf<T extends LabMessage['type']> = Extract<LabMessage, { type: T }>;

/** Does what the page asks for. */
export async function answerLab(parts: LabParts, message: LabMessage): Promise<void> {
  const { core, reading, edits, runs, page } = parts;
  switch (message.type) {
    case 'ready':
      page.ready();
      return page.post(snapshot(parts));
    case 'want':
      return sendDetail(parts, message.id);
    case 'wantMessages': {
      const step = reading.step(message.id);
      const messages = step && core.promptOfAttempt(step, { get: reading.step });
      return page.post({ type: 'messages', id: message.id, messages: messages ?? [] });
    }
    case 'search':
      return parts.search.find(message.query);
    case 'predict':
      return predict(parts, message);
    case 'predictFollowing': {
      const place = reading.place(message.id);
      if (!place || !canPredict(parts)) return;
      const following = core.followersOf(place).filter((one) => one.restsOnEdited || one.observationIsOld);
      return runs.predict(
        following.map(({ step }) => step.id),
        { title: '' },
        1,
      );
    }
    case 'rehearse':
      page.say(null);
      return runs.rehearse(message.id, message.from);
    case 'cancel':
      return runs.cancel(message.run);
    case 'fork':
      return fork(parts, message);
    case 'edit': {
      const { id, what, text, request } = message;
      const edit = { action: edits.editAction, observation: edits.editObservation, note: edits.editNote }[what];
      const refusal = await edit(id, text);
      return page.post({ type: 'answered', request, ...(refusal ? { refusal } : {}) });
    }
    case 'showAttempt': {
      const refusal = await edits.showAttempt(message.id, message.attempt);
      if (refusal) page.say({ kind: 'warning', sentence: refusal });
      return;
    }
    case 'open':
      return open(parts, message);
    case 'openLine':
      return openLine(parts, message.line);
    case 'errand':
      return errand(parts, message.errand);
  }
}

/** What the page shows of the window. */
export function editorState({ options: { language }, document }: LabParts): EditorState {
  const model = language.model.name();
  return {
    file: path.basename(document.uri.path),
    trusted: vscode.workspace.isTrusted,
    home: os.homedir(),
    ...(model === undefined ? {} : { model }),
  };
}

function snapshot(parts: LabParts): LabHostMessage {
  const { reading, runs, page } = parts;
  const notice = page.notice();
  return {
    type: 'snapshot',
    revision: reading.revision(),
    lines: [...reading.lines()],
    total: reading.total(),
    editor: editorState(parts),
    runs: runs.shown(),
    ...(notice ? { notice } : {}),
  };
}

/** Says why nothing can be predicted; true when it can. */
function canPredict({ options: { language }, page: { say } }: LabParts): boolean {
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

function sendDetail({ core, reading, page }: LabParts, id: string): void {
  const step = reading.step(id);
  const place = reading.place(id);
  if (!step || !place) return;
  page.post({ type: 'detail', revision: reading.revision(), detail: stepDetail(core, step, place.index) });
}

async function predict(parts: LabParts, { id, choose, samples = 1 }: MessageOf<'predict'>): Promise<void> {
  const { core, reading, runs } = parts;
  const { language } = parts.options;
  const step = reading.step(id);
  const request = canPredict(parts) ? language.request() : undefined;
  if (!step || !request) return;
  const folders = request.templateFolders;
  const way = choose ? await chooseWay(choose, { language, core, domain: domainOf(step), folders }) : { title: '' };
  const count = Math.min(Math.max(1, Math.round(samples)), mostSamples);
  if (way) await runs.predict([id], way, count);
}

async function fork({ edits, page: { post } }: LabParts, { id, text, request }: MessageOf<'fork'>): Promise<void> {
  const made = await edits.fork(id, text);
  post({ type: 'answered', request, ...(made.ok ? {} : { refusal: made.message }) });
  if (made.ok) post({ type: 'select', id: made.id });
}

async function open({ options, core, document, reading }: LabParts, { id, what }: MessageOf<'open'>): Promise<void> {
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

async function openLine({ document }: LabParts, line: number): Promise<void> {
  await vscode.commands.executeCommand('vscode.openWith', document.uri, 'default', vscode.ViewColumn.Beside);
  const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
  const at = new vscode.Position(line - 1, 0);
  if (editor) editor.selection = new vscode.Selection(at, at);
  editor?.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenter);
}

async function errand({ document }: LabParts, what: MessageOf<'errand'>['errand']): Promise<void> {
  if (what === 'connectModel') await vscode.commands.executeCommand('foretell.connectModel');
  else if (what === 'manageTrust') await vscode.commands.executeCommand('workbench.trust.manage');
  else await vscode.commands.executeCommand('vscode.openWith', document.uri, 'default');
}
