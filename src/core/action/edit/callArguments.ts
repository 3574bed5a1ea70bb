import type { ToolCall } from '../action.ts';

/** One replacement that a call asks for. */
export interface AskedReplacement {
  before: string;
  after: string;
  isAll: boolean;
}

/** What a call says, whatever its arguments are called. */
export interface ReadArguments {
  path: string | undefined;
  /** The whole new content. */
  content: string | undefined;
  replacements: AskedReplacement[];
  /** Blocks of SEARCH and REPLACE, or other text in which the changes stand. */
  diff: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const pathNames = ['file_path', 'filePath', 'filepath', 'path', 'target_file', 'TargetFile', 'absolute_path', 'file'];
const oldNames = [
  'old_string',
  'oldString',
  'old_str',
  'oldStr',
  'oldText',
  'old_text',
  'old',
  'TargetContent',
  'search',
];
const newNames = [
  'new_string',
  'newString',
  'new_str',
  'newStr',
  'newText',
  'new_text',
  'new',
  'ReplacementContent',
  'replace',
];
const contentNames = ['content', 'contents', 'file_text', 'fileContent', 'CodeContent', 'text'];
const allNames = ['replace_all', 'replaceAll', 'allow_multiple', 'AllowMultiple'];
const listNames = ['edits', 'replacements', 'ReplacementChunks', 'edit'];

function textOf(fields: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string') return value;
  }
  return undefined;
}

function replacementOf(fields: Fields): AskedReplacement | undefined {
  const before = textOf(fields, oldNames);
  const after = textOf(fields, newNames);
  if (before === undefined || after === undefined) return undefined;
  return { before, after, isAll: allNames.some((name) => fields[name] === true) };
}

/** The arguments of a call in one form. */
export function readArguments({ arguments: given }: ToolCall): ReadArguments {
  const single = replacementOf(given);
  const list = listNames.flatMap((name) => {
    const value = given[name];
    return Array.isArray(value) ? value : typeof value === 'object' && value !== null ? [value] : [];
  });
  const several = list.flatMap((one: unknown) => {
    const found = typeof one === 'object' && one !== null ? replacementOf(one as Fields) : undefined;
    return found ? [found] : [];
  });
  return {
    path: textOf(given, pathNames),
    content: textOf(given, contentNames),
    replacements: single ? [single] : several.length === list.length ? several : [],
    diff: textOf(given, ['diff', 'blocks', 'patch']),
  };
}
