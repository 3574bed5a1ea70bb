import type { FileChange } from '../view/fileChange.ts';

/** What becomes of a file, behind its name: `is deleted`. */
export function agreedChangeText(change: FileChange['change']): string {
  switch (change) {
    case 'created':
      return 'is created';
    case 'modified':
      return 'is changed';
    case 'deleted':
      return 'is deleted';
    case 'renamed':
      return 'is the new name of another';
    case 'mode':
      return 'gets another mode';
  }
}
