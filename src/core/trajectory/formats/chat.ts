import type { Domain } from '../../worlds/language/prompt/turns/turn.ts';
import type { AgentMessage, StepAgent, StepObservation, TrajectoryStep } from '../step/step.ts';
import { type JsonObject, objectOf, parsedJson, textOf } from './imported.ts';

/** A tool call in a message of a chat. */
export interface ChatCall {
  id?: string;
  name: string;
  arguments: JsonObject;
  /** Why the arguments are not those of the call, where they could not be read. */
  unsure?: string;
}

/** What is known of a chat besides its messages. */
export interface ChatOrigin {
  trajectory: string;
  /** Whose log it is: `openai`, `claude-code`. */
  source: string;
  /** Default: guessed from the names of the tools. */
  domain?: string;
  /** Fields of the chat as a whole, kept in its first step. */
  chat?: JsonObject;
  /** More about a step, from its call and the message with its result. */
  more?(call: ChatCall, result: AgentMessage | undefined, made: AgentMessage): Partial<TrajectoryStep>;
}

/** What is said of a chat of which no tool call can be made a step. */
export const noToolCall = 'There is no tool call in this chat, so there is no step.';

/**
 * The steps of an agent's chat in the form of OpenAI's API: every tool call is one, with the result that names its id as
 * the observation. Parallel calls are steps one after the other, in the order of their results. `problems` are sentences;
 * a chat without any tool call has no steps, and whether that is a problem the caller knows (`noToolCall`).
 */
export function stepsOfChat(
  messages: readonly AgentMessage[],
  origin: ChatOrigin,
): { steps: TrajectoryStep[]; problems: string[] } {
  const steps: TrajectoryStep[] = [];
  const problems: string[] = [];
  let waiting: AgentMessage[] = [];
  let open: ChatCall[] = [];
  let made: AgentMessage = { role: 'assistant' };

  const add = (call: ChatCall, result: AgentMessage | undefined) => {
    const agent: StepAgent = {
      ...(waiting.length > 0 ? { messages: waiting } : {}),
      ...(call.id === undefined ? {} : { call: call.id }),
      ...(result && !isPlainResult(result) ? { result } : {}),
      ...(steps.length === 0 && origin.chat && Object.keys(origin.chat).length > 0 ? { chat: origin.chat } : {}),
    };
    waiting = [];
    const before = steps.at(-1);
    const observation: StepObservation | undefined = result && {
      text: contentText(result['content']),
      basis: 'observed',
      source: origin.source,
    };
    const { agent: moreAgent, observation: moreSeen, ...more } = origin.more?.(call, result, made) ?? {};
    steps.push({
      version: 1,
      id: `${origin.trajectory}#${steps.length + 1}`,
      trajectory: origin.trajectory,
      ...(before ? { after: before.id } : {}),
      domain: '',
      action: { kind: 'turn', domain: '', turn: { kind: 'tool', name: call.name, arguments: call.arguments } },
      ...(call.unsure === undefined ? {} : { uncertain: [call.unsure] }),
      ...more,
      agent: { ...agent, ...moreAgent },
      ...(observation ? { observation: { ...observation, ...moreSeen } } : {}),
    });
  };
  const finishOpen = () => {
    for (const call of open) add(call, undefined);
    open = [];
  };

  for (const message of messages) {
    if (message.role === 'tool' || message.role === 'function') {
      const index = open.findIndex((call) => answers(message, call));
      const [call] = index < 0 ? [] : open.splice(index, 1);
      if (call) add(call, message);
      else {
        problems.push(`The result of a tool (${resultId(message) ?? 'without id'}) has no call before it.`);
        waiting.push(message);
      }
      continue;
    }
    finishOpen();
    waiting.push(message);
    open = callsOf(message);
    if (open.length > 0) made = message;
  }
  finishOpen();
  const last = steps.at(-1);
  if (last && waiting.length > 0) last.agent = { ...last.agent, after: waiting };
  const domain = origin.domain ?? guessDomain(steps);
  for (const step of steps) {
    step.domain = domain;
    if (step.action.kind === 'turn') step.action.domain = domain;
  }
  return { steps, problems };
}

