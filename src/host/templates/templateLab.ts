import * as vscode from 'vscode';
import type { TriedTemplate } from '../../core/bench/templates/tryTemplate.ts';
import { createPreviewProvider } from '../../core/worlds/language/template/previewProvider.ts';
import { type Placeholder, placeholdersOf } from '../../core/worlds/language/template/templates.ts';
import { type CompareChoice, compareTemplates } from './compareTemplates.ts';
import { prefixNote, valueInPrompt } from './prefixNote.ts';
import { createPreviewPanel } from './previewPanel.ts';
import { promptLanguage } from './promptLanguage.ts';
import { runOnSelection } from './runOnSelection.ts';
import { runOnTrajectory } from './runOnTrajectory.ts';
import { createTemplateActions } from './templateActions.ts';
import { createTemplateDiagnostics } from './templateDiagnostics.ts';
import { isAmongPrompts, type TemplateFile, templateFileOf } from './templateFile.ts';
import { createTemplateLenses } from './templateLenses.ts';
import { templateFolding, templateSymbols } from './templateOutline.ts';
import type { TemplatesOptions } from './templatesOptions.ts';
import { createTemplateTexts } from './templateTexts.ts';
import { createTemplateCompletion, createTemplateHover, type TemplateValues } from './templateWords.ts';
import type { TrajectoryChoice } from './trajectorySource.ts';

/** Everything that helps with prompt files. */
export interface TemplateLab extends vscode.Disposable {
  runOnSelection(document: vscode.TextDocument, script?: unknown): Promise<unknown>;
  runOnTrajectory(document: vscode.TextDocument, choice?: unknown): Promise<unknown>;
  compare(document: vscode.TextDocument, choice?: unknown): Promise<unknown>;
  preview(document: vscode.TextDocument): Promise<void>;
}

export function createTemplateLab(options: TemplatesOptions): TemplateLab {
  const { language, lastAsked } = options;
  const nobody = createPreviewProvider();
  const requestNow = () => language.requestWith(nobody);
  const fileOf = (document: vscode.TextDocument) => {
    const file = templateFileOf(document);
    const folders = requestNow().templateFolders.map(({ path }) => path);
    return file && isAmongPrompts(file, folders) ? file : undefined;
  };
  const values: TemplateValues = {
    dialect: () => requestNow().dialect ?? 'qwen',
    provider: () => language.model.provider(),
    lastValue: (name, domain) => valueInPrompt(lastAsked.get(domain), name),
  };
  const prefixOf = (document: vscode.TextDocument) => {
    const file = fileOf(document);
    if (file?.kind !== 'system') return undefined;
    const { domain } = file;
    const last = lastAsked.get(domain);
    const known: Partial<Record<Placeholder, string>> = {};
    for (const name of placeholdersOf[domain]) {
      const value = valueInPrompt(last, name);
      if (value !== undefined) known[name] = value;
    }
    const text = document.getText();
    const note = prefixNote({ text, domain, last, request: requestNow(), values: known });
    return note && { sentence: note.sentence, place: document.positionAt(note.place) };
  };

  const selector: vscode.DocumentSelector = { language: promptLanguage };
  const diagnostics = createTemplateDiagnostics((document) => fileOf(document) !== undefined);
  const preview = createPreviewPanel(options, (document) => prefixOf(document)?.sentence);
  const texts = createTemplateTexts();
  const registrations = vscode.Disposable.from(
    diagnostics,
    preview,
    texts,
    vscode.languages.registerCompletionItemProvider(selector, createTemplateCompletion(values), '{', '_'),
    vscode.languages.registerHoverProvider(selector, createTemplateHover(values)),
    vscode.languages.registerCodeActionsProvider(selector, createTemplateActions(diagnostics), {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    }),
    vscode.languages.registerDocumentSymbolProvider(selector, templateSymbols, { label: 'Prompt' }),
    vscode.languages.registerFoldingRangeProvider(selector, templateFolding),
    vscode.languages.registerCodeLensProvider(
      selector,
      createTemplateLenses({ file: fileOf, prefix: prefixOf, changed: options.onAsked }),
    ),
    options.onAsked(() => preview.refresh()),
    vscode.commands.registerCommand('foretell.templates.showPrefix', (file: vscode.Uri, place: vscode.Position) =>
      vscode.window.showTextDocument(file, { selection: new vscode.Range(place, place) }),
    ),
  );

  return {
    async runOnSelection(document, script) {
      const file = fileOf(document);
      return file ? runOnSelection(options, document, file, script) : notMeant(document);
    },
    async runOnTrajectory(document, choice) {
      const file = fileOf(document);
      if (!file) return notMeant(document);
      if (file.kind === 'judge') return notForJudges();
      return runOnTrajectory({ ...options, texts }, file, [versionOf(document, file)], recordOf(choice));
    },
    async compare(document, choice) {
      const file = fileOf(document);
      if (!file) return notMeant(document);
      const given: CompareChoice & TrajectoryChoice = recordOf(choice);
      return compareTemplates({ ...options, texts }, document, file, given, (other) =>
        runOnTrajectory({ ...options, texts }, file, [other, versionOf(document, file)], given),
      );
    },
    async preview(document) {
      if (fileOf(document)) await preview.open(document);
      else notMeant(document);
    },
    dispose: () => registrations.dispose(),
  };
}

function notMeant(document: vscode.TextDocument): void {
  const sentence = `${document.uri.fsPath} is no prompt of Foretell: it needs to stand in a folder with those of other domains.`;
  void vscode.window.showInformationMessage(sentence);
}

function notForJudges(): void {
  const sentence =
    'A judge’s prompt is used when a benchmark is scored; open the system prompt of the domain to run it.';
  void vscode.window.showInformationMessage(sentence);
}

function recordOf(choice: unknown): Record<string, never> {
  return typeof choice === 'object' && choice !== null ? (choice as Record<string, never>) : {};
}

/** The text as it stands in the editor. */
function versionOf(document: vscode.TextDocument, { name }: TemplateFile): TriedTemplate {
  return { name: document.isDirty ? `${name}, unsaved` : name, text: document.getText() };
}
