import * as vscode from 'vscode';
import type { AskedQuestion } from '../../core/prediction/question.ts';
import type { PanelMessage } from '../../protocol/panelProtocol.ts';
import type { Panel } from '../panel/panel.ts';
import type { PredictedDocuments } from '../panel/predictedDocuments.ts';
import { askAgain } from '../predict/askAgain.ts';
import type { Predictions } from '../predict/predictions.ts';
import type { PredictPointed } from '../predict/predictPointed.ts';
import type { Run } from '../predict/run.ts';
import type { Language } from './language.ts';
import type { MessageEditor } from './messageEditor.ts';
import type { QuestionForm } from './questionText.ts';

/** What the panel asks for about the language model. */
export type LanguageMessage = Extract<
  PanelMessage,
  { type: 'imagine' | 'imagining' | 'askAgain' | 'openQuestion' | 'copyQuestion' | 'compareLast' }
>;

export interface LanguageMessagesOptions {
  predictions: Predictions;
  documents: PredictedDocuments;
  panel: () => Panel;
  predictPointed: () => PredictPointed;
  language: Language;
  messageEditor: MessageEditor;
}

/** Says in the panel why nothing can be imagined; true when it can. */
export function canImagine(language: Language, panel: Panel): boolean {
  if (!vscode.workspace.isTrusted) {
    const sentence = 'Nothing is sent to a model in a workspace that is not trusted.';
    panel.banner({ kind: 'warning', sentence, offer: 'manageTrust' });
    return false;
  }
  if (language.model.name() !== undefined) return true;
  const sentence = 'No language model is connected, so nothing can be imagined.';
  panel.banner({ kind: 'information', sentence, offer: 'connectModel' });
  return false;
}

/** Does what the panel asks for. `run` is the one that is shown, which the message is about. */
export async function answerLanguageMessage(
  options: LanguageMessagesOptions,
  message: LanguageMessage,
  run: Run | undefined,
): Promise<void> {
  const { predictions, language } = options;
  const panel = options.panel();
  switch (message.type) {
    case 'imagine':
      if (canImagine(language, panel)) await options.predictPointed().script(message.script, { whole: true });
      return;
    case 'imagining':
      await language.imagining.choose(message);
      return panel.changed();
    case 'compareLast':
      if (!run) return;
      run.showsLast = message.on;
      return panel.refresh();
    case 'askAgain': {
      const { question, message: index, content } = message;
      if (run && canImagine(language, panel)) await askAgain(predictions, run, { question, message: index, content });
      return;
    }
    case 'openQuestion':
    case 'copyQuestion': {
      const question = run?.prediction.questions.find(({ id }) => id === message.question);
      if (!run || !question) return;
      if (message.type === 'copyQuestion') return copyQuestion(run, question, message.as);
      return openQuestion(options, run, question, message);
    }
  }
}

async function copyQuestion(
  run: Run,
  question: AskedQuestion,
  as: Extract<PanelMessage, { type: 'copyQuestion' }>['as'],
): Promise<void> {
  await vscode.env.clipboard.writeText(await textOf(run, question, as === 'reply' ? 'rawReply' : as));
}

async function openQuestion(
  { documents, language, messageEditor }: LanguageMessagesOptions,
  run: Run,
  question: AskedQuestion,
  { what, message = 0 }: Extract<PanelMessage, { type: 'openQuestion' }>,
): Promise<void> {
  const name = `Question ${question.id} of prediction ${run.number}`;
  switch (what) {
    case 'prompt':
      return documents.openText(`${name}, prompt.md`, await textOf(run, question, 'prompt'));
    case 'request':
      return documents.openText(`${name}, request.json`, await textOf(run, question, 'request'));
    case 'reply':
      return documents.openText(`${name}, reply.md`, await textOf(run, question, 'reply'));
    case 'template': {
      const { domainOf } = await import('./questionText.ts');
      return language.promptFiles.open(domainOf(question));
    }
    case 'message': {
      const { messagesOf } = await import('../../core/prediction/question.ts');
      const content = messagesOf(run.prediction.questions, question)[message]?.content;
      if (content === undefined) return;
      return messageEditor.open({ run: run.number, question: question.id, message }, content);
    }
  }
}

async function textOf(run: Run, question: AskedQuestion, form: QuestionForm): Promise<string> {
  const { questionText } = await import('./questionText.ts');
  return questionText(run.prediction, question, form);
}
