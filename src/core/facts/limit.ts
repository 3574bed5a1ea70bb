import * as z from 'zod/mini';

/** What a rehearsal may use up. */
export const Limit = z.enum(['time', 'processes', 'memory', 'disk']);
export type Limit = z.infer<typeof Limit>;
