import type { TurnAction } from '../../action/turnAction.ts';
import type { ChatMessage } from '../../worlds/language/client/provider.ts';
import { renderPrompt } from '../../worlds/language/prompt/prompt.ts';
import { type AgentWorldRow, fromAgentWorldRow, toAgentWorldRow } from '../../worlds/language/prompt/promptRow.ts';
import { type Domain, domains, type Turn } from '../../worlds/language/prompt/turns/turn.ts';
import { observationMarker, renderObservation } from '../../worlds/language/prompt/turns/turnText.ts';
import { stepMessagesOf, stepsById, type TrajectoryStep } from '../step/step.ts';
import { chainTo, turnOfAction } from '../step/turnOfAction.ts';
import { type Imported, type JsonObject, jsonLines, objectOf, parsedJson, textOf } from './imported.ts';

/** Rows of AgentWorldBench, one a line or in one array: the turns of a row become the steps of a trajectory. */
export function importAgentWorld(text: string): Imported {
  const imported: Imported = { steps: [], problems: [] };
  const used = new Map<string, number>();
  for (const { line, value } of rowsIn(text, imported)) {
    const read = fromAgentWorldRow(value);
    if (!read.ok) {
      imported.problems.push({ line, message: read.message });
      continue;
    }
    const name = `${read.row.task}/${read.row.id}`;
    const count = (used.get(name) ?? 0) + 1;
    used.set(name, count);
    const trajectory = count === 1 ? name : `${name} (${count})`;
    imported.steps.push(...stepsOfRow(read.row, read.messages, trajectory, objectOf(value) ?? {}));
  }
  return imported;
}

