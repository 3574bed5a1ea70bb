import { posix } from 'node:path';
import { compileGlob } from '../../../context/gather/pathPattern.ts';
import type { StaticField } from '../../../programs/staticPrograms.ts';
import type { PlannedDisk } from './disk.ts';

/** A word of a call, as the program would get it. */
export interface Word {
  text: string;
  /** What it is depends on something that is not known: a variable, a substitution, a pattern that cannot be read. */
  isOpen: boolean;
}

/** Extended patterns, and `**`, whose meaning depends on options of the shell. */
const unreadable = /[@!?+*]\(|\*\*/;

/** What a shell would make of a field: the names that a pattern matches, in their order; without any, the pattern itself. */
export async function expandField(field: StaticField, cwd: string, disk: PlannedDisk): Promise<Word[]> {
  if (field.isOpen) return [{ text: field.text, isOpen: true }];
  if (field.pattern === undefined) return [{ text: field.text, isOpen: false }];
  if (unreadable.test(field.pattern)) return [{ text: field.text, isOpen: true }];
  const found = await matching(field.pattern, cwd, disk);
  if (found.length === 0) return [{ text: field.text, isOpen: false }];
  return found.sort().map((text) => ({ text, isOpen: false }));
}

async function matching(pattern: string, cwd: string, disk: PlannedDisk): Promise<string[]> {
  const parts = pattern.split('/');
  let found = [''];
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const next: string[] = [];
    for (const before of found) {
      for (const name of await namesOf(part, index === 0 ? './' : `${before}/`, cwd, disk)) {
        const path = index === 0 ? name : `${before}/${name}`;
        if (isLast || part === '' || (await isFolder(path, cwd, disk))) next.push(path);
      }
    }
    found = next;
  }
  return found;
}

async function namesOf(part: string, around: string, cwd: string, disk: PlannedDisk): Promise<string[]> {
  const literal = part.replace(/\\(.)/gs, '$1');
  const isPattern = /(^|[^\\])(\\\\)*[*?[]/.test(part);
  const folder = await disk.place(cwd, around);
  if (part === '') return [''];
  if (!isPattern) return (await disk.node(posix.join(folder, literal))) ? [literal] : [];
  const regex = compileGlob(part, { dotFiles: true });
  const dots = /^\\?\./.test(part);
  return (await disk.names(folder)).filter((name) => (dots || !name.startsWith('.')) && regex.test(name));
}

async function isFolder(path: string, cwd: string, disk: PlannedDisk): Promise<boolean> {
  const { node } = await disk.follow(await disk.place(cwd, path));
  return node?.type === 'directory';
}
