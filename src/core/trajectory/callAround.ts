import { readAskedCall } from './askedCall.ts';
import { endOfBrackets } from './jsonValuesIn.ts';

/** Brackets that are looked at, from the inside to the outside. */
const mostTried = 200;
/** A call that begins so far before the place is not looked for. */
const longest = 200_000;

/** The text between the innermost brackets around a place of a document in which a tool call stands; a call over many lines has its name on one of them only. */
export function callAround(text: string, place: number): string | undefined {
  let tried = 0;
  for (let at = place; at >= Math.max(0, place - longest) && tried < mostTried; at--) {
    if (text[at] !== '{' && text[at] !== '[') continue;
    tried += 1;
    const end = endOfBrackets(text, at);
    if (end === undefined || end < place) continue;
    const inside = text.slice(at, end);
    if (!('problem' in readAskedCall(inside))) return inside;
  }
  return undefined;
}
