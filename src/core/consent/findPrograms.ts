import fs from 'node:fs';
import path from 'node:path';
import type { ConsentedProgram } from '../facts/consent.ts';
import { inSentence } from '../view/quantity.ts';
import type { ConsentProblem } from './consentStore.ts';

/**
 * The files behind names of programs, found as a shell in `folder` finds them: a name with a slash is a path, any other is looked
 * for in the folders of `searchPath` (a PATH value; relative folders do not count). Symbolic links are followed.
 */
export function findPrograms(
  names: readonly string[],
  folder: string,
  searchPath: string,
): { programs: ConsentedProgram[] } | ConsentProblem {
  const programs: ConsentedProgram[] = [];
  for (const name of new Set(names)) {
    const file = candidates(name, folder, searchPath)
      .map(executable)
      .find((one) => one !== undefined);
    if (file === undefined) {
      const where = name.includes('/') ? 'at that path' : 'in the folders of PATH';
      return { problem: `There is no program ${inSentence(name)} ${where}; name one that can be run.` };
    }
    programs.push({ name, file });
  }
  return { programs };
}

function candidates(name: string, folder: string, searchPath: string): string[] {
  if (name.includes('/')) return [path.resolve(folder, name)];
  return searchPath
    .split(':')
    .filter((one) => path.isAbsolute(one))
    .map((one) => path.join(one, name));
}

function executable(file: string): string | undefined {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    const real = fs.realpathSync(file);
    return fs.statSync(real).isFile() ? real : undefined;
  } catch {
    return undefined;
  }
}
