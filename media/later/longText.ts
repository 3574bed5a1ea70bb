import { html, type TemplateResult } from 'lit/html.js';
import { cssom } from '../shared/cssom.ts';
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

const cuts = new WeakMap<object, Map<string, Cut>>();
const pieceLength = 4000;
const lineHeight = 18;

/**
 * A text of any length, as text. `owner` and `name` say whose text it is: when it grows, only what is new is cut and
 * drawn.
 */
export function longText(owner: object, name: string, text: string): TemplateResult {
  const cut = takeText(cutOf(owner, name), text);
  const rest = text.slice(cut.length);
  const last = rest === '' ? [] : [pieceOf(rest)];
  return html`<div class="long-text">${[...cut.pieces, ...last].map(pieceView)}</div>`;
}

function pieceView({ shown, lines }: Piece): TemplateResult {
  const style = { 'contain-intrinsic-block-size': `auto ${lines * lineHeight}px` };
  return html`<div class="piece" style=${cssom(style)}>${shown}</div>`;
}

function cutOf(owner: object, name: string): Cut {
  const named = cuts.get(owner) ?? new Map<string, Cut>();
  cuts.set(owner, named);
  const cut = named.get(name) ?? emptyCut();
  named.set(name, cut);
  return cut;
}

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

function pieceOf(text: string): Piece {
  const shown = visibleText(text);
  return { shown, lines: Math.max(1, shown.split('\n').length - 1) };
}
