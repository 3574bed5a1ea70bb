import * as z from 'zod/mini';
import { Basis } from '../view/basis.ts';
import { GitFact } from './gitFact.ts';

/** What kind of mark a command leaves besides files. */
export const EffectKind = z.enum([
  'git',
  'network',
  'process',
  'signal',
  'waits',
  'package',
  'permission',
  'privilege',
  'outside-workspace',
  'device',
  'service',
  'cloud',
  'container',
  'database',
  'code-execution',
  'environment',
  'timestamp',
  'other',
]);
export type EffectKind = z.infer<typeof EffectKind>;

/**
 * A mark that an action leaves besides files. `detail` is for people only; what it says is in `effect` and, where the
 * effect is git's, in `git`.
 */
export const Effect = z.object({
  effect: EffectKind,
  detail: z.string(),
  basis: Basis,
  /** What happens to git. */
  git: z.optional(GitFact),
  /** The call of a known program that it is expected of, where nobody ran it. */
  expectedOf: z.optional(z.array(z.string())),
});
export type Effect = z.infer<typeof Effect>;
