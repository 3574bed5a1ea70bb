import { parseBashReply } from '../../worlds/language/prompt/turns/turnTextShell.ts';
import type { AgentMessage, StepObservation, TrajectoryStep } from '../step/step.ts';
import { type ChatCall, contentText, stepsOfChat } from './chat.ts';
import { type Imported, type ImportOptions, type JsonObject, jsonLines, objectOf, textOf } from './imported.ts';

/** One record of a session log, as far as it is read. */
interface SessionRecord {
  line: number;
  type: string;
  uuid: string | undefined;
  parent: string | undefined;
  session: string;
  isSidechain: boolean;
  agentId: string | undefined;
  value: JsonObject;
  message: JsonObject | undefined;
}

/**
 * Session logs of Claude Code (`~/.claude/projects/<folder>/<session>.jsonl`). Every tool call is a step, with what the
 * tool was seen to reply; what a sub-agent did (a sidechain) is a trajectory of its own. The format is not documented by
 * its makers: what is read here is what versions 1.0 to 2.1 write. Records that are no part of the talk (hooks, snapshots
 * of files, queues) are passed over.
 */
export function importClaudeCode(text: string, { name }: ImportOptions): Imported {
  const imported: Imported = { steps: [], problems: [] };
  const chains = new Map<string, SessionRecord[]>();
  const summaries: { leaf: string | undefined; text: string }[] = [];
  const roots = new Map<string, string>();
  const seen = new Set<string>();
  for (const line of jsonLines(text)) {
    const record = line.ok ? recordOf(line.value, line.line, name) : undefined;
    if (!record) {
      const message = line.ok ? 'This is no record of a session: it has no type.' : line.message;
      imported.problems.push({ line: line.line, message });
      continue;
    }
    if (record.type === 'summary') {
      summaries.push({ leaf: textOf(record.value['leafUuid']), text: textOf(record.value['summary']) ?? '' });
      continue;
    }
    // A session that is resumed writes its earlier records again.
    if (record.uuid !== undefined && seen.has(record.uuid)) continue;
    if (record.uuid !== undefined) seen.add(record.uuid);
    const chain = chainOf(record, roots);
    if (record.type !== 'user' && record.type !== 'assistant') continue;
    const records = chains.get(chain);
    if (records) records.push(record);
    else chains.set(chain, [record]);
  }
  for (const [trajectory, records] of chains) readChain(trajectory, records, summaries, imported);
  if (imported.steps.length === 0 && imported.problems.length === 0) {
    imported.problems.push({ line: 0, message: 'There is no tool call in this session, so there is no step.' });
  }
  return imported;
}

function recordOf(value: unknown, line: number, name: string): SessionRecord | undefined {
  const record = objectOf(value);
  const type = textOf(record?.['type']);
  if (!record || type === undefined) return undefined;
  return {
    line,
    type,
    uuid: textOf(record['uuid']),
    parent: textOf(record['parentUuid']),
    session: textOf(record['sessionId']) ?? name,
    isSidechain: record['isSidechain'] === true,
    agentId: textOf(record['agentId']),
    value: record,
    message: objectOf(record['message']),
  };
}

/** The trajectory that a record belongs to: the session, or one of its sub-agents. */
function chainOf({ uuid, parent, session, isSidechain, agentId }: SessionRecord, roots: Map<string, string>): string {
  // A result in the main chain names the sub-agent that gave it, too.
  if (!isSidechain) return session;
  if (agentId !== undefined) return `${session}/${agentId}`;
  const root = (parent === undefined ? undefined : roots.get(parent)) ?? uuid ?? 'sidechain';
  if (uuid !== undefined) roots.set(uuid, root);
  return `${session}/${root}`;
}

