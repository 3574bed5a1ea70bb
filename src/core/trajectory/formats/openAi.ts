import { renderObservation } from '../../worlds/language/prompt/turns/turnText.ts';
import { AgentMessage, StepMessage, stepMessagesOf, stepsById, type TrajectoryStep } from '../step/step.ts';
import { chainTo, lastSteps, turnOfAction } from '../step/turnOfAction.ts';
import { stepsOfPrompt } from './agentWorld.ts';
import { callsOf, noToolCall, stepsOfChat } from './chat.ts';
import { type Imported, type ImportOptions, type JsonObject, jsonLines, objectOf, parsedJson } from './imported.ts';

/**
 * Chats of OpenAI's API with tool calls: one JSON object with `messages` a line, one such object, one bare array of
 * messages, or an array of chats. A prompt for a world model (turns with actions and observations) becomes its steps.
 */
export function importOpenAi(text: string, { name }: ImportOptions): Imported {
  const imported: Imported = { steps: [], problems: [] };
  const chats = chatsIn(text, imported);
  chats.forEach(({ line, value }, index) => {
    const trajectory = chats.length === 1 ? name : `${name}-${line || index + 1}`;
    const read = stepsOfOneChat(value, trajectory);
    imported.steps.push(...read.steps);
    imported.problems.push(...read.problems.map((message) => ({ line, message })));
  });
  return imported;
}

function chatsIn(text: string, imported: Imported): { line: number; value: unknown }[] {
  const whole = parsedJson(text.replace(/^\ufeff/, ''));
  if (whole.ok) {
    const isListOfChats =
      Array.isArray(whole.value) && whole.value.every((one) => Array.isArray(objectOf(one)?.['messages']));
    if (isListOfChats) return (whole.value as unknown[]).map((value) => ({ line: 0, value }));
    return [{ line: Array.isArray(whole.value) ? 0 : 1, value: whole.value }];
  }
  return jsonLines(text).flatMap((line) => {
    if (line.ok) return [line];
    imported.problems.push(line);
    return [];
  });
}

function stepsOfOneChat(value: unknown, trajectory: string): { steps: TrajectoryStep[]; problems: string[] } {
  const { messages: given, ...chat } = Array.isArray(value)
    ? { messages: value }
    : (objectOf(value) ?? { messages: undefined });
  if (!Array.isArray(given)) return { steps: [], problems: ['This is no chat: it has no list of messages.'] };
  const messages: AgentMessage[] = [];
  const problems: string[] = [];
  for (const one of given) {
    const read = AgentMessage.safeParse(one);
    if (read.success) messages.push(one as AgentMessage);
    else problems.push('A message without a role was skipped.');
  }
  if (isWorldModelChat(messages)) {
    const last = messages.at(-1);
    const truth = last?.role === 'assistant' ? last['content'] : undefined;
    const prompt = truth === undefined ? messages : messages.slice(0, -1);
    const domain = typeof chat['domain'] === 'string' ? chat['domain'] : 'terminal';
    const steps = stepsOfPrompt(prompt as StepMessage[], { trajectory, domain, truth: truth as string | undefined });
    return { steps, problems };
  }
  const read = stepsOfChat(messages, { trajectory, source: 'openai', chat });
  const none = read.steps.length === 0 ? [noToolCall] : [];
  return { steps: read.steps, problems: [...problems, ...read.problems, ...none] };
}

/** Its user asks turn after turn what would be observed, in the style of the benchmark. */
function isWorldModelChat(messages: readonly AgentMessage[]): boolean {
  const isText = messages.every((one) => StepMessage.safeParse(one).success);
  const user = messages.filter(({ role }) => role === 'user');
  return isText && user.length > 0 && user.every(({ content }) => /^\*\*Action:\*\*/m.test(String(content)));
}

/**
 * Chats of OpenAI's API, one for each trajectory and each fork of it. An agent's chat is written as it was; the steps of
 * a prompt for a world model become its chat, with the last observation as the answer; other steps become tool calls with
 * their results. `problems` are sentences about steps that cannot be written so.
 */
export function chatsOfSteps(steps: readonly TrajectoryStep[]): { chats: JsonObject[]; problems: string[] } {
  const byId = stepsById(steps);
  const chats: JsonObject[] = [];
  const problems: string[] = [];
  for (const last of lastSteps(steps)) {
    const chain = chainTo(byId, last);
    const prompt = chain.some(({ agent }) => agent) ? undefined : stepMessagesOf(byId, last);
    if (prompt) {
      const answer = last.observation && { role: 'assistant', content: renderObservation(last.observation.text) };
      chats.push({ messages: answer ? [...prompt, answer] : prompt, domain: last.domain });
    } else chats.push({ messages: chatOf(chain, problems), ...chain.find(({ agent }) => agent?.chat)?.agent?.chat });
  }
  return { chats, problems };
}

/** The agent's messages along a chain of steps. */
export function chatOf(chain: readonly TrajectoryStep[], problems: string[]): AgentMessage[] {
  const messages: AgentMessage[] = [];
  chain.forEach((step, index) => {
    const { agent } = step;
    const call = agent?.call ?? `call_${index + 1}`;
    const isCalled =
      agent?.messages?.some((message) => callsOf(message).length > 0) || hasOpenCall(messages, agent?.call);
    if (agent?.messages) messages.push(...agent.messages);
    if (!isCalled) {
      const made = callMessage(step, call);
      if (!made) {
        problems.push(`The action of the step ${step.id} cannot be written as a tool call; it was left out.`);
        return;
      }
      messages.push(made);
    }
    if (step.observation) {
      messages.push(agent?.result ?? { role: 'tool', tool_call_id: call, content: step.observation.text });
    }
    if (agent?.after) messages.push(...agent.after);
  });
  return messages;
}

function hasOpenCall(messages: readonly AgentMessage[], id: string | undefined): boolean {
  return id !== undefined && messages.some((message) => callsOf(message).some((call) => call.id === id));
}

function callMessage(step: TrajectoryStep, id: string): AgentMessage | undefined {
  const turn = turnOfAction(step.action, step.domain);
  if (!turn || turn.kind === 'text') return undefined;
  const called =
    turn.kind === 'tool'
      ? { name: turn.name, arguments: JSON.stringify(turn.arguments) }
      : { name: 'send_keystrokes', arguments: JSON.stringify({ keystrokes: turn.keystrokes }) };
  return {
    role: 'assistant',
    content: step.agent?.thought ?? null,
    tool_calls: [{ id, type: 'function', function: called }],
  };
}
