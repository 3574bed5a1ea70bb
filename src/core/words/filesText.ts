import { countOf } from '../view/quantity.ts';

/** `3 files`, `1 folder`, `3 files and 1 folder`; `count` is of both. */
export function filesText(count: number, folders = 0): string {
  const files = count - folders;
  if (folders === 0) return countOf(files, 'file');
  return [...(files > 0 ? [countOf(files, 'file')] : []), countOf(folders, 'folder')].join(' and ');
}
