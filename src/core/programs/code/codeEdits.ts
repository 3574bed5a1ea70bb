/** What a program text that only edits files leaves: their contents by the names that it gives them, in order. */
export interface CodeEdits {
  written: Map<string, string>;
  /** It prints something, which is not followed. */
  prints: boolean;
}

/** The edits, or the name of a file whose content has to be known first. `undefined`: it is more than a plain edit. */
export type EditsOrNeed = { edits: CodeEdits } | { needs: string } | undefined;

/** Contents by the names that the text gives them; `null`: it is not there, or is no text. */
export type KnownContents = ReadonlyMap<string, string | null>;

/** How a language gives the bytes of a file to who reads it as text, and writes text: in UTF-8, with each end of a line as `\n`, or byte by byte. */
export type TextForm = 'utf8' | 'utf8Lines' | 'bytes';

/** Another form than those that are followed; or a file that is not known yet. */
class Stop extends Error {
  readonly needs: string | undefined;
  constructor(needs?: string) {
    super(needs);
    this.needs = needs;
  }
}

/** It is no plain edit. */
export function stop(): never {
  throw new Stop();
}

/** Follows a text, and says what it leaves, what it needs, or that it is no plain edit. */
export function followed(edits: CodeEdits, follow: () => void): EditsOrNeed {
  try {
    follow();
  } catch (error) {
    if (error instanceof Stop) return error.needs === undefined ? undefined : { needs: error.needs };
    throw error;
  }
  return edits.written.size === 0 ? undefined : { edits: { written: edits.written, prints: edits.prints } };
}

/** What stands in a file by now. */
export function contentOf(edits: CodeEdits, files: KnownContents, name: string): string {
  const content = edits.written.get(name) ?? files.get(name);
  if (content === undefined) throw new Stop(name);
  return content ?? stop();
}
