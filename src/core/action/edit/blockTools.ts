import { readArguments } from './callArguments.ts';
import { type ChangeBlock, readBlocks, readUnnumberedDiff } from './changeBlocks.ts';
import { withSameEnd } from './nearMatch.ts';
import { countOccurrences, decodeText, encodeText } from './textBytes.ts';
import {
  absolute,
  type EditTool,
  type FileState,
  refuse,
  success,
  type ToolOutcome,
  type ToolPlace,
} from './toolOutcome.ts';

const nearDoubt = (name: string) =>
  `A block is not in ${name} to the letter; the tool may take what is alike, and what it would write is not known.`;

/** How one block changes a text: the new text, or why it does not fit; `doubt` where that is not certain. */
type Applied = { text: string; doubt?: string } | { absent: true; doubt?: string };

type Apply = (text: string, block: ChangeBlock, from: number) => Applied & { next?: number };

/**
 * Cline (src/core/assistant-message/diff.ts): blocks in their order, each as it is at its first place behind the one before.
 * An empty SEARCH is the whole file.
 */
const applyCline: Apply = (text, { search, replace }, from) => {
  if (search === '') return { text: replace, next: replace.length };
  const at = text.indexOf(search, from);
  if (at < 0) return { absent: true, ...(looseFit(text, search) ? { doubt: 'near' } : {}) };
  return { text: `${text.slice(0, at)}${replace}${text.slice(at + search.length)}`, next: at + replace.length };
};

/** Roo (src/core/diff/strategies/multi-search-replace.ts): whole lines, at the line that is named, else where they are. */
const applyRoo: Apply = (text, { search, replace, startLine }) => {
  const wanted = search.replace(/\n$/, '').split('\n');
  if (search.trim() === '') return { absent: true };
  const lines = text.split('\n');
  const fits = (at: number) => wanted.every((line, index) => lines[at + index] === line);
  const places = lines.flatMap((_, at) => (fits(at) ? [at] : []));
  const named = places.find((at) => at === startLine - 1);
  const at = named ?? places[0];
  if (at === undefined) return { absent: true, ...(looseFit(text, search) ? { doubt: 'near' } : {}) };
  lines.splice(at, wanted.length, ...(replace === '' ? [] : replace.replace(/\n$/, '').split('\n')));
  return { text: lines.join('\n'), ...(named === undefined && places.length > 1 ? { doubt: 'repeated' } : {}) };
};

/** aider (aider/coders/editblock_coder.py): whole lines, the first place; what is empty is added at the end. */
const applyAider: Apply = (text, { search, replace }) => {
  if (search.trim() === '') return { text: `${text}${replace}` };
  const whole = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  const at = `\n${whole}`.indexOf(`\n${search}`);
  if (at < 0) return { absent: true, ...(looseFit(text, search) ? { doubt: 'near' } : {}) };
  return { text: `${whole.slice(0, at)}${replace}${whole.slice(at + search.length)}` };
};

/** aider's diffs without numbers (aider/coders/udiff_coder.py): every place, if the text is long enough to be meant. */
const applyUnnumbered: Apply = (text, { search, replace }) => {
  if (search.trim() === '') return { text: `${text}${replace}` };
  const found = countOccurrences(text, search);
  const isShort = search.replace(/\s/g, '').length < 10;
  if (found === 0 || (found > 1 && isShort)) return { absent: true, doubt: 'near' };
  return { text: text.split(search).join(replace) };
};

/** Without blanks at both ends of lines, or with the same first and last line: what some tools take for the same. */
function looseFit(text: string, search: string): boolean {
  const plain = (one: string) => one.replace(/\s+/g, '');
  const lines = search.split('\n').filter((line) => line.trim() !== '');
  const has = (line: string | undefined) => text.split('\n').some((one) => one.trim() === line?.trim());
  return plain(text).includes(plain(search)) || /^\s*\.\.\.\s*$/m.test(search) || (has(lines[0]) && has(lines.at(-1)));
}

/** `replace_in_file {path, diff}` of Cline. */
export const clineReplace: EditTool = (call, place) => applyToOne(call.arguments, place, applyCline);

/** `apply_diff {path, diff}` of Roo. */
export const rooApply: EditTool = (call, place) => applyToOne(call.arguments, place, applyRoo);

/** A message with blocks of SEARCH and REPLACE, each below the name of its file. */
export const aiderBlocks: EditTool = async (call, place) => {
  const blocks = readBlocks(String(call.arguments['input'] ?? ''));
  if (!blocks) return refuse('patch', '');
  return applyToMany(blocks, place, applyAider);
};

/** A message with diffs whose places are not numbered. */
export const aiderDiff: EditTool = async (call, place) =>
  applyToMany(readUnnumberedDiff(String(call.arguments['input'] ?? '')), place, applyUnnumbered);

