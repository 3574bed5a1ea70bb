import { createChance, shuffled } from '../../../view/chance.ts';
import type { Condition } from './condition.ts';

/**
 * Draws conditions by strata: the same seed and presets give the same ones. Consecutive seeds cover every stratum once
 * before any comes again, and within a stratum every condition, so that a batch of sessions is balanced. Of several in
 * one draw no two are of the same stratum while there are others.
 */
export function drawConditions(
  presets: readonly Condition[],
  { seed, count = 1 }: { seed: number; count?: number },
): Condition[] {
  const strata = [...new Set(presets.map(({ stratum }) => stratum))];
  if (strata.length === 0) return [];
  const drawn: Condition[] = [];
  for (let nth = 0; nth < Math.min(count, presets.length); nth += 1) {
    // One block has each stratum once; the order within it is drawn.
    const place = seed % strata.length;
    const round = Math.floor(seed / strata.length);
    const order = shuffled(strata, createChance(round));
    const stratum = order[(place + nth) % order.length];
    const members = presets.filter((one) => one.stratum === stratum && !drawn.includes(one));
    const all = members.length > 0 ? members : presets.filter((one) => !drawn.includes(one));
    const cycle = Math.floor(round / all.length);
    const chosen = shuffled(all, createChance(cycle * 7919 + nth))[round % all.length];
    if (chosen) drawn.push(chosen);
  }
  return drawn;
}
