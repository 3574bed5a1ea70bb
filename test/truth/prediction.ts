import * as z from 'zod/mini';

/**
 * The JSON of a prediction as the command line prints it, version 1: only the fields that the truth suite reads.
 * Read with a schema of its own, so that a change of the format that breaks other readers breaks this suite too.
 */
export const PredictedFile = z.object({
  path: z.string(),
  change: z.enum(['created', 'modified', 'deleted', 'renamed', 'mode']),
  from: z.optional(z.string()),
  type: z.enum(['file', 'directory', 'symlink', 'other']),
  mode: z.string(),
  sizeBytes: z.number(),
  sha256: z.optional(z.string()),
  target: z.optional(z.string()),
  basis: z.string(),
  volatile: z.optional(z.boolean()),
});
export type PredictedFile = z.infer<typeof PredictedFile>;

export const PredictionJson = z.object({
  version: z.literal(1),
  id: z.optional(z.string()),
  engine: z.string(),
  ending: z.enum(['done', 'abstained', 'failed', 'cancelled']),
  reason: z.optional(z.string()),
  failure: z.optional(z.string()),
  exitCode: z.optional(z.number()),
  exitBasis: z.optional(z.string()),
  cwd: z.optional(z.string()),
  output: z.array(
    z.object({
      stream: z.enum(['stdout', 'stderr']),
      text: z.optional(z.string()),
      base64: z.optional(z.string()),
      basis: z.string(),
      volatile: z.optional(z.boolean()),
    }),
  ),
  files: z.array(PredictedFile),
  effects: z.array(z.object({ effect: z.string(), detail: z.string(), basis: z.string() })),
  loss: z.array(z.object({ path: z.string(), recoverable: z.string() })),
  verdict: z.object({
    level: z.optional(z.string()),
    reasons: z.array(z.object({ text: z.string(), evidence: z.array(z.string()) })),
  }),
  programs: z.array(z.object({ argv: z.array(z.string()), basis: z.string(), exitCode: z.optional(z.number()) })),
  assumptions: z.array(z.object({ argv: z.array(z.string()), assumed: z.string(), why: z.string() })),
  notices: z.optional(z.array(z.string())),
  durationMs: z.optional(z.number()),
});
export type PredictionJson = z.infer<typeof PredictionJson>;

/** The lists of a prediction that tells nothing. */
export function emptyLists(): Pick<
  PredictionJson,
  'output' | 'files' | 'effects' | 'loss' | 'verdict' | 'programs' | 'assumptions'
> {
  return { output: [], files: [], effects: [], loss: [], verdict: { reasons: [] }, programs: [], assumptions: [] };
}
