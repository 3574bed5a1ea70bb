import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/**
 * Writes a file, all of it or nothing: whoever reads it meanwhile gets the old content or the new one. Throws what the file
 * system says; then nothing is left beside it.
 */
export function writeWhole(file: string, content: string | Uint8Array, mode = 0o600): void {
  const aside = path.join(path.dirname(file), `.foretell-${randomBytes(8).toString('hex')}`);
  try {
    fs.writeFileSync(aside, content, { mode, flag: 'wx' });
    fs.renameSync(aside, file);
  } catch (error) {
    fs.rmSync(aside, { force: true });
    throw error;
  }
}
