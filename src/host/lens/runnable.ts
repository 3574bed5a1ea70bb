import type { ShellName } from '../../core/action/action.ts';

/** A place in a file where a command is written, and what running it would run. */
export interface Runnable {
  /** Zero-based line above which it is offered. */
  line: number;
  /** What would be run; it still goes through `parseSelection`. */
  text: string;
  source: 'editor' | 'markdown';
  /** Shell that the file says; absent: the user's. */
  shell?: ShellName;
  /** Folder that the command starts from: the workspace folder or that of the file, and one below it. */
  start: 'workspace' | 'file';
  /** Relative to `start`, or absolute. */
  folder?: string;
  /** Text of the lens. */
  title: string;
}

/** What is known about the file in which commands are looked for. */
export interface LensFile {
  /** Absolute path. */
  path: string;
  languageId: string;
  text: string;
  /** Absolute path of the workspace folder that holds it; absent: none does. */
  workspaceFolder?: string;
  /** Home directory of the user. */
  home: string;
}

/** More lenses than this in one file help nobody. */
export const mostRunnables = 300;
