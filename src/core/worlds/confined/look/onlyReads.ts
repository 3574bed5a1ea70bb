import { describeProgram } from '../../../programs/describeProgram.ts';
import { findStaticPrograms } from '../../../programs/staticPrograms.ts';

/** Longest script that is looked through for words that write. */
const shortScript = 400;

/**
 * Whether every program that the words name is known to read only, and nothing is redirected into a file, grows or runs
 * in the background. A guess that costs one look in vain where it is wrong; nothing else rests on it.
 */
export function onlyReads(script: string, cwd: string): boolean {
  if (script.length > shortScript || />|\$\(|`|(?<!&)&(?!&)|\b(?:while|until|for|select)\b|\(\)/.test(script))
    return false;
  const programs = findStaticPrograms(script, { cwd, home: '/nonexistent', env: {} });
  return programs.every(({ argv }) => {
    const { known, level, effects } = describeProgram(argv, cwd);
    return known && level === 'safe' && effects.length === 0;
  });
}
