import * as z from 'zod/mini';
import { Basis } from '../../view/basis.ts';

/** How a step stands. `differs`: it is predicted, and something else was observed. */
export const StepStatus = z.enum([
  'agrees',
  'differs',
  'failed',
  'cut',
  'unknown',
  'cancelled',
  'unpredicted',
  'unobserved',
]);
export type StepStatus = z.infer<typeof StepStatus>;

/** What a list shows of a step: a few hundred bytes, however long the step is. Times are ISO 8601. */
export const StepSummary = z.object({
  kind: z.literal('step'),
  id: z.string(),
  trajectory: z.string(),
  after: z.optional(z.string()),
  domain: z.string(),
  /** The action in one line. */
  title: z.string(),
  status: StepStatus,
  at: z.optional(z.string()),
  hasPrediction: z.boolean(),
  hasObservation: z.boolean(),
  observedAt: z.optional(z.string()),
  editedAction: z.optional(z.string()),
  editedObservation: z.optional(z.string()),
  observationBasis: z.optional(Basis),
  predictedExit: z.optional(z.number()),
  trueExit: z.optional(z.number()),
  /** 0–1, see `factualScore`. */
  factual: z.optional(z.number()),
  /** 1–5. */
  judged: z.optional(z.number()),
  model: z.optional(z.string()),
  promptTokens: z.optional(z.number()),
  completionTokens: z.optional(z.number()),
  durationMs: z.optional(z.number()),
  /** Other tries that are kept. */
  others: z.number(),
  /** It is a command with a folder, so the engine can rehearse it. */
  canRehearse: z.boolean(),
});
export type StepSummary = z.infer<typeof StepSummary>;

/** What a list shows of a line of the file. */
export const LineSummary = z.discriminatedUnion('kind', [
  StepSummary,
  z.object({ kind: z.literal('blank') }),
  z.object({ kind: z.literal('bad'), problem: z.string(), begins: z.string() }),
]);
export type LineSummary = z.infer<typeof LineSummary>;
