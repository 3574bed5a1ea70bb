import { posix } from 'node:path';
import type { StaticField, StaticPlace, StaticProgram, StaticRedirect } from './evaluated.ts';
import { type Expansion, expandWhole, expandWord, joinFields } from './expandWord.ts';
import { printedText } from './printedText.ts';
import type { ScriptCommand } from './scriptReading.ts';

/** A redirection, with its target as far as it is known. */
export function readRedirect(
  operator: string,
  fields: StaticField[],
  descriptor: number | string | undefined,
): StaticRedirect {
  const target = fields.map(({ text }) => text).join(' ');
  return { operator, target, fields, ...(descriptor === undefined ? {} : { descriptor }) };
}

/** What a program reads, as far as it is known: its text, and the file that it comes from as it is written. */
export interface KnownInput {
  text?: string | undefined;
  file?: string | undefined;
}

/** What a call reads: its own redirections, what its starter reads, or what stands before it in a pipe. */
export function readInput(
  program: StaticProgram,
  expansion: Expansion,
  { input, readsFrom }: { input?: KnownInput | undefined; readsFrom: readonly StaticProgram[] },
): KnownInput {
  const { command, redirects } = program;
  const written = command && inputOf(command, expansion);
  if (written !== undefined) return { text: written };
  const own = redirects.findLast(({ operator, descriptor }) => /^<>?$/.test(operator) && !descriptor);
  if (own) return fileInput(own.target, own.fields, program, expansion);
  if (input && (input.text !== undefined || input.file !== undefined)) return input;
  const text = printedText(readsFrom);
  const last = readsFrom.at(-1);
  if (last?.argv[0] !== 'cat') return { text };
  const words = last.fields.slice(1).filter(({ text: word }) => !word.startsWith('-'));
  const [only] = words;
  if (words.length === 0) return { text, file: last.inputFile };
  return only && words.length === 1 ? fileInput(only.text, [only], last, expansion) : { text };
}

function fileInput(
  file: string,
  fields: readonly StaticField[],
  { cwd, isLost }: StaticProgram,
  { place }: Expansion,
): KnownInput {
  const isKnown = fields.every(({ isOpen, pattern }) => !isOpen && pattern === undefined);
  if (!isKnown || (isLost && !posix.isAbsolute(file))) return { file };
  return { file, text: place.texts?.get(posix.resolve(cwd, file)) };
}

/** The same of files that a call names itself, in the place of its input: all of their text, or none. */
export function giveNamedInput(files: readonly string[], program: StaticProgram, { texts }: StaticPlace): void {
  const { cwd, isLost } = program;
  const found = files.map((file) =>
    isLost && !posix.isAbsolute(file) ? undefined : texts?.get(posix.resolve(cwd, file)),
  );
  delete program.inputText;
  if (files[0] !== undefined) program.inputFile = files[0];
  if (found.every((text) => text !== undefined)) program.inputText = found.join('\n');
}

/** The text that a here-document or here-string gives a command. */
function inputOf(command: ScriptCommand, expansion: Expansion): string | undefined {
  for (const { operator, body, bodyPieces, expands, target } of command.redirects.toReversed()) {
    if (body !== undefined) return expands && bodyPieces?.length ? expandWhole(bodyPieces, expansion).text : body;
    if (operator === '<<<' && target) return joinFields(expandWord(target, expansion)).text;
  }
  return undefined;
}
