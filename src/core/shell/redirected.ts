import type { StaticField, StaticRedirect } from './evaluated.ts';
import { type Expansion, expandWhole, expandWord, joinFields } from './expandWord.ts';
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

/** The text that a here-document or here-string gives a command. */
export function inputOf(command: ScriptCommand, expansion: Expansion): string | undefined {
  for (const { operator, body, bodyPieces, expands, target } of command.redirects.toReversed()) {
    if (body !== undefined) return expands && bodyPieces?.length ? expandWhole(bodyPieces, expansion).text : body;
    if (operator === '<<<' && target) return joinFields(expandWord(target, expansion)).text;
  }
  return undefined;
}
