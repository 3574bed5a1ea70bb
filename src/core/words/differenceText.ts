import type { Difference } from '../facts/difference.ts';
import { countOf } from '../view/quantity.ts';
import { type NamedProgram, programText } from './programText.ts';

/** What would be different if a program ended the other way: `` `rm -rf dist` would not run; exit code 1 ``. */
export function differenceText(difference: Difference, exitCode: number): string {
  const { notRun, alsoRun, filesChanged, printsElse } = difference;
  const parts: string[] = [];
  if (notRun.length > 0) parts.push(`${names(notRun)} would not run`);
  if (alsoRun.length > 0) parts.push(`${names(alsoRun)} would run`);
  if (filesChanged !== undefined)
    parts.push(filesChanged === 0 ? 'no file would change' : `${countOf(filesChanged, 'file')} would change`);
  if (printsElse) parts.push('it would print something else');
  return [...parts, `exit code ${exitCode}`].join('; ');
}

function names(programs: readonly NamedProgram[]): string {
  const all = [...new Set(programs.map(programText))];
  const shown = all.slice(0, 3).map((text) => `\`${text}\``);
  return all.length > 3 ? `${shown.join(', ')} and ${all.length - 3} more` : shown.join(', ');
}