function readChain(
  trajectory: string,
  records: readonly SessionRecord[],
  summaries: readonly { leaf: string | undefined; text: string }[],
  imported: Imported,
): void {
  const messages: AgentMessage[] = [];
  const recordOfMessage = new Map<AgentMessage, SessionRecord>();
  const add = (message: AgentMessage, record: SessionRecord) => {
    messages.push(message);
    recordOfMessage.set(message, record);
  };
  let open: { id: unknown; message: AgentMessage } | undefined;
  for (const record of records) {
    const id = record.message?.['id'];
    if (record.type === 'assistant') {
      const message = assistantMessage(record.message ?? {});
      // Each part of a reply is a record of its own; without a result between them they are one message.
      if (open && id !== undefined && open.id === id) mergeInto(open.message, message);
      else {
        add(message, record);
        open = { id, message };
      }
    } else {
      open = undefined;
      for (const message of userMessages(record)) add(message, record);
    }
  }
  // Called once for each step, in order.
  const madeIn: (string | undefined)[] = [];
  const { steps, problems } = stepsOfChat(messages, {
    trajectory,
    source: 'claude-code',
    domain: 'swe',
    more: (call, result, made) => {
      const record = recordOfMessage.get(made);
      madeIn.push(record?.uuid);
      return moreOfStep(call, result, record, result && recordOfMessage.get(result));
    },
  });
  const isMain = !trajectory.includes('/');
  const uuids = new Set(records.map(({ uuid }) => uuid));
  const told = summaries.filter(({ leaf }) => leaf !== undefined && uuids.has(leaf)).map(({ text }) => text);
  const [first] = steps;
  if (first && isMain && told.length > 0) first.note = told.join('\n');
  forkSteps(steps, madeIn, records);
  imported.steps.push(...steps);
  // A session without any tool call is no mistake of the log.
  const line = records[0]?.line ?? 0;
  for (const message of problems) imported.problems.push({ line, message });
}

/** Where the user went back and went on differently, the steps after are a fork: `parentUuid` says after what. */
function forkSteps(
  steps: readonly TrajectoryStep[],
  madeIn: readonly (string | undefined)[],
  records: readonly SessionRecord[],
): void {
  const stepMadeIn = new Map<string, TrajectoryStep>();
  for (const [index, step] of steps.entries()) {
    const uuid = madeIn[index];
    // Of parallel calls the last one is what others come after.
    if (uuid !== undefined) stepMadeIn.set(uuid, step);
  }
  const parents = new Map(records.flatMap(({ uuid, parent }) => (uuid === undefined ? [] : [[uuid, parent] as const])));
  const before = new Map<string, TrajectoryStep | undefined>();
  for (const { uuid, parent } of records) {
    if (uuid === undefined) continue;
    const known = parent !== undefined && parents.has(parent);
    before.set(uuid, known ? (stepMadeIn.get(parent) ?? before.get(parent)) : undefined);
  }
  const done = new Set<string>();
  for (const [index, step] of steps.entries()) {
    const uuid = madeIn[index];
    if (uuid === undefined || done.has(uuid)) continue;
    done.add(uuid);
    const found = before.get(uuid);
    if (found && found !== step) step.after = found.id;
  }
}

function assistantMessage(message: JsonObject): AgentMessage {
  const parts = Array.isArray(message['content']) ? message['content'].map((part) => objectOf(part) ?? {}) : [];
  const texts = parts.flatMap((part) =>
    part['type'] === 'text' && typeof part['text'] === 'string' ? [part['text']] : [],
  );
  const plain = typeof message['content'] === 'string' ? [message['content']] : [];
  const thoughts = parts.flatMap((part) =>
    part['type'] === 'thinking' && part['thinking'] ? [String(part['thinking'])] : [],
  );
  const calls = parts.filter((part) => part['type'] === 'tool_use');
  return {
    role: 'assistant',
    content: [...plain, ...texts].join('\n') || null,
    ...(thoughts.length > 0 ? { reasoning_content: thoughts.join('\n') } : {}),
    ...(calls.length > 0
      ? {
          tool_calls: calls.map((part) => ({
            id: part['id'],
            type: 'function',
            function: { name: part['name'], arguments: JSON.stringify(part['input'] ?? {}) },
          })),
        }
      : {}),
  };
}

