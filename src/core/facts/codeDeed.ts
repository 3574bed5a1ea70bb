import * as z from 'zod/mini';

/** What a text of a programming language would do, one thing of it, as far as it can be read. */
export const CodeDeedKind = z.enum([
  'deletes',
  'deletes-temporary',
  'runs',
  'evaluates',
  'hidden',
  'connects',
  'reads-secrets',
  'sends-secrets',
  /** It connects to others, and starts a shell that is given no commands. */
  'gives-shell',
  'writes',
  'changes',
  'changes-data',
  'endless',
  /** Not all of it was read. */
  'unread',
  /** It is too long or too deep for a parser. */
  'too-deep',
]);
export type CodeDeedKind = z.infer<typeof CodeDeedKind>;
