import * as z from 'zod/mini';
import { Diagnostic, Mention } from '../consequences/diagnostic.ts';
import { Effect } from '../facts/effect.ts';
import { Level } from '../facts/level.ts';
import { Loss } from '../facts/loss.ts';
import { RiskKind } from '../verdict/headline.ts';
import { Basis } from '../view/basis.ts';
import { FileChange } from '../view/fileChange.ts';
import { Question, Reply } from './question.ts';
import { AssumptionCause, ReplyFault } from './replyFault.ts';

/** One fact, or one step of a prediction. The common language of all worlds. */
export const PredictionEvent = z.discriminatedUnion('type', [
  /** `by`: name of the world, for example `confined`. Always the first event. */
  z.object({ type: z.literal('started'), by: z.string() }),
  /** One program started. `id` is unique in the prediction; `parent` is the `id` of the program that started it. */
  z.object({
    type: z.literal('program'),
    id: z.number(),
    parent: z.optional(z.number()),
    argv: z.array(z.string()),
    cwd: z.string(),
    basis: Basis,
    exitCode: z.optional(z.number()),
    /** It would be started by a program that was looked through (`sudo`, `npm run`) and was not run itself. */
    lookedThrough: z.optional(z.boolean()),
  }),
  /** A program ended; `exitCode` 0–255, 128 + n when signal n killed it. */
  z.object({ type: z.literal('programEnded'), id: z.number(), exitCode: z.number() }),
  /** Stopped before its first instruction; `assumption` or an imagined outcome follows. `id` as in `program`. */
  z.object({
    type: z.literal('gated'),
    id: z.number(),
    argv: z.array(z.string()),
    cwd: z.string(),
    reason: z.string(),
  }),
  /** What was assumed about a gated program, and why nobody predicted it. */
  z.object({
    type: z.literal('assumption'),
    id: z.number(),
    argv: z.array(z.string()),
    assumed: z.string(),
    /** For people; `cause` and `fault` are the same as data. */
    why: z.string(),
    cause: z.optional(AssumptionCause),
    fault: z.optional(ReplyFault),
    /** What is not even assumed, because an assumption would plainly be false: what it prints, what it changes. */
    unknown: z.optional(z.array(z.enum(['output', 'changes']))),
  }),
  /** What would happen if a gated program ended in another way than it is assumed to, where that differs. */
  z.object({
    type: z.literal('otherwise'),
    argv: z.array(z.string()),
    /** How the program ends then; absent: 1. */
    programExit: z.optional(z.number()),
    /** Of the whole command. */
    exitCode: z.number(),
    /** One sentence, for example “`rm -rf dist` would not run; exit code 1”. */
    detail: z.string(),
    files: z.array(FileChange),
  }),
  /** It waits for an answer typed at the terminal; `prompt` is the last line shown. */
  z.object({ type: z.literal('asks'), prompt: z.string() }),
  /**
   * Text that is not UTF-8 has `base64` instead of `text`. With basis `unknown` it has neither: `dependsOn` names the
   * stopped programs that it depends on.
   */
  z.object({
    type: z.literal('output'),
    stream: z.enum(['stdout', 'stderr']),
    text: z.optional(z.string()),
    base64: z.optional(z.string()),
    basis: Basis,
    volatile: z.optional(z.boolean()),
    dependsOn: z.optional(z.array(z.array(z.string()))),
  }),
  z.object({ type: z.literal('file'), change: FileChange, basis: Basis }),
  z.extend(Effect, { type: z.literal('effect') }),
  z.extend(Loss, { type: z.literal('loss') }),
  /** `evidence`: paths, programs or effects that the reader can look up in this prediction. */
  z.object({
    type: z.literal('risk'),
    level: Level,
    kind: z.optional(RiskKind),
    reason: z.string(),
    evidence: z.array(z.string()),
  }),
  /** A problem in the text of an edited file that is new, fixed, or still there. */
  z.extend(Diagnostic, { type: z.literal('diagnostic') }),
  /** A line elsewhere that names an edited file or a symbol that is removed. */
  z.extend(Mention, { type: z.literal('mention') }),
  /** Something the reader should know that is neither effect nor risk: output cut, files not listed … */
  z.object({ type: z.literal('notice'), text: z.string() }),
  /** Progress of long work; not kept in the folded prediction but as its latest value. */
  z.object({
    type: z.literal('progress'),
    text: z.string(),
    done: z.optional(z.number()),
    total: z.optional(z.number()),
  }),
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
  z.object({ type: z.literal('abstained'), reason: z.string(), at: z.string(), durationMs: z.number() }),
  /** `message`: one plain sentence with a next step. */
  z.object({ type: z.literal('failed'), code: z.string(), message: z.string(), durationMs: z.number() }),
  z.object({ type: z.literal('cancelled'), durationMs: z.number() }),
]);
export type PredictionEvent = z.infer<typeof PredictionEvent>;

/** The event of one type: `EventOf<'file'>`. */
export type EventOf<T extends PredictionEvent['type']> = Extract<PredictionEvent, { type: T }>;

/** The four ways in which a prediction can end. */
export type Ending = 'done' | 'abstained' | 'failed' | 'cancelled';

/** True for the one event that ends a prediction. */
export function isEnding(event: PredictionEvent): event is EventOf<Ending> {
  return event.type === 'done' || event.type === 'abstained' || event.type === 'failed' || event.type === 'cancelled';
}
