import { lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { describeProgram } from '../programs/describeProgram.ts';
import { gitCommandOf, isGit } from '../programs/gitCommand.ts';
import { programOf } from '../programs/programOf.ts';
import type { StaticProgram } from '../shell/evaluated.ts';

/** More are not looked up before the run: git is asked about them all at once afterwards. */
const mostPaths = 16;
/** Of a larger index not everything is asked. In bytes: some 2,000 files. */
const mostIndexBytes = 200 * 1024;

/**
 * Files and folders that these programs probably delete or overwrite, as far as the words tell: absolute, without symbolic
 * links in their folders, and there. A guess for what is asked ahead; no fact rests on it.
 */
export function lostByWords(programs: readonly StaticProgram[]): string[] {
  const changing = programs.filter(({ argv, cwd }) => isGit(argv[0] ?? '') && !describeProgram(argv, cwd).onlyLooks);
  // What git takes from the working tree no word names: then it is asked about all of it, or another question would come behind this one.
  if (changing.length > 0) return changing.flatMap(wholeTree);
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

/** The working tree of which git is told to throw something away, unless there is much in it. */
function wholeTree({ argv, cwd }: StaticProgram): string[] {
  const call = gitCommandOf(argv, cwd);
  if (call === undefined || describeProgram(argv, cwd).level !== 'danger') return [];
  const root = projectAbove(call.cwd);
  return root === undefined ? [] : [root];
}

/** The nearest folder at or above one that has a small index of git. */
function projectAbove(folder: string): string | undefined {
  for (let at = folder; ; at = path.dirname(at)) {
    try {
      const { size } = lstatSync(path.join(at, '.git/index'));
      return size > mostIndexBytes ? undefined : realPlace(at)[0];
    } catch (error) {
      // ENOTDIR: of a worktree beside others and of a submodule the index is elsewhere.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || at === path.dirname(at)) return undefined;
    }
  }
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
