import type { OtherSpelling } from '../facts/otherSpelling.ts';
import { type NameSystem, realNames } from '../loss/spelling/nameSystem.ts';
import { otherSpellings, type WrittenWords } from '../loss/spelling/otherSpellings.ts';
import { findStaticPrograms } from '../programs/staticPrograms.ts';
import { readScript } from '../shell/script.ts';
import type { Prediction } from './prediction.ts';
import type { PredictRequest } from './rehearsal.ts';

/**
 * What the action destroys under another name than the one that was written: in the words of the programs as they ran, in
 * the words and redirections of the script, and in the paths of an edit.
 */
export async function spellingsOf(
  prediction: Prediction,
  request: PredictRequest,
  system: NameSystem = realNames(),
): Promise<OtherSpelling[]> {
  const { files, loss } = prediction;
  const { action, workspaceFolders, signal } = request;
  if (loss.length === 0 && !files.some(({ change, before }) => change === 'deleted' || before !== undefined)) return [];
  const written: WrittenWords[] = prediction.programs.map(({ argv, cwd }) => ({ words: argv.slice(1), cwd }));
  if (action.kind === 'command') written.push(...scriptWords(action.script, action.cwd, request));
  if (action.kind === 'edit') {
    const cwd = action.cwd ?? workspaceFolders[0] ?? '/';
    written.push({ words: action.changes.map(({ path }) => path), cwd });
  }
  return otherSpellings({ written, files, loss, system, workFolders: workspaceFolders, signal });
}

/** Here a folder is the one that the shell shows, links and all; a program that runs only knows where it really is. */
function scriptWords(script: string, cwd: string, { home, env }: PredictRequest): WrittenWords[] {
  return findStaticPrograms(readScript(script), { cwd, home, env }).map((program) => ({
    words: [...program.argv.slice(1), ...program.redirects.map(({ target }) => target)],
    cwd: program.cwd,
  }));
}