async function applyToOne(given: Record<string, unknown>, place: ToolPlace, apply: Apply): Promise<ToolOutcome> {
  const { path: name, diff } = readArguments({ name: '', arguments: given });
  const blocks = readBlocks(diff ?? '');
  if (!name || diff === undefined) return refuse('arguments', name ?? '');
  if (!blocks) return refuse('patch', name);
  const file = absolute(name, place.cwd);
  const state = await place.read(file);
  if (state.kind === 'missing') {
    const [only] = blocks;
    // Only Cline makes a file of an empty SEARCH.
    if (apply !== applyCline || blocks.length > 1 || only?.search !== '') return refuse('missing', name);
    const doubts = ['Whether a new file ends with a line break depends on the settings of the editor.'];
    return success(
      undefined,
      [{ path: file, bytes: encodeText(only.replace.trimEnd()), makesFolders: true }],
      undefined,
      doubts,
    );
  }
  const read = textOf(state, name);
  if ('exitCode' in read) return read;
  const made = applyBlocks(read.text, blocks, apply);
  if ('failed' in made) return refuse('absent', name, { doubts: made.doubts.map(() => nearDoubt(name)) });
  const doubts = [...read.doubts, ...made.doubts.map(() => nearDoubt(name))];
  const text = withSameEnd(read.text, made.text.trimEnd());
  return success(undefined, [{ path: file, bytes: read.encode(text), makesFolders: false }], undefined, doubts);
}

type Made = { text: string; doubts: string[] } | { failed: true; doubts: string[] };

function applyBlocks(before: string, blocks: readonly ChangeBlock[], apply: Apply): Made {
  let text = before;
  let from = 0;
  const doubts: string[] = [];
  for (const block of blocks) {
    const applied = apply(text, block, from);
    if (applied.doubt !== undefined) doubts.push(applied.doubt);
    if ('absent' in applied) return { failed: true, doubts };
    text = applied.text;
    from = applied.next ?? 0;
  }
  return { text, doubts };
}

/** Each block by itself: those that fit are made, whatever becomes of the others. */
async function applyToMany(blocks: readonly ChangeBlock[], place: ToolPlace, apply: Apply): Promise<ToolOutcome> {
  const texts = new Map<string, { text: string; encode(text: string): Uint8Array; isChanged: boolean }>();
  const doubts: string[] = [];
  let refusal: ToolOutcome['refusal'];
  const refused = (kind: 'missing' | 'absent' | 'patch', name: string) => {
    refusal ??= { kind, name };
  };
  for (const block of blocks) {
    const { path: name } = block;
    if (name === undefined) {
      refused('patch', '');
      continue;
    }
    const file = absolute(name, place.cwd);
    let known = texts.get(file);
    if (!known) {
      const state = await place.read(file);
      if (state.kind === 'missing' && block.search.trim() === '')
        known = { text: '', encode: encodeText, isChanged: false };
      else if (state.kind === 'missing') {
        refused('missing', name);
        doubts.push(`${name} does not exist; aider would look for the block in the other files of the chat.`);
        continue;
      } else {
        const read = textOf(state, name);
        if ('exitCode' in read) return read;
        doubts.push(...read.doubts);
        known = { text: read.text, encode: read.encode, isChanged: false };
      }
      texts.set(file, known);
    }
    const applied = apply(known.text, block, 0);
    if (applied.doubt !== undefined) doubts.push(nearDoubt(name));
    if ('absent' in applied) refused('absent', name);
    else texts.set(file, { ...known, text: applied.text, isChanged: true });
  }
  const writes = [...texts].flatMap(([path, { text, encode, isChanged }]) =>
    isChanged ? [{ path, bytes: encode(text), makesFolders: true }] : [],
  );
  const made = success(undefined, writes, undefined, [...new Set(doubts)]);
  return refusal ? { ...made, refusal, exitCode: 1 } : made;
}

type ReadText = { text: string; doubts: string[]; encode(text: string): Uint8Array };

function textOf(state: Exclude<FileState, { kind: 'missing' }>, name: string): ReadText | ToolOutcome {
  if (state.kind === 'folder') return refuse('folder', name);
  if (state.kind === 'unreadable') return refuse('unreadable', name);
  const decoded = decodeText(state.bytes);
  if (!decoded) {
    const doubt = `${name} is not UTF-8; what the tool makes of it is not known.`;
    return refuse('binary', name, { doubts: state.bytes.includes(0) ? [] : [doubt] });
  }
  const isCarriage = decoded.text.includes('\r\n');
  const doubts = isCarriage ? [`${name} has CRLF line ends; whether they stay depends on the tool.`] : [];
  const encode = (text: string) => encodeText(isCarriage ? text.replace(/\n/g, '\r\n') : text, decoded.encoding);
  return { text: decoded.text.replaceAll('\r\n', '\n'), doubts, encode };
}
