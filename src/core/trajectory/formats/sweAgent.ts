import type { AgentMessage, TrajectoryStep } from '../step/step.ts';
import { callsOf, noToolCall, stepsOfChat } from './chat.ts';
import { type Imported, type ImportOptions, type JsonObject, objectOf, parsedJson, textOf } from './imported.ts';

/**
 * Logs of SWE-agent (`*.traj`): one JSON object. Each entry of its `trajectory` is a step; where there is none (its
 * demonstrations) the messages of `history` are read. What was typed is a command of its shell, in which SWE-agent has
 * commands of its own (`open`, `edit`). The log has no exit codes.
 */
export function importSweAgent(text: string, { name }: ImportOptions): Imported {
  const read = parsedJson(text.replace(/^\ufeff/, ''));
  const log = read.ok ? objectOf(read.value) : undefined;
  if (!log) {
    const why = read.ok ? 'it is no JSON object' : read.why;
    return { steps: [], problems: [{ line: 0, message: `This is no log of SWE-agent (${why}).` }] };
  }
  const trajectory = textOf(log['instance_id']) ?? name;
  const history = messagesIn(log['history']);
  const entries = Array.isArray(log['trajectory']) ? log['trajectory'] : [];
  return entries.length > 0 ? fromEntries(entries, history, trajectory, log) : fromHistory(history, trajectory, log);
}

function fromEntries(
  entries: readonly unknown[],
  history: readonly AgentMessage[],
  trajectory: string,
  log: JsonObject,
): Imported {
  const imported: Imported = { steps: [], problems: [] };
  const folders = entries.map((entry) => workingFolder(objectOf(entry)?.['state']));
  const calls = history.flatMap((message) => {
    const [call] = callsOf(message);
    return call ? [{ call, action: textOf(message['action'])?.trim() }] : [];
  });
  const firstReply = history.findIndex(({ role }) => role === 'assistant');
  const opening = firstReply < 0 ? history : history.slice(0, firstReply);
  entries.forEach((entry, index) => {
    const value = objectOf(entry);
    const action = textOf(value?.['action']);
    if (!value || action === undefined) {
      imported.problems.push({
        line: 0,
        message: `Entry ${index + 1} of the trajectory has no action; it was skipped.`,
      });
      return;
    }
    // The calls of the history are in the order of the entries; some entries (a refused reply) have none.
    const called = calls[0]?.action === action.trim() ? calls.shift()?.call : undefined;
    const before = imported.steps.at(-1);
    const thought = textOf(value['thought']);
    const observation = textOf(value['observation']);
    // Old versions note the state before the action, new ones the state after it: it is sure where both are the same.
    const cwd = folders[index] === folders[index === 0 ? 1 : index - 1] ? folders[index] : undefined;
    const response = textOf(value['response']);
    const step: TrajectoryStep = {
      version: 1,
      id: `${trajectory}#${imported.steps.length + 1}`,
      trajectory,
      ...(before ? { after: before.id } : {}),
      domain: 'swe',
      action: {
        kind: 'turn',
        domain: 'swe',
        turn: called
          ? { kind: 'tool', name: called.name, arguments: called.arguments }
          : { kind: 'tool', name: 'execute_bash', arguments: { command: action.replace(/\n$/, '') } },
        ...(cwd === undefined ? {} : { cwd }),
      },
      agent: {
        ...(before ? {} : { messages: [...opening], chat: chatOfLog(log) }),
        ...(called?.id === undefined ? {} : { call: called.id }),
        ...(thought === undefined ? {} : { thought }),
        action,
        ...(response === undefined || response === thought ? {} : { response }),
        ...(value['state'] === undefined ? {} : { state: value['state'] }),
      },
      ...(observation === undefined
        ? {}
        : { observation: { text: observation, basis: 'observed' as const, source: 'swe-agent' } }),
    };
    imported.steps.push(step);
  });
  return imported;
}

function fromHistory(history: readonly AgentMessage[], trajectory: string, log: JsonObject): Imported {
  const hasCalls = history.some((message) => callsOf(message).length > 0);
  const messages = hasCalls ? history : history.flatMap(withCall);
  const { steps, problems } = stepsOfChat(messages, {
    trajectory,
    source: 'swe-agent',
    domain: 'swe',
    chat: chatOfLog(log),
    more: (_call, _result, made) => {
      const thought = textOf(made['thought']);
      return thought === undefined ? {} : { agent: { thought } };
    },
  });
  const told = steps.length === 0 ? [...problems, noToolCall] : problems;
  return { steps, problems: told.map((message) => ({ line: 0, message })) };
}

/** A message of the older form, whose command stands in `action` or in its last fence, as a tool call. */
function withCall(message: AgentMessage, index: number, all: AgentMessage[]): AgentMessage[] {
  const id = `call_${index}`;
  const before = all[index - 1];
  const command = (one: AgentMessage | undefined) =>
    one?.role === 'assistant' && one['is_demo'] !== true
      ? (textOf(one['action']) ?? [...String(one['content']).matchAll(/^```\w*\n([\s\S]*?)\n?```$/gm)].at(-1)?.[1])
      : undefined;
  const own = command(message);
  if (own !== undefined) {
    const called = { name: 'execute_bash', arguments: JSON.stringify({ command: own.replace(/\n$/, '') }) };
    return [{ ...message, tool_calls: [{ id, type: 'function', function: called }] }];
  }
  if (message.role === 'user' && command(before) !== undefined) {
    return [{ ...message, role: 'tool', tool_call_id: `call_${index - 1}` }];
  }
  return [message];
}

function chatOfLog(log: JsonObject): JsonObject {
  const { trajectory: _trajectory, history: _history, ...rest } = log;
  return rest;
}

function messagesIn(history: unknown): AgentMessage[] {
  if (!Array.isArray(history)) return [];
  return history.flatMap((one) => {
    const message = objectOf(one);
    return message && typeof message['role'] === 'string' ? [message as AgentMessage] : [];
  });
}

function workingFolder(state: unknown): string | undefined {
  const value = typeof state === 'string' ? parsedJson(state) : { ok: true as const, value: state };
  const folder = value.ok ? textOf(objectOf(value.value)?.['working_dir']) : undefined;
  return folder?.startsWith('/') ? folder : undefined;
}
