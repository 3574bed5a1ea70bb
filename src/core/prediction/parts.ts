/**
 * The parts that events and the folded prediction share. Each is defined once: an event is a part and its `type`, and a
 * prediction is made of the parts. So nothing that an event says can get lost between its maker and whoever shows it.
 *
 * Facts are made by us alone. They are checked as far as their kind where they cross a border, so that the script of a
 * webview need not hold the schemas of all of them.
 */
import * as z from 'zod/mini';
import { type AssumedPart, AssumptionCause, type AssumptionReason, WayToKnow } from '../facts/assumption.ts';
import { Level } from '../facts/level.ts';
import type { NoticeFact } from '../facts/notice.ts';
import type { ProgramLabel } from '../facts/programLabel.ts';
import type { ReplyFault } from '../facts/replyFault.ts';
import type { RiskFact, RiskKind } from '../facts/risk.ts';
import { Basis } from '../view/basis.ts';
import { FileChange } from '../view/fileChange.ts';
import { hasKind } from '../view/hasKind.ts';

/** The four ways in which a prediction can end. */
export const Ending = z.enum(['done', 'abstained', 'failed', 'cancelled']);
export type Ending = z.infer<typeof Ending>;

/** A program that started, or would start. `id` is unique in the prediction; `parent` is the `id` of who started it. */
export const Program = z.object({
  id: z.number(),
  parent: z.optional(z.number()),
  argv: z.array(z.string()),
  cwd: z.string(),
  basis: Basis,
  exitCode: z.optional(z.number()),
  /** It would be started by a program that was looked through (`sudo`, `npm run`) and was not run itself. */
  volatile: z.optional(z.boolean()),
  lookedThrough: z.optional(z.boolean()),
  /** It is not known to be inert, and really ran, confined, because the user consented to that. */
  byConsent: z.optional(z.literal(true)),
  /** How it came about, where that is known: a script of package.json, a hook, what started it. */
  label: z.optional(z.custom<ProgramLabel>(hasKind)),
});

/** What was assumed about a gated program, and why nobody predicted it. */
export const Assumption = z.object({
  argv: z.array(z.string()),
  /** As of the program. */
  label: z.optional(z.custom<ProgramLabel>(hasKind)),
  assumed: z.string(),
  /** The same as one sentence that says it is unknown, for people. */
  notKnown: z.optional(z.string()),
  /** What would make it known. */
  ways: z.optional(z.array(WayToKnow)),
  /** For people, as `assumed` is; `because` is the same as data, `assumes` what is assumed. */
  why: z.string(),
  cause: z.optional(AssumptionCause),
  fault: z.optional(z.custom<ReplyFault>(hasKind)),
  /** What is not even assumed, because an assumption would plainly be false: what it prints, what it changes. */
  unknown: z.optional(z.array(z.enum(['output', 'changes']))),
  assumes: z.optional(z.array(z.custom<AssumedPart>(hasKind))),
  because: z.optional(z.custom<AssumptionReason>(hasKind)),
});
export type Assumption = z.infer<typeof Assumption>;

/** What would happen if a gated program ended in another way than it is assumed to, where that differs. */
export const Otherwise = z.object({
  argv: z.array(z.string()),
  /** As of the program. */
  label: z.optional(z.custom<ProgramLabel>(hasKind)),
  /** How the program ends then; absent: 1. */
  programExit: z.optional(z.number()),
  /** Of the whole command. */
  exitCode: z.number(),
  /** One sentence, for example “`rm -rf dist` would not run; exit code 1”. */
  detail: z.string(),
  files: z.array(FileChange),
});
export type Otherwise = z.infer<typeof Otherwise>;

/** Where the command comes to by some of several samples of what a model says of a program. */
interface End {
  /** The program that the samples are of. */
  argv: string[];
  /** As of the program. */
  label?: ProgramLabel | undefined;
  /** So many samples lead here. */
  count: number;
  /** It is the one that the prediction shows. */
  isShown?: boolean;
  /** How the program ends; absent: nobody said. */
  programExit?: number;
  /** Of the whole command. */
  exitCode: number;
  /** What is different from what is shown, in one sentence; empty of that one. */
  detail: string;
  /** What has changed in the end. */
  files: FileChange[];
}

/** Where several samples of what a model says of programs lead, each followed to the end of the command. */
export interface Futures {
  /** How many samples were followed. */
  of: number;
  /** Each end, the one that is shown first; empty where all samples lead to the same one. */
  ends: End[];
  /** How many samples have each line of what is printed, in order. */
  output: { stream: string; counts: number[] }[];
  /** How many have each change of a file, also changes that the prediction does not show. */
  files: { path: string; change: FileChange['change']; count: number; isShown?: boolean }[];
}
/** Checked no further: it is plain data that only this code makes, and the panel's first script has to stay small. */
export const Futures = z.custom<Futures>((value) => typeof value === 'object');

/**
 * Most lines that are printed, whatever a stopped program prints. `isNumber`: it is one number. `errorsApart`: what that
 * program prints as errors comes besides.
 */
export const OutputBound = z.object({
  lines: z.number(),
  isNumber: z.optional(z.literal(true)),
  errorsApart: z.optional(z.literal(true)),
});
export type OutputBound = z.infer<typeof OutputBound>;

/**
 * A piece of output. Text that is not UTF-8 has `base64` instead of `text`. With basis `unknown` it has neither:
 * `dependsOn` names the stopped programs that it depends on.
 */
export const Output = z.object({
  stream: z.enum(['stdout', 'stderr']),
  text: z.optional(z.string()),
  base64: z.optional(z.string()),
  basis: Basis,
  volatile: z.optional(z.boolean()),
  dependsOn: z.optional(z.array(z.array(z.string()))),
  /** It was printed after a program tried to reach others and went on: it holds without a network, and may be other with one. */
  offline: z.optional(z.literal(true)),
  /** Of output that is not known: what is certain of it, and `limit`, the same as a clause for people. */
  bound: z.optional(OutputBound),
  limit: z.optional(z.string()),
});
export type Output = z.infer<typeof Output>;

/** A difference of the file tree, and where it is known from. */
export const PredictedFile = z.extend(FileChange, { basis: Basis });
export type PredictedFile = z.infer<typeof PredictedFile>;

/**
 * What a reason is, but for its sentence. `kind` is that of `fact`. `evidence`: paths, programs or effects that the reader
 * can look up.
 */
export const Grounds = z.object({
  level: Level,
  kind: z.custom<RiskKind>((value) => typeof value === 'string'),
  fact: z.custom<RiskFact>(hasKind),
  evidence: z.array(z.string()),
  /** So many more there are than `evidence` names. */
  unnamed: z.optional(z.number()),
  /** It holds without what a language model imagined, and is worse than all that was found with it. */
  withoutModel: z.optional(z.literal(true)),
  /** It holds only where so many of the samples of a program lead. */
  inFuture: z.optional(z.object({ count: z.number(), of: z.number(), argv: z.array(z.string()) })),
});

/** Something the reader should know that is neither effect nor risk: output cut, files not listed … */
export const Notice = z.object({ text: z.string(), fact: z.optional(z.custom<NoticeFact>(hasKind)) });

/** How far long work is. */
export const Progress = z.object({
  text: z.string(),
  done: z.optional(z.number()),
  total: z.optional(z.number()),
  /** The end of what was printed so far, at most 8 kB: to be watched, no fact. What is printed is told by `output`. */
  printed: z.optional(z.string()),
  /** The run that is shown is over, and another one still looks for what varies: to be watched as well. */
  ended: z.optional(z.object({ exitCode: z.number(), durationMs: z.number() })),
});
