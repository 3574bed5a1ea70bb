import type { ToolDefinition } from '../prompt/toolDefinitions.ts';
import { asObject, readJson } from './clientJson.ts';
import type { ServerTraits } from './clientProbe.ts';
import type { ChatMessage, SamplingParameters } from './provider.ts';
import { notKnown, serverRow } from './serverKinds.ts';
import type { TokenCount } from './tokenCount.ts';

/** What the model's authors recommend, and 32,768 tokens for the reply with its reasoning. */
export const defaultParameters = {
  temperature: 0.6,
  topP: 0.95,
  topK: 20,
  maxOutputTokens: 32_768,
} as const satisfies SamplingParameters;

/** A thinking model has used 11,320 tokens for one step; below this its reply may be cut. */
const enoughOutputTokens = 12_000;
/** Less than this is no reply, in tokens. */
export const leastOutputTokens = 256;
/** Left free, because servers count the ends of a prompt and a reply differently. */
const spareTokens = 8;
/** Our estimates may be this much too low; see `estimateTokens()`. */
const estimateError = 0.15;

/** A request as it will be sent. */
export interface RequestPlan {
  body: Record<string, unknown>;
  /** Parameters that were wanted and are not sent, with their names on the wire. */
  dropped: { name: string; why: string }[];
  warnings: string[];
  maxOutputTokens: number;
}

/** The budget of a reply: what is wanted, clipped to what the prompt leaves of the context; undefined when it leaves none. */
export function outputBudget(
  wanted: number,
  contextTokens: number | undefined,
  prompt: TokenCount,
): number | undefined {
  if (contextTokens === undefined) return wanted;
  if (prompt.exact) {
    const left = contextTokens - prompt.tokens - spareTokens;
    return left < leastOutputTokens ? undefined : Math.min(wanted, left);
  }
  if (prompt.tokens * (1 - 2 * estimateError) > contextTokens) return undefined;
  const left = contextTokens - Math.ceil(prompt.tokens * (1 + estimateError));
  return Math.min(wanted, Math.max(left, leastOutputTokens));
}

/** Whether an estimate is enough to choose the budget of the reply, or the server should count. */
export function isEstimateEnough(wanted: number, contextTokens: number | undefined, estimate: number): boolean {
  return contextTokens === undefined || estimate * (1 + 2 * estimateError) + wanted <= contextTokens;
}

/** Writes the body of a request with what this server takes, and says what was left out. */
export function planRequest(asked: {
  traits: ServerTraits;
  messages: readonly ChatMessage[];
  parameters: SamplingParameters;
  maxOutputTokens: number;
  includeUsage: boolean;
  tools?: readonly ToolDefinition[];
  grammar?: string;
}): RequestPlan {
  const { traits, parameters, maxOutputTokens } = asked;
  const { kind } = traits;
  const { refuses } = serverRow(kind);
  const dropped: RequestPlan['dropped'] = [];
  const body: Record<string, unknown> = {
    model: traits.model,
    messages: asked.messages.map(wireMessage),
    stream: true,
  };
  const put = (name: string, value: unknown, whyNot?: string) => {
    if (value === undefined) return;
    const unsupported =
      traits.supported && !traits.supported.has(name) ? `${traits.model} does not take it there` : whyNot;
    if (unsupported) dropped.push({ name, why: unsupported });
    else body[name] = value;
  };
  const warnings = warningsAbout(parameters, maxOutputTokens);
  if (asked.includeUsage) body['stream_options'] = { include_usage: true };
  else dropped.push({ name: 'stream_options', why: 'the server refused it, so tokens are estimated' });
  const isOpenAiThinker = kind === 'openai' && /^(o\d|gpt-5)/.test(traits.model);
  const fixed = isOpenAiThinker ? 'models of OpenAI that think choose it themselves' : undefined;
  put('temperature', parameters.temperature ?? defaultParameters.temperature, fixed);
  put('top_p', parameters.topP ?? defaultParameters.topP, fixed);
  put('top_k', parameters.topK ?? defaultParameters.topK, refuses?.topK);
  put('seed', parameters.seed, refuses?.seed);
  // A gateway that lists what it takes may not list this name, and needs the limit all the same.
  body[kind === 'openai' ? 'max_completion_tokens' : 'max_tokens'] = maxOutputTokens;
  if (kind === 'llama.cpp') body['cache_prompt'] = true;
  if (asked.tools) body['tools'] = asked.tools.map((tool) => ({ type: 'function', function: tool }));
  putGrammar(asked, put);
  putThinking(asked, put, isOpenAiThinker);
  return { body, dropped, warnings, maxOutputTokens };
}

