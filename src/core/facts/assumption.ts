import * as z from 'zod/mini';
import type { ProgramLabel } from './programLabel.ts';
import { ReplyFault } from './replyFault.ts';

/** Why something was assumed, for whoever shows it. */
export const AssumptionCause = z.enum([
  /** Nobody was there to ask. */
  'no-model',
  /** The model says that it cannot know. */
  'model-unknown',
  /** The model's reply was no answer; `fault` says how. */
  'model-unusable',
  /** The model could not be asked, or did not answer. */
  'model-failed',
  /** It does not end by itself. */
  'never-ends',
  /** It was looked through. */
  'looked-through',
  /** It was really asked, and what it says may be another a moment later. */
  'looked-at',
]);
export type AssumptionCause = z.infer<typeof AssumptionCause>;

/** One thing that is assumed of a program that nobody ran. */
export const AssumedPart = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('exits'), exitCode: z.number() }),
  /** It does not end by itself: somebody ends it, with this exit code. */
  z.object({ kind: z.literal('endedFromOutside'), exitCode: z.number() }),
  z.object({ kind: z.literal('printsNothing') }),
  z.object({ kind: z.literal('changesNothing') }),
  /**
   * As a rule it changes nothing in the workspace but what it keeps for itself (`own`: last parts of paths); where
   * `runsProject`, code of the project may. Known of the program, not of this run.
   */
  z.object({ kind: z.literal('leavesFiles'), own: z.array(z.string()), runsProject: z.boolean() }),
  /** Of a new folder nobody said what is in it. */
  z.object({ kind: z.literal('putsNothingInto'), folder: z.string() }),
  /** Of a file that changes nobody said to what. */
  z.object({ kind: z.literal('leavesAsIs'), file: z.string() }),
  z.object({ kind: z.literal('leavesEmpty'), file: z.string() }),
  /** It writes these files anew, as its words say; what is in them then nobody knows. Paths. */
  z.object({ kind: z.literal('overwrites'), files: z.array(z.string()) }),
  /** It makes these files, which were not there, as its words say; what is in them nobody knows. Paths. */
  z.object({ kind: z.literal('makesFiles'), files: z.array(z.string()) }),
  /** It makes of these files what its code says, step by step, and goes through all of it. */
  z.object({ kind: z.literal('editsAsWritten'), files: z.array(z.string()) }),
  /**
   * It was really run, as a look, and answers as it did then. `to`: a port of this machine, or `github`; `at`: ISO 8601, UTC.
   */
  z.object({ kind: z.literal('answersAsThen'), to: z.union([z.number(), z.literal('github')]), at: z.string() }),
  /** It was looked through. `because`: what of it is not known to be all, as a clause of the table of programs. */
  z.object({ kind: z.literal('onlyStarts'), because: z.optional(z.string()) }),
  /** It is there, and does what this other call does, which was run in its place. */
  z.object({ kind: z.literal('doesAs'), argv: z.array(z.string()) }),
]);
export type AssumedPart = z.infer<typeof AssumedPart>;

/** Why nobody said it. */
export const AssumptionReason = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('noModel') }),
  z.object({ kind: z.literal('lookedThrough') }),
  z.object({ kind: z.literal('lookedAt') }),
  /** The model says that it does not end by itself. */
  z.object({ kind: z.literal('neverEnds') }),
  /** The model says that it cannot know; `says`: its words, or empty. */
  z.object({ kind: z.literal('unknown'), says: z.string() }),
  /** The same of what is in one file. */
  z.object({ kind: z.literal('contentUnknown'), file: z.string(), says: z.string() }),
  z.object({ kind: z.literal('binaryFile'), file: z.string() }),
  /** The model's reply was no answer. */
  z.object({ kind: z.literal('unusable'), fault: ReplyFault }),
  /** The model could not be asked, or did not answer; `message`: one sentence of whoever asked. */
  z.object({ kind: z.literal('failed'), code: z.string(), message: z.string() }),
  /** Whoever answers for programs threw this error. */
  z.object({ kind: z.literal('worldFailed'), error: z.string() }),
  z.object({ kind: z.literal('noAnswer') }),
  /** The model was not asked how it ends, what is in a folder, or about more than so many files. */
  z.object({ kind: z.literal('endNotAsked') }),
  z.object({ kind: z.literal('folderNotAsked') }),
  z.object({ kind: z.literal('contentsNotAsked'), most: z.number() }),
]);
export type AssumptionReason = z.infer<typeof AssumptionReason>;

/**
 * What would make known what is assumed. `rehearse`: it may be let in, so that it really runs, confined, if the user consents.
 * `connectModel`: a language model can imagine it. `askLocalhost`, `askGithub`: it would only read from there, and may be asked if the
 * user consents.
 */
export const WayToKnow = z.enum(['rehearse', 'connectModel', 'askLocalhost', 'askGithub']);
export type WayToKnow = z.infer<typeof WayToKnow>;

/** What is assumed of a program, as it is found, before it has words. */
export interface FoundAssumption {
  argv: string[];
  label?: ProgramLabel | undefined;
  assumes: AssumedPart[];
  because: AssumptionReason;
  /** What is not even assumed, because an assumption would plainly be false. */
  unknown?: ('output' | 'changes')[];
  ways?: WayToKnow[];
}

/** The cause that a reason belongs to. */
export function causeOf({ kind }: AssumptionReason): AssumptionCause {
  switch (kind) {
    case 'noModel':
      return 'no-model';
    case 'lookedThrough':
      return 'looked-through';
    case 'lookedAt':
      return 'looked-at';
    case 'neverEnds':
      return 'never-ends';
    case 'unknown':
    case 'contentUnknown':
    case 'binaryFile':
      return 'model-unknown';
    case 'unusable':
      return 'model-unusable';
    case 'failed':
    case 'worldFailed':
    case 'noAnswer':
    case 'endNotAsked':
    case 'folderNotAsked':
    case 'contentsNotAsked':
      return 'model-failed';
  }
}
