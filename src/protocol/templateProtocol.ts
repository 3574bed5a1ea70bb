/** Every message between the host and the preview of a prompt. */
import * as z from 'zod/mini';

/** A stretch of the prompt. */
export const PreviewedPart = z.object({
  part: z.enum(['template', 'tools', 'demonstrations', 'condition', 'grounding', 'history', 'action', 'suffix']),
  title: z.string(),
  text: z.string(),
  tokens: z.number(),
  /** The model's own tokenizer counted them. */
  exact: z.boolean(),
  /** Where it stands in the template, in UTF-16 code units. */
  source: z.optional(z.object({ start: z.number(), end: z.number() })),
});
export type PreviewedPart = z.infer<typeof PreviewedPart>;

/** The whole prompt as it would be sent. */
export const PreviewedPrompt = z.object({
  /** For example `swe/system_prompt.txt`. */
  name: z.string(),
  /** What is asked, for people. */
  asks: z.string(),
  /** Sentences about where this comes from. */
  notes: z.array(z.string()),
  messages: z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), parts: z.array(PreviewedPart) })),
  /** What the last prompt of this domain shares with it; absent: there was none, or nothing is lost. */
  prefix: z.optional(z.string()),
});
export type PreviewedPrompt = z.infer<typeof PreviewedPrompt>;

/** Host → page. */
export const PreviewMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('prompt'), prompt: PreviewedPrompt }),
  /** It cannot be rendered: one sentence with a next step. What was shown before stays. */
  z.object({ type: z.literal('problem'), sentence: z.string() }),
  /** The editor shows this place of the template now. */
  z.object({ type: z.literal('follow'), offset: z.number() }),
]);
export type PreviewMessage = z.infer<typeof PreviewMessage>;

/** Page → host. */
export const PreviewRequest = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  /** Show this place of the template in the editor. */
  z.object({ type: z.literal('reveal'), offset: z.number() }),
]);
export type PreviewRequest = z.infer<typeof PreviewRequest>;
