import * as z from 'zod/mini';
import { TokenUsage } from '../../prediction/question.ts';
import type { ChatMessage, LanguageProvider, SamplingParameters } from '../../worlds/language/client/provider.ts';
import { checkReply } from '../../worlds/language/reply/checkReply.ts';
import { parseMarked } from '../../worlds/language/reply/parseReply.ts';
import type { BenchRow } from './benchRow.ts';
import { LineFailure } from './inferRow.ts';
import { isFirst, type JudgeStyle, type JudgeTemplates, judgeMessages } from './judgePrompt.ts';
import { parseChoice, parseJudgeReply } from './judgeReply.ts';

/** A line of `judge.jsonl`, version 1: what a judge said of one row. The last line of a key counts. */
export const JudgeLine = z.looseObject({
  version: z.literal(1),
  key: z.string(),
  /** Digest of the judge, its server, the parameters and the templates. */
  identity: z.string(),
  /** Digest of what was judged: another reply to the row needs another judgement. */
  judged: z.string(),
  success: z.boolean(),
  /** Style `rubric`: 1–5 each, 0 where there is none; `total` is the mean of those there are. */
  scores: z.optional(z.record(z.string(), z.number())),
  total: z.optional(z.number()),
  strengths: z.optional(z.array(z.string())),
  weaknesses: z.optional(z.array(z.string())),
  /** Other styles: which response was chosen, and whether it is the prediction. */
  choice: z.optional(z.enum(['A', 'B'])),
  choseProbed: z.optional(z.boolean()),
  raw: z.string(),
  reasoning: z.string(),
  attempts: z.number(),
  failure: z.optional(LineFailure),
  model: z.string(),
  /** Of all attempts together. */
  usage: z.optional(TokenUsage),
  durationMs: z.number(),
  cached: z.optional(z.boolean()),
});
export type JudgeLine = z.infer<typeof JudgeLine>;

/** A whole reply of a judge. */
interface JudgeReply {
  content: string;
  reasoning: string;
  model: string;
  usage?: TokenUsage;
  failure?: LineFailure;
  /** The request itself failed. */
  isRefused?: boolean;
}

/** Asks a judge about one row, again while the reply cannot be read. `undefined` when it was cancelled. Never rejects. */
export async function judgeRow(options: {
  row: BenchRow;
  gen: string;
  /** What another model replied; for the style `reference`. */
  referenceGen?: string;
  templates: JudgeTemplates;
  identity: string;
  judged: string;
  /** Gives the provider for each attempt, so that a cache does not give the same unreadable reply again. */
  provider: (attempt: number) => LanguageProvider;
  parameters?: SamplingParameters;
  attempts: number;
  signal: AbortSignal;
}): Promise<JudgeLine | undefined> {
  const { row, templates, signal } = options;
  const startedAt = performance.now();
  const messages = judgeMessages(templates, row, {
    predicted: parseMarked(options.gen).marked,
    ...(options.referenceGen === undefined ? {} : { reference: parseMarked(options.referenceGen).marked }),
  });
  const line: JudgeLine = {
    version: 1,
    key: row.key,
    identity: options.identity,
    judged: options.judged,
    success: false,
    raw: '',
    reasoning: '',
    attempts: 0,
    model: '',
    durationMs: 0,
  };
  for (let attempt = 1; attempt <= options.attempts; attempt += 1) {
    const reply = await complete(options.provider(attempt), messages, options.parameters, signal);
    if (!reply) return undefined;
    const usage = added(line.usage, reply.usage);
    Object.assign(line, {
      attempts: attempt,
      raw: reply.content,
      reasoning: reply.reasoning,
      model: reply.model,
      ...(usage ? { usage } : {}),
    });
    const read = readReply(templates.style, row, reply.content);
    delete line.failure;
    Object.assign(line, read);
    if (line.success) break;
    if (reply.failure) line.failure = reply.failure;
    // The client has tried a failing request again itself; another prompt would fail in the same way.
    if (reply.isRefused) break;
  }
  line.durationMs = Math.round(performance.now() - startedAt);
  return line;
}

function readReply(style: JudgeStyle, row: BenchRow, content: string): Partial<JudgeLine> {
  if (style === 'rubric') {
    const read = parseJudgeReply(content);
    if (!read.ok) return { success: false, failure: { code: 'judge-unreadable', message: read.message } };
    const { scores, total, strengths, weaknesses } = read;
    return { success: true, scores, total, strengths, weaknesses };
  }
  const choice = parseChoice(content);
  if (!choice) {
    const message = 'The reply of the judge does not say A or B.';
    return { success: false, failure: { code: 'judge-unreadable', message } };
  }
  return { success: true, choice, choseProbed: (choice === 'A') === isFirst(row) };
}

async function complete(
  provider: LanguageProvider,
  messages: readonly ChatMessage[],
  parameters: SamplingParameters | undefined,
  signal: AbortSignal,
): Promise<JudgeReply | undefined> {
  let reply: JudgeReply = { content: '', reasoning: '', model: '' };
  for await (const event of provider.complete({ messages, signal, ...(parameters ? { parameters } : {}) })) {
    if (event.type === 'retry') reply = { content: '', reasoning: '', model: '' };
    else if (event.type === 'content') reply.content += event.text;
    else if (event.type === 'reasoning') reply.reasoning += event.text;
    else if (event.type === 'usage') reply.usage = { ...event.usage };
    else if (event.type === 'finished') {
      reply.model = event.model;
      const { content, reasoning } = reply;
      const complaint = checkReply({ content, reasoning, reason: event.reason });
      if (complaint) reply.failure = { code: complaint.code, message: complaint.message };
    } else if (event.type === 'failed') {
      reply = { ...reply, content: '', isRefused: true, failure: { code: event.code, message: event.message } };
    } else if (event.type === 'cancelled') return undefined;
  }
  return reply;
}

function added(a: TokenUsage | undefined, b: TokenUsage | undefined): TokenUsage | undefined {
  if (!a || !b) return a ?? b;
  const sum = (name: 'cachedTokens' | 'reasoningTokens') =>
    a[name] === undefined && b[name] === undefined ? {} : { [name]: (a[name] ?? 0) + (b[name] ?? 0) };
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    exact: a.exact && b.exact,
    ...sum('cachedTokens'),
    ...sum('reasoningTokens'),
  };
}
