import fs from 'node:fs';
import path from 'node:path';
import type { CallSurroundings } from '../core/hooks/answerCall.ts';

/** What a prediction on the command line needs of the process that asks: this one, or a client of the service. */
export interface CliProcess {
  /** Of the built command line; the launchers are beside it. */
  distFolder: string;
  /** Working directory, absolute; `undefined` where it is gone. */
  cwd: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
  /** Which of its descriptors lead to a terminal. */
  terminals: { input: boolean; output: boolean; error: boolean };
  /** Standard input, as it comes; to be asked for once. */
  input(): AsyncIterable<Uint8Array>;
  /** Writes to standard output. */
  say(text: string): Promise<unknown>;
  /** Writes to standard error. */
  warn(text: string): void;
  /** Asks a person at the terminal; absent where nobody is there. */
  ask?(question: string): Promise<boolean>;
  /** It is given up. */
  signal: AbortSignal;
  /** Where it is another process than this one: its number, and launchers that wait for work. */
  served?: Required<Pick<CallSurroundings, 'callerId' | 'launchers'>>;
}

/** More is no script and no patch. In bytes. */
const mostInputBytes = 256 * 1024 ** 2;

/** The bytes of a file that was named, or of standard input for `-`. Throws as `fs` does. */
export async function readNamed(name: string, { cwd, input }: Pick<CliProcess, 'cwd' | 'input'>): Promise<Buffer> {
  if (name !== '-') return fs.readFileSync(path.isAbsolute(name) || name === '' ? name : `${cwd ?? '/'}/${name}`);
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const piece of input()) {
    sizeBytes += piece.length;
    if (sizeBytes > mostInputBytes) throw Object.assign(new Error('too large'), { code: 'EFBIG' });
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Whether what is written is coloured. */
export function isColored(color: 'auto' | 'always' | 'never', { terminals, env }: CliProcess): boolean {
  return color === 'always' || (color === 'auto' && terminals.output && !env['NO_COLOR']);
}
