import { encodeText } from './textBytes.ts';
import { absolute, type EditTool, refuse, success, type ToolWrite } from './toolOutcome.ts';

// After aider's edit format `whole` (aider/coders/wholefile_coder.py): the name of a file in the line above a fence, its whole
// content within. A name may stand in the marks that models put around it.

interface WholeFile {
  name: string;
  lines: string[];
}

/** The files of a message; undefined where a fence has no name above it. */
export function readWholeFiles(text: string): WholeFile[] | undefined {
  const files: WholeFile[] = [];
  let open: WholeFile | undefined;
  let above = '';
  // Its fences are the first three letters of a line, whatever stands behind.
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    if (line.startsWith('```') && open) {
      files.push(open);
      open = undefined;
    } else if (line.startsWith('```')) {
      const name = plainName(above);
      if (name === '') return undefined;
      open = { name, lines: [] };
    } else open?.lines.push(line);
    above = line;
  }
  return open ? [...files, open] : files;
}

function plainName(line: string): string {
  const name = line
    .trim()
    .replace(/^\*+|\*+$/g, '')
    .replace(/:+$/, '')
    .replace(/^`+|`+$/g, '')
    .replace(/^#+/, '')
    .trim();
  return name.length > 250 ? '' : name;
}

/** A message with whole files: the first content of each is written as it stands. */
export const aiderWhole: EditTool = async (call, place) => {
  const files = readWholeFiles(String(call.arguments['input'] ?? ''));
  if (!files || files.length === 0) return refuse('patch', '');
  const writes = new Map<string, ToolWrite>();
  const doubts: string[] = [];
  for (const { name, lines } of files) {
    const file = absolute(name, place.cwd);
    if (writes.has(file)) continue;
    const state = await place.read(file);
    if (state.kind === 'folder' || state.kind === 'unreadable') return refuse(state.kind, name);
    // A folder that a model puts before the name of a file of the chat is left out.
    if (state.kind === 'missing' && name.includes('/'))
      doubts.push(`${name} does not exist; aider takes the file of that name alone if it is one of the chat.`);
    writes.set(file, { path: file, bytes: encodeText(lines.join('')), makesFolders: true });
  }
  return success(undefined, [...writes.values()], undefined, doubts);
};
