import * as z from 'zod/mini';
import { Compliance } from '../facts/compliance.ts';
import { type ReplyFault, Vote } from '../facts/replyFault.ts';
import { hasKind } from '../view/hasKind.ts';

/** A message of a chat as it was sent. */
const Message = z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() });

/**
 * A stretch of one message; `start` and `end` in UTF-16 code units. `tokens` is an estimate unless `exact`: then the
 * model's own tokenizer counted this text by itself.
 */
export const AskedBlock = z.object({
  part: z.enum(['template', 'tools', 'demonstrations', 'condition', 'grounding', 'history', 'action', 'suffix']),
  title: z.string(),
  message: z.number(),
  start: z.number(),
  end: z.number(),
  tokens: z.number(),
  exact: z.optional(z.boolean()),
});
export type AskedBlock = z.infer<typeof AskedBlock>;

/** What a language model is asked. */
export const Question = z.object({
  /** Counts the questions of a prediction, from 1. */
  id: z.number(),
  /** The program it is asked for (`id` of a `program` event); absent: for the whole command. */
  program: z.optional(z.number()),
  purpose: z.enum(['output', 'exit', 'changes', 'content', 'command']),
  /** For people: `npm run build: what it prints`. */
  title: z.string(),
  /** What of its program: `what it prints`. The title begins with the program then. */
  what: z.optional(z.string()),
  /** Which of several samples of the same prompt, from 1; absent where only one is taken. */
  sample: z.optional(z.number()),
  /** It asks again because the reply to this question was no answer. */
  repairs: z.optional(z.number()),
  domain: z.string(),
  /** Its first `count` messages are those of the earlier question `question`; `messages` are those that follow. */
  begins: z.optional(z.object({ question: z.number(), count: z.number() })),
  messages: z.array(Message),
  /** Of all messages, also of those that an earlier question has; in order, without gaps. */
  blocks: z.array(AskedBlock),
  /** Of the whole prompt; exact once the server has said how much it read. */
  tokens: z.object({ count: z.number(), exact: z.boolean() }),
  /** What the prompt leaves out, and why. */
  leftOut: z.array(z.object({ what: z.string(), why: z.string(), tokens: z.optional(z.number()) })),
  /** Secrets that were taken out. */
  redacted: z.array(z.object({ where: z.string(), kind: z.string(), count: z.number() })),
  /** Titles of the conditions it was asked under. */
  conditions: z.array(z.string()),
});
export type Question = z.infer<typeof Question>;

/** Tokens of one reply. `exact` is false where they are our own estimate. */
export const TokenUsage = z.object({
  promptTokens: z.number(),
  /** Of the prompt, how many came from the server's prefix cache; absent where it does not tell. */
  cachedTokens: z.optional(z.number()),
  /** Reasoning included. */
  completionTokens: z.number(),
  reasoningTokens: z.optional(z.number()),
  exact: z.boolean(),
});
export type TokenUsage = z.infer<typeof TokenUsage>;

/** What came back. */
export const Reply = z.object({
  question: z.number(),
  /** As the server sent it, reasoning apart. */
  raw: z.string(),
  reasoning: z.string(),
  /** What is read out of it; absent when there is nothing to read (`failure`). */
  observation: z.optional(z.string()),
  /** Which rule of the reply format found the observation. */
  rule: z.optional(z.string()),
  /** The model says that it cannot know, and why. */
  unknown: z.optional(z.string()),
  /** The reply came and is no answer; `failure` says the same to people. */
  fault: z.optional(z.custom<ReplyFault>(hasKind)),
  /** One plain sentence with a next step. */
  failure: z.optional(z.object({ code: z.string(), message: z.string() })),
  finish: z.enum(['stop', 'length', 'other', 'failed', 'cancelled']),
  model: z.string(),
  url: z.string(),
  /** The request's JSON as sent, without its messages and without the key. */
  body: z.custom<Readonly<Record<string, unknown>>>((value) => typeof value === 'object' && value !== null),
  dropped: z.array(z.object({ name: z.string(), why: z.string() })),
  warnings: z.array(z.string()),
  usage: z.optional(TokenUsage),
  /** From the request to the first piece of the reply; absent: nothing came. */
  firstTokenMs: z.optional(z.number()),
  durationMs: z.number(),
  /** Whether it complies with the conditions that it was asked under; absent: there are none, or it is no answer. */
  compliance: z.optional(z.array(Compliance)),
  /** Of several samples: how many say each line of the observation. A hint, no truth. */
  agreement: z.optional(
    z.object({
      samples: z.number(),
      lines: z.array(z.number()),
      /** What the samples say of how it ends or what it changes, the most frequent first; the first decides. */
      votes: z.optional(z.array(Vote)),
    }),
  ),
});
export type Reply = z.infer<typeof Reply>;

/** A question and what is known of its answer, folded. */
export const AskedQuestion = z.extend(Question, {
  /** Reasoning that has come so far. */
  thoughts: z.string(),
  /** Observation that has come so far. */
  said: z.string(),
  reply: z.optional(Reply),
});
export type AskedQuestion = z.infer<typeof AskedQuestion>;

/** All messages of a question, with those that it shares with an earlier one. */
export function messagesOf(questions: readonly Question[], question: Question): Question['messages'] {
  const { begins } = question;
  const earlier = begins && questions.find(({ id }) => id === begins.question);
  if (!begins || !earlier) return question.messages;
  return [...messagesOf(questions, earlier).slice(0, begins.count), ...question.messages];
}
