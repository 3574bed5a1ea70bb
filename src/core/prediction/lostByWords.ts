import { lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { describeProgram } from '../programs/describeProgram.ts';
import { isGit } from '../programs/gitCommand.ts';
import { programOf } from '../programs/programOf.ts';
import type { StaticProgram } from '../shell/evaluated.ts';

/** More are not looked up before the run: git is asked about them all at once afterwards. */
const mostPaths = 16;

/**
 * Files and folders that these programs probably delete or overwrite, as far as the words tell: absolute, without symbolic
 * links in their folders, and there. A guess for what is asked ahead; no fact rests on it.
 */
export function lostByWords(programs: readonly StaticProgram[]): string[] {
  // What git takes from the working tree no word names, so another question would come behind this one.
  if (programs.some(({ argv, cwd }) => isGit(argv[0] ?? '') && !describeProgram(argv, cwd).onlyLooks)) return [];
  const named = programs.flatMap((program) => namedBy(program).map((word) => path.resolve(program.cwd, word)));
  const unique = [...new Set(named)];
  return unique.length > mostPaths ? [] : [...new Set(unique.flatMap(realPlace))];
}

function namedBy({ argv, fields, redirects, inside }: StaticProgram): string[] {
  if (inside?.elsewhere) return [];
  const overwritten = redirects
    .filter(({ operator, fields: target }) => /^&?>\|?$/.test(operator) && !target.some(({ isOpen }) => isOpen))
    .map(({ target }) => target);
  const row = programOf(argv[0] ?? '');
  if (!row?.steady || isGit(argv[0] ?? '')) return overwritten;
  const words = fields.slice(1).filter(({ text, isOpen }) => !isOpen && !text.startsWith('-'));
  // Of what is moved or copied only the place may have held something; a folder that is named first holds it still.
  const isPlaced = fields.some(({ text }) => /^-[a-zA-Z]*t|^--target/.test(text));
  const lost = !row.passesOn ? words : isPlaced ? [] : words.slice(-1);
  return [...overwritten, ...lost.map(({ text }) => text)];
}

function realPlace(named: string): string[] {
  try {
    const place = path.join(realpathSync(path.dirname(named)), path.basename(named));
    const status = lstatSync(place);
    return status.isDirectory() || status.size > 0 ? [place] : [];
  } catch {
    return [];
  }
}
