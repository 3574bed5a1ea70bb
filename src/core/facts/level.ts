import * as z from 'zod/mini';

/** How much care an action needs. */
export const Level = z.enum(['safe', 'caution', 'danger']);
export type Level = z.infer<typeof Level>;
