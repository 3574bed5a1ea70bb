import type { Compliance } from '../../../facts/compliance.ts';
import { answerChecks } from './checks/answerChecks.ts';
import type { Check, ConditionedReply } from './checks/check.ts';
import { screenChecks } from './checks/screenChecks.ts';
import { shellChecks } from './checks/shellChecks.ts';
import type { ConditionId } from './conditionPresets.ts';

/** One for each condition. */
const checks: Readonly<Record<ConditionId, Check>> = { ...shellChecks, ...answerChecks, ...screenChecks };

/** Whether a reply complies with each of the conditions that it was made under. Ids that there are not are left out. */
export function complianceOf(ids: readonly string[], reply: ConditionedReply): Compliance[] {
  return ids.flatMap((id): Compliance[] => {
    const check = Object.hasOwn(checks, id) ? checks[id as ConditionId] : undefined;
    if (!check) return [];
    const how = check.shows(reply) ? 'complies' : check.meets(reply) ? 'departs' : 'notMet';
    return [{ condition: id, how }];
  });
}
