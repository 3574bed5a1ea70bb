import * as z from 'zod/mini';

/** Why a tool does not make an edit; `name` is the file as the call has it, empty where none is concerned. */
export const Refusal = z.object({
  kind: z.enum([
    'arguments',
    'relative',
    'missing',
    'folder',
    'unreadable',
    'unwritable',
    'exists',
    'absent',
    'repeated',
    'same',
    'binary',
    'link',
    'line',
    'patch',
    'placeholder',
  ]),
  name: z.string(),
});
export type Refusal = z.infer<typeof Refusal>;

/** Why a tool does not make an edit, without the file. */
export type RefusalKind = Refusal['kind'];
