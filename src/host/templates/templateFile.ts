import { existsSync } from 'node:fs';
import path from 'node:path';
import type * as vscode from 'vscode';
import { type Domain, domains } from '../../core/worlds/language/prompt/turns/turn.ts';
import { type TemplateKind, templateFile } from '../../core/worlds/language/template/templates.ts';

/** What a prompt file is for. */
export interface TemplateFile {
  domain: Domain;
  kind: TemplateKind;
  /** The folder with a folder for each domain, absolute. */
  root: string;
  /** For people: `swe/system_prompt.txt`. */
  name: string;
}

/** What a file is by its place. Undefined: its name or folder is another one. */
export function templateFileOf({ uri }: Pick<vscode.TextDocument, 'uri'>): TemplateFile | undefined {
  if (uri.scheme !== 'file') return undefined;
  const folder = path.dirname(uri.fsPath);
  const domain = domains.find((one) => one === path.basename(folder));
  const kind = ({ 'system_prompt.txt': 'system', 'judge_system_prompt.txt': 'judge' } as const)[
    path.basename(uri.fsPath) as 'system_prompt.txt'
  ] as TemplateKind | undefined;
  if (!domain || !kind) return undefined;
  return { domain, kind, root: path.dirname(folder), name: templateFile(domain, kind) };
}

/** A file of such a name may stand anywhere; one with others of its kind beside it, or in a folder of prompts, is meant. */
export function isAmongPrompts({ root }: TemplateFile, folders: readonly string[]): boolean {
  const isKnown = folders.some((folder) => root === folder || root === path.join(folder, 'prompts'));
  if (isKnown || /[\\/]prompts$/.test(root)) return true;
  return domains.filter((domain) => existsSync(path.join(root, templateFile(domain, 'system')))).length >= 2;
}
