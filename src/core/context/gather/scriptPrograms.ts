import { posix } from 'node:path';
import { findStaticPrograms } from '../../programs/staticPrograms.ts';
import type { StaticField, StaticProgram } from '../../shell/evaluated.ts';

/** One argument as far as the script's text tells. */
export interface NamedWord {
  text: string;
  /** `text` is a pattern: as it is written, or because only the shell knows what the word is (`*` then). */
  isGlob: boolean;
}

/** A program that a script names, with what its words would be. Nothing was run or looked up. */
export interface NamedProgram {
  /** Without a path. */
  name: string;
  words: NamedWord[];
  cwd: string;
  /** Files that it reads through `<`. */
  inputs: NamedWord[];
  /** Files that it writes through `>`; their state before may matter. */
  outputs: NamedWord[];
  /** Text that it reads from a here-document or the like. */
  inputText?: string;
  /** Its files come from another program: `xargs`, `find -exec`. */
  isFed?: true;
}

const mostPrograms = 400;

/**
 * The programs that a script names, those in branches, substitutions and `bash -c` included. Not those that it starts on
 * another machine or in a container: their files are not here.
 */
export function findNamedPrograms(script: string, place: { cwd: string; home: string }): NamedProgram[] {
  return findStaticPrograms(script, { ...place, env: {} })
    .filter(({ inside }) => !inside?.elsewhere)
    .map(namedProgram)
    .filter(({ words, inputs, outputs }) => words.length + inputs.length + outputs.length > 0)
    .slice(0, mostPrograms);
}

/** The same for the words of a program that is about to be started. */
export function programOf(argv: readonly string[], cwd: string): NamedProgram {
  const words = argv.map((text) => ({ text, isGlob: false }));
  return { name: posix.basename(argv[0] ?? ''), words, cwd, inputs: [], outputs: [] };
}

function namedProgram({ argv, fields, cwd, redirects, inside, inputText }: StaticProgram): NamedProgram {
  const files = redirects.filter(({ operator }) => !operator.endsWith('&'));
  const through = (sign: (operator: string) => boolean) =>
    files.filter(({ operator }) => sign(operator)).flatMap((redirect) => redirect.fields.map(namedWord));
  return {
    name: posix.basename(argv[0] ?? ''),
    words: fields.map(namedWord),
    cwd,
    inputs: through((operator) => operator.startsWith('<')),
    outputs: through((operator) => !operator.startsWith('<')),
    ...(inputText === undefined ? {} : { inputText }),
    ...(inside?.moreArguments ? { isFed: true as const } : {}),
  };
}

/** What only the shell knows matches what it could be. */
function namedWord({ text, pattern, isOpen }: StaticField): NamedWord {
  if (pattern !== undefined) return { text: pattern, isGlob: true };
  return isOpen ? { text: '*', isGlob: true } : { text, isGlob: false };
}
