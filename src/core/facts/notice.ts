import * as z from 'zod/mini';
import { Vote } from './replyFault.ts';

/** What is not as it was when a command was rehearsed: a file or folder, a variable, or something of the machine. */
export const ChangedInput = z.object({ kind: z.enum(['path', 'variable', 'machine']), name: z.string() });
export type ChangedInput = z.infer<typeof ChangedInput>;

/** Something the reader should know that is neither effect nor risk, as kind and data. */
export const NoticeFact = z.discriminatedUnion('kind', [
  /** git would also refresh its index; that is left out. */
  z.object({ kind: z.literal('indexRefresh') }),
  z.object({ kind: z.literal('outputCut') }),
  /** The variables `names` hold secrets that the command does not name; made-up values in their place are shown. */
  z.object({ kind: z.literal('withheld'), names: z.array(z.string()) }),
  /** Nobody could tell what the shell of the terminal, `shell`, exports by now. */
  z.object({ kind: z.literal('promptUnseen'), shell: z.string() }),
  /** It tried to reach `to`, got no answer, and went on: all that is said holds without a network. */
  z.object({ kind: z.literal('offline'), to: z.array(z.string()) }),
  /**
   * It is what the rehearsal at `at` (ISO 8601, UTC) said of the same `of` inputs. A real run at `reallyAt` came out so. Nothing was
   * run; with `argv` not that program of a line, and the rest of the line on what it does.
   */
  z.object({
    ...{ kind: z.literal('remembered'), at: z.string(), of: z.number(), reallyAt: z.optional(z.string()) },
    argv: z.optional(z.array(z.string())),
  }),
  /** A real run at `at` came out otherwise than its rehearsal, so that no rehearsal is remembered. */
  z.object({ kind: z.literal('contradicted'), at: z.string() }),
  /** It was rehearsed at `at`; `count` of its `of` inputs are others by now, the first of them `changed`. */
  z.object({
    ...{ kind: z.literal('inputsChanged'), changed: z.array(ChangedInput), count: z.number(), of: z.number() },
    at: z.string(),
  }),
  /** What was not run is computed from the words of the command; `isCut`: not all of it is listed. */
  z.object({ kind: z.literal('computedRest'), isCut: z.boolean() }),
  /** Samples of the question `title` disagree. */
  z.object({ kind: z.literal('samplesDisagree'), title: z.string(), votes: z.array(Vote) }),
  /** A reply does not show a condition that it was asked under, though its action cannot but meet it. */
  z.object({ kind: z.literal('conditionMissing'), condition: z.string(), title: z.string() }),
  z.object({ kind: z.literal('endUnsaid') }),
  /** The model says that `path`, outside the workspace, changes too. */
  z.object({ kind: z.literal('outsideWorkspace'), path: z.string() }),
  z.object({ kind: z.literal('binaryFile'), file: z.string() }),
  /** The model says that so many files are put into a folder that tools fill for themselves (0: it does not say how many). */
  z.object({ kind: z.literal('countedFolder'), folder: z.string(), files: z.number() }),
  /** What a tool of an agent answers is not predicted. */
  z.object({ kind: z.literal('toolWordless') }),
  /** What would happen to packages cannot be told: no lists were fetched, or apt refuses; `says`: its words. */
  z.object({
    kind: z.literal('packagesUnknown'),
    because: z.enum(['noLists', 'refused']),
    says: z.optional(z.string()),
  }),
  z.object({ kind: z.literal('patchAsks') }),
  z.object({ kind: z.literal('replaces'), matches: z.number(), files: z.number() }),
  /** Only so many files were searched. */
  z.object({ kind: z.literal('searchCut'), files: z.number() }),
  /** A sentence of an agent's editing tool; it stands in the tool's own file. */
  z.object({ kind: z.literal('tool'), sentence: z.string() }),
]);
export type NoticeFact = z.infer<typeof NoticeFact>;
