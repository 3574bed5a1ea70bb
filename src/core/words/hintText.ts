import type { HeadlineKind } from '../facts/headline.ts';
import { headlineWord } from './headlineText.ts';
import { fit, namesText } from './heldText.ts';

/** A shape for each headline, one column wide. */
const glyphs: Readonly<Record<HeadlineKind, string>> = {
  safe: '✓',
  caution: '!',
  danger: '✗',
  fails: '×',
  newErrors: '×',
  unknown: '?',
};

/** The headline as a word in a row of others: `Danger`. */
export function hintWord(headline: HeadlineKind): string {
  const word = headlineWord(headline).toLowerCase();
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/** One row of text about a line that is still typed, no wider than the terminal. Of what is safe it says no more than that. */
export function hintLine(
  hint: { headline: HeadlineKind; reasons: readonly string[]; lost: readonly string[] },
  { columns, showsGlyphs }: { columns: number; showsGlyphs: boolean },
): string {
  const { headline, reasons, lost } = hint;
  const word = headline === 'danger' ? headlineWord(headline) : hintWord(headline).toLowerCase();
  const first = showsGlyphs ? `${glyphs[headline]} ${word}` : word;
  const named = lost.length === 0 ? '' : ` ${namesText(lost)}.`;
  const said = headline === 'safe' ? '' : `  ${reasons[0] ?? ''}${named}`;
  return fit(`${first}${said}`.trimEnd(), Math.max(20, columns - 1));
}
