import { isTooDeep } from '../action/edit/nesting.ts';
import { readTaggedCalls } from '../action/edit/taggedCalls.ts';
import type { TurnAction } from '../action/turnAction.ts';
import type { TurnPrompt } from '../worlds/language/imagine/languageRequest.ts';
import type { Domain } from '../worlds/language/prompt/turns/turn.ts';
import { contentText, domainOfTools } from './formats/chat.ts';
import { type JsonObject, objectOf, parsedJson, textOf } from './formats/imported.ts';
import { jsonValuesIn } from './jsonValuesIn.ts';
import type { TrajectoryStep } from './step/step.ts';
import { stepPrompt } from './step/stepPrompt.ts';

/** A tool call whose result is to be predicted, with what came before it. */
export interface AskedCall {
  domain: Domain;
  turn: TurnAction & { kind: 'tool' | 'keystrokes' };
  /** Name of the tool. */
  name: string;
  /** The calls before it that have results, and this one as the last. */
  steps: TrajectoryStep[];
  /** Definitions of the tools, as the text tells them; absent: it tells none. */
  tools: string | undefined;
  /** The result that the text has of the call itself: what really came. */
  observed: string | undefined;
}

type Piece =
  | { kind: 'call'; id: string | undefined; name: string; arguments: JsonObject }
  | { kind: 'result'; id: string | undefined; text: string }
  | { kind: 'tool'; text: string };

/**
 * Reads the last tool call of a text, and the calls with their results before it: JSON-RPC of MCP (`tools/call`), OpenAI
 * (`tool_calls`, `function_call`, items of the Responses API), Anthropic (`tool_use`, `tool_result`), Gemini (`functionCall`),
 * Qwen and Hermes (`<tool_call>`), calls as tags, steps of a trajectory; alone, in messages, one a line, or amid the words of a
 * log. A problem is one sentence with a next step.
 */
export function readAskedCall(text: string, domain?: Domain): AskedCall | { problem: string } {
  if (isTooDeep(text)) return { problem: 'This JSON is nested too deeply for a tool call; select the call alone.' };
  const pieces = [...piecesOfTags(text), ...jsonValuesIn(text).flatMap((value) => piecesOf(value))];
  const calls = pieces.filter((piece) => piece.kind === 'call');
  const asked = calls.at(-1);
  if (!asked) {
    return {
      problem:
        'There is no tool call in this text; select one as JSON: {"name": …, "arguments": {…}}, a `tools/call` of MCP, `tool_calls`, `tool_use` or <tool_call>.',
    };
  }
  const found = withResults(pieces);
  const chosen = domain ?? domainOfTools(calls.map(({ name }) => name));
  const known = found.filter(({ call, result }) => call === asked || result !== undefined);
  const steps = known.map(({ call, result }, at) => stepOf(call, at, chosen, call === asked ? undefined : result));
  const tools = pieces.flatMap((piece) => (piece.kind === 'tool' ? [piece.text] : []));
  return {
    domain: chosen,
    turn: turnOf(asked),
    name: asked.name,
    steps,
    tools: tools.length > 0 ? [...new Set(tools)].join('\n') : undefined,
    observed: found.find(({ call }) => call === asked)?.result,
  };
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

function turnOf({ name, arguments: given }: Call): AskedCall['turn'] {
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
const inner = ['messages', 'choices', 'message', 'input', 'output', 'content', 'parts', 'candidates', 'contents'];

function piecesOf(value: unknown, depth = 0): Piece[] {
  if (depth > 40) return [];
  if (Array.isArray(value)) return value.flatMap((one) => piecesOf(one, depth + 1));
  const record = objectOf(value);
  if (!record) return [];
  const own = piecesOfRecord(record, depth);
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
function piecesOfRecord(record: JsonObject, depth: number): Piece[] | undefined {
  const id = ['call_id', 'tool_call_id', 'tool_use_id', 'id']
    .map((key) => idOf(record[key]))
    .find((one) => one !== undefined);
  const params = objectOf(record['params']);
  if (record['method'] === 'tools/call' && params) return callOf(params, id);
  if (record['jsonrpc'] !== undefined && (record['error'] !== undefined || objectOf(record['result']))) {
    const result = objectOf(record['result']);
    if (result?.['tools'] !== undefined) return undefined;
    const text = result ? resultText(result) : JSON.stringify(record['error']);
    return [{ kind: 'result', id, text }];
  }
  const step = objectOf(record['action']);
  if (record['version'] === 1 && step?.['kind'] === 'turn') {
    const observed = textOf(objectOf(record['observation'])?.['text']);
    const result: Piece[] = observed === undefined ? [] : [{ kind: 'result', id: idOf(record['id']), text: observed }];
    const turn = objectOf(step['turn']) ?? {};
    const name = textOf(turn['name']) ?? 'send_keystrokes';
    return [...callOf({ name, arguments: turn['arguments'] ?? turn }, idOf(record['id'])), ...result];
  }
  const { type, role } = record;
  if (type === 'tool_result' || type === 'function_call_output' || role === 'tool' || role === 'function')
    return [{ kind: 'result', id, text: contentText(record['content'] ?? record['output']) }];
  const response = objectOf(record['functionResponse']);
  if (response) return [{ kind: 'result', id: undefined, text: contentText(response['response']) }];
  const nested =
    objectOf(record['functionCall']) ??
    (typeof record['function'] === 'object' ? objectOf(record['function']) : undefined);
  if (nested && nested['parameters'] === undefined) return callOf(nested, id);
  const isCall = ['arguments', 'input', 'args', 'tool_input'].some((key) => record[key] !== undefined);
  if (textOf(record['name']) !== undefined && isCall && role === undefined && depth <= 40) return callOf(record, id);
  return undefined;
}

function callOf(record: JsonObject, id: string | undefined): Piece[] {
  const name = textOf(record['name']);
  if (name === undefined) return [];
  const given = record['arguments'] ?? record['input'] ?? record['args'] ?? record['tool_input'] ?? {};
  const read = typeof given === 'string' ? parsedJson(given) : undefined;
  const values = objectOf(read?.ok ? read.value : given) ?? { input: given };
  return [{ kind: 'call', id, name, arguments: values }];
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
