import type { ZodMiniObject } from 'zod/mini';
import type { ShellName } from '../action/action.ts';
import type { Foretell, ForetellRequest } from '../foretell.ts';
import type { ToolSessions } from './toolSessions.ts';

/** What a tool answers: a text for a model, and the same as data. */
export interface ToolReply {
  text: string;
  structured?: Record<string, unknown>;
  /** It could not be predicted; the text says why. */
  isError?: boolean;
}

/** Arguments that cannot be meant: one sentence with a next step. */
export interface BadArguments {
  problem: string;
}

/** What a request is asked with, but for its action. */
export type SharedRequest = Omit<ForetellRequest, 'action' | 'signal'>;

/** What is around a call of a tool. */
export interface ToolAround {
  foretell: Foretell;
  sessions: ToolSessions;
  /** Where nothing else says it: the folder in which the command would be run; `undefined`: nobody knows one. */
  cwd: string | undefined;
  shell: ShellName;
  /** `rehearse` false: programs that are not inert stay stopped, whatever the user consented to. */
  requestIn(cwd: string, rehearse: boolean): SharedRequest;
  /** The longest text. */
  mostCharacters: number;
  /** Shows how far it is. */
  progress(text: string): void;
  signal: AbortSignal;
}

/** A tool that an agent calls. `name` is that of the Model Context Protocol; VS Code's has `foretell_` before it. */
export interface Tool {
  name: string;
  title: string;
  /** For the model: what it is for, and what it is not for. */
  description: string;
  input: ZodMiniObject;
  /** Reads the arguments and answers. Never rejects because of them. */
  call(input: unknown, around: ToolAround): Promise<ToolReply | BadArguments>;
}
