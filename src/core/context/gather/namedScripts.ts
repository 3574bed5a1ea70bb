import { posix } from 'node:path';
import { isFrontEnd, lookThrough } from '../../programs/lookThrough.ts';
import { recipesOf } from '../../programs/makeRecipes.ts';
import { programNamed } from '../../programs/programOf.ts';
import type { IsThere, ReadText } from '../../programs/startedStep.ts';
import { findNamedPrograms, type NamedProgram, programOf } from './scriptPrograms.ts';

/** What a call of a front end starts by its names in a file of the project, and which files tell so. */
export interface NamedScripts {
  /** Absolute; those that are there. */
  files: string[];
  programs: { program: NamedProgram; why: string }[];
}

const mostLines = 60;
const mostOfLine = 20;

/**
 * The programs that `npm run`, `yarn`, `composer run`, `deno task` or `make` would start, by the reader that a rehearsal uses.
 * A makefile that is not plain is read as far as it is: what is gathered need not be exact. `undefined`: it is no such call.
 */
export async function namedScripts(
  { name, words, cwd }: NamedProgram,
  place: { home: string; readText: ReadText; isThere: IsThere },
): Promise<NamedScripts | undefined> {
  if (!isFrontEnd(name)) return undefined;
  const files = new Set<string>();
  const readText: ReadText = async (path) => {
    const text = await place.readText(path);
    // Settings of the front end itself can hold keys, and tell nothing of what is started.
    if (text !== undefined && !posix.basename(path).startsWith('.') && !path.includes('/node_modules/'))
      files.add(path);
    return text;
  };
  const call = { argv: words.map(({ text }) => text), cwd, env: { HOME: place.home } };
  const found = await lookThrough(call, readText, place.isThere);
  const programs: NamedScripts['programs'] = [];
  const add = (script: string, folder: string, why: string) => {
    const inner = findNamedPrograms(script, { cwd: folder, home: place.home });
    programs.push(...inner.slice(0, mostOfLine).map((program) => ({ program, why })));
  };
  if (found?.ok) {
    for (const { argv, shellScript = '', cwd: folder, label } of found.steps.slice(0, mostLines)) {
      const why = label.kind === 'script' ? `run by ${name} ${label.name}` : `run by ${name}`;
      if (argv) programs.push({ program: programOf(argv, folder), why });
      else add(shellScript, folder, why);
    }
  } else if (programNamed(name)?.startsNamed === 'make') {
    const { folder, lines } = await recipesOf(call, readText);
    for (const line of lines) add(line, folder, `run by ${name}`);
  }
  return { files: [...files], programs };
}
