import * as z from 'zod/mini';

/**
 * Where a fact comes from.
 *
 * - `rehearsed`: the real program did this, confined, on a copy
 * - `computed`: derived by our analysis from the real files
 * - `remembered`: a rehearsal said this of exactly the same inputs, and nothing was run again
 * - `imagined`: written by a language model, one possible outcome
 * - `assumed`: follows from an assumption about a program that nobody predicted
 * - `observed`: it really happened, in a recorded real run
 * - `unknown`: nobody can say, because it depends on what a stopped program printed or wrote; no value is given
 */
export const Basis = z.enum(['rehearsed', 'computed', 'remembered', 'imagined', 'assumed', 'observed', 'unknown']);
export type Basis = z.infer<typeof Basis>;
