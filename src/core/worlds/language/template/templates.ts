import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Domain } from '../prompt/turns/turn.ts';

/** What a template is for: the model that predicts, or the one that scores a prediction. */
export type TemplateKind = 'system' | 'judge';

/** A folder of templates with a folder for each domain, as in the Qwen-AgentWorld repository. `path` is absolute. */
export interface TemplateFolder {
  /** `workspace`: chosen by the user, only where the workspace is trusted. `configured`: from a setting. `shipped`: ours. */
  source: 'workspace' | 'configured' | 'shipped';
  path: string;
}

/** A template as it stands in its file: nothing is trimmed, decoded or repaired. */
export interface LoadedTemplate {
  ok: true;
  text: string;
  /** Absolute. */
  path: string;
  source: TemplateFolder['source'];
  /** Folders that were looked at before and have no such file; whole sentences. */
  notes: string[];
}

/** A failure as a value: `message` is one sentence with a next step. */
export interface TemplateFailure {
  ok: false;
  code: 'template-missing' | 'template-unreadable' | 'template-too-large' | 'template-empty';
  message: string;
}

/** Largest template that is read, in bytes. */
const templateLimitBytes = 1_000_000;

/** Where a template stands in a folder of templates. */
export function templateFile(domain: Domain, kind: TemplateKind): string {
  return `${domain}/${kind === 'judge' ? 'judge_system_prompt.txt' : 'system_prompt.txt'}`;
}

/**
 * Reads a template from the first folder that has it; anew each time, so that a change counts at once. A folder may also
 * be the root of a checkout that has `prompts/`. A file that is there and cannot be read is a failure: another template
 * in its place would be a surprise.
 */
export async function loadTemplate(
  domain: Domain,
  kind: TemplateKind,
  folders: readonly TemplateFolder[],
): Promise<LoadedTemplate | TemplateFailure> {
  const name = templateFile(domain, kind);
  const notes: string[] = [];
  for (const folder of folders) {
    for (const file of [path.join(folder.path, name), path.join(folder.path, 'prompts', name)]) {
      const read = await readTemplate(file);
      if (read === undefined) continue;
      return typeof read === 'string' ? { ok: true, text: read, path: file, source: folder.source, notes } : read;
    }
    notes.push(`${folder.path} has no ${name}.`);
  }
  const message = `There is no template ${name}; choose a folder that has it, or install the extension again.`;
  return { ok: false, code: 'template-missing', message };
}

async function readTemplate(file: string): Promise<string | TemplateFailure | undefined> {
  try {
    const found = await stat(file);
    // A pipe or a device would never end.
    if (!found.isFile()) return unreadable(file, 'it is not a file');
    if (found.size > templateLimitBytes) {
      const message = `The template ${file} is larger than ${templateLimitBytes / 1e6} MB; shorten it.`;
      return { ok: false, code: 'template-too-large', message };
    }
    const text = await readFile(file, 'utf8');
    if (text.trim() !== '') return text;
    return { ok: false, code: 'template-empty', message: `The template ${file} is empty; fill it or delete it.` };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : unreadable(file, code);
  }
}

function unreadable(file: string, why: string): TemplateFailure {
  const message = `The template ${file} cannot be read (${why}); make it readable or choose another folder.`;
  return { ok: false, code: 'template-unreadable', message };
}

/** Names that stand in braces in a template and are replaced. Every other brace is text. */
export const placeholders = ['tool_definitions', 'demonstrations'] as const;
/** Name of a placeholder, without its braces. */
export type Placeholder = (typeof placeholders)[number];

/** Which placeholders the template of a domain has. */
export const placeholdersOf: Readonly<Record<Domain, readonly Placeholder[]>> = {
  swe: ['tool_definitions', 'demonstrations'],
  mcp: ['tool_definitions', 'demonstrations'],
  search: ['tool_definitions'],
  terminal: [],
  os: [],
  web: [],
  android: [],
};

/** A filled template. `parts` says where the values stand, in UTF-16 code units and in order. */
export interface FilledTemplate {
  ok: true;
  text: string;
  parts: { name: Placeholder; start: number; end: number }[];
}

/** A template in which something would be sent as `{name}`. `message` is one sentence with a next step. */
export interface UnfilledTemplate {
  ok: false;
  code: 'unfilled-placeholder';
  message: string;
}

/**
 * Replaces the placeholders, each as often as it occurs, by exactly the given text (no `$` patterns; a value is not
 * searched for placeholders again). A placeholder without a value is a failure, never sent as it is.
 */
export function fillTemplate(
  template: string,
  values: Readonly<Partial<Record<Placeholder, string>>>,
): FilledTemplate | UnfilledTemplate {
  const parts: FilledTemplate['parts'] = [];
  let text = '';
  let from = 0;
  for (const match of template.matchAll(/\{(tool_definitions|demonstrations)\}/g)) {
    const name = match[1] as Placeholder;
    const value = values[name];
    if (value === undefined) {
      const message = `The template has {${name}}, and nothing was given for it; give it a value or take it out of the template.`;
      return { ok: false, code: 'unfilled-placeholder', message };
    }
    text += template.slice(from, match.index);
    parts.push({ name, start: text.length, end: text.length + value.length });
    text += value;
    from = match.index + match[0].length;
  }
  return { ok: true, text: text + template.slice(from), parts };
}
