import * as z from 'zod/mini';
import { Basis } from '../view/basis.ts';

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

/** A mark that an action leaves besides files. */
export const Effect = z.object({ effect: EffectKind, detail: z.string(), basis: Basis });
export type Effect = z.infer<typeof Effect>;
