import { isLostForGood, isWayBack, type Recovery } from '../facts/recovery.ts';
import { countOf } from '../view/quantity.ts';
import { wayBack } from './recoveryText.ts';

/** What a person is told whose line is held at Enter. */
export interface HeldLine {
  /** The sentences of the verdict, the worst first, without control characters. */
  reasons: readonly string[];
  /** Names of what would be lost for good, as they are shown. */
  lost: readonly string[];
  /** Of everything that the line destroys, how it is brought back. */
  recoveries: readonly Recovery[];
  /** Only the words of the line were read, because a prediction takes longer. */
  isOfWords: boolean;
  /** Width of the terminal. */
  columns: number;
}

const keys = 'Enter again runs it, Esc goes back.';
/** Names of files that a line has room for. */
const mostNames = 3;

/** Two lines: what the line would do and lose; the way back, and what the keys do. None is wider than the terminal. */
export function heldText({ reasons, lost, recoveries, isOfWords, columns }: HeldLine): [string, string] {
  const [first = '', ...others] = reasons;
  const named = lost.length === 0 ? '' : ` ${namesText(lost)}.`;
  const also = others.length === 0 ? '' : ` Also: ${others.join(' ')}`;
  const width = Math.max(20, columns - 1);
  const way = isOfWords ? 'Only its words were read in time.' : wayText(recoveries);
  const room = width - keys.length - 1;
  const isRoom = room >= 12;
  return [fit(`DANGER  ${first}${named}${also}`, width), isRoom ? `${fit(way, room)} ${keys}` : fit(keys, width)];
}

/** The first names of a list, and how many others there are. */
export function namesText(names: readonly string[]): string {
  const more = names.length > mostNames ? ` and ${countOf(names.length - mostNames, 'other')}` : '';
  return `${names.slice(0, mostNames).join(', ')}${more}`;
}

/** What is known of the way back, in one sentence. */
export function wayText(recoveries: readonly Recovery[]): string {
  const ways = [...new Set(recoveries.flatMap((one) => (isWayBack(one) ? [wayBack(one)] : [])))];
  const gone = recoveries.filter((recovery) => isLostForGood({ recovery })).length;
  const back = recoveries.length - gone;
  if (recoveries.length === 0) return 'No way back is known.';
  const isKnown = recoveries.every(({ kind }) => kind !== 'unknown');
  if (back === 0) return isKnown ? 'There is no way back.' : 'No way back is known.';
  const where = ways.length === 1 ? `${ways[0]}` : `from ${countOf(ways.length, 'place')}`;
  return gone === 0
    ? `Way back: ${where}.`
    : `No way back${isKnown ? '' : ' is known'} for ${gone}; ${back} more ${where}.`;
}

/** A text that is no longer than so many characters. */
export function fit(text: string, width: number): string {
  const letters = [...text];
  return letters.length <= width ? text : `${letters.slice(0, width - 1).join('')}…`;
}
