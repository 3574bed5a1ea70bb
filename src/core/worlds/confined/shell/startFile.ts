import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { writeWhole } from '../../../view/writeWhole.ts';

/** What nobody has begun with for so long goes. */
const mostAgeMs = 30 * 24 * 3600 * 1000;

/**
 * A file with this text in the storage folder, named by its content, `name` behind that: a suffix, or the name in a folder of its
 * own (`/.zshenv`). Another prediction of the same may read it meanwhile: it is there as a whole, or not at all.
 */
export function startFile(storageFolder: string, shell: 'bash' | 'zsh', name: string, text: string): string {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 24);
  const file = path.join(storageFolder, `${shell}-${digest}${name}`);
  if (fs.existsSync(file)) return file;
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  removeOld(storageFolder);
  writeWhole(file, text);
  return file;
}

function removeOld(storageFolder: string): void {
  for (const name of fs.readdirSync(storageFolder)) {
    if (!/^(?:bash|zsh)-[0-9a-f]{24}/.test(name)) continue;
    const old = path.join(storageFolder, name);
    const { mtimeMs } = fs.lstatSync(old);
    if (Date.now() - mtimeMs > mostAgeMs) fs.rmSync(old, { recursive: true, force: true });
  }
}
