import * as vscode from 'vscode';

/** Scheme of versions of a prompt that stand in no file. */
const templateScheme = 'foretell-prompt';

/** Read-only texts in editors: versions of prompts, and summaries. */
export interface TemplateTexts extends vscode.Disposable {
  /** The address of a text; its name ends as the file does, so that its language is known. */
  address(name: string, text: string): vscode.Uri;
}

/** Most texts that are kept; an editor that is still open after that many shows nothing when it is loaded again. */
const mostTexts = 60;

export function createTemplateTexts(): TemplateTexts {
  const texts = new Map<string, string>();
  let count = 0;
  const registration = vscode.workspace.registerTextDocumentContentProvider(templateScheme, {
    provideTextDocumentContent: ({ query }) => texts.get(query) ?? '',
  });
  return {
    address(name, text) {
      count += 1;
      const query = String(count);
      texts.set(query, text);
      const [oldest] = texts.keys();
      if (texts.size > mostTexts && oldest !== undefined) texts.delete(oldest);
      return vscode.Uri.from({ scheme: templateScheme, path: `/${name}`, query });
    },
    dispose: () => registration.dispose(),
  };
}
