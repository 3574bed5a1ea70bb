import { visibleText } from './visibleText.ts';

/** A stretch of a long text as it is drawn: browsers skip those out of sight (content-visibility). */
export interface Piece {
  shown: string;
  lines: number;
}

/** How far a text was cut. */
export interface Cut {
  /** UTF-16 code units of the text that the finished pieces hold. */
  length: number;
  /** What stands before `length`; tells whether the text only grew. */
  tail: string;
  pieces: Piece[];
}

const pieceLength = 4000;

/** A text of which nothing was cut yet. */
export function emptyCut(): Cut {
  return { length: 0, tail: '', pieces: [] };
}

/** Cuts off all pieces that are complete. */
export function takeText(cut: Cut, text: string): Cut {
  if (!text.startsWith(cut.tail, cut.length - cut.tail.length)) Object.assign(cut, emptyCut());
  while (text.length - cut.length > 2 * pieceLength) {
    const end = endOf(text, cut.length + pieceLength);
    cut.pieces.push(pieceOf(text.slice(cut.length, end)));
    cut.length = end;
  }
  cut.tail = text.slice(Math.max(0, cut.length - 64), cut.length);
  return cut;
}

/** Behind the next line break; where there is none near, at the place itself, but not inside of a character. */
function endOf(text: string, at: number): number {
  const lineBreak = text.indexOf('\n', at);
  if (lineBreak >= 0 && lineBreak < at + pieceLength) return lineBreak + 1;
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}

/** A stretch as it is drawn. */
export function pieceOf(text: string): Piece {
  const shown = visibleText(text);
  return { shown, lines: Math.max(1, shown.split('\n').length - 1) };
}
