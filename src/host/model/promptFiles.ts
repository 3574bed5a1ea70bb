import { constants, existsSync } from 'node:fs';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { type Domain, domains } from '../../core/worlds/language/prompt/turns/turn.ts';
import { type TemplateFolder, type TemplateKind, templateFile } from '../../core/worlds/language/template/templates.ts';
import { folderMeant, localFolders } from '../predict/selection.ts';
import { promptsInWorkspace } from './templateFolders.ts';

/** The templates as files that the user can edit. */
export interface PromptFiles {
  /** Lets the user choose a template, copies it into the workspace where it is not there yet, and opens it. */
  customize(): Promise<void>;
  /** Opens the template that this domain's questions are made of, or offers to copy ours. */
  open(domain: Domain): Promise<void>;
}

const titles: Readonly<Record<Domain, string>> = {
  terminal: 'Terminal: whole commands',
  swe: 'SWE: single programs and file edits',
  mcp: 'MCP tools',
  search: 'Search engines',
  android: 'Android',
  web: 'Web pages',
  os: 'Desktops',
};

export function createPromptFiles(folders: () => TemplateFolder[], extensionFolder: string): PromptFiles {
  const shipped = path.join(extensionFolder, 'prompts');

  async function copy(name: string): Promise<void> {
    const folder = folderMeant();
    if (!vscode.workspace.isTrusted || folder === undefined) {
      const sentence = folder
        ? 'Prompts of a workspace count only when you trust it. Trust this workspace first.'
        : 'Prompts are copied into a workspace folder. Open a folder first.';
      await vscode.window.showWarningMessage(sentence);
      return;
    }
    const file = path.join(folder, promptsInWorkspace, name);
    await mkdir(path.dirname(file), { recursive: true });
    // A copy that the user has edited already is never overwritten.
    await copyFile(path.join(shipped, name), file, constants.COPYFILE_EXCL).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await show(file);
  }

  return {
    async customize() {
      const items = [];
      for (const domain of await shippedDomains(shipped)) {
        for (const kind of ['system', 'judge'] as const) {
          const name = templateFile(domain, kind);
          if (!existsSync(path.join(shipped, name))) continue;
          const isOwn = localFolders().some((folder) => existsSync(path.join(folder, promptsInWorkspace, name)));
          items.push({ label: labelOf(domain, kind), description: isOwn ? 'yours' : '', detail: name, name });
        }
      }
      const chosen = await vscode.window.showQuickPick(items, {
        title: 'Customize Prompts',
        placeHolder: `Copied into ${promptsInWorkspace}, where your changes count from the next prediction on`,
        matchOnDetail: true,
      });
      if (chosen) await copy(chosen.name);
    },
    async open(domain) {
      const name = templateFile(domain, 'system');
      for (const folder of folders()) {
        // As the loader looks for it: in the folder, or in its `prompts`.
        const file = [path.join(folder.path, name), path.join(folder.path, 'prompts', name)].find((one) =>
          existsSync(one),
        );
        if (file === undefined) continue;
        if (folder.source !== 'shipped') return show(file);
        const [copyIt, lookOnly] = ['Copy Into Workspace', 'Only Look'];
        const sentence = `This prompt is the extension’s own. To change it, copy it into ${promptsInWorkspace}.`;
        const answer = await vscode.window.showInformationMessage(sentence, copyIt, lookOnly);
        if (answer === copyIt) await copy(name);
        else if (answer === lookOnly) await show(file);
        return;
      }
      await vscode.window.showWarningMessage(`There is no template ${name}. Install the extension again.`);
    },
  };
}

async function shippedDomains(folder: string): Promise<Domain[]> {
  const names: string[] = await readdir(folder).catch(() => []);
  const [first, second] = ['terminal', 'swe'] as const;
  const rest = domains.filter((domain) => domain !== first && domain !== second);
  return [first, second, ...rest].filter((domain) => names.includes(domain));
}

function labelOf(domain: Domain, kind: TemplateKind): string {
  return kind === 'judge' ? `${titles[domain]} (judge)` : titles[domain];
}

async function show(file: string): Promise<void> {
  await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });
}
