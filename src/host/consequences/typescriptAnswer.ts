import type { FoundDiagnostic } from './diffDiagnostics.ts';

/** What the worker is told. */
export interface TypescriptQuestion {
  /** TypeScript's own script, the one of VS Code. */
  typescript: string;
  /** The config file of the project, absolute. */
  config: string;
  /** What is predicted to be there already, from which the edit starts: by path, `null` where it is gone. */
  earlier: [string, string | null][];
  /** What is different after the edit; `null`: the file is gone. */
  changes: [path: string, after: string | null][];
  /** A file or folder that gets another name, whose imports are to follow; absolute. */
  renamed?: { from: string; to: string } | undefined;
}

/** A file whose imports follow a rename. */
export interface FollowingFile {
  /** Absolute, as it is called afterwards. */
  path: string;
  before: string;
  after: string;
}

/** What it answers. */
export type TypescriptAnswer =
  | {
      isProject: true;
      version: string;
      /** The config file that names the changed files. */
      config: string;
      before: FoundDiagnostic[];
      after: FoundDiagnostic[];
      /** Files whose imports follow the rename, and what TypeScript says then; absent: nothing was asked, or none follow. */
      following?: { files: FollowingFile[]; after: FoundDiagnostic[] };
      /** How many files of the project were checked. */
      checked: number;
      /** Files of the project, absolute, before and after. */
      files: string[];
    }
  | { isProject: false };
