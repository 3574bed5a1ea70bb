import { html, type TemplateResult } from 'lit/html.js';
import { cssom } from './cssom.ts';
import { type Cut, emptyCut, type Piece, pieceOf, takeText } from './pieces.ts';

const cuts = new WeakMap<object, Map<string, Cut>>();
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
