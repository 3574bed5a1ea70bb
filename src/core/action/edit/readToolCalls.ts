import { EditAction, type ToolCall } from '../action.ts';
import { editToolNames, editToolOf } from './editTools.ts';

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
  const values = parseJson(text);
  if (!values) return { problem: 'This is not JSON; give one tool call, an array of them, or one a line.' };
  const [only] = values;
  if (values.length === 1 && isObject(only)) {
    const action = EditAction.safeParse({ kind: 'edit', changes: [], ...only });
    if (action.success && hasSomething(action.data)) return { action: action.data };
    if (only['kind'] === 'edit') return { problem: `This edit is not complete: ${firstIssue(action)}.` };
  }
  const all = values.flatMap(callsIn);
  if (all.length === 0)
    return { problem: 'There is no tool call in this JSON; a call has a `name` and `arguments` (or `input`).' };
  const edits = all.filter((call) => !isReading(call));
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

function callsIn(value: unknown): ToolCall[] {
  if (Array.isArray(value)) return value.flatMap(callsIn);
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
  const nested = inner.flatMap(callsIn);
  if (nested.length > 0) return nested;
  const name = value['name'] ?? value['tool'] ?? value['tool_name'];
  const given = value['arguments'] ?? value['input'] ?? value['args'] ?? value['parameters'] ?? value['params'];
  if (typeof name === 'string') return [{ name, arguments: argumentsOf(given) }];
  const guessed = guessTool(value);
  return guessed === undefined ? [] : [{ name: guessed, arguments: value }];
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

/** Arguments without a name: only one tool has them. */
function guessTool(fields: Fields): string | undefined {
  const has = (...names: string[]) => names.every((name) => name in fields);
  if (has('command', 'path')) return 'str_replace_editor';
  if (has('file_path', 'old_string', 'new_string')) return 'edit';
  if (has('file_path', 'edits')) return 'MultiEdit';
  return has('file_path', 'content') ? 'write_file' : undefined;
}

const readers =
  /^(read|read_file|read_many_files|ls|list_directory|glob|grep|search_file_content|webfetch|websearch|todowrite|todo_write|view)$/i;

function isReading(call: ToolCall): boolean {
  return (
    readers.test(call.name) || (/^str_replace_(based_)?edit/.test(call.name) && call.arguments['command'] === 'view')
  );
}

function problemOf(call: ToolCall): string | undefined {
  if (call.name === 'NotebookEdit')
    return 'Cells of notebooks are not predicted (NotebookEdit); give the whole new file with Write.';
  if (/^str_replace_(based_)?edit/.test(call.name) && call.arguments['command'] === 'undo_edit')
    return 'What undo_edit would bring back is known to the agent alone; give the text itself with `create`.';
  if (/^(bash|run_shell_command|shell|execute_bash|local_shell|exec_command)$/i.test(call.name))
    return `${call.name} runs a command; predict it as a command, or give it behind --then.`;
  if (editToolOf(call)) return undefined;
  return `There is no editing tool called ${call.name} here; these are known: ${editToolNames.join(', ')}.`;
}
