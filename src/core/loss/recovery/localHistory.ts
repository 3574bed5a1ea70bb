import { readdir, readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { below, isNotText } from '../bytePath.ts';

/** A version of a file that VS Code kept when it was saved. */
export interface KeptVersion {
  /** Absolute path of the kept copy. */
  copy: string;
  /** When it was saved, milliseconds since 1970. */
  savedAt: number;
}

/** Asks VS Code's local history (`User/History`). */
export interface LocalHistory {
  /** Kept versions of a file, newest first. */
  versions(path: string): Promise<KeptVersion[]>;
}

// microsoft/vscode, src/vs/workbench/services/workingCopy/common/workingCopyHistoryService.ts
const Entries = z.object({
  resource: z.string(),
  entries: z.array(z.object({ id: z.string(), timestamp: z.number() })),
});

/** More folders than this are not searched one by one for a file whose address we cannot compute (remote workspaces). */
const searchedFolders = 500;

/** Opens the given `User/History` folders. Folders that do not exist have no versions. */
export function localHistory(historyFolders: readonly string[]): LocalHistory {
  const names = new Map<string, Promise<Set<string>>>();
  const indexes = new Map<string, Promise<Map<string, string>>>();

  function namesIn(folder: string): Promise<Set<string>> {
    let found = names.get(folder);
    if (!found) {
      found = readdir(folder).then(
        (list) => new Set(list),
        () => new Set<string>(),
      );
      names.set(folder, found);
    }
    return found;
  }

  // Folder of each file that lives on another machine's address (vscode-remote://host/path), by path.
  function remoteIndex(folder: string): Promise<Map<string, string>> {
    let found = indexes.get(folder);
    if (!found) {
      found = namesIn(folder).then(async (list) => {
        const index = new Map<string, string>();
        if (list.size > searchedFolders) return index;
        await Promise.all(
          [...list].map(async (name) => {
            const entries = await readEntries(below(folder, name));
            const path = entries && remotePath(entries.resource);
            if (path !== undefined) index.set(path, name);
          }),
        );
        return index;
      });
      indexes.set(folder, found);
    }
    return found;
  }

  async function versionsIn(folder: string, path: string): Promise<KeptVersion[]> {
    const address = fileAddress(path);
    const local = historyFolderName(address);
    const list = await namesIn(folder);
    if (list.size === 0) return [];
    const name = list.has(local) ? local : (await remoteIndex(folder)).get(path);
    if (name === undefined) return [];
    const kept = await readEntries(below(folder, name));
    if (!kept || (name === local && kept.resource !== address)) return [];
    return kept.entries.map((entry) => ({ copy: below(below(folder, name), entry.id), savedAt: entry.timestamp }));
  }

  return {
    async versions(path) {
      if (isNotText(path)) return [];
      const all = await Promise.all(historyFolders.map((folder) => versionsIn(folder, path)));
      return all.flat().sort((a, b) => b.savedAt - a.savedAt);
    },
  };
}

async function readEntries(folder: string): Promise<z.infer<typeof Entries> | undefined> {
  try {
    const parsed = Entries.safeParse(JSON.parse(await readFile(below(folder, 'entries.json'), 'utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch {
    // Not a history folder, or a half-written one: then it keeps nothing that we could offer.
    return undefined;
  }
}

function remotePath(resource: string): string | undefined {
  if (!resource.startsWith('vscode-remote://')) return undefined;
  try {
    return decodeURIComponent(new URL(resource).pathname);
  } catch {
    return undefined;
  }
}

/** The address of a file as VS Code writes it: like a file URL, but it also escapes what `encodeURIComponent` leaves. */
function fileAddress(path: string): string {
  const escaped = path
    .split('/')
    .map((part) =>
      encodeURIComponent(part).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join('/');
  return `file://${escaped}`;
}

/**
 * Name of the folder in `User/History` that keeps the versions of a resource: VS Code's string hash (`vs/base/common/hash`)
 * of its address, in hexadecimal, with a minus sign where the 32-bit number is negative.
 */
export function historyFolderName(resource: string): string {
  let hash = next(149_417, 0);
  for (let i = 0; i < resource.length; i++) hash = next(resource.charCodeAt(i), hash);
  return hash.toString(16);
}

function next(value: number, hash: number): number {
  return ((hash << 5) - hash + value) | 0;
}
