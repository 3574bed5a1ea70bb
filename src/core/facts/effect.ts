import * as z from 'zod/mini';
import { Basis } from '../view/basis.ts';
import { hasKind } from '../view/hasKind.ts';
import { GitFact } from './gitFact.ts';
import { PackagePlan } from './packagePlan.ts';
import { ProgramLabel } from './programLabel.ts';

/** What kind of mark a command leaves besides files. */
export const EffectKind = z.enum([
  'git',
  'network',
  'process',
  'signal',
  'waits',
  'package',
  'permission',
  'privilege',
  'outside-workspace',
  'device',
  'service',
  'cloud',
  'container',
  'database',
  'code-execution',
  'environment',
  'timestamp',
  'runs-later',
  'other',
]);
export type EffectKind = z.infer<typeof EffectKind>;

/**
 * Who runs what stands in a file, some time after it was written, without its being named again: git (hooks, programs that
 * attributes send files through), programs that make its hooks, package managers, tools that build or run tasks, tools and
 * interpreters of a language that load files of their own, an editor, a shell in this folder, other machines.
 */
export const LaterRunner = z.enum([
  ...(['git', 'gitHooks', 'packages', 'build', 'tools', 'editor', 'shell', 'otherMachines'] as const),
]);
export type LaterRunner = z.infer<typeof LaterRunner>;

/** A mark besides files, as kind and data; what happens to git is a `GitFact`. */
export const EffectFact = z.discriminatedUnion('kind', [
  /** `to`: `tcp 1.2.3.4:80`, `udp …`, `unix /path`. */
  z.object({ kind: z.literal('connects'), to: z.string() }),
  z.object({ kind: z.literal('listens'), on: z.string() }),
  /** A signal (`SIGKILL`) to a process outside; without `pid` to all that `command` names. */
  z.object({ kind: z.literal('signals'), signal: z.string(), pid: z.optional(z.number()), command: z.string() }),
  /** It asks the system for a call that a rehearsal refuses: `what` is its name, with its path if it has one. */
  z.object({ kind: z.literal('asksSystem'), what: z.string() }),
  /** It changes the clock, host name, priority or limits of the system: `what` is the name of the call. */
  z.object({ kind: z.literal('changesSystem'), what: z.string() }),
  /** Only the times of so many files change; `first` is one of them. */
  z.object({ kind: z.literal('timesOnly'), count: z.number(), first: z.string() }),
  /** Access lists or extended attributes of so many files change; `first` is one of them. */
  z.object({ kind: z.literal('attributes'), count: z.number(), first: z.string() }),
  z.object({ kind: z.literal('writesDevice'), path: z.string() }),
  /** Mode or owner of the node of a device. */
  z.object({ kind: z.literal('changesDeviceNode'), path: z.string() }),
  z.object({ kind: z.literal('writesKernel'), path: z.string() }),
  z.object({ kind: z.literal('removesDevice'), path: z.string() }),
  /** Time that it would wait, and that was skipped. */
  z.object({ kind: z.literal('waits'), durationMs: z.number() }),
  /** It does not end by itself; without `argv` the whole command. */
  z.object({ kind: z.literal('neverEnds'), argv: z.optional(z.array(z.string())), label: z.optional(ProgramLabel) }),
  /** It was still running after so long, and waited: for somebody who asks it something, or for what nobody did. */
  z.object({
    kind: z.literal('goesOn'),
    argv: z.optional(z.array(z.string())),
    label: z.optional(ProgramLabel),
    afterMs: z.number(),
  }),
  /** What would happen to the packages of the machine. */
  z.object({ kind: z.literal('packagePlan'), plan: PackagePlan }),
  /** So many files that somebody runs later get, or change, what is run; `first` is one of them. */
  z.object({ kind: z.literal('runsLater'), by: LaterRunner, count: z.number(), first: z.string() }),
  /**
   * A database of SQLite comes to `to` without its log, where its last changes stand, or without its journal, which takes back a
   * change that was left half done. All paths are absolute; `isCopy`: the two stay together where they were.
   */
  z.object({
    kind: z.literal('databaseParted'),
    ...{ database: z.string(), from: z.enum(['log', 'journal']), beside: z.string(), to: z.string() },
    isCopy: z.boolean(),
  }),
  /** A database of SQLite is written beside the log or journal of the one that stood there, which is then taken for its own. */
  z.object({
    kind: z.literal('databaseMixed'),
    ...{ database: z.string(), from: z.enum(['log', 'journal']), beside: z.string() },
  }),
  z.object({ kind: z.literal('leavesRunning'), argv: z.array(z.string()), label: z.optional(ProgramLabel) }),
]);
export type EffectFact = z.infer<typeof EffectFact>;

/** The kind of mark that each fact is. */
export const effectKinds: Readonly<Record<EffectFact['kind'], EffectKind>> = {
  connects: 'network',
  listens: 'network',
  signals: 'signal',
  asksSystem: 'privilege',
  changesSystem: 'process',
  timesOnly: 'timestamp',
  attributes: 'permission',
  writesDevice: 'device',
  changesDeviceNode: 'device',
  writesKernel: 'privilege',
  removesDevice: 'device',
  waits: 'waits',
  neverEnds: 'waits',
  goesOn: 'waits',
  packagePlan: 'package',
  runsLater: 'runs-later',
  databaseParted: 'database',
  databaseMixed: 'database',
  leavesRunning: 'process',
};

/**
 * A mark that an action leaves besides files. `detail` is for people only; what it says is in `effect` and, as kind and
 * data, in `fact` or, where the effect is git's, in `git`.
 */
export const Effect = z.object({
  effect: EffectKind,
  detail: z.string(),
  basis: Basis,
  /** What happens to git. */
  git: z.optional(GitFact),
  /** What happens otherwise; absent where a recording or a table has nothing but words. */
  fact: z.optional(z.custom<EffectFact>(hasKind)),
  /** The call of a known program that it is expected of, where nobody ran it. */
  expectedOf: z.optional(z.array(z.string())),
});
export type Effect = z.infer<typeof Effect>;

/** An effect as it is found, before it has words. */
export type FoundEffect = { basis: Basis } & ({ git: GitFact; fact?: never } | { fact: EffectFact; git?: never });
