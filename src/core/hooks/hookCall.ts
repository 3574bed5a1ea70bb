import type { AgentName, ToolCall } from '../action/action.ts';
import { isPosixShell, shellOf } from '../shell/shells.ts';

/** Agents that ask us, by the name that stands behind `foretell hook`. */
export type HookAgentName = 'claude' | 'codex' | 'gemini' | 'vscode' | 'copilot' | 'cursor' | 'opencode';

/** What an agent is about to do, or has done. */
export type HookDeed =
  | { kind: 'command'; script: string }
  /** `agent`: whose tool it is, as the readers of edits call it. */
  | { kind: 'edit'; call: ToolCall; agent: AgentName };

/** What was seen of a call that has been made. */
export interface ObservedCall {
  /** Both streams as one text, or apart; absent: not told. */
  output?: { stream: 'stdout' | 'stderr' | 'terminal'; text: string }[];
  exitCode?: number;
}

/** One event of an agent that concerns us. */
export interface HookCall {
  deed: HookDeed;
  /** Absolute where the agent says it. */
  cwd: string | undefined;
  /** Names this call among all of the agent; the same before and after. Absent: the agent has none. */
  id: string | undefined;
  /** Absent: the call is about to be made. */
  observed?: ObservedCall;
  /** The agent's model reads notes only behind the call. */
  readsAfterwards?: true;
  /** Who speaks. */
  by?: Speaker;
}

/** An agent, and its own name for the session that it is in. */
export interface Speaker {
  agent: HookAgentName;
  session?: string;
}

/** What an agent is answered. Only a rule of the user's allows: else whether a call is asked for stays theirs and the agent's. */
export type HookAnswer =
  | { kind: 'nothing' }
  /** The call is made without a question, where the agent knows a word for that; else as if nothing were said. */
  | { kind: 'allow'; toUser: string }
  /** `toAgent`: whole; `toUser`: one line. */
  | { kind: 'note'; toAgent: string; toUser: string }
  /** `code`: with which the user lets it through once; absent: nobody does. */
  | { kind: 'deny'; toAgent: string; toUser: string; code?: string };

/** How one agent speaks: its events are read, and answered in its own form. */
export interface HookAgent {
  /** What concerns us in an event; `undefined`: nothing does. Never throws, whatever stands there. */
  read(event: Fields): HookCall | undefined;
  /**
   * What goes to standard output; the process ends with 0 in any case. `event`: what was asked, `undefined` where it could not
   * be read.
   */
  write(answer: HookAnswer, event: Fields | undefined): string;
}

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** A field that is text and not empty; the first of these names that is one. */
export function textIn(fields: Fields, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/** A field that is an object, or the JSON of one; else an object without fields. */
export function fieldsIn(fields: Fields, ...names: string[]): Fields {
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const read = typeof value === 'string' ? parsed(value) : value;
    if (isFields(read)) return read;
  }
  return {};
}

/** What a tool takes as it is, in the place of fields: a text that is no JSON of them. */
export function plainIn(fields: Fields, ...names: string[]): string | undefined {
  const text = textIn(fields, ...names);
  return text !== undefined && !isFields(parsed(text)) ? text : undefined;
}

/** Whether a value is a JSON object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An absolute folder. */
export function folderIn(fields: Fields, ...names: string[]): string | undefined {
  const name = textIn(fields, ...names);
  return name?.startsWith('/') ? name : undefined;
}

/** What a call is called, from the words that an agent has for its session and its call. */
export function idOf(...parts: (string | undefined)[]): string | undefined {
  return parts.every((part) => part !== undefined) ? parts.join(' ') : undefined;
}

/** Who speaks; `names`: fields that may hold the agent's name for its session. */
export function speakerIn(fields: Fields, agent: HookAgentName, ...names: string[]): Speaker {
  const session = textIn(fields, ...names);
  return { agent, ...(session === undefined ? {} : { session }) };
}

/** What tools answer, in the forms in which agents tell it: a text, or fields. */
export function observedIn(value: unknown): ObservedCall {
  if (typeof value === 'string') return { output: [{ stream: 'terminal', text: value }] };
  if (!isFields(value)) return {};
  const code = [value['exit_code'], value['exitCode'], value['returnCode']].find(Number.isInteger);
  const exit = typeof code === 'number' ? { exitCode: code } : {};
  const [stdout, stderr] = [value['stdout'], value['stderr']];
  if (typeof stdout === 'string' || typeof stderr === 'string') {
    const pieces = [
      { stream: 'stdout' as const, text: typeof stdout === 'string' ? stdout : '' },
      { stream: 'stderr' as const, text: typeof stderr === 'string' ? stderr : '' },
    ];
    return { ...exit, output: pieces };
  }
  const text = textIn(value, 'output', 'aggregated_output');
  return text === undefined ? exit : { ...exit, output: [{ stream: 'terminal', text }] };
}

/** The script of a command that is given as a text or as words. `quote`: joins words. */
export function scriptOf(value: unknown, quote: (word: string) => string): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (!Array.isArray(value) || value.length === 0 || !value.every((word) => typeof word === 'string')) return undefined;
  const [shell = '', option = '', script] = value;
  const isScript = isPosixShell(shell) && shellOf(shell)?.scriptOption.test(option) === true;
  return isScript && script !== undefined && value.length === 3 ? script : value.map(quote).join(' ');
}
