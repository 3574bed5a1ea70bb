import * as z from 'zod/mini';
import { AssumedPart } from './assumption.ts';
import { ProgramLabel } from './programLabel.ts';

/** Something that is the machine's own also in a copy, and what a program wants of it. */
export const DoorCall = z.enum([
  'writesDevice',
  'changesNode',
  'writesKernel',
  /** A file of /proc about a process. */
  'writesProcess',
  'readsUnknown',
  /** A FIFO whose other end is real. */
  'opensPipe',
  'breaksLease',
  'locks',
  /** Somebody outside holds the lock. */
  'waitsForLock',
]);
export type DoorCall = z.infer<typeof DoorCall>;

/** Why something could not be claimed; the prediction then ends as abstained. */
export const Doubt = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('connects'), to: z.string() }),
  /** It would listen where another program of the machine does already. */
  z.object({ kind: z.literal('portTaken'), on: z.string() }),
  /** It looks for processes after it would have signalled `command`. */
  z.object({ kind: z.literal('looksBehindSignal'), command: z.string() }),
  z.object({ kind: z.literal('moveTooLarge'), path: z.string() }),
  /** The system was asked for a call that a rehearsal refuses. */
  z.object({ kind: z.literal('asksSystem'), what: z.string() }),
  z.object({ kind: z.literal('changesSystem'), what: z.string() }),
  /** A file of so many names is written. */
  z.object({ kind: z.literal('hardLinks'), path: z.string(), names: z.number() }),
  z.object({ kind: z.literal('otherOwner'), path: z.string() }),
  z.object({ kind: z.literal('waitsUnserved'), path: z.string() }),
  /** It reads the table of processes, mounts or network, or devices, where a copy has its own. */
  z.object({ kind: z.literal('readsMachine'), path: z.string() }),
  z.object({ kind: z.literal('showsCopyStatus'), path: z.string() }),
  z.object({ kind: z.literal('door'), call: DoorCall, path: z.string() }),
  /** Somebody else changed `path`, and so many others, meanwhile. */
  z.object({ kind: z.literal('changedMeanwhile'), path: z.string(), others: z.number() }),
  z.object({ kind: z.literal('outputCut') }),
  /** The run ended before something that only the machine can answer. */
  z.object({ kind: z.literal('needsMachine'), what: z.string() }),
  /** `because`: the launcher's words. */
  z.object({ kind: z.literal('notAllListed'), because: z.string() }),
  z.object({ kind: z.literal('exitCodeVaries') }),
  /** It printed nothing, and something where another of its programs began first. */
  z.object({ kind: z.literal('outputVaries') }),
  /** A program ended before a pipe had taken all that it wrote to it; without `argv` nobody knows which. */
  z.object({ kind: z.literal('outputLeft'), argv: z.optional(z.array(z.string())) }),
  /** `path` was made in one of several runs with the same clock, and not in the one that is shown. */
  z.object({ kind: z.literal('madeByChance'), path: z.string() }),
  /** Two of its jobs beside each other took `path` one after the other, which only one can have at a time. */
  z.object({ kind: z.literal('contended'), path: z.string() }),
  /** Two of its programs run beside each other, and which begins decides whether `path` is emptied or deleted. */
  z.object({ kind: z.literal('race'), path: z.string() }),
  /** It was ended while it waited: what it would do later nobody knows. */
  z.object({ kind: z.literal('goesOn'), afterMs: z.number() }),
  /** What it leaves running goes on with a program that was not started by then. */
  z.object({ kind: z.literal('runsOn'), argv: z.array(z.string()) }),
  // Kept for files of earlier versions: `otherOwner` says it now, with the path.
  z.object({ kind: z.literal('foreignOwners') }),
  z.object({ kind: z.literal('mountBusy'), path: z.string() }),
  z.object({ kind: z.literal('copiesIntoItself') }),
  z.object({ kind: z.literal('movesAcross') }),
  /** A file of several names was touched, and something counts them. */
  z.object({ kind: z.literal('linksCounted'), path: z.string() }),
  z.object({ kind: z.literal('gitLinks'), path: z.string() }),
  /** On the file system of `path` there is less room than for what it writes. */
  z.object({ kind: z.literal('noRoom'), path: z.string(), freeBytes: z.number(), neededBytes: z.number() }),
  /** It rests on what is assumed of a program; without `argv` of the whole command, which is `script`. */
  z.object({
    kind: z.literal('assumption'),
    argv: z.optional(z.array(z.string())),
    label: z.optional(ProgramLabel),
    script: z.optional(z.string()),
    assumes: z.array(AssumedPart),
    unknown: z.optional(z.array(z.enum(['output', 'changes']))),
  }),
  z.object({ kind: z.literal('earlierAssumption') }),
  /** The command starts with a name that means something else in the terminal than after the start files of its shell. */
  z.object({ kind: z.literal('promptDefinition'), name: z.string(), is: z.enum(['alias', 'function']) }),
  /** A new shell finds nothing of this name, and what the shell of the terminal has by it could not be seen. */
  z.object({ kind: z.literal('promptName'), name: z.string() }),
  /** What the shell's start files define counts, and they could not be read to their end. */
  z.object({ kind: z.literal('startUnread'), shell: z.string() }),
  /** It would change something (`what`: the call and its path), and no copy can be made, because of `because`. */
  z.object({ kind: z.literal('noCopy'), what: z.string(), because: z.string() }),
  /** What an agent's editing tool does is not certain: `clause` stands in the tool's own file. */
  z.object({ kind: z.literal('tool'), tool: z.string(), clause: z.string() }),
  /** The model says that it cannot know what comes of `of`; `says`: its words, or empty. */
  z.object({ kind: z.literal('modelUnknown'), of: z.string(), says: z.string() }),
  /** The reply to a prompt that was given verbatim is not whole: `warning`. */
  z.object({ kind: z.literal('replyNotWhole'), of: z.string(), warning: z.string() }),
  /** The model says that the command does not end by itself, or does not say how it ends. */
  z.object({ kind: z.literal('modelNeverEnds'), script: z.string() }),
  z.object({ kind: z.literal('modelEndUnsaid'), script: z.string() }),
]);
export type Doubt = z.infer<typeof Doubt>;
