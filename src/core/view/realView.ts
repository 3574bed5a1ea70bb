import fs from 'node:fs/promises';
import type { View } from './view.ts';

/** Most bytes of a file that a view reads where the caller names no limit. */
export const defaultMaxBytes = 16 * 1024 ** 2;

/** Nothing was changed: before and after are the real files. */
export function realView(): View {
  return {
    async read(path, _moment, maxBytes = defaultMaxBytes) {
      try {
        const status = await fs.lstat(path);
        if (!status.isFile()) return undefined;
        const file = await fs.open(path, 'r');
        try {
          const bytes = Buffer.alloc(Math.min(status.size, maxBytes));
          const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
          return bytes.subarray(0, bytesRead);
        } finally {
          await file.close();
        }
      } catch {
        return undefined;
      }
    },
    async status(path) {
      const found = await fs.lstat(path, { bigint: true }).catch(() => undefined);
      if (!found) return undefined;
      const type = found.isFile()
        ? 'file'
        : found.isDirectory()
          ? 'directory'
          : found.isSymbolicLink()
            ? 'symlink'
            : 'other';
      return {
        type,
        mode: Number(found.mode & 0o7777n),
        uid: Number(found.uid),
        gid: Number(found.gid),
        sizeBytes: Number(found.size),
        mtimeNs: found.mtimeNs,
        links: Number(found.nlink),
      };
    },
    async close() {},
  };
}
