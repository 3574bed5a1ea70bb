import type { TurnAction } from '../action/turnAction.ts';
import type { CalledTool } from '../worlds/language/client/provider.ts';
import { sweTools, type ToolDefinition } from '../worlds/language/prompt/toolDefinitions.ts';
import type { Dialect, Domain } from '../worlds/language/prompt/turns/turn.ts';
import { withoutThinking } from '../worlds/language/reply/officialText.ts';
import { finishTool } from './environmentTypes.ts';
import { readAction } from './readAction.ts';

/** Tools whose replies are not rehearsed; a shell does the same. */
const onlyImagined: ReadonlySet<string> = new Set([
  'glob',
  'search_file_content',
  'todo_write',
  'Glob',
  'Grep',
  'TodoWrite',
]);

/** Name of the tool with which an agent types at a terminal. */
const typeTool = 'type_keys';
/** Name of the tool with which an agent acts in a domain that has no tools of its own. */
const actTool = 'act';

/** What an agent can call in a domain. `own`: tools of the session, for domains that have none of their own. `isReal`: what a real shell on a copy cannot do is left out. */
export function agentTools(
  domain: Domain,
  dialect: Dialect,
  own: readonly ToolDefinition[] = [],
  isReal = false,
): ToolDefinition[] {
  const finish: ToolDefinition = {
    name: finishTool,
    description: 'Ends the work. Call it when the task is done or cannot be done.',
    parameters: {
      type: 'object',
      properties: { summary: { type: 'string', description: 'What was done, in one or two sentences.' } },
      required: ['summary'],
    },
  };
  const all = domainTools(domain, dialect, own).filter(({ name }) => name !== finishTool);
  return [...(isReal && own.length === 0 ? all.filter(({ name }) => !onlyImagined.has(name)) : all), finish];
}

function domainTools(domain: Domain, dialect: Dialect, own: readonly ToolDefinition[]): readonly ToolDefinition[] {
  if (own.length > 0) return own;
  if (domain === 'swe') return sweTools[dialect];
  if (domain === 'terminal') return [typing];
  return [acting];
}

const typing: ToolDefinition = {
  name: typeTool,
  description:
    'Types at the terminal and shows its screen. Keystrokes are raw: a command runs when it ends with "\\n"; C-c, C-d and C-z are written like that; "" only waits.',
  parameters: {
    type: 'object',
    properties: {
      keystrokes: {
        type: 'array',
        description: 'What is typed, one after the other.',
        items: {
          type: 'object',
          properties: {
            keystrokes: { type: 'string' },
            duration: { type: 'number', description: 'Seconds to wait afterwards.' },
          },
          required: ['keystrokes'],
        },
      },
    },
    required: ['keystrokes'],
  },
};

const acting: ToolDefinition = {
  name: actTool,
  description: 'Does one thing in the environment and shows what it looks like afterwards.',
  parameters: {
    type: 'object',
    properties: { action: { type: 'string', description: 'The action, in one line.' } },
    required: ['action'],
  },
};

/** The action that a call stands for, as `readAction` takes it; a problem is one sentence for the agent. */
export function actionOfCall(
  call: CalledTool,
  tools: readonly ToolDefinition[],
): { action: unknown } | { finished: string } | { problem: string; isUnknown: boolean } {
  const { name } = call;
  if (!tools.some((tool) => tool.name === name)) {
    const names = tools.map((tool) => tool.name).join(', ');
    return { problem: `There is no tool called ${name.slice(0, 100)}; there are ${names}.`, isUnknown: true };
  }
  let given: unknown;
  try {
    given = call.arguments.trim() === '' ? {} : JSON.parse(call.arguments);
  } catch {
    return { problem: `The arguments of ${name} are not JSON, or were cut.`, isUnknown: false };
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { problem: `The arguments of ${name} are no JSON object.`, isUnknown: false };
  const fields: Readonly<Record<string, unknown>> = { ...given };
  if (name === finishTool) return { finished: typeof fields['summary'] === 'string' ? fields['summary'] : '' };
  return { action: actionOfOffered(name, fields) };
}

/** What a call of a tool that `agentTools` offers does, as `readAction` takes it. */
function actionOfOffered(name: string, fields: Readonly<Record<string, unknown>>): unknown {
  const { keystrokes } = fields;
  if (name === typeTool) return typeof keystrokes === 'string' ? [{ keystrokes, duration: 1 }] : keystrokes;
  if (name === actTool) return String(fields['action'] ?? '');
  return { name, arguments: fields };
}

/** Reads what an agent does that was offered these tools: typing types, and an act is its words. A problem is one sentence. */
export function readOffered(
  domain: Domain,
  own: readonly ToolDefinition[] = [],
  value: unknown,
): TurnAction | { problem: string } {
  const read = readAction(domain, value);
  if ('problem' in read || read.kind !== 'tool' || own.length > 0) return read;
  const isOffered = domainTools(domain, 'qwen', own).some(({ name }) => name === read.name);
  return isOffered ? readAction(domain, actionOfOffered(read.name, read.arguments)) : read;
}

/** How a model without tools is told to call them. */
export function textProtocol(tools: readonly ToolDefinition[]): string {
  const list = tools.map(
    (tool) => `- ${tool.name}: ${tool.description}\n  arguments: ${JSON.stringify(tool.parameters)}`,
  );
  return [
    'You act by calling one tool at a time. End each of your replies with one block of JSON, and nothing after it:',
    '```json\n{"name": "<tool>", "arguments": {…}}\n```',
    `The tools:\n${list.join('\n')}`,
  ].join('\n\n');
}

/** Calls that stand in a text as JSON: the last fenced block that is a call, else the last object that is one. */
export function callsInText(text: string): CalledTool[] {
  const { text: plain } = withoutThinking(text);
  const fenced = [...plain.matchAll(/```(?:json|tool_call)?\s*\n([\s\S]*?)\n\s*```/g)].map(([, inner = '']) => inner);
  const tagged = [...plain.matchAll(/<tool_call>\s*([\s\S]*?)\s*<\/tool_call>/g)].map(([, inner = '']) => inner);
  for (const candidate of [...fenced, ...tagged, ...lastObjects(plain)].reverse()) {
    const call = asCall(candidate);
    if (call) return [call];
  }
  return [];
}

function asCall(text: string): CalledTool | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !('name' in value) || typeof value.name !== 'string')
    return undefined;
  const given = 'arguments' in value ? value.arguments : {};
  return { id: '', name: value.name, arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}) };
}

/** Balanced objects at the end of a text, by their outermost braces. */
function lastObjects(text: string): string[] {
  const end = text.lastIndexOf('}');
  const found: string[] = [];
  let tries = 0;
  for (let at = text.lastIndexOf('{', end); end >= 0 && at >= 0 && tries < 50; at = text.lastIndexOf('{', at - 1)) {
    found.unshift(text.slice(at, end + 1));
    tries += 1;
    if (at === 0) break;
  }
  return found;
}
