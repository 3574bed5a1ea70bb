/** A file of another format. */
export interface ExportedTrajectory {
  text: string;
  /** How many rows, chats, entries or commands are in it. */
  count: number;
  /** Sentences about steps that cannot be written in this format; the others are in the text. */
  problems: string[];
}
