import { cutText } from '../cutText.ts';
import { type Candidate, worth } from './candidate.ts';
import { type Chosen, needOf, turnTokens } from './chosen.ts';

/** What was shown before stays where it is between these parts of what there is room for now. */
const least = 0.5;
const most = 2;
/** Of a file that the action itself reads no less is shown than there is room for. */
const leastOfRead = 0.95;

/**
 * Those of a group that are too large for their share and of which about as much was shown before: as they were shown, so that
 * prompts begin alike. The others keep at least half of their equal share.
 */
export function shownAgain(group: readonly Candidate[], free: number): Chosen[] {
  const shares = sharesOf(group, free);
  // In the order in which they stand: room is made by those at the end, behind what stays alike.
  const again = group.flatMap((candidate) => {
    const { earlier } = candidate;
    const share = shares.get(candidate) ?? 0;
    if (!earlier || candidate.whole || !isAboutAsMuch(candidate, earlier.tokens, share)) return [];
    if (!hasFocus(candidate, earlier.text, share)) return [];
    const { look, text, tokens } = earlier;
    return [{ candidate, look, text, tokens }];
  });
  const needed = (kept: typeof again) => {
    const known = new Set(kept.map(({ candidate }) => candidate));
    const others = [...shares].reduce((sum, [one, share]) => sum + (known.has(one) ? 0 : share), 0);
    return kept.reduce((sum, { tokens }) => sum + tokens, 0) + others * (known.size === 0 ? 0 : least);
  };
  while (again.length > 0 && needed(again) > free) again.pop();
  return again;
}

/** What each would get: what it needs, or an equal part of what the smaller ones leave. */
function sharesOf(group: readonly Candidate[], free: number): Map<Candidate, number> {
  const sized = [...group].sort((a, b) => needOf(a) - needOf(b));
  let left = free;
  return new Map(
    sized.map((candidate, index) => {
      const share = Math.min(needOf(candidate), Math.floor(left / (sized.length - index)));
      left -= share;
      return [candidate, share];
    }),
  );
}

function isAboutAsMuch(candidate: Candidate, tokens: number, share: number): boolean {
  const isRead = candidate.worth > worth.whole;
  return share > 0 && tokens >= share * (isRead ? leastOfRead : least) && tokens <= share * most;
}

/** Whether the lines that are asked for stand in what was shown before. */
function hasFocus({ text, focus }: Candidate, before: string, share: number): boolean {
  if (!focus || (focus.patterns.length === 0 && focus.ranges.length === 0)) return true;
  const lines = cutText(text, share - turnTokens, focus).text.split('\n');
  const known = new Set(before.split('\n'));
  const wanted = focus.ranges.length > 0 ? lines : lines.filter((line) => focus.patterns.some((one) => one.test(line)));
  return wanted.every((line) => known.has(line));
}
