import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Put } from '../safetyNet/putNodes.ts';
import type { ApplyItem, Preparation } from './prepareApply.ts';

/** Contents that are held in memory, in bytes; the rest is held in files. */
const mostHeld = 64 * 1024 ** 2;

/** What is to be put at each path. */
export interface StagedContents {
  /** `undefined`: it could not be read, or is not what was predicted. */
  of(path: string): Put['node'] | undefined;
  dispose(): void;
}

/**
 * Reads all contents before the first of them is put. What was moved has no copy of its own: its content still stands at the old
 * name, in whose place another one may be put, or a folder. `folder`: a private one, for what is too large for memory.
 */
export async function stageContents(
  items: readonly ApplyItem[],
  view: Preparation['view'],
  folder: string,
): Promise<StagedContents> {
  const nodes = new Map<string, Put['node']>();
  const aside = path.join(folder, `.staged-${randomBytes(8).toString('hex')}`);
  let held = 0;
  const dispose = () => fs.rmSync(aside, { recursive: true, force: true });
  try {
    for (const { change, after } of items) {
      if (after?.type === 'symlink') nodes.set(change.path, { type: 'symlink', target: change.target ?? '' });
      if (after?.type !== 'file') continue;
      const bytes = await view.read(change.path, 'after', Math.max(after.sizeBytes, 1));
      if (!bytes || bytes.length !== after.sizeBytes) continue;
      if (held + bytes.length <= mostHeld) {
        held += bytes.length;
        nodes.set(change.path, { type: 'file', bytes });
        continue;
      }
      fs.mkdirSync(aside, { recursive: true, mode: 0o700 });
      const file = path.join(aside, String(nodes.size));
      fs.writeFileSync(file, bytes, { mode: 0o600 });
      nodes.set(change.path, { type: 'file', file });
    }
  } catch (error) {
    dispose();
    throw error;
  }
  return { of: (at) => nodes.get(at), dispose };
}
