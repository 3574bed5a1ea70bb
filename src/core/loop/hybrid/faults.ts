import os from 'node:os';
import path from 'node:path';
import * as z from 'zod/mini';
import type { Faults } from '../../prediction/rehearsal.ts';
import { quoteWord } from '../../shell/quoteWord.ts';

/** What is wrong with the machine of a session, as a harness asks for it. */
export const StartFaults = z.strictObject({
  /** So many bytes of changes fit on the disk; then writing fails with ENOSPC. 0: it is full. */
  diskBytes: z.optional(z.int().check(z.gte(0))),
  /** Files and folders that nobody may read, write or enter (mode 0); absolute, or below the session's folder. */
  denied: z.optional(z.array(z.string().check(z.minLength(1))).check(z.maxLength(1000))),
  /** There is no network. */
  offline: z.optional(z.boolean()),
  /** Each command is killed by SIGKILL after so many seconds; waits count in full and take no time. */
  killAfterSeconds: z.optional(z.number().check(z.positive(), z.lte(86_400))),
  /** The clock is so many seconds ahead; negative: behind. */
  clockOffsetSeconds: z.optional(z.number()),
  /** The clock runs at this part of its speed: 0.5 is half as fast. */
  clockSpeed: z.optional(z.number().check(z.gte(0.001), z.lte(1000))),
});
export type StartFaults = z.infer<typeof StartFaults>;

/** Why the faults cannot be had, as one sentence; undefined where they can. */
export function faultsProblem(faults: StartFaults, domain: string): string | undefined {
  const isRoot = process.getuid?.() === 0;
  if (faults.denied && isRoot)
    return 'Nothing is denied to root; run the service as an ordinary user, or leave `denied` out.';
  if (faults.diskBytes !== undefined && domain === 'terminal')
    return "A terminal's shell keeps its variables on the disk of the copy; ask for a full disk in a session of the domain swe.";
  return undefined;
}

/** What the engine is asked for. */
export function engineFaults(faults: StartFaults): Faults {
  const { diskBytes, offline, killAfterSeconds, clockOffsetSeconds, clockSpeed } = faults;
  return {
    ...(diskBytes === undefined ? {} : { diskBytes }),
    ...(offline ? { offline } : {}),
    ...(killAfterSeconds === undefined ? {} : { killAfterMs: Math.max(1, Math.round(killAfterSeconds * 1000)) }),
    ...(clockOffsetSeconds === undefined ? {} : { clockOffsetMs: Math.round(clockOffsetSeconds * 1000) }),
    ...(clockSpeed === undefined ? {} : { clockPermille: Math.round(clockSpeed * 1000) }),
  };
}

/** The command that makes what is denied so, before the first action; undefined where nothing is. */
export function denyingScript({ denied = [] }: StartFaults, folder: string): string | undefined {
  if (denied.length === 0) return undefined;
  // The innermost first: what is below a folder that nobody may enter cannot be named any more.
  const paths = denied.map((one) => path.resolve(folder, one)).sort((a, b) => b.length - a.length);
  return `chmod 0 -- ${paths.map((one) => quoteWord(one)).join(' ')}`;
}

/** How many rehearsals go on at once by default. */
export const usualRehearsals = Math.max(2, os.availableParallelism() * 2);
