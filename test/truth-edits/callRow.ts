import fs from 'node:fs';
import path from 'node:path';
import type { AgentName } from '../../src/core/action/action.ts';
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
  /** Absent: the words are not known, and nothing may be claimed. */
  says?: string;
  /** Default: the agent whose words are recorded for the tool, where there are words. */
  agent?: AgentName;
  exit?: number;
  prepare?(folder: string): void;
  mayBeUnsure?: boolean;
  /** The prediction has to say that it is not certain. */
  isUnsure?: boolean;
  /** Permission bits of what is written, where they are not those that were there or the usual ones. */
  modes?: Record<string, number>;
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

/** A row in one line: what is left out has its usual value. */
type More = Omit<CallRow, 'name' | 'tool' | 'files' | 'args'>;

export const row = (
  tool: string,
  name: string,
  files: Files,
  args: Record<string, unknown>,
  more: More = {},
): CallRow => ({
  name,
  tool,
  files,
  args,
  ...more,
});