function mergeInto(message: AgentMessage, more: AgentMessage): void {
  const joined = (name: string) => [message[name], more[name]].filter(Boolean).join('\n');
  message['content'] = joined('content') || null;
  if (more['reasoning_content']) message['reasoning_content'] = joined('reasoning_content');
  const calls = [message['tool_calls'], more['tool_calls']].flatMap((list) => (Array.isArray(list) ? list : []));
  if (calls.length > 0) message['tool_calls'] = calls;
}

function userMessages({ message, value }: SessionRecord): AgentMessage[] {
  const content = message?.['content'];
  const note = value['isMeta'] === true ? { isMeta: true } : {};
  if (!Array.isArray(content)) return [{ role: 'user', content: textOf(content) ?? '', ...note }];
  const messages: AgentMessage[] = [];
  const said: unknown[] = [];
  for (const part of content.map((one) => objectOf(one) ?? {})) {
    if (part['type'] !== 'tool_result') said.push(part);
    else {
      const isError = part['is_error'] === true ? { is_error: true } : {};
      messages.push({
        role: 'tool',
        tool_call_id: part['tool_use_id'],
        content: contentText(part['content']),
        ...isError,
      });
    }
  }
  if (said.length > 0) messages.push({ role: 'user', content: contentText(said), ...note });
  return messages;
}

function moreOfStep(
  call: ChatCall,
  result: AgentMessage | undefined,
  made: SessionRecord | undefined,
  answered: SessionRecord | undefined,
): Partial<TrajectoryStep> {
  const cwd = textOf(made?.value['cwd']);
  const at = textOf(made?.value['timestamp']);
  const model = textOf(made?.message?.['model']);
  const thought = textOf(made?.message ? assistantMessage(made.message)['reasoning_content'] : undefined);
  const facts = result && call.name === 'Bash' ? bashFacts(result, answered?.value['toolUseResult']) : undefined;
  return {
    ...(at === undefined ? {} : { at }),
    action: {
      kind: 'turn',
      domain: 'swe',
      turn: { kind: 'tool', name: call.name, arguments: call.arguments },
      ...(cwd === undefined ? {} : { cwd }),
    },
    agent: { ...(model === undefined ? {} : { model }), ...(thought === undefined ? {} : { thought }) },
    ...(facts ? { observation: facts as StepObservation } : {}),
  };
}

/** What the log says of a command in parts: its streams, and its exit code where that is sure. */
function bashFacts(result: AgentMessage, told: unknown): Pick<StepObservation, 'facts' | 'known'> | undefined {
  const parts = objectOf(told);
  const failed = result['is_error'] === true;
  const reply = parseBashReply(contentText(result['content']));
  const isWhole = parts !== undefined && typeof parts['stdout'] === 'string';
  const isOver =
    isWhole && parts['interrupted'] !== true && !parts['backgroundTaskId'] && !parts['returnCodeInterpretation'];
  // Some failures (grep without a match) are no error to the tool; it then says how it understands the exit code.
  const exitCode = failed
    ? /Exit code:?\s*\d/i.test(contentText(result['content']))
      ? reply.exitCode
      : undefined
    : isOver
      ? 0
      : undefined;
  if (!isWhole && exitCode === undefined) return undefined;
  const stream = (name: 'stdout' | 'stderr', text: unknown) =>
    typeof text === 'string' && text !== '' ? [{ stream: name, text, basis: 'observed' as const }] : [];
  return {
    facts: {
      output: isWhole ? [...stream('stdout', parts['stdout']), ...stream('stderr', parts['stderr'])] : [],
      ...(exitCode === undefined ? {} : { exitCode }),
      files: [],
      effects: [],
    },
    known: [...(isWhole ? (['output'] as const) : []), ...(exitCode === undefined ? [] : (['exitCode'] as const))],
  };
}
