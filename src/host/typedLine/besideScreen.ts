import { constants } from 'node:fs';
import { type FileHandle, open, readlink } from 'node:fs/promises';

// xterm's control sequences: the second screen, which keeps nothing, and back to the first with the cursor where it was.
const toSecond = '\u001b[?1049h\u001b[H';
const toFirst = '\u001b[?1049l';

/**
 * Lets a shell print where nobody will see it: on the terminal's second screen, as editors do. When it is over the first one
 * is as it was, with what was typed and without what was printed. Where the device of the terminal cannot be written,
 * it prints on the first.
 */
export async function besideScreen<T>(processId: number | undefined, during: () => Promise<T>): Promise<T> {
  const device = await deviceOf(processId);
  if (!device) return during();
  try {
    await device.write(toSecond);
    return await during();
  } finally {
    await device.write(toFirst).catch(() => {});
    await device.close();
  }
}

async function deviceOf(processId: number | undefined): Promise<FileHandle | undefined> {
  const file = await readlink(`/proc/${processId}/fd/0`).catch(() => '');
  if (!/^\/dev\/pts\/\d+$/.test(file)) return undefined;
  return open(file, constants.O_WRONLY | constants.O_NOCTTY).catch(() => undefined);
}
