/** Where an edit came from, and what it is called. */
export interface EditOrigin {
  /** In a few words: `Unsaved changes of pricing.ts`, `Patch of 3 files`. */
  title: string;
  /** What it was read from, where that is a text: it can be changed in the panel and predicted again. */
  text?: string;
  /**
   * How it is applied for real: `save` writes the editors that it came from, `edit` changes the files as predicted,
   * `nothing`: it is there already.
   */
  applies: 'save' | 'edit' | 'nothing';
  /** Files whose editors hold it, absolute; with `save`. */
  editors?: readonly string[];
}
