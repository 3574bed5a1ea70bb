import { estimateTokens } from '../context/estimateTokens.ts';
import type { TokenUsage } from '../prediction/question.ts';
import type {
  CalledTool,
  ChatMessage,
  CompletionRequest,
  LanguageProvider,
} from '../worlds/language/client/provider.ts';
import type { ToolDefinition } from '../worlds/language/prompt/toolDefinitions.ts';
import { withoutThinking } from '../worlds/language/reply/officialText.ts';
import { callsInText } from './agentTools.ts';
import { leaveOutOldest } from './fitTurns.ts';

/** One reply of an agent's model. */
export interface AgentReply {
  /** Without thinking. */
  content: string;
  calls: CalledTool[];
  finish: 'stop' | 'length' | 'other';
  usage?: TokenUsage;
  /** `message`: one sentence with a next step. */
  failure?: { code: string; message: string };
}

/** Asks once. With `tools` as tools of the API, else the calls are read out of the text. Never rejects. */
export async function askAgent(
  provider: LanguageProvider,
  request: Omit<CompletionRequest, 'tools'>,
  tools: readonly ToolDefinition[] | undefined,
): Promise<AgentReply> {
  let raw = '';
  const reply: AgentReply = { content: '', calls: [], finish: 'other' };
  for await (const event of provider.complete({ ...request, ...(tools ? { tools } : {}) })) {
    switch (event.type) {
      case 'retry':
        raw = '';
        reply.calls = [];
        break;
      case 'content':
        raw += event.text;
        break;
      case 'call':
        reply.calls.push({ id: event.id, name: event.name, arguments: event.arguments });
        break;
      case 'usage':
        reply.usage = event.usage;
        break;
      case 'finished':
        reply.finish = event.reason;
        break;
      case 'failed':
        reply.failure = { code: event.code, message: event.message };
        break;
      case 'cancelled':
        reply.failure = { code: 'cancelled', message: 'It was cancelled.' };
        break;
    }
  }
  reply.content = withoutThinking(raw).text.trim();
  // Servers without a parser for the model's calls leave them in the text.
  if (reply.calls.length === 0) reply.calls = callsInText(reply.content);
  return reply;
}

/** What an agent said and what came of it: one exchange stays or goes as a whole. */
export interface Exchange {
  messages: ChatMessage[];
  tokens: number;
}

/** An exchange with its estimated tokens. */
export function exchangeOf(messages: ChatMessage[]): Exchange {
  const tokens = messages.reduce(
    (sum, { content, calls = [] }) => sum + estimateTokens(content + calls.map((one) => one.arguments).join('')) + 10,
    0,
  );
  return { messages, tokens };
}

/** Leaves out the oldest exchanges that do not fit into `room` tokens; says how many. See `leaveOutOldest`. */
export function fitExchanges(exchanges: Exchange[], room: number): number {
  const count = leaveOutOldest(
    exchanges.map(({ tokens }) => tokens),
    Math.max(0, room),
  );
  exchanges.splice(0, count);
  return count;
}
