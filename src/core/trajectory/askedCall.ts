import { isTooDeep } from '../action/edit/nesting.ts';
import { readTaggedCalls } from '../action/edit/taggedCalls.ts';
import type { TurnAction } from '../action/turnAction.ts';
import type { TurnPrompt } from '../worlds/language/imagine/languageRequest.ts';
import { type Domain, domains } from '../worlds/language/prompt/turns/turn.ts';
import { contentText, domainOfTools } from './formats/chat.ts';
import { type JsonObject, objectOf, parsedJson, textOf } from './formats/imported.ts';
import { jsonValuesIn } from './jsonValuesIn.ts';
import { looseValuesIn } from './looseValues.ts';
import type { TrajectoryStep } from './step/step.ts';
import { stepPrompt } from './step/stepPrompt.ts';

/** A tool call whose result is to be predicted, with what came before it. */
export interface AskedCall {
  domain: Domain;
  turn: TurnAction;
  /** Name of the tool. */
  name: string;
  /** The calls before it that have results, and this one as the last. */
  steps: TrajectoryStep[];
  /** Definitions of the tools, as the text tells them; absent: it tells none. */
  tools: string | undefined;
  /** The result that the text has of the call itself: what really came. */
  observed: string | undefined;
  /** All calls of the text that have no result, in order; `at` chooses one. */
  open: readonly { at: number; name: string; arguments: string }[];
}

type Piece =
  | {
      kind: 'call';
      id: string | undefined;
      name: string;
      arguments: JsonObject;
      /** As the text tells it. */
      domain?: Domain;
      /** What is done, where it is no call of a tool. */
      said?: string;
    }
  | { kind: 'result'; id: string | undefined; text: string }
  | { kind: 'tool'; text: string };

/**
 * Reads the last tool call of a text, or the one that `at` chooses, and the calls with their results before it: JSON-RPC of MCP
 * (`tools/call`), OpenAI (`tool_calls`, `function_call`, items of the Responses API), Anthropic (`tool_use`, `tool_result`), Gemini
 * (`functionCall`), Bedrock (`toolUse`), the AI SDK (`tool-call`), Qwen and Hermes (`<tool_call>`), calls as tags, keystrokes, steps
 * of a trajectory; alone, in messages, one a line, amid the words of a log, as a text inside of JSON, as Python or JavaScript print
 * them, and without their outermost braces. A problem is one sentence with a next step.
 */
export function readAskedCall(
  text: string,
  { domain, at }: { domain?: Domain; at?: number } = {},
): AskedCall | { problem: string } {
  if (isTooDeep(text)) return { problem: 'This JSON is nested too deeply for a tool call; select the call alone.' };
  const pieces = piecesOfSelection(text);
  const calls = pieces.filter((piece) => piece.kind === 'call');
  const asked = calls[at ?? calls.length - 1];
  if (!asked) {
    const problem = isCutOff(text)
      ? 'The tool call in this text is cut off; select all of it.'
      : 'There is no tool call in this text; select one as JSON: {"name": …, "arguments": {…}}, a `tools/call` of MCP, `tool_calls`, `tool_use` or <tool_call>.';
    return { problem };
  }
  const found = withResults(pieces);
  const until = found.slice(0, calls.indexOf(asked) + 1);
  const chosen = domain ?? domainOfCall(asked, calls);
  const known = until.filter(({ call, result }) => call === asked || result !== undefined);
  const steps = known.map(({ call, result }, place) =>
    stepOf(call, place, chosen, call === asked ? undefined : result),
  );
  const tools = pieces.flatMap((piece) => (piece.kind === 'tool' ? [piece.text] : []));
  return {
    domain: chosen,
    turn: turnOf(asked),
    name: asked.name,
    steps,
    tools: tools.length > 0 ? [...new Set(tools)].join('\n') : undefined,
    observed: until.at(-1)?.result,
    open: found.flatMap(({ call, result }, place) =>
      result === undefined
        ? [{ at: place, name: call.name, arguments: call.said ?? JSON.stringify(call.arguments) }]
        : [],
    ),
  };
}

