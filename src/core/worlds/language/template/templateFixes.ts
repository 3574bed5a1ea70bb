import type { TemplateWarning } from './templateLint.ts';
import { templateSections } from './templateSections.ts';

/** A change of a template; `start` and `end` in UTF-16 code units. */
export interface TemplateEdit {
  start: number;
  end: number;
  text: string;
}

/** What would answer a warning. */
export interface TemplateFix {
  /** For people, in the imperative. */
  title: string;
  edits: TemplateEdit[];
}

/** What can be done about a warning; the likeliest first. Empty: only a person can know. */
export function templateFixes(text: string, warning: TemplateWarning): TemplateFix[] {
  const { start, end } = warning;
  const found = text.slice(start, end);
  const remove: TemplateFix = { title: `Remove ${found}`, edits: [{ start, end, text: '' }] };
  switch (warning.code) {
    case 'unknown-placeholder':
      return warning.meant === undefined
        ? []
        : [{ title: `Change to {${warning.meant}}`, edits: [{ start, end, text: `{${warning.meant}}` }] }];
    case 'missing-placeholder':
      return warning.meant === undefined ? [] : [insertion(text, warning.meant)];
    case 'misplaced-placeholder':
    case 'repeated-placeholder':
      return [remove];
    case 'control-character':
      return [{ title: `Restore the escape ${escaped(found)}`, edits: [{ start, end, text: escaped(found) }] }];
    case 'broken-escape':
      return [{ title: 'Restore the escape \\n', edits: [{ start, end, text: '\\n' }] }];
    case 'carriage-return':
      return [{ title: 'End all lines with LF', edits: everyReturn(text) }];
    case 'byte-order-mark':
      return [{ title: 'Remove the byte order mark', edits: [{ start, end, text: '' }] }];
    case 'empty':
    case 'too-long':
    case 'changing-text':
      return [];
  }
}

/** All escapes that a template was passed through, restored at once. Undefined: there are none. */
export function restoreEscapes(text: string, warnings: readonly TemplateWarning[]): TemplateFix | undefined {
  const damaged = warnings.filter(({ code }) => code === 'control-character' || code === 'broken-escape');
  if (damaged.length === 0) return undefined;
  const edits = damaged.flatMap((warning) => templateFixes(text, warning)[0]?.edits ?? []);
  return { title: `Restore all ${edits.length} escapes`, edits };
}

const named: Readonly<Record<string, string>> = { '\0': '\\0', '\b': '\\b', '\v': '\\v', '\f': '\\f' };

/** The characters as they are written in JSON or a shell: `\x1b`. */
function escaped(characters: string): string {
  const one = (character: string) => named[character] ?? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  return [...characters].map(one).join('');
}

const headings: Readonly<Record<string, string>> = {
  tool_definitions: 'Tools',
  demonstrations: 'Demonstrations',
};

/** A section of its own: behind the first section, where what hardly changes stands; else at the end. */
function insertion(text: string, name: string): TemplateFix {
  const tops = templateSections(text).filter(({ kind, level }) => kind === 'heading' && level === 1);
  const at = tops[1]?.start ?? text.length;
  const section = `# ${headings[name] ?? name}\n\n{${name}}\n`;
  const gap = at < text.length || text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n';
  const edit = { start: at, end: at, text: at < text.length ? `${section}\n` : `${gap}${section}` };
  return { title: `Insert {${name}}`, edits: [edit] };
}

function everyReturn(text: string): TemplateEdit[] {
  return [...text.matchAll(/\r(?=\n)/g)].map(({ index }) => ({ start: index, end: index + 1, text: '' }));
}
