import path from 'node:path';
import { readArguments } from './callArguments.ts';
import { absolute, type EditTool, refuse, success, textArgument } from './toolOutcome.ts';

// `edit` and `create` of GitHub Copilot's command line 1.0, as its package does them (`node test/bench.mjs agents copilot` compares).
// Every file is read as UTF-8, whatever it is. Errors of the system repeat the call, and are not claimed.

/** Replaces a text that is there once. A text that is there but for its blanks and quotes is found too. */
export const copilotEdit: EditTool = async (call, place) => {
  const { path: name, replacements } = readArguments(call);
  const [one] = replacements;
  if (!name) return refuse('arguments', '');
  if (!one) {
    const lacking = textArgument(call, 'old_str') === undefined ? 'old_str' : 'new_str';
    return refuse('arguments', name, { words: `Invalid inputs: ${lacking} is required` });
  }
  const file = absolute(name, place.cwd);
  const state = await place.read(file);
  if (state.kind !== 'file') return refuse(state.kind, name);
  const text = Buffer.from(state.bytes).toString('utf8');
  const done = (now: string) =>
    success(`File ${file} updated with changes.`, [{ path: file, bytes: Buffer.from(now), makesFolders: false }]);
  if (one.before === '') {
    if (text === '') return done(one.after);
    return refuse('arguments', name, { words: 'Invalid inputs: old_str is required' });
  }
  if (one.before === one.after)
    return refuse('same', name, { words: 'No changes made: old_str and new_str are the same' });
  const isCarriage = text.includes('\r\n');
  const inFile = (part: string) => {
    const plain = part.replaceAll('\r\n', '\n');
    return isCarriage ? plain.replaceAll('\n', '\r\n') : plain;
  };
  const [before, after] = [inFile(one.before), inFile(one.after)];
  const isMixed = isCarriage && /(?<!\r)\n/.test(text) && (before + after).includes('\n');
  const doubts = isMixed ? [`${name} has line ends of both kinds; what Copilot makes of them is not known.`] : [];
  const [at, ...others] = placesOf(text, before);
  if (at === undefined) {
    if (isMixed || lettersOf(text).includes(lettersOf(before))) {
      const doubt = `The text to replace is not in ${name} to the letter; Copilot takes what is alike, and what it would write is not known.`;
      return refuse('absent', name, { doubts: [...doubts, doubt] });
    }
    const words = `No match found: old_str not found in ${file}; no changes made; you might want to try again with correct old_str`;
    return refuse('absent', name, { words });
  }
  if (others.length > 0)
    return refuse('repeated', name, { words: repeatedWords(file, { text, before, at: [at, ...others] }), doubts });
  const end = at + before.length;
  // Whole lines that are deleted take their last line break with them.
  const isWhole = after === '' && !before.endsWith('\n') && (at === 0 || text[at - 1] === '\n');
  const lineBreak = isWhole ? (/^\r?\n/.exec(text.slice(end))?.[0] ?? '') : '';
  return { ...done(text.slice(0, at) + after + text.slice(end + lineBreak.length)), doubts };
};

/** Offsets at which a part stands; none overlaps the one before. */
function placesOf(text: string, part: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) places.push(at);
  return places;
}

/** What is alike to Copilot has at least the same letters and digits in the same order. */
export function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Of more places than were ever seen named, the words are not known. */
const mostNamed = 30;

function repeatedWords(
  file: string,
  { text, before, at }: { text: string; before: string; at: readonly number[] },
): string | undefined {
  if (at.length > mostNamed) return undefined;
  const plain = before.replaceAll('\r\n', '\n');
  const [first = ''] = plain.split('\n');
  const pattern = JSON.stringify(first.length > 80 ? `${first.slice(0, 77)}...` : first);
  const more = plain.replace(/\n$/, '').split('\n').length - 1;
  const places = at.map((offset) => {
    const line = text.slice(0, offset).split('\n').length;
    return more > 0 ? `${line}-${line + more}` : `${line}`;
  });
  return `Ambiguous match for old_str in ${file}: pattern starting with ${pattern} matched at lines ${places.join(', ')}. No changes made; try again with a more specific old_str.`;
}

/** A new file in a folder that is there. */
export const copilotCreate: EditTool = async (call, place) => {
  const { path: name, content } = readArguments(call);
  if (!name) return refuse('arguments', '');
  if (content === undefined) return refuse('arguments', name, { words: 'Invalid input: "file_text": Required' });
  const file = absolute(name, place.cwd);
  const state = await place.read(file);
  // Also a link that leads nowhere; the words repeat the call.
  if (state.kind === 'missing' && (await place.isLink(file))) return refuse('link', name);
  const taken = (what: string) =>
    `Path ${file} already exists as a ${what}. Use \`view\` to check contents then edit it.`;
  if (state.kind === 'file') return refuse('exists', name, { words: taken('file') });
  if (state.kind === 'folder') return refuse('folder', name, { words: taken('directory') });
  if (state.kind === 'unreadable') return refuse('unreadable', name);
  const folder = path.dirname(file);
  if (!(await place.isFolder(folder))) {
    const words = `Parent directory ${folder} does not exist. You need to create it before creating the file.`;
    return refuse('missing', name, { words });
  }
  const words = `Created file ${file} with ${content.length} characters`;
  return success(words, [{ path: file, bytes: Buffer.from(content), makesFolders: false }]);
};
