import * as vscode from 'vscode';
import { canImagine } from '../model/languageMessages.ts';
import type { Run } from '../predict/run.ts';
import { type Pointed, pointedInEditor, usualFolder } from '../predict/selection.ts';
import { readSettings } from '../settings.ts';
import type { TemplateFile } from './templateFile.ts';
import type { TemplatesOptions } from './templatesOptions.ts';

/** What is selected in another editor that is in sight. */
function selectedBeside(document: vscode.TextDocument): Pointed | undefined {
  const editor = vscode.window.visibleTextEditors.find(
    (one) =>
      one.document !== document &&
      one.document.languageId !== document.languageId &&
      ['file', 'untitled'].includes(one.document.uri.scheme) &&
      one.selections.some((selection) => !selection.isEmpty),
  );
  return editor && pointedInEditor(readSettings(), editor);
}

/** Predicts what is selected in another editor, else the command that was predicted last, or one that is typed, with the text of a prompt file as it stands. */
export async function runOnSelection(
  { panel, language, predictions, predictPointed, input }: TemplatesOptions,
  document: vscode.TextDocument,
  { domain, kind, name }: TemplateFile,
  given?: unknown,
): Promise<Run | undefined> {
  await panel.reveal();
  if (!canImagine(language, panel)) return undefined;
  if (kind === 'judge' || (domain !== 'terminal' && domain !== 'swe')) {
    const what =
      kind === 'judge'
        ? 'A judge’s prompt is used when a benchmark is scored'
        : `Prompts of ${domain} are run on trajectories`;
    panel.banner({ kind: 'information', sentence: `${what}; open the one of terminal or swe to run it on a command.` });
    return undefined;
  }
  const way = { whole: domain === 'terminal', templates: { [domain]: document.getText() } };
  const predictScript = async (script: unknown) =>
    typeof script === 'string' ? predictPointed.script(script, way) : undefined;
  const selected = typeof given === 'string' ? undefined : selectedBeside(document);
  const last = predictions.current()?.action;
  const run = selected
    ? await predictPointed(selected, way)
    : await predictScript(given ?? (last?.kind === 'command' ? last.script : await input.ask(usualFolder())));
  if (!run) return undefined;
  const state = document.isDirty ? 'as it stands unsaved' : 'as it is saved';
  panel.banner({ kind: 'information', sentence: `Predicted with ${name} ${state}.` });
  void run.ended.then(() => {
    if (predictions.current() !== run || run.prediction.questions.length > 0) return;
    const failed = run.prediction.ending === 'failed' ? run.prediction.endingReason : undefined;
    const none =
      'No program of this command needs a model, so the prompt was not used; run a command such as npm test.';
    panel.banner({ kind: failed ? 'warning' : 'information', sentence: failed ?? none });
  });
  return run;
}