/** What a text says of its domain counts; else the tools do. A server of MCP that works on files answers as such a server does. */
function domainOfCall(asked: Call, calls: readonly Call[]): Domain {
  const byTools = domainOfTools(calls.map(({ name }) => name));
  return asked.domain === 'mcp' && byTools !== 'swe' ? byTools : (asked.domain ?? byTools);
}

/** What stands in a text, by the strictest reading that finds a call. */
function piecesOfSelection(text: string): Piece[] {
  const values = jsonValuesIn(text);
  const readings: (() => unknown[])[] = [
    () => values,
    () => looseValuesIn(text),
    () => values.flatMap((value) => textsIn(value)).flatMap((one) => jsonValuesIn(one)),
    () => looseValuesIn(`{${text.trim().replace(/,$/, '')}}`),
  ];
  const tagged = piecesOfTags(text);
  let first: Piece[] | undefined;
  for (const reading of readings) {
    const pieces = [...tagged, ...reading().flatMap((value) => piecesOf(value))];
    if (pieces.some(({ kind }) => kind === 'call')) return pieces;
    first ??= pieces;
  }
  return first ?? [];
}

/** Texts inside of a value that look like JSON themselves; at most 200. */
function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return value.includes('{') ? [value] : [];
  if (typeof value !== 'object' || value === null || depth > 10) return [];
  return Object.values(value)
    .flatMap((one: unknown) => textsIn(one, depth + 1))
    .slice(0, 200);
}

/** Whether a call begins in a text that ends before it. */
function isCutOff(text: string): boolean {
  const isCall = /["']?(?:name|tool_name|toolName|method)["']?\s*[:=]/.test(text);
  const opened = text.replace(/[^{[(]/g, '').length - text.replace(/[^}\])]/g, '').length;
  return isCall && opened !== 0;
}

/** What a model is shown of it, without secrets. Rejects where the scanner for secrets cannot be loaded. */
export async function promptOfCall({ steps, tools, domain }: AskedCall): Promise<TurnPrompt> {
  const prompt = await stepPrompt({
    path: steps.map((step) => ({ step, observationIsOld: false })),
    restsOnEdited: false,
  });
  // Those of coding agents are known.
  if (domain === 'swe' && tools === undefined) return prompt;
  const values = {
    tool_definitions: tools ?? 'Their definitions were not given; the calls show them.',
    ...(domain === 'swe' ? {} : { demonstrations: 'None were given; earlier turns show the form.' }),
  };
  return { ...prompt, values };
}

type Call = Extract<Piece, { kind: 'call' }>;

/** Each call with the result that names its id, else with the next one that names none. */
function withResults(pieces: readonly Piece[]): { call: Call; result: string | undefined }[] {
  const found: { call: Call; result: string | undefined }[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'call') found.push({ call: piece, result: undefined });
    if (piece.kind !== 'result') continue;
    const open = found.filter(({ result }) => result === undefined);
    const own = open.find(({ call }) => call.id !== undefined && call.id === piece.id);
    const next = own ?? (piece.id === undefined ? open[0] : undefined);
    if (next) next.result = piece.text;
  }
  return found;
}

function turnOf({ name, arguments: given, said }: Call): AskedCall['turn'] {
  if (said !== undefined) return { kind: 'text', text: said };
  const typed = given['keystrokes'];
  if (!Array.isArray(typed)) return { kind: 'tool', name, arguments: given };
  const keystrokes = typed.flatMap((one: unknown) => {
    const keys = typeof one === 'string' ? one : textOf(objectOf(one)?.['keystrokes']);
    const seconds = Number(objectOf(one)?.['duration'] ?? 1);
    return keys === undefined ? [] : [{ keystrokes: keys, duration: Number.isFinite(seconds) ? seconds : 1 }];
  });
  return { kind: 'keystrokes', keystrokes };
}

