import type { Domain } from '../prompt/turns/turn.ts';
import { answerConditions } from './answerConditions.ts';
import type { Condition } from './condition.ts';
import { drawConditions } from './drawConditions.ts';
import { screenConditions } from './screenConditions.ts';
import { shellConditions } from './shellConditions.ts';

/** What the user can choose from; free text comes besides. */
export const conditionPresets = [...shellConditions, ...answerConditions, ...screenConditions] as const;

/** The id of a condition that there is. */
export type ConditionId = (typeof conditionPresets)[number]['id'];

/** Those that can hold in one of these domains; without any, all. */
export function conditionsFor(domains: readonly Domain[]): readonly Condition[] {
  const all: readonly Condition[] = conditionPresets;
  return domains.length === 0 ? all : all.filter((one) => domains.some((domain) => one.domains.includes(domain)));
}

/** How conditions are drawn: `random:7` or `random:7:2`. */
const drawn = /^random:(\d{1,9})(?::([1-9]))?$/;

/**
 * Reads what was asked for: ids, and draws by strata, `random:SEED` for one and `random:SEED:COUNT` for more. `domains`:
 * where they are to hold; none: anywhere. A problem is one sentence.
 */
export function readConditions(
  asked: readonly string[],
  domains: readonly Domain[],
): { ids: string[] } | { problem: string } {
  const presets = conditionsFor(domains);
  const ids: string[] = [];
  for (const one of asked) {
    const [, seed, count = '1'] = drawn.exec(one) ?? [];
    if (seed !== undefined) {
      ids.push(...drawConditions(presets, { seed: Number(seed), count: Number(count) }).map(({ id }) => id));
      continue;
    }
    if (!presets.some(({ id }) => id === one)) return { problem: unknownCondition(one, presets, domains) };
    ids.push(one);
  }
  return { ids: [...new Set(ids)] };
}

function unknownCondition(one: string, presets: readonly Condition[], domains: readonly Domain[]): string {
  const isElsewhere = conditionPresets.some(({ id }) => id === one);
  const choose = `choose from ${presets.map(({ id }) => id).join(', ')}, or draw with random:SEED.`;
  return isElsewhere
    ? `The condition ${one} is not one of the domain ${domains.join(' or ')}; ${choose}`
    : `There is no condition ${one.slice(0, 80)}; ${choose}`;
}
