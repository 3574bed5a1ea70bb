import { readArguments } from './callArguments.ts';
import { openCodeStyle } from './plainTools.ts';
import { countOccurrences, encodeText, replaceFirst, replaceLiteral } from './textBytes.ts';
import { absolute, type EditTool, refuse, success } from './toolOutcome.ts';

// OpenCode 1.18, as its package does it (`node test/bench.mjs agents opencode` compares). It reads every file as UTF-8, whatever it
// is, and keeps a byte order mark. The words of a success name what language servers find, and are not claimed.

const mark = '\uFEFF';

function readText(bytes: Uint8Array): { text: string; isMarked: boolean } {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return text.startsWith(mark) ? { text: text.slice(1), isMarked: true } : { text, isMarked: false };
}

function marked(text: string, isMarked: boolean): Uint8Array {
  const plain = text.startsWith(mark) ? text.slice(1) : text;
  return encodeText(isMarked || plain !== text ? `${mark}${plain}` : plain);
}

/** `edit`: replaces a text that is there once, or all of them. */
export const openCodeEdit: EditTool = async (call, place) => {
  const { path: name, replacements } = readArguments(call);
  const [one] = replacements;
  if (!name || !one) return refuse('arguments', name ?? '');
  if (one.before === one.after)
    return refuse('same', name, { words: 'No changes to apply: oldString and newString are identical.' });
  const file = absolute(name, place.cwd);
  const state = await place.read(file);
  const write = (text: string, isMarked: boolean) => [
    { path: file, bytes: marked(text, isMarked), makesFolders: true },
  ];
  if (one.before === '') {
    if (state.kind === 'missing') return success(undefined, write(one.after, false));
    const words =
      'oldString cannot be empty when editing an existing file. Provide the exact text to replace, or use write for an intentional full-file replacement.';
    return refuse('exists', name, { words });
  }
  if (state.kind === 'missing') return refuse('missing', name, { words: `File ${file} not found` });
  if (state.kind === 'folder') return refuse('folder', name, { words: `Path is a directory, not a file: ${file}` });
  if (state.kind === 'unreadable') return refuse('unreadable', name);
  const { text, isMarked } = readText(state.bytes);
  const isCarriage = text.includes('\r\n');
  const inFile = (part: string) => {
    const plain = part.replaceAll('\r\n', '\n');
    return isCarriage ? plain.replaceAll('\n', '\r\n') : plain;
  };
  const [before, after] = [inFile(one.before), inFile(one.after)];
  if (countOccurrences(text, before) === 0) {
    const doubts = openCodeStyle.mayFindNear(text, before)
      ? [
          `The text to replace is not in ${name} to the letter; OpenCode may take what is alike, and what it would write is not known.`,
        ]
      : [];
    const words =
      'Could not find oldString in the file. It must match exactly, including whitespace, indentation, and line endings.';
    return refuse('absent', name, { words: doubts.length > 0 ? undefined : words, doubts });
  }
  if (one.isAll) return success(undefined, write(replaceLiteral(text, before, after), isMarked));
  // Also what overlaps is more than one.
  if (text.indexOf(before) !== text.lastIndexOf(before)) {
    const doubt = `The text to replace is in ${name} more than once; OpenCode may take a longer one around it, such as a whole line.`;
    return refuse('repeated', name, { doubts: [doubt] });
  }
  return success(undefined, write(replaceFirst(text, before, after), isMarked));
};

/** `write`: the whole content of a file. */
export const openCodeWrite: EditTool = async (call, place) => {
  const { path: name, content } = readArguments(call);
  if (!name || content === undefined) return refuse('arguments', name ?? '');
  const file = absolute(name, place.cwd);
  const state = await place.read(file);
  if (state.kind === 'folder') return refuse('folder', name, { words: `BadResource: FileSystem.readFile (${file})` });
  if (state.kind === 'unreadable') return refuse('unreadable', name);
  const isMarked = state.kind === 'file' && readText(state.bytes).isMarked;
  return success(undefined, [{ path: file, bytes: marked(content, isMarked), makesFolders: true }]);
};
