import { EditAction, type ToolCall } from '../action.ts';
import { readArguments } from './callArguments.ts';
import { isEditCall } from './editTools.ts';
import { isTooDeep } from './nesting.ts';
import { asPatchCall, shellTools } from './shellPatch.ts';
import { isWindowed, withOpenFiles } from './windowedEditor.ts';

/** An edit could not be read; one sentence with a next step. */
export interface EditProblem {
  problem: string;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads agents' tool calls out of JSON: one, an array, or one a line; as OpenAI (`tool_calls`, `arguments` is text),
 * Anthropic (`tool_use` blocks), Gemini (`functionCall`) and trajectories (`name`, `arguments`) have them, alone or inside
 * messages. An `EditAction` is taken as it is. Calls that are no edit (reading, running) beside others are left out.
 */
export function readToolCalls(text: string): { calls: ToolCall[] } | { action: EditAction } | EditProblem {
  if (isTooDeep(text))
    return { problem: 'This JSON is nested too deeply for a tool call; give the call alone, as name and arguments.' };
  const values = parseJson(text);
  if (!values) return { problem: 'This is not JSON; give one tool call, an array of them, or one a line.' };
  const [only] = values;
  if (values.length === 1 && isObject(only)) {
    const action = EditAction.safeParse({ kind: 'edit', changes: [], ...only });
    if (action.success && hasSomething(action.data)) return { action: action.data };
    if (only['kind'] === 'edit') return { problem: `This edit is not complete: ${firstIssue(action)}.` };
  }
  return editsAmong(values.flatMap((value) => callsIn(value)));
}

/** The calls that edit; a problem where one of them cannot be told, or where there is none. */
export function editsAmong(all: readonly ToolCall[]): { calls: ToolCall[] } | EditProblem {
  if (all.length === 0)
    return { problem: 'There is no tool call in this JSON; a call has a `name` and `arguments` (or `input`).' };
  const edits = withOpenFiles(all.map(asPatchCall)).filter((call) => !isReading(call));
  const problem = edits.map(problemOf).find((one) => one !== undefined);
  if (problem !== undefined) return { problem };
  if (edits.length === 0) return { problem: `${all[0]?.name ?? 'It'} only reads; there is no edit to predict.` };
  return { calls: edits };
}

function firstIssue(parsed: { error?: { issues: { path: PropertyKey[]; message: string }[] } }): string {
  const issue = parsed.error?.issues[0];
  return issue ? `${issue.path.join('.')} ${issue.message}` : 'nothing is to be done';
}

function hasSomething(action: EditAction): boolean {
  const { changes, operations, replace, calls, patch } = action;
  return changes.length > 0 || (operations?.length ?? 0) > 0 || (calls?.length ?? 0) > 0 || Boolean(replace ?? patch);
}

function parseJson(text: string): unknown[] | undefined {
  const plain = text.trim();
  try {
    const value: unknown = JSON.parse(plain);
    return Array.isArray(value) ? value : [value];
  } catch {
    const lines = plain.split('\n').filter((line) => line.trim() !== '');
    try {
      return lines.length > 1 ? lines.map((line): unknown => JSON.parse(line)) : undefined;
    } catch {
      return undefined;
    }
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What the arguments of a call are called: in APIs, in trajectories, and in what agents tell their hooks. */
const argumentKeys = [
  'arguments',
  'input',
  'args',
  'parameters',
  'params',
  'tool_input',
  'toolInput',
  'toolArgs',
  'rawInput',
  'kwargs',
];

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Deepest nesting that is followed: no message of an agent has more. */
const deepest = 40;

function callsIn(value: unknown, depth = 0): ToolCall[] {
  if (depth > deepest) return [];
  const deeper = (inner: unknown) => callsIn(inner, depth + 1);
  if (Array.isArray(value)) return value.flatMap(deeper);
  if (!isObject(value)) return [];
  const inner = [
    value['tool_calls'],
    value['function'],
    value['functionCall'],
    value['tool_use'],
    value['message'],
    value['choices'],
    value['parts'],
    Array.isArray(value['content']) ? value['content'] : undefined,
    Array.isArray(value['output']) ? value['output'] : undefined,
  ];
  const nested = inner.flatMap(deeper);
  if (nested.length > 0) return nested;
  const operation = operationIn(value);
  if (operation) return [operation];
  const name = ['name', 'tool', 'tool_name', 'toolName', 'recipient_name'].map((key) => value[key]).find(isText);
  const given = argumentKeys.map((key) => value[key]).find((one) => one !== undefined);
  if (name !== undefined)
    return [
      { name, arguments: argumentsOf(given ?? (isObject(value['state']) ? value['state']['input'] : undefined)) },
    ];
  const guessed = guessTool(value);
  return guessed === undefined ? [] : [{ name: guessed, arguments: value }];
}

/** `apply_patch_call` of OpenAI's Responses: one operation on one file, whose diff has no head. */
function operationIn({ type, operation }: Fields): ToolCall | undefined {
  if (type !== 'apply_patch_call' || !isObject(operation)) return undefined;
  const { path, diff = '' } = operation;
  const heads = new Map<unknown, string>([
    ['create_file', 'Add'],
    ['update_file', 'Update'],
    ['delete_file', 'Delete'],
  ]);
  const head = heads.get(operation['type']);
  const isRead = head !== undefined && typeof path === 'string' && typeof diff === 'string' && !/[\n\r]/.test(path);
  if (!isRead) return { name: 'apply_patch_call', arguments: { ...operation } };
  const body = head === 'Delete' || diff === '' ? '' : diff.endsWith('\n') ? diff : `${diff}\n`;
  const input = `*** Begin Patch\n*** ${head} File: ${path}\n${body}*** End Patch`;
  return { name: 'apply_patch_call', arguments: { input } };
}

function argumentsOf(given: unknown): Record<string, unknown> {
  if (isObject(given)) return { ...given };
  if (typeof given !== 'string') return {};
  try {
    const value: unknown = JSON.parse(given);
    return isObject(value) ? { ...value } : { input: given };
  } catch {
    // A tool of free text, such as `apply_patch` of newer models.
    return { input: given };
  }
}

/** Arguments without a name: only where one kind of tool has them. */
function guessTool(fields: Fields): string | undefined {
  const has = (...names: string[]) => names.every((name) => name in fields);
  if (has('command', 'path')) return 'str_replace_editor';
  if (has('patchText')) return 'apply_patch';
  const { path, content, replacements, diff } = readArguments({ name: '', arguments: { ...fields } });
  if (path === undefined) return undefined;
  if (replacements.length > 0) return 'edit';
  if (diff !== undefined) return 'replace_in_file';
  return content === undefined ? undefined : 'write_file';
}

const readers =
  /^(?:read|list|ls|glob|grep|search|find|view|get|web|todo|think|open|goto|scroll|codebase|directory|file_search|semantic|fetch)/i;

function isReading(call: ToolCall): boolean {
  if (isEditor(call)) return call.arguments['command'] === 'view';
  return readers.test(call.name) && !isEditCall(call);
}

function isEditor({ name }: ToolCall): boolean {
  return /^(?:str_replace_(?:based_)?edit|file_editor$)/.test(name);
}

function problemOf(call: ToolCall): string | undefined {
  const { name, arguments: given } = call;
  const { path, replacements, content } = readArguments(call);
  if (isEditor(call) && given['command'] === 'undo_edit')
    return 'What undo_edit would bring back is known to the agent alone; give the text itself with `create`.';
  if (shellTools.test(name)) return `${name} runs a command; predict it as a command, or give it behind --then.`;
  const isBySketch = ['code_edit', 'display_description', 'instructions', 'changes'].some((key) => key in given);
  const isSketch = 'code' in given || (isBySketch && replacements.length === 0 && content === undefined);
  if (/edit|insert/i.test(name) && path !== undefined && isSketch)
    return `${name} gives a sketch to a model, which writes the file; what that writes is not known before. Give the new content with write_file.`;
  if (isWindowed(call) && path === undefined)
    return `${name} changes the file that was opened before; give the call of \`open\` before it, or the file as \`path\`.`;
  if (/^(edit|insert|create)$/.test(name) && path === undefined && !isEditCall(call) && Object.keys(given).length > 0)
    return `${name} changes the file that the agent has open, which the call does not name; add its name as \`file_path\` and the texts as \`old_string\` and \`new_string\`.`;
  if (isEditCall(call)) return undefined;
  return `There is no editing tool called ${name} with these arguments here; give the edit as a patch, or as write_file with \`path\` and \`content\`.`;
}
