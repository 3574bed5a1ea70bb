import type { FileState, ToolPlace } from '../../../src/core/action/edit/toolOutcome.ts';

/** A place whose files are these, by absolute path. */
export function memoryPlace(files: Readonly<Record<string, string | Uint8Array>>, cwd = '/w'): ToolPlace {
  const folders = new Set(['/', cwd]);
  for (const file of Object.keys(files))
    for (let at = file; at !== '/' && at !== ''; ) {
      at = at.replace(/\/[^/]*$/, '');
      folders.add(at);
    }
  return {
    cwd,
    read: async (file): Promise<FileState> => {
      const content = files[file];
      if (content !== undefined) return { kind: 'file', bytes: Buffer.from(content) };
      return folders.has(file) ? { kind: 'folder' } : { kind: 'missing' };
    },
    isFolder: async (folder) => folders.has(folder),
    isLink: async () => false,
    linkTarget: async () => undefined,
    names: async () => [],
    mode: async (file) => (files[file] === undefined ? undefined : 0o644),
  };
}
