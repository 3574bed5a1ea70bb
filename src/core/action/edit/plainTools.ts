import type { ToolCall } from '../action.ts';
import { type AskedReplacement, readArguments } from './callArguments.ts';
import { countOccurrences, decodeText, encodeText, replaceFirst, replaceLiteral } from './textBytes.ts';
import { absolute, type EditTool, refuse, success, type ToolOutcome, type ToolPlace } from './toolOutcome.ts';

/** How a tool differs from the others that replace a text or write a file. */
export interface PlainStyle {
  /** True where a text that is not there to the letter may still be found; then a refusal is not certain. */
  mayFindNear(text: string, before: string): boolean;
  /** A text that is there more than once. `doubt`: it may be told apart by what is around it. */
  repeated: 'refuse' | 'doubt';
  /** An old text that is empty, and a file that is not. */
  emptyOld: 'refuse' | 'overwrite' | 'doubt';
  /** Writing a file that is there already and is not empty. */
  existing: 'overwrite' | 'refuse';
}

/** Without blanks and escapes, and with straight quotes: what no tool finds in this form is not found at all. */
function squeezed(text: string): string {
  return text
    .replace(/[\s\\]/g, '')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"');
}

function fitsSqueezed(text: string, before: string): boolean {
  return squeezed(text).includes(squeezed(before));
}

/** Tools that want the text to the letter. */
export const strictStyle: PlainStyle = {
  mayFindNear: () => false,
  repeated: 'refuse',
  emptyOld: 'refuse',
  existing: 'overwrite',
};

/** OpenCode (packages/opencode/src/tool/edit.ts): nine ways of finding, some of which only compare first and last lines. */
export const openCodeStyle: PlainStyle = {
  mayFindNear: (text, before) => before.split('\n').length > 2 || before.includes('\\') || fitsSqueezed(text, before),
  repeated: 'doubt',
  emptyOld: 'overwrite',
  existing: 'overwrite',
};

/** Copilot in VS Code (editFileToolUtils.tsx): blanks, likeness, and then a model that mends the call. */
export const copilotStyle: PlainStyle = {
  mayFindNear: () => true,
  repeated: 'refuse',
  emptyOld: 'refuse',
  existing: 'refuse',
};

/** An agent that is not known. */
export const unknownStyle: PlainStyle = {
  mayFindNear: () => true,
  repeated: 'doubt',
  emptyOld: 'doubt',
  existing: 'overwrite',
};

const nearDoubt = (name: string) =>
  `The text to replace is not in ${name} to the letter; some agents take what is alike, and what they would write is not known.`;

/** A tool that replaces one text, or several one after the other. */
export function plainEdit(style: PlainStyle): EditTool {
  return async (call, place) => {
    const { path: name, replacements } = readArguments(call);
    if (!name || replacements.length === 0) return refuse('arguments', name ?? '');
    return edit(name, replacements, { style, place });
  };
}

async function edit(
  name: string,
  replacements: readonly AskedReplacement[],
  { style, place }: { style: PlainStyle; place: ToolPlace },
): Promise<ToolOutcome> {
  const file = absolute(name, place.cwd);
  const [first] = replacements;
  if (replacements.some(({ before, after }) => before === after)) return refuse('same', name);
  const state = await place.read(file);
  if (state.kind === 'missing') {
    if (first?.before !== '' || replacements.length > 1) return refuse('missing', name);
    return success(undefined, [{ path: file, bytes: encodeText(first.after), makesFolders: true }]);
  }
  if (state.kind === 'folder') return refuse('folder', name);
  if (state.kind === 'unreadable') return refuse('unreadable', name);
  const decoded = decodeText(state.bytes);
  const odd = `${name} is not UTF-8; what the tool makes of it is not known.`;
  if (!decoded) return refuse('binary', name, { doubts: state.bytes.includes(0) ? [] : [odd] });
  const doubts = decoded.encoding.startsWith('utf16') ? [odd] : [];
  const isCarriage = decoded.text.includes('\r\n');
  if (isCarriage && /[^\r]\n/.test(decoded.text))
    doubts.push(`${name} has line ends of both kinds; which of them stay depends on the tool.`);
  const inFile = (text: string) => (isCarriage ? text.replace(/\r?\n/g, '\r\n') : text.replaceAll('\r\n', '\n'));
  let text = decoded.text;
  for (const one of replacements) {
    const made = replaceOne(name, text, { ...one, before: inFile(one.before), after: inFile(one.after) }, style);
    if (typeof made !== 'string') return made;
    text = made;
  }
  const deletes = replacements.find(({ before, after }) => after === '' && !before.endsWith('\n'));
  if (
    deletes &&
    style === unknownStyle &&
    decoded.text.includes(`${inFile(deletes.before)}${isCarriage ? '\r' : ''}\n`)
  )
    doubts.push('Whether the line break behind the deleted text goes too depends on the tool.');
  return success(
    undefined,
    [{ path: file, bytes: encodeText(text, decoded.encoding), makesFolders: true }],
    undefined,
    doubts,
  );
}

