/** Every message between the extension host and the page of the calibration. Both sides parse what they receive. */
import * as z from 'zod/mini';

const Rate = z.object({
  hits: z.number(),
  counted: z.number(),
  share: z.optional(z.number()),
  low: z.optional(z.number()),
  high: z.optional(z.number()),
});

const Group = z.object({
  name: z.string(),
  runs: z.number(),
  parts: z.object({ whole: Rate, output: Rate, exitCode: Rate, files: Rate }),
  weeks: z.array(z.object({ week: z.string(), rate: Rate })),
});

/** Host → page: everything that is shown. */
export const CalibrationMessage = z.object({
  type: z.literal('calibration'),
  /** Real runs are compared and kept. */
  enabled: z.boolean(),
  all: Group,
  programs: z.array(Group),
  bases: z.array(Group),
  models: z.array(Group),
});
export type CalibrationMessage = z.infer<typeof CalibrationMessage>;

/** Page → host. */
export const CalibrationRequest = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('deleteAll') }),
  z.object({ type: z.literal('openSettings') }),
]);
export type CalibrationRequest = z.infer<typeof CalibrationRequest>;
