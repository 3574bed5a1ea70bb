import type { Effect } from '../../../src/core/facts/effect.ts';
import type { TreeNode } from '../../shared/tree.ts';

/** One kind of effect, with how often it was met. */
export interface EffectNode extends TreeNode {
  effect: Effect;
  times: number;
}

/** Words for people; the rest is called by its own name. */
export const effectWords: Readonly<Partial<Record<Effect['effect'], string>>> = {
  waits: 'waiting skipped',
  'outside-workspace': 'outside the workspace',
  'code-execution': 'runs code',
  other: 'also',
};

/** The effects in the order in which they came, equal ones once. */
export function effectRows(effects: readonly Effect[]): EffectNode[] {
  const rows = new Map<string, EffectNode>();
  for (const effect of effects) {
    const key = `${effect.effect}\n${effect.detail}\n${effect.basis}`;
    const row = rows.get(key);
    if (row) row.times += 1;
    else rows.set(key, { key, label: effectWords[effect.effect] ?? effect.effect, effect, times: 1 });
  }
  return [...rows.values()];
}
