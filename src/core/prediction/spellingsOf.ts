import type { OtherSpelling } from '../facts/otherSpelling.ts';
import { type NameSystem, realNames } from '../loss/spelling/nameSystem.ts';
import { otherSpellings, type WrittenWords } from '../loss/spelling/otherSpellings.ts';
import type { StaticProgram } from '../shell/evaluated.ts';
import type { Prediction } from './prediction.ts';
import type { PredictRequest } from './rehearsal.ts';

/**
 * What the action destroys under another name than the one that was written: in the words of the programs as they ran, in
 * the words and redirections of the script (`programs`: what its text names), and in the paths of an edit.
 */
export async function spellingsOf(
  prediction: Prediction,
  request: PredictRequest,
  programs: readonly StaticProgram[],
  system: NameSystem = realNames(),
): Promise<OtherSpelling[]> {
  const { files, loss } = prediction;
  const { action, workspaceFolders, signal } = request;
  if (loss.length === 0 && !files.some(({ change, before }) => change === 'deleted' || before !== undefined)) return [];
  const written: WrittenWords[] = prediction.programs.map(({ argv, cwd }) => ({ words: argv.slice(1), cwd }));
  written.push(...programs.map(wordsOf));
  if (action.kind === 'edit') {
    const cwd = action.cwd ?? workspaceFolders[0] ?? '/';
    written.push({ words: action.changes.map(({ path }) => path), cwd });
  }
  return otherSpellings({ written, files, loss, system, workFolders: workspaceFolders, signal });
}

/** Here a folder is the one that the shell shows, links and all; a program that runs only knows where it really is. */
function wordsOf({ argv, redirects, cwd }: StaticProgram): WrittenWords {
  return { words: [...argv.slice(1), ...redirects.map(({ target }) => target)], cwd };
}
