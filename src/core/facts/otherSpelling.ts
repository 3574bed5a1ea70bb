import * as z from 'zod/mini';

/** Something that is destroyed exists under another name than the one that was written. */
export const OtherSpelling = z.object({
  /** As it was written: a word of the command, or its beginning up to the last part that is named differently. */
  written: z.string(),
  /** What that is, absolute, with the names that the file system lists and no link in it. */
  real: z.string(),
  /** Folder that `written` is read from, absolute. */
  folder: z.string(),
  /**
   * Why the names differ. `spelling`: the file system takes other letters or another Unicode form for the same name; `link`:
   * a symbolic link leads there; `parent`: `..` behind another folder; `mount`: the same folder is mounted elsewhere.
   */
  because: z.enum(['spelling', 'link', 'parent', 'mount']),
  /** Absolute paths at or below which what is destroyed is listed. */
  listedAt: z.array(z.string()),
});
export type OtherSpelling = z.infer<typeof OtherSpelling>;