function* rowsIn(text: string, imported: Imported): Generator<{ line: number; value: unknown }> {
  if (/^\s*\[/.test(text)) {
    const whole = parsedJson(text);
    if (whole.ok && Array.isArray(whole.value)) {
      for (const value of whole.value) yield { line: 0, value };
      return;
    }
  }
  for (const line of jsonLines(text)) {
    if (line.ok) yield line;
    else imported.problems.push(line);
  }
}

function stepsOfRow(
  row: AgentWorldRow,
  messages: readonly ChatMessage[],
  trajectory: string,
  original: JsonObject,
): TrajectoryStep[] {
  const truth = row.response[Math.max(Math.trunc(row.turn_idx) - 1, 0)];
  const steps = stepsOfPrompt(messages, { trajectory, domain: domainOf(row.task), truth });
  const last = steps.at(-1);
  if (!last) return steps;
  const raw = truth !== undefined && renderObservation(last.observation?.text ?? '') !== truth ? { truth } : {};
  last.row = { ...raw, id: row.id };
  // What the row says and the steps do not is kept beside them.
  const rebuilt = rowOfMessages(last, messages) as JsonObject;
  const missing = Object.entries(original).filter(([name, value]) => !same(rebuilt[name], value));
  last.row = { ...last.row, ...Object.fromEntries(missing) };
  return steps;
}

function same(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** The domain that a row's task names: `lwm/terminal` is `terminal`. */
function domainOf(task: string): string {
  return task.slice(task.lastIndexOf('/') + 1).toLowerCase();
}

/**
 * The steps of a prompt for a world model: a user's message is a turn, the assistant's behind it what was observed.
 * `truth` is the observation of the last one, where it is known.
 */
export function stepsOfPrompt(
  messages: readonly ChatMessage[],
  { trajectory, domain, truth }: { trajectory: string; domain: string; truth?: string | undefined },
): TrajectoryStep[] {
  const steps: TrajectoryStep[] = [];
  let taken = 0;
  messages.forEach((message, index) => {
    if (message.role !== 'user') return;
    const before = steps.at(-1);
    const seen = messages[index + 1]?.role === 'assistant' ? messages[index + 1]?.content : truth;
    const { turn, state } = readTurn(message.content);
    steps.push({
      version: 1,
      id: `${trajectory}#${steps.length + 1}`,
      trajectory,
      ...(before ? { after: before.id, begins: { step: before.id, count: taken } } : {}),
      domain,
      action: { kind: 'turn', domain, turn },
      ...(state === undefined ? {} : { state }),
      messages: messages.slice(taken, index + 1).map((one) => ({ ...one })),
      ...(seen === undefined
        ? {}
        : { observation: { text: withoutMarker(seen), basis: 'observed', source: 'agentworldbench' } }),
    });
    taken = index + 1;
  });
  return steps;
}

function withoutMarker(text: string): string {
  return text.startsWith(observationMarker) ? text.slice(observationMarker.length).replace(/^\n/, '') : text;
}

/**
 * Reads the user's message of a turn in the style of the benchmark: keystrokes or a tool call where the fence can be
 * read, else the text of the action as it stands. `state` is the screen that the turn shows before.
 */
function readTurn(text: string): { turn: TurnAction; state?: string } {
  const heads = [...text.matchAll(/^\*\*Action:\*\*[ \t]*\n?/gm)];
  const head = heads.find((one) => /^\s*```/.test(text.slice(one.index + one[0].length))) ?? heads.at(-1);
  const action = head ? text.slice(head.index + head[0].length) : text.replace(/^### Turn \d+\n/, '');
  const before = head ? text.slice(0, head.index) : '';
  const state = /^\*\*Current State:\*\*\n([\s\S]*?)\n*$/m.exec(before)?.[1];
  const fence = /^\s*(`{3,})\w*\n([\s\S]*?)\n\1(?:\n|$)/.exec(action)?.[2];
  const turn = (fence === undefined ? undefined : readFence(fence)) ?? { kind: 'text' as const, text: action };
  return { turn, ...(state === undefined ? {} : { state }) };
}

function readFence(fence: string): TurnAction | undefined {
  const parsed = parsedJson(fence);
  if (!parsed.ok) return undefined;
  if (Array.isArray(parsed.value)) {
    const keystrokes = parsed.value.map((one) => {
      const { keystrokes: keys, duration } = objectOf(one) ?? {};
      return typeof keys === 'string' && typeof duration === 'number' ? { keystrokes: keys, duration } : undefined;
    });
    const known = keystrokes.filter((one) => one !== undefined);
    return known.length === keystrokes.length ? { kind: 'keystrokes', keystrokes: known } : undefined;
  }
  const call = objectOf(parsed.value);
  const name = textOf(call?.['name']);
  if (name === undefined) return undefined;
  const given = call?.['arguments'];
  const read =
    typeof given === 'string' ? parsedJson(given === '' ? '{}' : given) : { ok: true as const, value: given };
  const values = read.ok ? objectOf(read.value ?? {}) : undefined;
  return values && { kind: 'tool', name, arguments: values };
}

/** What an export to rows needs besides the steps. */
export interface RowOptions {
  /** System prompts for steps that have no prompt of their own; absent: none. */
  templates?: Partial<Record<Domain, string>>;
}

/**
 * Rows of AgentWorldBench. Steps that came from rows give the same rows back. Of other trajectories every step with an
 * observation is a row, with everything before it as its history. A problem is a sentence about a step that has no row.
 */
export function rowsOfSteps(
  steps: readonly TrajectoryStep[],
  options: RowOptions = {},
): { rows: AgentWorldRow[]; problems: string[] } {
  const byId = stepsById(steps);
  const fromRows = new Set(steps.filter(({ row }) => row).map(({ trajectory }) => trajectory));
  const rows: AgentWorldRow[] = [];
  const problems: string[] = [];
  for (const step of steps) {
    if (fromRows.has(step.trajectory) ? !step.row : step.observation === undefined) continue;
    const messages = stepMessagesOf(byId, step) ?? promptOf(byId, step, options);
    if (typeof messages === 'string') problems.push(`The step ${step.id} has no row: ${messages}`);
    else rows.push(rowOfMessages(step, messages));
  }
  return { rows, problems };
}

function rowOfMessages(step: TrajectoryStep, messages: readonly ChatMessage[]): AgentWorldRow {
  const { truth, ...known } = step.row ?? {};
  const row = toAgentWorldRow({
    domain: step.domain as Domain,
    id: step.id,
    messages,
    ...(step.observation === undefined ? {} : { observation: step.observation.text }),
  });
  if (typeof truth === 'string') row.response[row.response.length - 1] = truth;
  return { ...row, ...known } as AgentWorldRow;
}

/** The prompt that would be asked for a step, by the one renderer of prompts; or a sentence why there is none. */
function promptOf(byId: ReadonlyMap<string, TrajectoryStep>, step: TrajectoryStep, options: RowOptions) {
  const domain = domains.find((name) => name === step.domain);
  if (!domain) return `there is no domain called ${step.domain}.`;
  const chain = chainTo(byId, step);
  const turns: Turn[] = [];
  for (const one of chain) {
    const dialect = one.observation?.source === 'claude-code' ? 'claude' : 'qwen';
    const action = turnOfAction(one.action, domain, dialect);
    if (!action) return `the action of ${one.id} cannot be written as a turn.`;
    const isLast = one === step;
    if (!isLast && !one.observation) return `the step ${one.id} before it has no observation.`;
    turns.push({
      action,
      part: isLast ? 'action' : 'history',
      ...(one.observation ? { observation: one.observation.text } : {}),
    });
  }
  const state = chain[0]?.state;
  const tools = chain.find(({ agent }) => agent?.chat?.['tools'])?.agent?.chat?.['tools'];
  const prompt = renderPrompt({
    domain,
    style: 'benchmark',
    dialect: step.observation?.source === 'claude-code' ? 'claude' : 'qwen',
    turns,
    template: options.templates?.[domain] ?? '',
    allowsUnknown: false,
    // In the domain swe the tools and demonstrations are known.
    ...(domain === 'swe' || !tools
      ? {}
      : { values: { tool_definitions: JSON.stringify(tools, null, 2), demonstrations: '' } }),
    ...(state === undefined ? {} : { currentState: state }),
  });
  return prompt.ok ? prompt.messages : prompt.message;
}
