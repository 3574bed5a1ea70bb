import type { Gap } from './cutText.ts';

/**
 * One true observation of the workspace: a look that an agent could have taken before the action. How it is worded (as
 * keystrokes, as a tool call) is up to the prompt.
 */
export interface Observation {
  look:
    | { kind: 'list'; path: string }
    /** Lines are counted from 1; absent: the whole file. `gaps`: lines of the text that stand for others, in order. */
    | {
        kind: 'read';
        path: string;
        firstLine?: number;
        lastLine?: number;
        totalLines?: number;
        gaps?: readonly Gap[];
      }
    /** `stderr` is part of the text where the command printed it. */
    | { kind: 'run'; command: string; cwd: string; exitCode: number };
  /** Redacted. */
  text: string;
  /** Why it is in: `the action names it`, `run by npm run build` … */
  why: string;
  /** Estimated tokens. */
  tokens: number;
  /** 0 hardly ever changes (versions, listings), 9 changes all the time (git status, the last commands). Sent in this order. */
  volatility: number;
}

/** Something that was not sent, and why, for the reader. */
export interface LeftOut {
  what: string;
  why: string;
  tokens?: number;
}

/** Secrets of one kind that were taken out of one place. */
export interface Redacted {
  where: string;
  kind: string;
  count: number;
}

/** What the world looks like before the action, as far as the budget goes. */
export interface WorkspaceContext {
  observations: readonly Observation[];
  leftOut: readonly LeftOut[];
  redacted: readonly Redacted[];
  /** Sum of the observations' tokens, and what was allowed. */
  tokens: number;
  budgetTokens: number;
  durationMs: number;
}
