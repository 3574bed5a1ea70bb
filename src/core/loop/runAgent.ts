import { redactForPrompt } from '../context/secrets/redactForPrompt.ts';
import type {
  CalledTool,
  ChatMessage,
  LanguageProvider,
  SamplingParameters,
} from '../worlds/language/client/provider.ts';
import type { ToolDefinition } from '../worlds/language/prompt/toolDefinitions.ts';
import type { Dialect } from '../worlds/language/prompt/turns/turn.ts';
import { type AgentReply, askAgent, type Exchange, exchangeOf, fitExchanges } from './agentChat.ts';
import { actionOfCall, agentTools, textProtocol } from './agentTools.ts';
import type { Environment } from './environment.ts';
import type { StartRequest, SteppedSession } from './environmentTypes.ts';
import { noScanner } from './startChecks.ts';

/** An agent and the environment that it acts in. */
export interface AgentOptions {
  /** The agent's model; it may be another one than the world's. */
  provider: LanguageProvider;
  parameters?: SamplingParameters;
  environment: Environment;
  /** What the session begins with. */
  start: Omit<StartRequest, 'task'>;
  task: string;
  /** Most actions. */
  turns: number;
  /** `auto` (default): tools of the API, and JSON in the text where the server does not take tools. */
  protocol?: 'auto' | 'tools' | 'text';
  onTurn?(turn: SteppedSession, call: CalledTool): void;
  signal: AbortSignal;
}

/** How an agent's run ended. */
export interface AgentRun {
  outcome: 'finished' | 'turns' | 'no-calls' | 'unknown-tools' | 'loops' | 'cut' | 'failed' | 'cancelled';
  /** One sentence for people. */
  sentence: string;
  /** What the agent says it did. */
  summary?: string;
  /** Of the environment; empty where none began. */
  session: string;
  turns: number;
  /** Of the agent's model. */
  promptTokens: number;
  completionTokens: number;
}

/** How often in a row an agent may go wrong in the same way. */
const patience = 3;
const fallbackContextTokens = 32_768;

/**
 * Lets an agent act in a simulated environment for a number of turns. The session stays open, for whoever looks at it.
 * Never rejects: a model that calls nothing, calls what there is not, repeats itself or is cut ends the run and is named.
 */
export async function runAgent(options: AgentOptions): Promise<AgentRun> {
  const { environment, provider, signal } = options;
  const run: AgentRun = {
    outcome: 'failed',
    sentence: '',
    session: '',
    turns: 0,
    promptTokens: 0,
    completionTokens: 0,
  };
  const end = (outcome: AgentRun['outcome'], sentence: string): AgentRun => ({ ...run, outcome, sentence });
  const task = await redactForPrompt(options.task).then(
    ({ text }) => text,
    () => undefined,
  );
  if (task === undefined) return end('failed', noScanner);
  const started = await environment.start({ ...options.start, task });
  if (!started.ok) return end('failed', started.message);
  run.session = started.id;
  const { domain, dialect = 'qwen', tools: own } = options.start;
  const tools = agentTools(domain, dialect, own, started.isReal);
  let usesTools = options.protocol !== 'text';
  const status = await provider.status(signal);
  const contextTokens = (status.ok ? status.contextTokens : undefined) ?? fallbackContextTokens;
  const exchanges: Exchange[] = [];
  const watch = createWatch();

  while (run.turns < options.turns) {
    if (signal.aborted) return end('cancelled', 'It was cancelled.');
    const head = openingOf({ domain, dialect, task, observation: started.observation, tools, usesTools });
    fitExchanges(exchanges, contextTokens * 0.75 - exchangeOf(head).tokens);
    const messages = [...head, ...exchanges.flatMap((one) => one.messages)];
    const parameters = options.parameters ? { parameters: options.parameters } : {};
    const reply = await askAgent(provider, { messages, signal, ...parameters }, usesTools ? tools : undefined);
    run.promptTokens += reply.usage?.promptTokens ?? 0;
    run.completionTokens += reply.usage?.completionTokens ?? 0;
    if (reply.failure) {
      // Nothing was said with tools yet, so the server may be one that takes none.
      const refusesTools =
        usesTools && exchanges.length === 0 && ['bad-request', 'no-tools'].includes(reply.failure.code);
      if (refusesTools && options.protocol !== 'tools') {
        usesTools = false;
        continue;
      }
      return end(reply.failure.code === 'cancelled' ? 'cancelled' : 'failed', reply.failure.message);
    }
    const calls = reply.calls.map((call, index) => ({ ...call, id: call.id || `call_${exchanges.length}_${index}` }));
    const isCut = reply.finish === 'length' && calls.every((call) => 'problem' in actionOfCall(call, tools));
    if (calls.length === 0 || isCut) {
      const given = watch.noCall(isCut);
      if (given) return end(...given);
      exchanges.push(exchangeOf(nudge(reply, isCut)));
      continue;
    }
    watch.called();
    const taken = await takeCalls(calls, { ...options, tools, run, watch });
    if (taken.ended)
      return { ...end(...taken.ended), ...(taken.summary === undefined ? {} : { summary: taken.summary }) };
    const { answers } = taken;
    exchanges.push(exchangeOf(usesTools ? calledMessages(reply, calls, answers) : textMessages(reply, answers)));
  }
  return end('turns', `The ${options.turns} turns are used up.`);
}

