import { stat } from 'node:fs/promises';
import type { Looker } from '../../view/view.ts';
import type { Candidate } from './candidate.ts';
import type { Chosen } from './chosen.ts';

/**
 * What is remembered from one capture to the next, so that prompts begin alike and little is asked twice. Nothing in it is
 * shown without a check that it still holds.
 */
export interface ContextMemory {
  /** The machine does not change while we run. */
  machine?: Promise<Candidate[]>;
  /** By working directory: what was shown for earlier actions, in the order in which it was first shown. */
  shown: Map<string, Remembered[]>;
  /** By working directory: the last whole `git status`, when it was taken and how long that took. */
  status: Map<string, { command: string; text: string; takenAtMs: number; tookMs: number }>;
  /** Folders in which a whole `git status` is being taken. */
  asking: Set<string>;
}

/** An observation that was shown, with what tells that it still holds. */
export interface Remembered {
  chosen: Chosen;
  path: string;
  stamp: string;
}

/** An empty memory. */
export function createContextMemory(): ContextMemory {
  return { shown: new Map(), status: new Map(), asking: new Set() };
}

const memories = new WeakMap<Looker, ContextMemory>();

/** The memory that belongs to a looker, for whoever keeps none of its own. */
export function memoryOf(looker: Looker): ContextMemory {
  const known = memories.get(looker);
  if (known) return known;
  const memory = createContextMemory();
  memories.set(looker, memory);
  return memory;
}

const mostRemembered = 200;

/** The remembered observations of a folder that still hold, in their order. */
export async function stillTrue(memory: ContextMemory, cwd: string): Promise<Remembered[]> {
  const list = memory.shown.get(cwd) ?? [];
  const stamps = await Promise.all(list.map(({ path }) => stampOf(path)));
  return list.filter(({ stamp }, index) => stamp !== '' && stamps[index] === stamp);
}

/** Remembers the files that were shown, behind those that were remembered already. */
export async function remember(memory: ContextMemory, cwd: string, shown: readonly Chosen[]): Promise<void> {
  const files = shown.flatMap((chosen) => (chosen.look.kind === 'read' ? [{ chosen, path: chosen.look.path }] : []));
  const stamps = await Promise.all(files.map(({ path }) => stampOf(path)));
  const list = files.map((one, index) => ({ ...one, stamp: stamps[index] ?? '' }));
  if (memory.shown.size > 64) memory.shown.clear();
  memory.shown.set(cwd, list.slice(0, mostRemembered));
}

async function stampOf(path: string): Promise<string> {
  const status = await stat(path).catch(() => undefined);
  return status?.isFile() ? `${status.dev}:${status.ino}:${status.size}:${status.mtimeMs}:${status.ctimeMs}` : '';
}
