import { posix } from 'node:path';
import { programOf } from './programOf.ts';

/** The folder in which a program works, as its own options tell: `git -C x`, `make -C x`, `npm --prefix x`. */
export function workingFolder(argv: readonly string[], cwd: string): string {
  const row = programOf(argv[0] ?? '');
  const options = row?.worksIn?.options.split(' ');
  if (!options) return cwd;
  const valued = row?.does?.valued?.split(' ') ?? [];
  let folder = cwd;
  for (let index = 1; index < argv.length; index++) {
    const word = argv[index] ?? '';
    if (word === '--' || (row?.worksIn?.onlyFirst && !word.startsWith('-'))) break;
    const [option = '', attached] = optionOf(word, options);
    const isValued = options.includes(option) || valued.includes(word);
    const value = attached ?? (isValued ? argv[++index] : undefined);
    if (options.includes(option) && value !== undefined) folder = posix.resolve(folder, value);
  }
  return folder;
}

/** `--prefix=x`, `-Cx`. */
function optionOf(word: string, options: readonly string[]): [option: string, value?: string] {
  if (options.includes(word)) return [word];
  const at = word.indexOf('=');
  if (at > 0 && options.includes(word.slice(0, at))) return [word.slice(0, at), word.slice(at + 1)];
  const short = word.slice(0, 2);
  return word.length > 2 && !word.startsWith('--') && options.includes(short) ? [short, word.slice(2)] : [word];
}
