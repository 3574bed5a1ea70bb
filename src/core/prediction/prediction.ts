import * as z from 'zod/mini';
import { Action } from '../action/action.ts';
import { Diagnostic, Mention } from '../consequences/diagnostic.ts';
import type { Doubt } from '../facts/doubt.ts';
import { Effect } from '../facts/effect.ts';
import type { Failure } from '../facts/failure.ts';
import type { GateReason } from '../facts/gate.ts';
import { Level } from '../facts/level.ts';
import { Loss } from '../facts/loss.ts';
import type { NoticeFact } from '../facts/notice.ts';
import { Basis } from '../view/basis.ts';
import { hasKind } from '../view/hasKind.ts';
import { Assumption, Ending, Futures, Grounds, Otherwise, Output, PredictedFile, Program, Progress } from './parts.ts';
import { AskedQuestion } from './question.ts';

/** A program in the tree of a prediction, with its exit code once it is known, and why the gate stopped it. */
export const PredictedProgram = z.extend(Program, {
  gatedBecause: z.optional(z.string()),
  /** The same as kind and data. */
  gate: z.optional(z.custom<GateReason>(hasKind)),
});
export type PredictedProgram = z.infer<typeof PredictedProgram>;

/** One reason of a verdict. */
export const Reason = z.extend(Grounds, { text: z.string() });
export type Reason = z.infer<typeof Reason>;

/** Everything of a prediction but its action. What crosses to a webview and what JSON says derive from it. */
export const PredictedFacts = z.object({
  /** Name of the world that predicted; empty until it started. */
  engine: z.string(),
  /** Absent while events still come. */
  ending: z.optional(Ending),
  /** Sentence of an abstained or failed ending. */
  endingReason: z.optional(z.string()),
  /** Code of a failed ending. */
  failureCode: z.optional(z.string()),
  /** What `endingReason` says, as kind and data: of an abstained ending, and of a failed one. */
  doubt: z.optional(z.custom<Doubt>(hasKind)),
  failed: z.optional(z.custom<Failure>(hasKind)),
  cwd: z.optional(z.string()),
  exitCode: z.optional(z.number()),
  exitBasis: z.optional(Basis),
  output: z.array(Output),
  files: z.array(PredictedFile),
  effects: z.array(Effect),
  loss: z.array(Loss),
  verdict: z.object({ level: z.optional(Level), reasons: z.array(Reason) }),
  programs: z.array(PredictedProgram),
  assumptions: z.array(Assumption),
  otherwise: z.array(Otherwise),
  /** Where several samples lead; absent: one was taken. */
  futures: z.optional(Futures),
  notices: z.array(z.string()),
  /** What the notices say, as kinds and data; absent where there are none. */
  noticed: z.optional(z.array(z.custom<NoticeFact>(hasKind))),
  /** Problems in the texts of edited files; absent where there are none. */
  diagnostics: z.optional(z.array(Diagnostic)),
  /** Lines elsewhere that name what is edited; absent where there are none. */
  mentions: z.optional(z.array(Mention)),
  /** The question it waits with, while it waits. */
  asks: z.optional(z.string()),
  progress: z.optional(Progress),
  /** What a language model was asked, in order. */
  questions: z.array(AskedQuestion),
  durationMs: z.optional(z.number()),
});

/** Everything that a prediction says, folded from its events. Plain data: it can be stored and posted. */
export const Prediction = z.extend(PredictedFacts, { action: Action });
export type Prediction = z.infer<typeof Prediction>;
