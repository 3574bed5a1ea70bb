import fs from 'node:fs';
import path from 'node:path';
import type { Files } from './place.ts';

/**
 * One call of an editing tool, with what its documentation and source say that it does. `@` in arguments, words and targets
 * stands for the folder.
 */
export interface CallRow {
  name: string;
  tool: string;
  files: Files;
  args: Record<string, unknown>;
  /** Contents that are written; null: deleted. */
  writes?: Record<string, string | Buffer | null>;
  says: string;
  exit?: number;
  prepare?(folder: string): void;
  mayBeUnsure?: boolean;
}

export const not = (words: string) => `<tool_use_error>${words}</tool_use_error>`;
export const abc = { 'f.txt': 'a\nb\nc\n' };
export const lockFile = (folder: string) => fs.chmodSync(path.join(folder, 'f.txt'), 0o444);
export const unlock = { 'x/y.txt': 'y\n' };

export const change = (before: string, after: string, more: Record<string, unknown> = {}) => ({
  old_string: before,
  new_string: after,
  ...more,
});

export const twenty = Array.from({ length: 20 }, (_, index) => `l${index + 1}\n`).join('');
