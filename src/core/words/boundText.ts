import { countOf } from '../view/quantity.ts';

/** What is certain of output that is not known, as a clause: `at most 20 lines`, `one number, besides errors`. */
export function boundText(bound: {
  lines: number;
  isNumber?: true | undefined;
  errorsApart?: true | undefined;
}): string {
  const text = bound.isNumber ? 'one number' : `at most ${countOf(bound.lines, 'line')}`;
  return bound.errorsApart ? `${text} besides errors` : text;
}

/** What stands in the place of output that nobody can say. `names`: the programs that it depends on; `limit`: what is certain of it. */
export function unknownOutputText(names: readonly string[], limit: string | undefined): string {
  const certain = limit === undefined ? '' : `, ${limit}`;
  return `(unknown${certain}: depends on what ${names.join(' and ')} prints or writes)`;
}
