import { existsSync } from 'node:fs';
import path from 'node:path';
import type { TemplateFolder } from '../../core/worlds/language/template/templates.ts';

/** Where copies of the templates stand in a workspace folder. */
export const promptsInWorkspace = path.join('.foretell', 'prompts');

/** Where templates are looked for, in this order. A workspace counts only where it is trusted; the caller knows. */
export function templateFolders(of: {
  workspaceFolders: readonly string[];
  configured: string | undefined;
  extensionFolder: string;
}): TemplateFolder[] {
  const own = of.workspaceFolders
    .map((folder) => path.join(folder, promptsInWorkspace))
    .filter((one) => existsSync(one));
  return [
    ...own.map((folder) => ({ source: 'workspace' as const, path: folder })),
    ...(of.configured === undefined ? [] : [{ source: 'configured' as const, path: of.configured }]),
    { source: 'shipped', path: path.join(of.extensionFolder, 'prompts') },
  ];
}
