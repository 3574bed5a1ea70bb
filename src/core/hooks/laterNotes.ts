import { createHash } from 'node:crypto';
import path from 'node:path';
import * as z from 'zod/mini';
import { redactAtOnce } from '../context/secrets/redactForPrompt.ts';
import type { HookCall } from './hookCall.ts';
import { keptFiles } from './hookFolder.ts';

/** A call that has not been made by then is not made any more. In milliseconds. */
const waitsMs = 3_600_000;

const Note = z.object({ text: z.string() });

/** Notes that an agent's model can only read behind the call, until then. */
export interface LaterNotes {
  keep(call: HookCall, text: string, now: number): void;
  /** The note of a call that has been made, once; `undefined`: there is none. */
  take(call: HookCall): string | undefined;
}

/** `folder`: see `hookFolder`. */
export function createLaterNotes(folder: string): LaterNotes {
  const notes = keptFiles(path.join(folder, 'notes'));
  const nameOf = (id: string) => createHash('sha256').update(id).digest('hex').slice(0, 40);
  return {
    keep({ id }, text, now) {
      if (id === undefined) return;
      notes.forget(waitsMs, now);
      notes.write(nameOf(id), { text: redactAtOnce(text).text });
    },
    take({ id }) {
      if (id === undefined) return undefined;
      const read = Note.safeParse(notes.read(nameOf(id)));
      notes.remove(nameOf(id));
      return read.success ? read.data.text : undefined;
    },
  };
}
