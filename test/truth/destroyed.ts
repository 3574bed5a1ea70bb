import * as z from 'zod/mini';
import type { PredictedFile } from './prediction.ts';

/** A row of `effects.jsonl` of the project doover that says which paths a command touches. */
export const DestroyedRow = z.object({
  id: z.string(),
  source: z.literal('doover'),
  command: z.string(),
  category: z.string(),
  note: z.optional(z.string()),
  paths: z.optional(z.array(z.string())),
  paths_known: z.optional(z.boolean()),
  /** Files that exist: `dir/`, `file`, `@link -> target`. */
  cwd_fixture: z.optional(z.array(z.string())),
  /** The word behind `rm -- ` in rows of category word-expansion. */
  word: z.optional(z.string()),
});
export type DestroyedRow = z.infer<typeof DestroyedRow>;

/**
 * Labels that say more than what happens, with what really does: they name what the command reads too, or suppose an
 * account that does not exist.
 */
export const narrowedLabels: Readonly<Record<string, { paths: string[]; why: string }>> = {
  'sort -oout.txt in.txt': { paths: ['out.txt'], why: 'in.txt is only read' },
  'chown -R user:grp data': { paths: [], why: 'there is no account of that name' },
};

/** The absolute path that a label means: `~` is the home directory, the rest is below the working directory. */
export function labelPath(label: string, cwd: string, home: string): string {
  if (label === '~' || label.startsWith('~/')) return `${home}${label.slice(1)}`.replace(/\/$/, '');
  if (label.startsWith('/')) return label.replace(/(.)\/$/, '$1');
  const clean = label.replace(/^(\.\/)+/, '').replace(/\/$/, '');
  return clean === '' || clean === '.' ? cwd : `${cwd}/${clean}`;
}

/**
 * In what the predicted changes differ from the labelled paths; empty when they match exactly: nothing is touched
 * outside of the labels, and each label is touched itself or in what lies below it.
 *
 * `resolve` gives the real path of a label through symbolic links (as it is before the command): a label may name the
 * link by which a file is reached.
 */
export function destroyedDifference(
  files: readonly Pick<PredictedFile, 'path' | 'from'>[],
  expected: readonly string[],
  resolve: (path: string) => string,
): string {
  const allowed = expected.map((path) => [path, resolve(path)] as const);
  const touched = files.flatMap((file) => (file.from === undefined ? [file.path] : [file.path, file.from]));
  const isBelow = (path: string, parent: string) =>
    path === parent || path.startsWith(parent === '/' ? '/' : `${parent}/`);
  const outside = touched.filter((path) => !allowed.some((names) => names.some((name) => isBelow(path, name))));
  if (outside.length > 0) return `not in the label: ${outside.slice(0, 3).join(', ')}`;
  const missed = allowed.filter((names) => !touched.some((path) => names.some((name) => isBelow(path, name))));
  return missed.length > 0 ? `in the label only: ${missed.map(([name]) => name).join(', ')}` : '';
}
