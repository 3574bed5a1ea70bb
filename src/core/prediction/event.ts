import * as z from 'zod/mini';
import { Diagnostic, Mention } from '../consequences/diagnostic.ts';
import type { Doubt } from '../facts/doubt.ts';
import { Effect } from '../facts/effect.ts';
import type { Failure } from '../facts/failure.ts';
import type { GateReason } from '../facts/gate.ts';
import { Loss } from '../facts/loss.ts';
import { Basis } from '../view/basis.ts';
import { FileChange } from '../view/fileChange.ts';
import { hasKind } from '../view/hasKind.ts';
import { Assumption, type Ending, Futures, Grounds, Notice, Otherwise, Output, Program, Progress } from './parts.ts';
import { Question, Reply } from './question.ts';

/** One fact, or one step of a prediction. The common language of all worlds. */
export const PredictionEvent = z.discriminatedUnion('type', [
  /** `by`: name of the world, for example `confined`. Always the first event. */
  z.object({ type: z.literal('started'), by: z.string() }),
  z.extend(Program, { type: z.literal('program') }),
  /** A program ended; `exitCode` 0–255, 128 + n when signal n killed it. */
  z.object({ type: z.literal('programEnded'), id: z.number(), exitCode: z.number() }),
  /** Stopped before its first instruction; `assumption` or an imagined outcome follows. `id` as in `program`. */
  z.object({
    type: z.literal('gated'),
    id: z.number(),
    argv: z.array(z.string()),
    cwd: z.string(),
    reason: z.string(),
    because: z.optional(z.custom<GateReason>(hasKind)),
  }),
  /** `id` as in `program`. */
  z.extend(Assumption, { type: z.literal('assumption'), id: z.number() }),
  z.extend(Otherwise, { type: z.literal('otherwise') }),
  z.object({ type: z.literal('futures'), futures: Futures }),
  /** It waits for an answer typed at the terminal; `prompt` is the last line shown. */
  z.object({ type: z.literal('asks'), prompt: z.string() }),
  z.extend(Output, { type: z.literal('output') }),
  z.object({ type: z.literal('file'), change: FileChange, basis: Basis }),
  z.extend(Effect, { type: z.literal('effect') }),
  z.extend(Loss, { type: z.literal('loss') }),
  /** One reason of the verdict; without a sentence it says the level alone. */
  z.extend(Grounds, { type: z.literal('risk'), reason: z.string() }),
  /** A problem in the text of an edited file that is new, fixed, or still there. */
  z.extend(Diagnostic, { type: z.literal('diagnostic') }),
  /** A line elsewhere that names an edited file or a symbol that is removed. */
  z.extend(Mention, { type: z.literal('mention') }),
  z.extend(Notice, { type: z.literal('notice') }),
  /** Not kept in the folded prediction but as its latest value. */
  z.extend(Progress, { type: z.literal('progress') }),
  /** A language model is asked. */
  z.extend(Question, { type: z.literal('question') }),
  /**
   * Tokens of a question's blocks, in their order, as the model's own tokenizer counts them; `null`: it did not count that
   * one. Comes while the answer is awaited, or not at all.
   */
  z.object({ type: z.literal('counted'), question: z.number(), blocks: z.array(z.nullable(z.number())) }),
  /** The model's reasoning about one question, as it comes. */
  z.object({ type: z.literal('thought'), question: z.number(), text: z.string() }),
  /** The observation that the model gives, as it comes; `restart`: what came before counts no more. */
  z.object({ type: z.literal('said'), question: z.number(), text: z.string(), restart: z.optional(z.boolean()) }),
  /** The answer to one question is complete. */
  z.extend(Reply, { type: z.literal('reply') }),
  /**
   * Of the whole command: exit code and working directory of the shell when it ended. With basis `unknown` there is no
   * code.
   */
  z.object({
    type: z.literal('exit'),
    code: z.optional(z.number()),
    basis: Basis,
    cwd: z.optional(z.string()),
  }),
  // Exactly one of these ends the stream.
  z.object({ type: z.literal('done'), durationMs: z.number() }),
  /** Something rests on an assumption, or could not be said: `reason` is one sentence, `at` the program or place. */
  z.object({
    type: z.literal('abstained'),
    reason: z.string(),
    at: z.string(),
    doubt: z.optional(z.custom<Doubt>(hasKind)),
    durationMs: z.number(),
  }),
  /** `message`: one plain sentence with a next step. */
  z.object({
    type: z.literal('failed'),
    code: z.string(),
    message: z.string(),
    failure: z.optional(z.custom<Failure>(hasKind)),
    durationMs: z.number(),
  }),
  z.object({ type: z.literal('cancelled'), durationMs: z.number() }),
]);
export type PredictionEvent = z.infer<typeof PredictionEvent>;

/** The event of one type: `EventOf<'file'>`. */
export type EventOf<T extends PredictionEvent['type']> = Extract<PredictionEvent, { type: T }>;

/** True for the one event that ends a prediction. */
export function isEnding(event: PredictionEvent): event is EventOf<Ending> {
  return event.type === 'done' || event.type === 'abstained' || event.type === 'failed' || event.type === 'cancelled';
}
