/**
 * What the panel shows of an edit, beside its prediction. Apart from `panelProtocol.ts` because only the second script of the
 * panel reads it.
 */
import * as z from 'zod/mini';

/** What an edit is, instead of a command. */
export const EditShown = z.object({
  title: z.string(),
  /** What it was read from: can be changed and predicted again. */
  text: z.optional(z.string()),
  applies: z.enum(['save', 'edit', 'nothing']),
});
export type EditShown = z.infer<typeof EditShown>;

/** An error or a warning that the edit would bring, or take away. */
export const DiagnosticChange = z.object({
  change: z.enum(['new', 'fixed']),
  severity: z.enum(['error', 'warning']),
  /** Absolute. */
  path: z.string(),
  /** From 1; in the predicted text for a new one, in today's for a fixed one. */
  line: z.number(),
  column: z.number(),
  text: z.string(),
  /** Who says so: `json`, `TypeScript 6.0.3`. */
  source: z.string(),
});
export type DiagnosticChange = z.infer<typeof DiagnosticChange>;

/** A place where something that the edit removes or renames is still used. */
export const RemainingUse = z.object({
  /** The name that is gone. */
  name: z.string(),
  /** Where it was declared, absolute. */
  declaredIn: z.string(),
  path: z.string(),
  line: z.number(),
  column: z.number(),
  text: z.string(),
});
export type RemainingUse = z.infer<typeof RemainingUse>;

/** Files whose imports follow a rename when it is applied, absolute. `asks`: VS Code asks first. */
export const Imports = z.object({
  asks: z.boolean(),
  paths: z.array(z.string()),
  /** New errors that there are where the imports do not follow. */
  errorsWithout: z.number(),
});
export type Imports = z.infer<typeof Imports>;

/** What follows from an edit, found out after its prediction came to its end. */
export const Consequences = z.object({
  /** Something is still looked for. */
  isOpen: z.boolean(),
  /** Lines of text files; absent: not counted. */
  lines: z.optional(z.object({ added: z.number(), removed: z.number() })),
  diagnostics: z.array(DiagnosticChange),
  /** Of a rename, where language services know it before; absent: not known. */
  imports: z.optional(Imports),
  /** Files get another name, which language services may follow. */
  renames: z.optional(z.boolean()),
  uses: z.array(RemainingUse),
  /** Tests whose names say that they belong to a changed file, absolute. */
  tests: z.array(z.string()),
  /** Commands that are worth predicting next. */
  next: z.array(z.string()),
  /** What was looked at, and how far that reaches; one sentence each. */
  covers: z.array(z.string()),
});
export type Consequences = z.infer<typeof Consequences>;
