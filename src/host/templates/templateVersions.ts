import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { templateFile } from '../../core/worlds/language/template/templates.ts';
import type { TemplateFile } from './templateFile.ts';
import type { TemplatesOptions } from './templatesOptions.ts';

/** A version of a prompt. */
export interface TemplateVersion {
  /** For people: `saved`, `HEAD`, `shipped`, a path. */
  name: string;
  text: string;
}

/** Which version is compared with the text in the editor; anything else is a path. */
export type VersionName = 'saved' | 'HEAD' | 'shipped' | (string & {});

/** What the editor is compared with. A failure is a sentence with a next step. */
export async function readVersion(
  { engine, context }: Pick<TemplatesOptions, 'engine' | 'context'>,
  document: vscode.TextDocument,
  { domain, kind }: TemplateFile,
  version: VersionName,
): Promise<TemplateVersion | { problem: string }> {
  const file = document.uri.fsPath;
  if (version === 'HEAD') {
    const { looker } = await engine.load();
    // `cat-file` runs no filter, hook or pager.
    const argv = ['git', '-c', 'core.fsmonitor=false', 'cat-file', 'blob', `HEAD:./${path.basename(file)}`];
    const { exitCode, stdout } = await looker.look(argv, { cwd: path.dirname(file) });
    if (exitCode === 0) return { name: 'HEAD', text: Buffer.from(stdout).toString('utf8') };
    return { problem: 'Git has no committed version of this prompt; commit it, or compare with another one.' };
  }
  const place =
    version === 'saved'
      ? file
      : version === 'shipped'
        ? path.join(context.extensionPath, 'prompts', templateFile(domain, kind))
        : version;
  const name = version === 'saved' || version === 'shipped' ? version : path.basename(path.dirname(version));
  try {
    return { name, text: await readFile(place, 'utf8') };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    return { problem: `${place} cannot be read (${code}); choose another version.` };
  }
}

/** Lets the user choose a version. Undefined: thought better of it. */
export async function chooseVersion(document: vscode.TextDocument): Promise<VersionName | undefined> {
  const items: (vscode.QuickPickItem & { version: VersionName | 'file' })[] = [
    ...(document.isDirty
      ? [{ label: 'Saved file', detail: 'What you have changed since you saved', version: 'saved' as const }]
      : []),
    { label: 'Committed version', detail: 'As it is in HEAD', version: 'HEAD' },
    { label: 'Shipped prompt', detail: 'As it comes with Foretell', version: 'shipped' },
    { label: 'Another file…', version: 'file' },
  ];
  const chosen = await vscode.window.showQuickPick(items, {
    title: 'Compare This Prompt',
    placeHolder: 'With which version?',
  });
  if (chosen?.version !== 'file') return chosen?.version;
  const [file] =
    (await vscode.window.showOpenDialog({
      title: 'Compare This Prompt',
      openLabel: 'Compare',
      canSelectMany: false,
    })) ?? [];
  return file?.fsPath;
}
