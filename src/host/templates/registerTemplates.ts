import * as vscode from 'vscode';
import type { Run } from '../predict/run.ts';
import { promptLanguage } from './promptLanguage.ts';
import type { TemplateLab } from './templateLab.ts';
import type { LastAsked, TemplatesOptions } from './templatesOptions.ts';

/** The part of the window that helps with prompt files; loaded when the first one is opened. */
export interface Templates extends vscode.Disposable {
  /** A prediction has ended: its prompts are what the server holds now. */
  ended(run: Run): void;
}

type Handler = 'runOnSelection' | 'runOnTrajectory' | 'compare' | 'preview';
const handlers: readonly Handler[] = ['runOnSelection', 'runOnTrajectory', 'compare', 'preview'];

export function registerTemplates(options: Omit<TemplatesOptions, 'lastAsked' | 'onAsked'>): Templates {
  const lastAsked = new Map<string, LastAsked>();
  const asked = new vscode.EventEmitter<void>();
  let loading: Promise<TemplateLab> | undefined;
  let isDisposed = false;
  const load = () => {
    loading ??= import('./templateLab.ts').then(({ createTemplateLab }) =>
      createTemplateLab({ ...options, lastAsked, onAsked: asked.event }),
    );
    return loading;
  };
  const look = (document: vscode.TextDocument) => {
    if (document.languageId === promptLanguage && !isDisposed) void load();
  };
  vscode.workspace.textDocuments.forEach(look);
  const registrations = vscode.Disposable.from(
    asked,
    vscode.workspace.onDidOpenTextDocument(look),
    ...handlers.map((name) =>
      vscode.commands.registerCommand(`foretell.templates.${name}`, async (file?: vscode.Uri, ...more: unknown[]) => {
        const document = await documentOf(file);
        return document && (await load())[name](document, ...more);
      }),
    ),
  );
  return {
    ended({ prediction: { questions } }) {
      for (const question of questions) if (question.reply) lastAsked.set(question.domain, { question, questions });
      if (questions.length > 0) asked.fire();
    },
    dispose() {
      isDisposed = true;
      registrations.dispose();
      void loading?.then((lab) => lab.dispose());
    },
  };
}

/** The prompt file that a command is about: the given one, else that of the active editor. */
async function documentOf(file: unknown): Promise<vscode.TextDocument | undefined> {
  const document =
    file instanceof vscode.Uri
      ? await vscode.workspace.openTextDocument(file)
      : vscode.window.activeTextEditor?.document;
  if (document?.languageId === promptLanguage) return document;
  const sentence =
    "This is no prompt file. Open a system_prompt.txt, for example with Foretell's Lab: Customize Prompts….";
  void vscode.window.showInformationMessage(sentence);
  return undefined;
}