function stepOf(call: Call, at: number, domain: Domain, result: string | undefined): TrajectoryStep {
  return {
    version: 1,
    id: `call-${at + 1}`,
    trajectory: 'selection',
    ...(at > 0 ? { after: `call-${at}` } : {}),
    domain,
    action: { kind: 'turn', domain, turn: turnOf(call) },
    ...(result === undefined ? {} : { observation: { text: result, basis: 'observed' } }),
  };
}

/** Calls that models write as text: Qwen's coder with `<function=…>`, others with `invoke`; results in `<tool_response>`. */
function piecesOfTags(text: string): Piece[] {
  const found: Piece[] = readTaggedCalls(text).map((call) => ({ kind: 'call', id: undefined, ...call }));
  for (const [, name = '', inner = ''] of text.matchAll(/<function=([\w.:/-]+)>([\s\S]*?)<\/function>/g)) {
    const values = [...inner.matchAll(/<parameter=([\w.-]+)>([\s\S]*?)<\/parameter>/g)].map(
      ([, key = '', value = '']) => [key, value.replace(/^\r?\n/, '').replace(/\r?\n[ \t]*$/, '')],
    );
    found.push({ kind: 'call', id: undefined, name, arguments: Object.fromEntries(values) });
  }
  return found;
}

/** Keys below which messages, parts and calls stand, in the order in which they are read. */
const inner = [
  ...['messages', 'choices', 'message', 'input', 'output', 'content', 'parts', 'candidates', 'contents', 'commands'],
  ...['params', 'toolUse', 'toolResult'],
];

function piecesOf(value: unknown, depth = 0): Piece[] {
  if (depth > 40) return [];
  if (Array.isArray(value)) {
    const isTyped = value.length > 0 && value.every((one) => textOf(objectOf(one)?.['keystrokes']) !== undefined);
    if (isTyped) return callOf({ name: 'send_keystrokes', arguments: { keystrokes: value } }, undefined);
    return value.flatMap((one) => piecesOf(one, depth + 1));
  }
  const record = objectOf(value);
  if (!record) return [];
  const own = piecesOfRecord(record);
  if (own) return own;
  const tools = toolsIn(record['tools'] ?? objectOf(record['result'])?.['tools']);
  const below = inner.flatMap((key) =>
    typeof record[key] === 'object' ? piecesOf(record[key], depth + 1) : piecesOfText(record[key], depth),
  );
  const calls = [record['tool_calls'], record['function_call']].flatMap((one) => piecesOf(one, depth + 1));
  return [...tools, ...below, ...calls];
}

/** What a model wrote into its message: only calls in tags count, not whatever JSON it quotes. */
function piecesOfText(text: unknown, depth: number): Piece[] {
  if (typeof text !== 'string' || !/<tool_call>|<function=|invoke name=/.test(text)) return [];
  const called = [...text.matchAll(/<tool_call>([\s\S]*?)<\/tool_call>/g)].flatMap(([, one = '']) => jsonValuesIn(one));
  return [...piecesOfTags(text), ...called.flatMap((value) => piecesOf(value, depth + 1))];
}

