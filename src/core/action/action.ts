import * as z from 'zod/mini';

/** Shells whose language an action can be written in. */
export const ShellName = z.enum(['bash', 'sh', 'zsh', 'fish', 'pwsh', 'cmd']);
export type ShellName = z.infer<typeof ShellName>;

/** A shell command or script that the user is about to run. `cwd` is absolute. */
export const CommandAction = z.object({
  kind: z.literal('command'),
  script: z.string(),
  shell: ShellName,
  cwd: z.string(),
});
export type CommandAction = z.infer<typeof CommandAction>;

/** File contents that the user is about to write. `after: null` deletes. Paths are absolute. */
export const EditAction = z.object({
  kind: z.literal('edit'),
  changes: z.array(z.object({ path: z.string(), after: z.nullable(z.string()) })),
});
export type EditAction = z.infer<typeof EditAction>;

/** What the user is about to do. */
export const Action = z.discriminatedUnion('kind', [CommandAction, EditAction]);
export type Action = z.infer<typeof Action>;