function replaceOne(
  name: string,
  text: string,
  { before, after, isAll }: AskedReplacement,
  style: PlainStyle,
): string | ToolOutcome {
  if (before === '') {
    if (text.trim() === '' || style.emptyOld === 'overwrite') return after;
    const doubts = style.emptyOld === 'doubt' ? ['What an empty old text means depends on the tool.'] : [];
    return refuse('exists', name, { doubts });
  }
  const found = countOccurrences(text, before);
  if (found === 0) return refuse('absent', name, { doubts: style.mayFindNear(text, before) ? [nearDoubt(name)] : [] });
  if (found > 1 && !isAll) {
    const doubt = `The text to replace is in ${name} ${found} times; which of them the tool would take is not certain.`;
    return refuse('repeated', name, { doubts: style.repeated === 'doubt' ? [doubt] : [] });
  }
  return isAll ? replaceLiteral(text, before, after) : replaceFirst(text, before, after);
}

/** Several replacements that each name their file (`multi_replace_string_in_file`): each is made or refused by itself. */
export function plainEditOfMany(style: PlainStyle): EditTool {
  return async (call, place) => {
    const list = call.arguments['replacements'] ?? call.arguments['edits'];
    if (!Array.isArray(list) || list.length === 0) return refuse('arguments', '');
    const known = new Map<string, Uint8Array>();
    const seen: ToolPlace = {
      ...place,
      read: async (file) => {
        const bytes = known.get(file);
        return bytes ? { kind: 'file', bytes } : place.read(file);
      },
    };
    const outcomes: ToolOutcome[] = [];
    for (const one of list as unknown[]) {
      const fields = { filePath: call.arguments['filePath'], ...(one as object) };
      const outcome = await plainEdit(style)({ name: call.name, arguments: fields }, seen);
      for (const { path, bytes } of outcome.writes) if (bytes) known.set(path, bytes);
      outcomes.push(outcome);
    }
    const last = new Map(outcomes.flatMap(({ writes }) => writes).map((write) => [write.path, write]));
    const refusal = outcomes.find((one) => one.refusal)?.refusal;
    const doubts = outcomes.flatMap((one) => one.doubts);
    if (refusal && last.size > 0)
      doubts.push('A part of the call does not fit; whether the rest is then made depends on the tool.');
    const made = success(undefined, [...last.values()], undefined, doubts);
    return refusal ? { ...made, refusal, exitCode: 1 } : made;
  };
}

/** A tool that writes a whole file. `doubtOf`: what a tool may do to the content, as a sentence. */
export function plainWrite(
  style: PlainStyle,
  doubtOf: (content: string, existed: boolean) => string | undefined = () => undefined,
): EditTool {
  return async (call: ToolCall, place: ToolPlace) => {
    const { path: name, content } = readArguments(call);
    if (!name || content === undefined) return refuse('arguments', name ?? '');
    const file = absolute(name, place.cwd);
    const state = await place.read(file);
    if (state.kind === 'folder') return refuse('folder', name);
    if (state.kind === 'unreadable') return refuse('unreadable', name);
    if (style.existing === 'refuse' && state.kind === 'file' && state.bytes.length > 0) return refuse('exists', name);
    const doubts: string[] = [];
    const doubt = doubtOf(content, state.kind === 'file');
    if (doubt !== undefined) doubts.push(doubt);
    const old = state.kind === 'file' ? decodeText(state.bytes) : undefined;
    if (old?.text.includes('\r\n') && !content.includes('\r\n'))
      doubts.push(`${name} has CRLF line ends; whether they stay depends on the tool.`);
    if (old && old.encoding !== 'utf8')
      doubts.push(`${name} begins with a byte order mark; whether it stays depends on the tool.`);
    return success(undefined, [{ path: file, bytes: encodeText(content), makesFolders: true }], undefined, doubts);
  };
}

/** A tool that deletes a file. */
export const plainDelete: EditTool = async (call, place) => {
  const { path: name } = readArguments(call);
  if (!name) return refuse('arguments', '');
  const file = absolute(name, place.cwd);
  const state = await place.read(file);
  if (state.kind === 'missing') return refuse('missing', name);
  const doubts = state.kind === 'folder' ? [`${name} is a folder; whether the tool deletes it is not known.`] : [];
  return success(undefined, [{ path: file, bytes: null, makesFolders: false }], undefined, doubts);
};
