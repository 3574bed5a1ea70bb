import * as vscode from 'vscode';
import type { TemplatesOptions } from './registerTemplates.ts';
import type { TemplateFile } from './templateFile.ts';
import type { TemplateTexts } from './templateTexts.ts';
import { chooseVersion, readVersion, type VersionName } from './templateVersions.ts';

/** What was chosen already, by a keybinding or a test. */
export interface CompareChoice {
  version?: VersionName;
}

/** Compares the text in the editor with another version. */
export async function compareTemplates(
  options: TemplatesOptions & { texts: TemplateTexts },
  document: vscode.TextDocument,
  file: TemplateFile,
  given: CompareChoice,
): Promise<unknown> {
  const version = given.version ?? (await chooseVersion(document));
  if (version === undefined) return undefined;
  const other = await readVersion(options, document, file, version);
  if ('problem' in other) return vscode.window.showWarningMessage(other.problem);
  const left = options.texts.address(file.name, other.text);
  const title = `${file.name}: ${other.name} ↔ ${document.isDirty ? 'unsaved' : 'this file'}`;
  return vscode.commands.executeCommand('vscode.diff', left, document.uri, title, { preview: true });
}
