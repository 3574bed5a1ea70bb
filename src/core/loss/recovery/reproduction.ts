/** How something can be made again. */
export interface Reproduction {
  /** The command that makes it again, for example `npm ci`. */
  command?: string;
  /** What makes it again, in words. */
  by: string;
  /** Absolute path of the file that it starts from. */
  from: string;
  /** Absolute path of the topmost folder (or the file) that is made again. */
  made: string;
}
