import { describeProgram } from '../../verdict/knownPrograms.ts';
import { findStaticPrograms } from '../../verdict/staticPrograms.ts';

/** Longest script that is looked through for words that write. */
const shortScript = 400;

/** Whether every program that the words name is known to read only, and nothing is redirected into a file. */
export function onlyReads(script: string, cwd: string): boolean {
  if (script.length > shortScript || />|\$\(|`|&\s*$/.test(script)) return false;
  const programs = findStaticPrograms(script, { cwd, home: '/nonexistent', env: {} });
  return programs.every(({ argv }) => {
    const { known, level, effects } = describeProgram(argv, cwd);
    return known && level === 'safe' && effects.length === 0;
  });
}

/** Loops, functions and what runs in the background may fill the machine: one run of such a script is enough at a time. */
export function mayGrow(script: string): boolean {
  return script.length > shortScript || /\b(?:while|until|for|select)\b|\(\)|(?<![&>])&(?![&>\d])/.test(script);
}
