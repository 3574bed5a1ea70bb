import { toBytePath } from '../loss/bytePath.ts';
import { askLauncher } from './askLauncher.ts';
import type { HeldFolder } from './heldFolder.ts';

/**
 * Extended attributes and access lists of a node (xattr(7), acl(5)) as the launcher tells them: for each a space, its name, a
 * colon and its value, both hexadecimal. Empty: there are none, or nobody could be asked.
 */
export type NodeAttributes = string;

/** So large are those of one node at most, in characters; others are none of a user's. */
const mostCharacters = 256 * 1024;

/** The attributes of nodes at absolute paths, in their order. One process for all of them. */
export async function readAttributes(launcher: string, paths: readonly string[]): Promise<NodeAttributes[]> {
  if (paths.length === 0) return [];
  const lines = (
    await askLauncher(launcher, 'attributes', paths.map((path) => `${toBytePath(path)}\0r\0`).join(''))
  ).split('\n');
  return paths.map((_, at) => {
    const line = lines[at] ?? '';
    return line.startsWith('r ') && line.length <= mostCharacters ? line.slice(1) : '';
  });
}

/** Gives nodes in a held folder their attributes, as far as the system lets us; their modes stay. */
export async function giveAttributes(
  launcher: string,
  folder: HeldFolder,
  items: readonly { name: string; attributes: NodeAttributes }[],
): Promise<void> {
  const wanted = items.filter(({ attributes }) => attributes !== '');
  if (wanted.length === 0) return;
  const words = wanted.map(({ name, attributes }) => `/proc/self/fd/3/${toBytePath(name)}\0g${attributes}\0`);
  await askLauncher(launcher, 'attributes', words.join(''), folder);
}

const capability = Buffer.from('security.capability').toString('hex');

/** What is left of them when the content is written anew: who writes a file takes its capabilities away (capabilities(7)). */
export function whenWritten(attributes: NodeAttributes): NodeAttributes {
  return attributes.replace(new RegExp(` ${capability}:[0-9a-f]*`), '');
}