/** The tool calls of an assistant's message, in all the forms that are about: OpenAI's, its older one, and as content. */
export function callsOf(message: AgentMessage): ChatCall[] {
  if (message.role !== 'assistant') return [];
  const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'] : [];
  const inContent = Array.isArray(message['content'])
    ? message['content'].flatMap((part) =>
        objectOf(part)?.['type'] === 'tool_call' ? [objectOf(part)?.['tool_call']] : [],
      )
    : [];
  const older = objectOf(message['function_call']);
  return [...calls, ...inContent, ...(older ? [{ function: older }] : [])].flatMap((call) => {
    const value = objectOf(call);
    const called = objectOf(value?.['function']) ?? value;
    const name = textOf(called?.['name']);
    if (!value || !called || name === undefined) return [];
    const id = textOf(value['id']);
    return [{ ...(id === undefined ? {} : { id }), name, ...argumentsOf(called['arguments']) }];
  });
}

function argumentsOf(given: unknown): Pick<ChatCall, 'arguments' | 'unsure'> {
  if (typeof given !== 'string') return { arguments: objectOf(given) ?? {} };
  const read = parsedJson(given.trim() === '' ? '{}' : given);
  const values = read.ok ? objectOf(read.value) : undefined;
  if (values) return { arguments: values };
  return { arguments: { text: given }, unsure: 'The arguments of the call are no JSON object; they stand as `text`.' };
}

function answers(message: AgentMessage, call: ChatCall): boolean {
  const id = resultId(message);
  if (id !== undefined && call.id !== undefined) return id === call.id;
  const name = textOf(message['name']);
  return name === undefined || name === call.name;
}

function resultId(message: AgentMessage): string | undefined {
  const ids = message['tool_call_ids'];
  return textOf(message['tool_call_id']) ?? (Array.isArray(ids) ? textOf(ids[0]) : undefined);
}

function isPlainResult(message: AgentMessage): boolean {
  const names = Object.keys(message).sort().join();
  return message.role === 'tool' && names === 'content,role,tool_call_id' && typeof message['content'] === 'string';
}

/** The text of a message's content; parts that are no text are named in brackets. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === null || content === undefined) return '';
  if (!Array.isArray(content)) return JSON.stringify(content);
  return content
    .map((part) => {
      if (typeof part === 'string') return part;
      const value = objectOf(part) ?? {};
      const text = value['text'] ?? value['tool_result'] ?? value['content'];
      if (typeof text === 'string') return text;
      return text === undefined ? `[${textOf(value['type']) ?? 'content'} left out]` : JSON.stringify(text);
    })
    .join('\n');
}

const workTools =
  /^(?:bash|shell|sh|run_shell_command|execute_bash|execute_command|run_terminal_cmd|terminal|read|write|edit|multiedit|glob|grep|ls|read_file|write_file|edit_file|str_replace_editor|str_replace_based_edit_tool|apply_patch|list_directory|search_file_content|replace|todowrite|todo_write|notebookedit|submit|open|create|find_file)$/i;

function guessDomain(steps: readonly TrajectoryStep[]): Domain {
  return domainOfTools(
    steps.flatMap(({ action }) => (action.kind === 'turn' && action.turn.kind === 'tool' ? [action.turn.name] : [])),
  );
}

/**
 * The domain of some tools, by their names: `swe` where one of them is a shell or edits files, `search` where all search the
 * web, the one whose surface all of them work on (a terminal's keys, a browser, a phone, a desktop), else `mcp`.
 */
export function domainOfTools(names: readonly string[]): Domain {
  if (names.some((name) => workTools.test(name))) return 'swe';
  const all = (pattern: RegExp) => names.length > 0 && names.every((name) => pattern.test(name));
  if (all(/^send_keystrokes$/i)) return 'terminal';
  if (all(/^(?:browser|page|playwright|puppeteer)[_-]/i)) return 'web';
  if (all(/^(?:android|adb|mobile)[_-]/i)) return 'android';
  if (all(/^(?:computer|computer_use|desktop[_-]\w+)$/i)) return 'os';
  return all(/search|browse|fetch/i) ? 'search' : 'mcp';
}
