import { estimateTokens } from '../estimateTokens.ts';
import type { Candidate } from './candidate.ts';

/** A candidate that is shown, cut where it had to be. */
export interface Chosen {
  candidate: Candidate;
  look: Candidate['look'];
  text: string;
  tokens: number;
}

/** What one turn costs besides its text: the command, fences, headings. */
export const turnTokens = 40;
const sizes = new WeakMap<Candidate, number>();

/** Tokens of a candidate that is shown whole, with its frame. */
export function needOf(candidate: Candidate): number {
  const known = sizes.get(candidate);
  if (known !== undefined) return known;
  // Huge texts are cut anyway, whatever they would take.
  const text = candidate.text.length > 1_000_000 ? candidate.text.slice(0, 1_000_000) : candidate.text;
  const tokens = estimateTokens(text) + turnTokens;
  sizes.set(candidate, tokens);
  return tokens;
}
