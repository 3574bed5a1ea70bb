import type { ScriptCommand } from './scriptReading.ts';

/**
 * What a command reads from its standard input, where the script itself has it letter for letter: a here-document or
 * here-string in which nothing is expanded. `undefined` says nothing.
 */
export function writtenInput({ redirects }: ScriptCommand): string | undefined {
  const last = redirects.findLast(({ operator, descriptor }) => operator.includes('<') && !descriptor);
  if (last === undefined || last.outer) return undefined;
  const { operator, body, expands, target } = last;
  if (operator === '<<' && body !== undefined) return expands && /[$`\\]/.test(body) ? undefined : body;
  if (operator !== '<<<' || !target) return undefined;
  const isLiteral = target.pieces.every(({ kind }) => kind === 'literal') && !target.text.startsWith('~');
  return isLiteral ? target.pieces.map(({ text }) => text).join('') : undefined;
}
