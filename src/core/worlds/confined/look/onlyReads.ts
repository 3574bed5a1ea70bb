import { describeProgram } from '../../../programs/describeProgram.ts';
import type { StaticProgram } from '../../../shell/evaluated.ts';

/** Longest script that is looked through for words that write. */
const shortScript = 400;

/**
 * Whether every program that the words name is known to read only, and nothing is redirected into a file, grows or runs
 * in the background. `find` evaluates the script. A guess that costs one look in vain where it is wrong; nothing else rests on it.
 */
export function onlyReads(script: string, cwd: string, find: () => readonly StaticProgram[]): boolean {
  if (script.length > shortScript || />|\$\(|`|(?<!&)&(?!&)|\b(?:while|until|for|select)\b|\(\)/.test(script))
    return false;
  return find().every(({ argv }) => {
    if (argv[0] === 'cd') return true;
    const { known, onlyLooks, level, effects } = describeProgram(argv, cwd);
    return known && onlyLooks && level === 'safe' && effects.length === 0;
  });
}
