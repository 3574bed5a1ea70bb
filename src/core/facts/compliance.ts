import * as z from 'zod/mini';

/**
 * Whether a reply complies with a condition that it was asked under. `complies`: it shows the condition. `departs`: the
 * action cannot but meet it, and the reply does not show it. `notMet`: it is not shown, and the action may not meet it.
 */
export const Compliance = z.object({ condition: z.string(), how: z.enum(['complies', 'departs', 'notMet']) });
export type Compliance = z.infer<typeof Compliance>;