/** A message as the OpenAI API has it. */
export function wireMessage({ role, content, calls, answers }: ChatMessage): Record<string, unknown> {
  if (answers !== undefined) return { role: 'tool', tool_call_id: answers, content };
  if (!calls || calls.length === 0) return { role, content };
  const called = calls.map((one) => ({
    id: one.id,
    type: 'function',
    // Chat templates read the arguments as JSON, and fail on anything else.
    function: { name: one.name, arguments: isJsonObject(one.arguments) ? one.arguments : '{}' },
  }));
  return { role, content, tool_calls: called };
}

function isJsonObject(text: string): boolean {
  return asObject(readJson(text)) !== undefined;
}

type Put = (name: string, value: unknown, whyNot?: string) => void;

/** A grammar goes only to servers that are known to take it. */
function putGrammar({ traits, grammar }: { traits: ServerTraits; grammar?: string }, put: Put): void {
  const { grammar: way } = serverRow(traits.kind);
  if (grammar !== undefined && way) put(way.parameter, way.isInside ? { grammar } : grammar);
}

/** How thinking is turned off and bounded differs with every server. */
function putThinking(
  { traits, parameters }: { traits: ServerTraits; parameters: SamplingParameters },
  put: Put,
  isOpenAiThinker: boolean,
): void {
  const { kind } = traits;
  const { title, thinking: way, thinkingBudget } = serverRow(kind);
  const { thinking, thinkingBudgetTokens: budget } = parameters;
  const isOff = thinking === 'off';
  switch (way) {
    case 'chat-template':
      if (thinking) put('chat_template_kwargs', { enable_thinking: !isOff });
      break;
    case 'effort':
      if (isOff) put('reasoning_effort', 'none');
      break;
    case 'openai':
      if (isOff)
        put(
          'reasoning_effort',
          leastEffort(traits.model),
          isOpenAiThinker ? undefined : `${traits.model} does not think anyway`,
        );
      break;
    case 'openrouter':
      if (isOff) put('reasoning', { effort: 'none' });
      else if (budget !== undefined) put('reasoning', { max_tokens: budget });
      else if (thinking) put('reasoning', { enabled: true });
      break;
    case 'unknown':
      if (isOff) put('reasoning_effort', 'none', 'it is not known how this server turns thinking off');
      break;
  }
  if (budget === undefined || isOff || kind === 'openrouter') return;
  if (thinkingBudget !== undefined) put(thinkingBudget, budget);
  else put('thinking_budget', budget, kind === 'unknown' ? notKnown : `${title} cannot bound the thinking alone`);
}

/** The models of OpenAI that think can be asked to think little; only since gpt-5.1 not at all. */
function leastEffort(model: string): string {
  if (/^gpt-5\.\d/.test(model)) return 'none';
  return model.startsWith('gpt-5') ? 'minimal' : 'low';
}

function warningsAbout(parameters: SamplingParameters, maxOutputTokens: number): string[] {
  if (maxOutputTokens >= enoughOutputTokens || parameters.thinking === 'off') return [];
  const wanted = parameters.maxOutputTokens ?? defaultParameters.maxOutputTokens;
  const tokens = maxOutputTokens.toLocaleString('en');
  return [
    maxOutputTokens < wanted
      ? `The context leaves only ${tokens} tokens for the reply, and thinking alone has needed 11,320; lower the context budget or serve the model with a longer context.`
      : `The reply may have only ${tokens} tokens, and thinking alone has needed 11,320; allow at least 12,000.`,
  ];
}
