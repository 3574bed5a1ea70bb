import path from 'node:path';
import { memoryFolder } from '../worlds/remembered/memoryStore.ts';

/** Where things are kept, and how much and how long. */
export interface NetUse {
  /** See `netFolder`. */
  folder: string;
  /** All that is kept together; 0: nothing is. */
  mostBytes: number;
  /** See `launcherPath`: it exchanges names, and reads what Node cannot. */
  launcher: string;
}

/** Room where nobody says another. */
export const usualNetBytes = 1024 ** 3;

/** Where things are kept: with the state of the user, never in a workspace (XDG Base Directory Specification). */
export function netFolder(env: Readonly<Record<string, string | undefined>>): string {
  return path.join(path.dirname(memoryFolder(env)), 'kept');
}
