import type { ToolCall } from '../action.ts';
import { countOccurrences, isUtf8, replaceLiteral } from './textBytes.ts';
import { absolute, refuse, success, type ToolOutcome, type ToolPlace, textArgument } from './toolOutcome.ts';

// After SWE-agent's windowed tools (tools/windowed*, 1.1): `edit` of a range of lines, of a text in the lines that are shown,
// and `insert`, all in the file that was opened before (`path`, which `withOpenFiles` adds). They read with universal line ends
// and write `\n`. What they say shows a window whose place depends on the calls before, and is not claimed.

/** How many lines are shown at once, unless its settings say otherwise. */
const window = 100;

interface OpenText {
  name: string;
  file: string;
  lines: string[];
}

async function openText(call: ToolCall, place: ToolPlace): Promise<OpenText | ToolOutcome> {
  const name = textArgument(call, 'path');
  if (!name) return refuse('arguments', '');
  const file = absolute(name, place.cwd);
  const state = await place.read(file);
  if (state.kind !== 'file') return refuse(state.kind, name);
  if (!isUtf8(state.bytes)) return refuse('binary', name);
  return { name, file, lines: Buffer.from(state.bytes).toString('utf8').replace(/\r\n?/g, '\n').split('\n') };
}

function written({ name, file }: OpenText, text: string, doubts: string[] = []): ToolOutcome {
  const lint = `SWE-agent takes the edit of ${name} back if flake8 then finds new errors in it.`;
  const all = name.endsWith('.py') ? [...doubts, lint] : doubts;
  return success(undefined, [{ path: file, bytes: Buffer.from(text), makesFolders: false }], undefined, all);
}

function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) ? number : undefined;
}

/** `edit {start_line, end_line, replacement_text}`: whole lines, counted from 1, both ends included. */
export async function sweEditLines(call: ToolCall, place: ToolPlace): Promise<ToolOutcome> {
  const first = wholeNumber(call.arguments['start_line']);
  const last = wholeNumber(call.arguments['end_line']);
  const text = textArgument(call, 'replacement_text');
  if (first === undefined || last === undefined || text === undefined) return refuse('arguments', '');
  const open = await openText(call, place);
  if ('exitCode' in open) return open;
  if (first < 1 || last < 0)
    return refuse('line', open.name, { doubts: ['Lines below the first count from the end.'] });
  const plain = text.replace(/\n$/, '');
  open.lines.splice(first - 1, Math.max(0, last - first + 1), ...(plain === '' ? [] : plain.split('\n')));
  return written(open, open.lines.join('\n'));
}

/** `edit {search, replace, replace-all}`: a text that is once in the shown lines, or all of the file's. */
export async function sweEditText(call: ToolCall, place: ToolPlace): Promise<ToolOutcome> {
  const search = textArgument(call, 'search');
  const replace = textArgument(call, 'replace');
  if (!search || replace === undefined) return refuse('arguments', '');
  const open = await openText(call, place);
  if ('exitCode' in open) return open;
  if (search === replace) return refuse('same', open.name);
  const text = open.lines.join('\n');
  const count = countOccurrences(text, search);
  if (count === 0) return refuse('absent', open.name);
  const isAll = call.arguments['replace-all'] === true || call.arguments['replace_all'] === true;
  const isShown = open.lines.length <= window;
  const doubts = isAll || isShown ? [] : [`Which lines of ${open.name} are shown, and can be edited, is not known.`];
  if (count > 1 && !isAll) return refuse('repeated', open.name, { doubts });
  return written(open, replaceLiteral(text, search, replace), doubts);
}

/** `insert {text, line}`: behind a line, or at the end. */
export async function sweInsert(call: ToolCall, place: ToolPlace): Promise<ToolOutcome> {
  const given = textArgument(call, 'text');
  const line = wholeNumber(call.arguments['line']);
  if (given === undefined) return refuse('arguments', '');
  const open = await openText(call, place);
  if ('exitCode' in open) return open;
  if (given === '') return success(undefined, []);
  const text = given.replace(/\n$/, '');
  const current = open.lines.join('\n');
  if (line === undefined) return written(open, current === '' ? text : `${current.replace(/\n$/, '')}\n${text}`);
  if (line < 0) return written(open, current === '' ? text : `${text}\n${current.replace(/^\n/, '')}`);
  open.lines.splice(line, 0, text);
  return written(open, open.lines.join('\n'));
}

/** `create {filename}`: an empty file, which is then open. */
export async function sweCreate(call: ToolCall, place: ToolPlace): Promise<ToolOutcome> {
  const name = textArgument(call, 'filename');
  if (!name) return refuse('arguments', '');
  const file = absolute(name, place.cwd);
  if ((await place.read(file)).kind !== 'missing') return refuse('exists', name);
  return success(undefined, [{ path: file, bytes: Buffer.alloc(0), makesFolders: true }]);
}

/** Calls of these tools with the file that is open by then as their `path`. Calls that only open one stay. */
export function withOpenFiles(calls: readonly ToolCall[]): ToolCall[] {
  let open: string | undefined;
  return calls.map((call) => {
    const { name, arguments: given } = call;
    if (name === 'open' || name === 'create') open = textArgument(call, name === 'open' ? 'path' : 'filename') ?? open;
    const isOfWindow = isWindowed(call) && !('path' in given) && open !== undefined;
    return isOfWindow ? { name, arguments: { ...given, path: open } } : call;
  });
}

/** A call of these tools that needs an open file. */
export function isWindowed({ name, arguments: given }: ToolCall): boolean {
  if (name === 'edit') return 'replacement_text' in given || ('search' in given && 'replace' in given);
  return name === 'insert' && 'text' in given;
}

const command =
  /^(?:open[ \t]+(["']?)(\S+)\1(?:[ \t]+\d+)?|edit[ \t]+(\d+):(\d+)[ \t]*\n([\s\S]*?)^end_of_edit)[ \t]*$/gm;

/** Calls of these tools as commands of a message (`open FILE`, `edit 1:3` … `end_of_edit`); empty where no edit is among them. */
export function readWindowCommands(text: string): ToolCall[] {
  if (!/^end_of_edit[ \t]*\r?$/m.test(text)) return [];
  const calls = [...text.replaceAll('\r\n', '\n').matchAll(command)].map(
    ([, , file, start, end, replacement = '']): ToolCall =>
      file === undefined
        ? {
            name: 'edit',
            arguments: {
              start_line: Number(start),
              end_line: Number(end),
              replacement_text: replacement.replace(/\n$/, ''),
            },
          }
        : { name: 'open', arguments: { path: file } },
  );
  return calls.some(({ name }) => name === 'edit') ? calls : [];
}
