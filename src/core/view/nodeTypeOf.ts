import type { NodeType } from './fileChange.ts';

/** What lstat(2) says that stands somewhere. */
export function nodeTypeOf(status: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }): NodeType {
  if (status.isFile()) return 'file';
  if (status.isDirectory()) return 'directory';
  return status.isSymbolicLink() ? 'symlink' : 'other';
}
