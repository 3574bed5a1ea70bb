import { readFile } from 'node:fs/promises';
import type { Input } from './inputs.ts';

/**
 * Paths of inputs that somebody holds a lock on (proc_locks(5)). A run that tries to take it waits or is refused, and what it has
 * read says nothing of that. Numbers of files alone are compared: one of another file system may be taken for one of these.
 */
export async function lockedInputs(inputs: readonly Input[]): Promise<string[]> {
  const table = await readFile('/proc/locks', 'latin1').catch(() => '');
  const locked = new Set(
    [...table.matchAll(/: (?:-> )?(?:FLOCK|POSIX|OFDLCK) .*? [\da-f]+:[\da-f]+:(\d+) /g)].map(([, number]) => number),
  );
  if (locked.size === 0) return [];
  return inputs.filter(({ isRead, number }) => isRead && locked.has(number)).map((input) => input.path);
}
