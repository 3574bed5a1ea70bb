import type { Looker } from '../../view/view.ts';
import type { LeftOut } from '../workspaceContext.ts';
import { type Candidate, worth } from './candidate.ts';
import type { ContextMemory } from './contextMemory.ts';
import { gitStatus } from './gitLooks.ts';

/** A prediction waits this long for `git status`: in a repository of 100,000 files it takes 300 ms. */
const waitMs = 90;
/** After that it goes on by itself, for the next prediction. */
const limitMs = 10_000;
/** An older answer is not shown any more. */
const oldestMs = 60_000;
/** Where the answer is slow, it is asked for anew when it is older than this. */
const freshMs = 5_000;

interface StatusPlace {
  looker: Looker;
  cwd: string;
  signal: AbortSignal;
}

/**
 * `git status`, when it comes within 90 ms. Where the repository is too large for that, the last answer (at most a minute
 * old, and said to be so) together with a fresh status of the paths that the action names; the whole is then taken in the
 * background. Without either, it is left out and said so.
 */
export async function takeStatus(
  memory: ContextMemory,
  place: StatusPlace,
  paths: readonly string[],
): Promise<{ candidates: Candidate[]; leftOut: LeftOut[] }> {
  const { cwd } = place;
  const last = memory.status.get(cwd);
  const isSlow = memory.asking.has(cwd) || (last !== undefined && last.tookMs > waitMs);
  if (!isSlow) {
    const fresh = await within(takeWhole(memory, place), waitMs);
    if (fresh !== undefined)
      return { candidates: fresh ? [candidate(fresh, cwd, 'the state of the repository')] : [], leftOut: [] };
  } else if (!last || Date.now() - last.takenAtMs > freshMs) void takeWhole(memory, place);
  const candidates: Candidate[] = [];
  if (paths.length > 0 && isSlow) {
    const some = await within(gitStatus({ ...place, limitMs: waitMs }, paths), waitMs);
    if (some) candidates.push(candidate(some, cwd, 'the state of the paths that the action names'));
  }
  const ageMs = last ? Date.now() - last.takenAtMs : Number.POSITIVE_INFINITY;
  if (last && ageMs < oldestMs) {
    candidates.push(candidate(last, cwd, `the state of the repository ${Math.round(ageMs / 1_000)} s before`));
    return { candidates, leftOut: [] };
  }
  const why = `it takes longer than ${waitMs} ms in this repository`;
  return { candidates, leftOut: [{ what: 'git status', why }] };
}

/** `false`: there is no repository, or git could not tell. */
async function takeWhole(
  memory: ContextMemory,
  place: StatusPlace,
): Promise<{ command: string; text: string } | false> {
  const { cwd } = place;
  if (memory.asking.has(cwd)) return false;
  memory.asking.add(cwd);
  const start = performance.now();
  try {
    const status = await gitStatus({ ...place, limitMs });
    if (!status) return false;
    if (memory.status.size > 64) memory.status.clear();
    memory.status.set(cwd, { ...status, takenAtMs: Date.now(), tookMs: performance.now() - start });
    return status;
  } finally {
    memory.asking.delete(cwd);
  }
}

function candidate(status: { command: string; text: string }, cwd: string, why: string): Candidate {
  return {
    look: { kind: 'run', command: status.command, cwd, exitCode: 0 },
    text: status.text,
    why,
    volatility: 8,
    worth: worth.status + 3,
    part: 'volatile',
    focus: { patterns: [], ranges: [] },
  };
}

/** The result, or `undefined` when it takes longer. */
async function within<T>(promise: Promise<T>, durationMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, durationMs, undefined);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
