import * as z from 'zod/mini';

/** Why there is no prediction, or only the beginning of one. */
export const Failure = z.discriminatedUnion('kind', [
  // Limits of one run.
  z.object({ kind: z.literal('timeLimit'), limitMs: z.number() }),
  /** `copied`: a file that the command names, and of which a copy alone is more. */
  z.object({
    kind: z.literal('diskLimit'),
    copied: z.optional(z.object({ path: z.string(), sizeBytes: z.number() })),
  }),
  /** Whoever asked had to know before all was found out; `unweighed`: also what of the content that goes is lost. */
  z.object({ kind: z.literal('due'), unweighed: z.optional(z.literal(true)) }),
  z.object({ kind: z.literal('memoryLimit') }),
  z.object({ kind: z.literal('processLimit'), processes: z.number() }),
  /** Commands are rehearsed on Linux only; `platform` as Node names it, for example `darwin`. */
  z.object({ kind: z.literal('otherSystem'), platform: z.string() }),
  /** The launcher is not there, or may not be executed; `path`: absolute. */
  z.object({ kind: z.literal('launcherMissing'), path: z.string() }),
  // The launcher; `because` are its words, or those of the system.
  z.object({ kind: z.literal('notStarted'), because: z.string() }),
  z.object({ kind: z.literal('gateSlipped'), path: z.string() }),
  z.object({ kind: z.literal('stopped'), because: z.string() }),
  z.object({ kind: z.literal('confinement'), because: z.string() }),
  z.object({ kind: z.literal('launcherEnded'), because: z.string() }),
  /** A fault of ours: an error was thrown. */
  z.object({ kind: z.literal('internal'), error: z.string() }),
  /** Whoever could not do its part says so itself: `message`, one sentence with a next step. */
  z.object({ kind: z.literal('told'), code: z.string(), message: z.string() }),
]);
export type Failure = z.infer<typeof Failure>;

/** The code of a failure, as JSON says it. */
export function failureCode(failure: Failure): string {
  return failure.kind === 'told' ? failure.code : codes[failure.kind];
}

const codes: Readonly<Record<Exclude<Failure['kind'], 'told'>, string>> = {
  timeLimit: 'time-limit',
  due: 'due',
  diskLimit: 'disk-limit',
  memoryLimit: 'memory-limit',
  processLimit: 'process-limit',
  otherSystem: 'other-system',
  launcherMissing: 'launcher-missing',
  notStarted: 'not-started',
  gateSlipped: 'gate-slipped',
  stopped: 'stopped',
  confinement: 'confinement',
  launcherEnded: 'launcher-ended',
  internal: 'internal',
};
