import type { Gated, Launcher } from '../wire/launcher.ts';

/** What was read of a standard input, and whether that is all. */
export interface Input {
  bytes: Uint8Array;
  eof: boolean;
}

/** Most of a program's standard input that is read, in bytes. */
const maxBytes = 256 * 1024;

/** What was read once is gone for the next one who asks. */
const inputs = new WeakMap<Gated, Promise<Input>>();

/**
 * What waits on the standard input of a stopped program, also where others share it: the program itself would read it. `tries`: so
 * often nothing may come for 200 ms before what came until then is given, without an end.
 */
export function inputOf(launcher: Launcher, gated: Gated, tries = 1): Promise<Input> {
  const input = inputs.get(gated) ?? readInput(launcher, gated, tries);
  inputs.set(gated, input);
  return input;
}

async function readInput(launcher: Launcher, gated: Gated, tries: number): Promise<Input> {
  const pieces: Uint8Array[] = [];
  let left = maxBytes;
  for (let tried = 1; ; tried += 1) {
    const { bytes, eof } = await launcher.readStdin(gated.token, left);
    pieces.push(bytes);
    left -= bytes.length;
    if (eof || left === 0 || tried >= tries) return { bytes: Buffer.concat(pieces), eof };
  }
}
