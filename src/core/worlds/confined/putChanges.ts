import type { FileChange } from '../../view/fileChange.ts';
import type { Launcher } from './wire/launcher.ts';

const nothing = new Uint8Array();

/** Makes known changes again in a view. Rejects where one of them cannot be made. */
export async function putChanges(
  launcher: Launcher,
  changes: readonly FileChange[],
  content: (path: string) => Uint8Array,
): Promise<void> {
  // What is inside of a folder goes before the folder itself.
  for (const change of [...changes].reverse()) await remove(launcher, change);
  for (const change of changes) await make(launcher, change, content);
}

async function remove(launcher: Launcher, { change, path, from, before, type }: FileChange): Promise<void> {
  if (from !== undefined) await put(launcher, from, 'delete', nothing);
  const isReplaced = before !== undefined && (before.type !== type || type === 'symlink');
  if (change === 'deleted' || isReplaced) await put(launcher, path, 'delete', nothing);
}

async function make(launcher: Launcher, change: FileChange, content: (path: string) => Uint8Array): Promise<void> {
  const mode = Number.parseInt(change.mode, 8);
  if (change.change === 'deleted') return;
  if (change.type === 'directory') await put(launcher, change.path, 'directory', nothing, mode);
  else if (change.type === 'symlink')
    await put(launcher, change.path, 'symlink', Buffer.from(change.target ?? '', 'utf8'));
  else await put(launcher, change.path, 'file', content(change.path), mode);
}

async function put(launcher: Launcher, ...what: Parameters<Launcher['put']>): Promise<void> {
  const error = await launcher.put(...what);
  if (error !== undefined) throw new Error(error);
}
