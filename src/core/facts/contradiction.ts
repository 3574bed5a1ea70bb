import * as z from 'zod/mini';

/** Something that an observation shows of a thing in the simulated world. Values are JSON where they are not text. */
export const WorldFact = z.object({ entity: z.string(), attribute: z.string(), value: z.string() });
export type WorldFact = z.infer<typeof WorldFact>;

/**
 * An observation shows another value than before. `since`: the turn that showed `before`; 0: the description of the world.
 * `isCertain`: nothing that was done in between can have changed it; otherwise something may have, which does not name it.
 */
export const Contradiction = z.object({
  entity: z.string(),
  attribute: z.string(),
  before: z.string(),
  after: z.string(),
  since: z.number(),
  isCertain: z.boolean(),
});
export type Contradiction = z.infer<typeof Contradiction>;
