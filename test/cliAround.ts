import assert from 'node:assert/strict';
import path from 'node:path';
import type { CliProcess } from '../src/cli/cliProcess.ts';

/** A process around the command line without a terminal, in a folder; anything on standard error fails the test. */
export function cliAround(cwd: string, more: Partial<CliProcess> = {}): CliProcess {
  return {
    distFolder: path.resolve('dist'),
    cwd,
    env: process.env,
    terminals: { input: true, output: false, error: false },
    async *input() {},
    say: async () => {},
    warn: (text) => assert.fail(text),
    signal: new AbortController().signal,
    ...more,
  };
}
