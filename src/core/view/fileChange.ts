import * as z from 'zod/mini';

/** Kind of a file system node. `other`: FIFO, socket or device. */
export const NodeType = z.enum(['file', 'directory', 'symlink', 'other']);
export type NodeType = z.infer<typeof NodeType>;

/**
 * One difference between the real file tree and the predicted one.
 *
 * `type`, `mode` (four octal digits), `sizeBytes` and `target` describe the node after the action; of a deleted node,
 * what it was. `before` describes what stood there, where something did and it differs in kind, mode or size.
 */
export const FileChange = z.object({
  /** Absolute path. */
  path: z.string(),
  change: z.enum(['created', 'modified', 'deleted', 'renamed', 'mode']),
  /** Absolute path it had before; only for `renamed`. */
  from: z.optional(z.string()),
  /** Of what is renamed: its content is another one than it had there. */
  rewritten: z.optional(z.literal(true)),
  type: NodeType,
  mode: z.string(),
  sizeBytes: z.number(),
  /** Lower-case hexadecimal, of the content after; files only, and only where it was asked for. */
  sha256: z.optional(z.string()),
  /** Target of a symbolic link. */
  target: z.optional(z.string()),
  /** That it changes was said, and nobody was asked to what: size and content stand for nothing. */
  content: z.optional(z.literal('notAsked')),
  before: z.optional(
    z.object({ type: NodeType, mode: z.string(), sizeBytes: z.number(), target: z.optional(z.string()) }),
  ),
  /** The content, the size or even the existence differed between two runs in a row. */
  volatile: z.boolean(),
});
export type FileChange = z.infer<typeof FileChange>;
