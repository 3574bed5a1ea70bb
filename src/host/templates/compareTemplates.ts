import * as vscode from 'vscode';
import type { TriedTemplate } from '../../core/bench/templates/tryTemplate.ts';
import type { TemplateFile } from './templateFile.ts';
import type { TemplatesOptions } from './templatesOptions.ts';
import type { TemplateTexts } from './templateTexts.ts';
import { chooseVersion, readVersion, type VersionName } from './templateVersions.ts';

/** What was chosen already, by a keybinding or a test. */
export interface CompareChoice {
  version?: VersionName;
  how?: 'text' | 'results';
}

/** Compares the text in the editor with another version: as text, or by what the model makes of both (`results`). */
export async function compareTemplates(
  options: TemplatesOptions & { texts: TemplateTexts },
  document: vscode.TextDocument,
  file: TemplateFile,
  given: CompareChoice,
  results: (other: TriedTemplate) => Promise<unknown>,
): Promise<unknown> {
  const version = given.version ?? (await chooseVersion(document));
  if (version === undefined) return undefined;
  const other = await readVersion(options, document, file, version);
  if ('problem' in other) {
    void vscode.window.showWarningMessage(other.problem);
    return undefined;
  }
  const how = given.how ?? (file.kind === 'judge' ? 'text' : await chooseHow());
  if (how === undefined) return undefined;
  if (how === 'results') return results({ name: `${file.name}, ${other.name}`, text: other.text });
  const left = options.texts.address(file.name, other.text);
  const title = `${file.name}: ${other.name} ↔ ${document.isDirty ? 'unsaved' : 'this file'}`;
  return vscode.commands.executeCommand('vscode.diff', left, document.uri, title, { preview: true });
}

async function chooseHow(): Promise<'text' | 'results' | undefined> {
  const items: (vscode.QuickPickItem & { how: 'text' | 'results' })[] = [
    { label: 'As text', detail: 'The lines that differ', how: 'text' },
    {
      label: 'By results',
      detail: 'Both are run on the same steps of a trajectory: a table of scores',
      how: 'results',
    },
  ];
  return (await vscode.window.showQuickPick(items, { title: 'Compare This Prompt' }))?.how;
}
