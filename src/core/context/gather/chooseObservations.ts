import { cutText, leftOutMark } from '../cutText.ts';
import { estimateTokens } from '../estimateTokens.ts';
import type { LeftOut } from '../workspaceContext.ts';
import { type Candidate, lookTitle, worth } from './candidate.ts';
import { type Chosen, needOf, turnTokens } from './chosen.ts';
import type { Focus } from './focus.ts';
import { shownAgain } from './shownAgain.ts';

/** Shares of the budget: what both do not use goes to the action. */
const stableShare = 0.3;
const volatileShare = 0.12;
/** Less than this of a file says nothing. */
const leastTokens = 48;
/** The same of a file that nothing asks for: shreds of many say less than some. */
const leastOfRest = 300;
const anywhere: Focus = { patterns: [], ranges: [] };

/**
 * Keeps what is worth most under a budget of tokens. The stable part is chosen by itself, within its share, so that it is
 * the same for every action; then what changes all the time, within its share; then what the action needs, by worth; at
 * last whatever still fits. What is not kept, and what is cut, is listed with the reason.
 */
export function chooseObservations(
  candidates: readonly Candidate[],
  budgetTokens: number,
): { chosen: Chosen[]; leftOut: LeftOut[] } {
  const leftOut: LeftOut[] = [];
  const chosen: Chosen[] = [];
  let left = budgetTokens;
  const take = (part: Candidate['part'], limit: number, last: boolean): void => {
    let free = Math.min(left, limit);
    const shown = new Set(chosen.filter((one) => one.text === one.candidate.text).map(({ look }) => lookTitle(look)));
    const groups = groupByWorth(candidates.filter((one) => one.part === part && !shown.has(lookTitle(one.look))));
    for (const group of groups) {
      const used = shareOut(group, free, chosen, last ? leftOut : []);
      free -= used;
      left -= used;
    }
  };
  take('stable', budgetTokens * stableShare, true);
  take('volatile', budgetTokens * volatileShare, true);
  take('action', left, true);
  return { chosen, leftOut };
}

function groupByWorth(candidates: readonly Candidate[]): Candidate[][] {
  const groups = new Map<number, Candidate[]>();
  for (const candidate of candidates) {
    const group = groups.get(candidate.worth);
    if (group) group.push(candidate);
    else groups.set(candidate.worth, [candidate]);
  }
  return [...groups].sort(([a], [b]) => b - a).map(([, group]) => group);
}

/**
 * Gives a group what is free, small ones first and whole; the large ones are cut to equal parts, or stay what was shown of
 * them before, where that is about as much. Says what was used.
 */
function shareOut(group: readonly Candidate[], free: number, chosen: Chosen[], leftOut: LeftOut[]): number {
  const again = shownAgain(group, free);
  chosen.push(...again);
  const known = new Set(again.map(({ candidate }) => candidate));
  const fresh = group.filter((candidate) => !known.has(candidate));
  const tokens = again.reduce((sum, one) => sum + one.tokens, 0);
  return tokens + shareAfresh(fresh, free - tokens, chosen, leftOut);
}

function shareAfresh(group: readonly Candidate[], free: number, chosen: Chosen[], leftOut: LeftOut[]): number {
  const sized = group.map((candidate) => ({ candidate, need: needOf(candidate) })).sort((a, b) => a.need - b.need);
  let used = 0;
  for (const [index, { candidate, need }] of sized.entries()) {
    const share = Math.floor((free - used) / (sized.length - index));
    const least = candidate.worth <= worth.rest ? leastOfRest : leastTokens;
    const allowed = need <= share ? need : Math.min(need, Math.max(share, Math.min(free - used, least + turnTokens)));
    if (allowed < need && (candidate.whole || allowed - turnTokens < least)) {
      leftOut.push({ what: lookTitle(candidate.look), why: 'no room in the budget', tokens: need });
      continue;
    }
    const one = fitted(candidate, need, allowed, leftOut);
    if (!one) continue;
    chosen.push(one);
    used += one.tokens;
  }
  return used;
}

function fitted(candidate: Candidate, need: number, allowed: number, leftOut: LeftOut[]): Chosen | undefined {
  const { look, text, focus } = candidate;
  if (need <= allowed) return { candidate, look, text, tokens: need };
  const cut = cutText(text, allowed - turnTokens, focus ?? anywhere);
  if (cut.leftOutLines === cut.totalLines) {
    leftOut.push({ what: lookTitle(look), why: 'its lines are too long for the budget', tokens: need });
    return undefined;
  }
  const what = `${lookTitle(look)}: ${cut.leftOutLines.toLocaleString('en-US')} of ${cut.totalLines.toLocaleString('en-US')} lines`;
  const tokens = estimateTokens(cut.text) + turnTokens;
  leftOut.push({ what, why: 'cut to the part that matters most', tokens: Math.max(0, need - tokens) });
  const { firstLine, lastLine, totalLines } = cut;
  const isStretch = look.kind === 'read' && cut.leftOutLines > 0;
  return {
    candidate,
    look: isStretch
      ? {
          ...look,
          firstLine: (look.firstLine ?? 1) + firstLine - 1,
          lastLine: (look.firstLine ?? 1) + lastLine - 1,
          totalLines,
          ...(cut.gaps.length > 0 ? { gaps: cut.gaps } : {}),
        }
      : look,
    text: look.kind === 'read' || cut.gaps.length > 0 ? cut.text : markedEnds(cut),
    tokens,
  };
}

/** Listings and outputs have no line numbers, so what is missing at their ends is said in the text. */
function markedEnds(cut: ReturnType<typeof cutText>): string {
  const before = cut.firstLine - 1;
  const after = cut.totalLines - cut.lastLine;
  const mark = (lines: number) => (lines > 0 ? `${leftOutMark(lines)}\n` : '');
  return `${mark(before)}${cut.text}${mark(after)}`;
}
