import { createHash } from 'node:crypto';
import type { AgentMessage, TrajectoryStep } from '../step/step.ts';
import { stepsById } from '../step/step.ts';
import { chainTo, lastSteps } from '../step/turnOfAction.ts';
import { callsOf, contentText } from './chat.ts';
import { type JsonObject, textOf } from './imported.ts';
import { chatOf } from './openAi.ts';

/**
 * Records of a session as Claude Code logs them, for tools that read such logs: one session for each trajectory. What its
 * steps do not know (versions, tokens, requests) is not made up. Ids are made from the steps' own, so that the same steps
 * give the same file.
 */
export function sessionOfSteps(steps: readonly TrajectoryStep[]): [records: JsonObject[], problems: string[]] {
  const byId = stepsById(steps);
  const records: JsonObject[] = [];
  const problems: string[] = [];
  for (const last of lastSteps(steps)) {
    const chain = chainTo(byId, last);
    const byCall = new Map(chain.flatMap((step, index) => [[step.agent?.call ?? `call_${index + 1}`, step] as const]));
    let parent: string | null = null;
    let step = chain[0];
    for (const [index, message] of chatOf(chain, problems).entries()) {
      const call = callsOf(message)[0]?.id ?? textOf(message['tool_call_id']);
      step = (call === undefined ? undefined : byCall.get(call)) ?? step;
      const uuid = uuidOf(`${last.id}/${index}`);
      const record = recordOf(message, step);
      if (!record) continue;
      records.push({
        parentUuid: parent,
        isSidechain: last.trajectory.includes('/'),
        ...(step?.action.kind === 'edit' || !step?.action.cwd ? {} : { cwd: step.action.cwd }),
        sessionId: last.trajectory,
        ...record,
        uuid,
        ...(step?.at === undefined ? {} : { timestamp: step.at }),
      });
      parent = uuid;
    }
  }
  return [records, problems];
}

function recordOf(message: AgentMessage, step: TrajectoryStep | undefined): JsonObject | undefined {
  const text = contentText(message['content']);
  if (message.role === 'tool') {
    const result = {
      tool_use_id: message['tool_call_id'],
      type: 'tool_result',
      content: text,
      is_error: message['is_error'] === true,
    };
    const facts = step?.observation?.facts;
    const stream = (name: string) =>
      facts?.output
        .filter((one) => one.stream === name)
        .map((one) => one.text ?? '')
        .join('');
    const told = facts ? { stdout: stream('stdout'), stderr: stream('stderr'), interrupted: false } : undefined;
    return {
      type: 'user',
      message: { role: 'user', content: [result] },
      ...(told && step?.observation?.known?.includes('output') ? { toolUseResult: told } : {}),
    };
  }
  if (message.role !== 'assistant') {
    // The log of a session has no system prompt.
    return message.role === 'system' ? undefined : { type: 'user', message: { role: 'user', content: text } };
  }
  const thought = textOf(message['reasoning_content']);
  const content = [
    ...(thought === undefined ? [] : [{ type: 'thinking', thinking: thought }]),
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...callsOf(message).map(({ id, name, arguments: input }) => ({ type: 'tool_use', id, name, input })),
  ];
  const model = step?.agent?.model;
  return {
    type: 'assistant',
    message: { type: 'message', role: 'assistant', ...(model === undefined ? {} : { model }), content },
  };
}

function uuidOf(text: string): string {
  const digest = createHash('sha256').update(text).digest('hex');
  return digest.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-5$3-a$4-$5');
}
