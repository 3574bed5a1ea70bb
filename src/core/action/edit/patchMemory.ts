import path from 'node:path';
import type { FileState, ToolPlace, ToolWrite } from './toolOutcome.ts';

/** Files as the sections of a patch that came before have left them. */
export interface PatchMemory {
  writes: ToolWrite[];
  /** `file`: absolute. */
  read(file: string): Promise<FileState>;
  /** `bytes: null` deletes the file, or the link that it is. */
  write(file: string, bytes: Uint8Array | null): Promise<void>;
}

/** Begins with nothing written. Two names of one file by a symbolic link are one. */
export function memoryOf(place: ToolPlace): PatchMemory {
  const known = new Map<string, FileState>();
  const writes: ToolWrite[] = [];
  const real = async (file: string) => ((await place.isLink(file)) ? ((await place.linkTarget(file)) ?? file) : file);
  /** What a patch has made of a folder above; that which stood there is not asked then. */
  const above = (file: string): string | undefined => {
    const folder = path.dirname(file);
    return known.has(folder) ? folder : folder === file ? undefined : above(folder);
  };
  return {
    writes,
    read: async (file) => {
      const state = known.get(file) ?? known.get(await real(file));
      if (state) return state;
      const folder = above(file);
      if (folder === undefined) return place.read(file);
      return known.get(folder)?.kind === 'file' ? { kind: 'unreadable', code: 'ENOTDIR' } : { kind: 'missing' };
    },
    write: async (file, bytes) => {
      if (bytes === null) known.set(file, { kind: 'missing' });
      else known.set(known.has(file) ? file : await real(file), { kind: 'file', bytes });
      for (let folder = above(file); folder !== undefined && bytes !== null; folder = above(folder))
        known.set(folder, { kind: 'folder' });
      writes.push({ path: file, bytes, makesFolders: true });
    },
  };
}
