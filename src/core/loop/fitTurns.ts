import type { TurnAction } from '../action/turnAction.ts';
import { estimateTokens } from '../context/estimateTokens.ts';
import { renderAction } from '../worlds/language/prompt/turns/turnText.ts';

/** Tokens of a turn's frame: its number, marks and fence, and what a chat template adds. */
const frameTokens = 40;

/** About how many tokens a turn takes in a prompt. */
export function turnTokens(action: TurnAction, observation = ''): number {
  return estimateTokens(renderAction(action)) + estimateTokens(observation) + frameTokens;
}

/**
 * How many of the oldest turns are left out so that the others fit into `room` tokens. The rule: none while all fit; else
 * as many as it takes for the rest to fill at most half of the room. So the prompt begins alike for many turns before
 * that happens again, and the server's prefix cache holds. At least the last turn stays.
 */
export function leaveOutOldest(tokens: readonly number[], room: number): number {
  let sum = tokens.reduce((all, one) => all + one, 0);
  if (sum <= room) return 0;
  let count = 0;
  while (count < tokens.length - 1 && sum > room / 2) {
    sum -= tokens[count] ?? 0;
    count += 1;
  }
  return count;
}