/** What an object is by itself; nothing where it only holds others. */
function piecesOfRecord(record: JsonObject): Piece[] | undefined {
  const id = ['call_id', 'tool_call_id', 'tool_use_id', 'toolCallId', 'toolUseId', 'id']
    .map((key) => idOf(record[key]))
    .find((one) => one !== undefined);
  const params = objectOf(record['params']);
  if (record['method'] === 'tools/call' && params) return callOf(params, id, 'mcp');
  // Other requests have names too: of prompts, for example.
  if (params && textOf(record['method']) !== undefined) return [];
  if (record['jsonrpc'] !== undefined && (record['error'] !== undefined || objectOf(record['result']))) {
    const result = objectOf(record['result']);
    if (result?.['tools'] !== undefined) return undefined;
    const text = result ? resultText(result) : JSON.stringify(record['error']);
    return [{ kind: 'result', id, text }];
  }
  const action = objectOf(record['action']);
  if (record['version'] === 1 && action?.['kind'] === 'turn') return piecesOfStep(record, action);
  if (record['type'] === 'local_shell_call' && action) return callOf({ name: 'shell', arguments: action }, id);
  if (isResult(record))
    return [{ kind: 'result', id, text: contentText(record['content'] ?? record['output'] ?? record['result']) }];
  const response = objectOf(record['functionResponse']);
  if (response) return [{ kind: 'result', id: undefined, text: contentText(response['response']) }];
  const nested =
    objectOf(record['functionCall']) ??
    (typeof record['function'] === 'object' ? objectOf(record['function']) : undefined);
  if (nested && nested['parameters'] === undefined) return callOf(nested, id);
  const isCall = argumentsOf(record) !== undefined;
  if (nameIn(record) !== undefined && isCall && record['role'] === undefined) return callOf(record, id);
  return undefined;
}

const resultTypes = new Set<unknown>(['tool_result', 'function_call_output', 'custom_tool_call_output', 'tool-result']);

function isResult(record: JsonObject): boolean {
  const { type, role } = record;
  const isBedrocks = textOf(record['toolUseId']) !== undefined && record['content'] !== undefined;
  return resultTypes.has(type) || role === 'tool' || role === 'function' || isBedrocks;
}

/** A step of a trajectory of ours: what was done, and what was seen. */
function piecesOfStep(record: JsonObject, action: JsonObject): Piece[] {
  const id = idOf(record['id']);
  const observed = textOf(objectOf(record['observation'])?.['text']);
  const result: Piece[] = observed === undefined ? [] : [{ kind: 'result', id, text: observed }];
  const turn = objectOf(action['turn']) ?? {};
  const domain = domains.find((one) => one === action['domain']);
  const said = turn['kind'] === 'text' ? textOf(turn['text']) : undefined;
  const name = textOf(turn['name']) ?? (said === undefined ? 'send_keystrokes' : 'act');
  const [call] = callOf({ name, arguments: turn['arguments'] ?? turn }, id, domain);
  return [...(call ? [said === undefined ? call : { ...call, said }] : []), ...result];
}

/** The tool's name, where an object has one; Inspect's calls have it as `function`. */
function nameIn(record: JsonObject): string | undefined {
  return (
    textOf(record['name']) ??
    textOf(record['toolName']) ??
    textOf(record['tool_name']) ??
    (record['arguments'] === undefined ? undefined : textOf(record['function']))
  );
}

/** The arguments of a call. What has a description, or is a schema, defines a tool. */
function argumentsOf(record: JsonObject): unknown {
  const given = ['arguments', 'input', 'args', 'tool_input', 'kwargs'].map((key) => record[key]);
  const named = objectOf(record['parameters']);
  const isSchema = named?.['properties'] !== undefined || named?.['type'] === 'object' || 'description' in record;
  return given.find((one) => one !== undefined) ?? (isSchema ? undefined : named);
}

function callOf(record: JsonObject, id: string | undefined, domain?: Domain): (Piece & { kind: 'call' })[] {
  const name = nameIn(record);
  if (name === undefined) return [];
  const given = argumentsOf(record) ?? {};
  const read = typeof given === 'string' ? parsedJson(given) : undefined;
  const values = objectOf(read?.ok ? read.value : given) ?? { input: given };
  return [{ kind: 'call', id, name, arguments: values, ...(domain ? { domain } : {}) }];
}

function idOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** The content of an MCP result as an agent is shown it. */
function resultText(result: JsonObject): string {
  if (result['content'] !== undefined) return contentText(result['content']);
  return JSON.stringify(result['structuredContent'] ?? result);
}

function toolsIn(value: unknown): Piece[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown): Piece[] => {
    const record = objectOf(objectOf(one)?.['function']) ?? objectOf(one);
    return textOf(record?.['name']) === undefined ? [] : [{ kind: 'tool', text: JSON.stringify(record) }];
  });
}
