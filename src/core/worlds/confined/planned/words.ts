import type { StaticField } from '../../../shell/evaluated.ts';
import { type Folders, matchPattern } from '../../../shell/glob.ts';
import type { PlannedDisk } from './disk.ts';

/** A word of a call, as the program would get it. */
export interface Word {
  text: string;
  /** What it is depends on something that is not known: a variable, a substitution, a pattern that cannot be read. */
  isOpen: boolean;
}

/** What a shell would make of a field: the names that a pattern matches, in their order; without any, the pattern itself. */
export async function expandField(field: StaticField, cwd: string, disk: PlannedDisk): Promise<Word[]> {
  if (field.isOpen) return [{ text: field.text, isOpen: true }];
  if (field.pattern === undefined) return [{ text: field.text, isOpen: false }];
  const found = await matchPattern(field.pattern, cwd, foldersOf(disk));
  if (!found) return [{ text: field.text, isOpen: true }];
  if (found.length === 0) return [{ text: field.text, isOpen: false }];
  return found.map((text) => ({ text, isOpen: false }));
}

function foldersOf(disk: PlannedDisk): Folders {
  return {
    names: async (folder) => disk.names(await disk.place('/', `${folder}/`)),
    exists: async (path) => (await disk.node(await disk.place('/', path))) !== undefined,
    isFolder: async (path) => (await disk.follow(await disk.place('/', path))).node?.type === 'directory',
  };
}
