import type { PromptShell } from '../../../prediction/rehearsal.ts';

/** What an interactive shell begins with, and how a shell that runs one script is made to. */
export interface ShellStart {
  options: readonly string[];
  env: Readonly<Record<string, string>>;
  /** The file that it reads for that. */
  file: string;
}

/** What a shell has when its start files were read. */
export interface StartState {
  aliases: ReadonlyMap<string, string>;
  functions: ReadonlySet<string>;
  /** For a shell that runs this script. */
  start(script: string, place: ShellPlace): ShellStart;
}

/** That of a bash. */
export interface BashStart extends StartState {
  /** The same with the aliases and options that a bash has at its prompt by now, as far as they were seen, in place of those of its start files. */
  at(prompt: Pick<PromptShell, 'aliases' | 'options'>): BashStart;
}

/** Its start files could not be read: that took too long, or they do not let it come to an end. */
export type UnreadStart = 'unread';

/** Where a shell runs a script. */
export interface ShellPlace {
  /** What the start files export stays out, because that shell read them long ago. */
  isAtPrompt: boolean;
  hasTerminal: boolean;
}
