import type { FoundDiagnostic } from './diffDiagnostics.ts';

/** What the worker is told. */
export interface TypescriptQuestion {
  /** TypeScript's own script, the one of VS Code. */
  typescript: string;
  /** The config file of the project, absolute. */
  config: string;
  /** What is different after the edit; `null`: the file is gone. */
  /** What is predicted to be there already, from which the edit starts: by path, `null` where it is gone. */
  earlier: [string, string | null][];
  changes: [path: string, after: string | null][];
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
      /** How many files of the project were checked. */
      checked: number;
      /** Files of the project, absolute, before and after. */
      files: string[];
    }
  | { isProject: false };