/** Why a run ends. */
type Ended = [outcome: AgentRun['outcome'], sentence: string];

/** How often in a row an agent went wrong, and whether it turns in a circle. */
interface Watch {
  /** A reply without a call, or cut before it was complete. */
  noCall(isCut: boolean): Ended | undefined;
  called(): void;
  /** A call that nobody can answer. */
  wrongCall(sentence: string): Ended | undefined;
  stepped(call: CalledTool, observation: string): Ended | undefined;
}

function createWatch(): Watch {
  const wrong = { calls: 0, unknown: 0, cut: 0 };
  const seen: string[] = [];
  return {
    noCall(isCut) {
      wrong[isCut ? 'cut' : 'calls'] += 1;
      if (wrong.cut >= patience) return ['cut', `The model's replies are cut at their limit; allow it more tokens.`];
      if (wrong.calls < patience) return undefined;
      return ['no-calls', `The model called no tool in ${patience} replies; choose one that can use tools.`];
    },
    called() {
      wrong.calls = 0;
      wrong.cut = 0;
    },
    wrongCall(sentence) {
      wrong.unknown += 1;
      return wrong.unknown >= patience ? ['unknown-tools', sentence] : undefined;
    },
    stepped(call, observation) {
      wrong.unknown = 0;
      seen.push(JSON.stringify([call.name, call.arguments, observation]));
      return isLoop(seen) ? ['loops', 'The agent does the same again and again, with the same result.'] : undefined;
    },
  };
}

/** Takes the calls of one reply to the environment, one after the other. */
async function takeCalls(
  calls: readonly CalledTool[],
  of: Pick<AgentOptions, 'environment' | 'turns' | 'signal' | 'onTurn'> & {
    tools: readonly ToolDefinition[];
    run: AgentRun;
    watch: Watch;
  },
): Promise<{ answers: { call: CalledTool; text: string }[]; ended?: Ended; summary?: string }> {
  const { environment, turns, signal, onTurn, tools, run, watch } = of;
  const answers: { call: CalledTool; text: string }[] = [];
  for (const call of calls) {
    const read = actionOfCall(call, tools);
    if ('finished' in read)
      return { answers, ended: ['finished', 'The agent says that it is done.'], summary: read.finished };
    if ('problem' in read) {
      const given = watch.wrongCall(`The model calls tools wrongly again and again: ${read.problem}`);
      if (given) return { answers, ended: given };
      answers.push({ call, text: `Error: ${read.problem}` });
      continue;
    }
    if (run.turns >= turns) {
      answers.push({ call, text: 'Error: there are no turns left.' });
      continue;
    }
    const stepped = await environment.step(run.session, read.action, signal);
    if (!stepped.ok && stepped.code !== 'bad-request' && stepped.code !== 'unknown') {
      return { answers, ended: [stepped.code === 'cancelled' ? 'cancelled' : 'failed', stepped.message] };
    }
    if (!stepped.ok) {
      const given = watch.wrongCall(`The environment cannot answer again and again: ${stepped.message}`);
      if (given) return { answers, ended: given };
      answers.push({ call, text: `Error: ${stepped.message}` });
      continue;
    }
    run.turns = stepped.turn;
    onTurn?.(stepped, call);
    answers.push({ call, text: stepped.observation });
    const looped = watch.stepped(call, stepped.observation);
    if (looped) return { answers, ended: looped };
  }
  return { answers };
}

/** The same action with the same result four times within the last eight. */
function isLoop(seen: readonly string[]): boolean {
  const last = seen.at(-1);
  return seen.slice(-8).filter((one) => one === last).length >= 4;
}

function openingOf(of: {
  domain: string;
  dialect: Dialect;
  task: string;
  observation: string;
  tools: readonly ToolDefinition[];
  usesTools: boolean;
}): ChatMessage[] {
  const role = [
    'You work on a task in a computer environment by calling tools, one step after the other, and look at what each one shows before you go on.',
    'Do not ask the user. When the task is done, or cannot be done, call `finish`.',
    ...(of.usesTools ? [] : [textProtocol(of.tools)]),
  ];
  const seen = of.observation === '' ? '' : `\n\nWhat you see now:\n${of.observation}`;
  return [
    { role: 'system', content: role.join('\n\n') },
    { role: 'user', content: `The task:\n${of.task}${seen}` },
  ];
}

/** Says what is missing in a reply that calls nothing. */
function nudge({ content }: AgentReply, isCut: boolean): ChatMessage[] {
  const text = isCut
    ? 'Your reply was cut before the call was complete. Be shorter: call one tool.'
    : 'You called no tool. Call one, or `finish` when the task is done.';
  return [
    { role: 'assistant', content: content === '' ? '(nothing)' : content },
    { role: 'user', content: text },
  ];
}

function calledMessages(
  { content }: AgentReply,
  calls: readonly CalledTool[],
  answers: readonly { call: CalledTool; text: string }[],
): ChatMessage[] {
  return [
    { role: 'assistant', content, calls },
    ...answers.map(({ call, text }): ChatMessage => ({ role: 'user', content: text, answers: call.id })),
  ];
}

function textMessages({ content }: AgentReply, answers: readonly { text: string }[]): ChatMessage[] {
  return [
    { role: 'assistant', content },
    { role: 'user', content: answers.map(({ text }) => `What came of it:\n${text}`).join('\n\n') },
  ];
}
