import * as z from 'zod/mini';

/** Something that a parser finds wrong with the text of a file, beside what it found before the edit. */
export const Diagnostic = z.object({
  /** Absolute. */
  path: z.string(),
  /** From 1; of a fixed problem the place before the edit. */
  line: z.number(),
  /** From 1, in UTF-16 code units. */
  column: z.number(),
  message: z.string(),
  /** The parser or the language service that says so. */
  source: z.string(),
  status: z.enum(['new', 'fixed', 'remains']),
  /** `error` only where the parser is exact for the language and understood the text before the edit. */
  severity: z.enum(['error', 'warning']),
});
export type Diagnostic = z.infer<typeof Diagnostic>;

/** A line elsewhere that names an edited file, or a symbol that the edit removes. Found as text: it may mean another. */
export const Mention = z.object({
  of: z.enum(['file', 'symbol']),
  /** The name that is mentioned. */
  name: z.string(),
  /** Absolute path of the file that mentions it. */
  path: z.string(),
  line: z.number(),
  /** The line, without blanks around it, at most 200 characters. */
  text: z.string(),
});
export type Mention = z.infer<typeof Mention>;
