import { type NamedProgram, programText } from './programText.ts';

/** A command as one short line, for a sentence. */
export function commandText({ argv, label }: NamedProgram): string {
  if (label && label.kind !== 'startedBy' && label.kind !== 'shim') return programText({ argv, label });
  return shortCommand(argv.join(' '));
}

/** A command line, or a part of one, as one short line. */
export function shortCommand(words: string): string {
  const text = words.replace(/\s+/g, ' ').trim();
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}
