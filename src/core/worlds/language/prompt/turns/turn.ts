import type { TurnAction } from '../../../../action/turnAction.ts';

/** Domains of the AgentWorld benchmark; each has a folder of templates. */
export const domains = ['mcp', 'search', 'terminal', 'swe', 'android', 'web', 'os'] as const;
/** One of the seven domains. */
export type Domain = (typeof domains)[number];

/** One turn; the last one of a prompt has no observation yet. */
export interface Turn {
  action: TurnAction;
  observation?: string;
  /** What this turn is in the prompt: an earlier look at the workspace, what happened before, or what is asked. */
  part: 'grounding' | 'history' | 'action';
  /** Its observation is a prediction, or rests on one. The prompt says so, because all others were really made, or would be. */
  isPredicted?: true;
  /** Shown to the reader beside the block, for example `package.json, because the action names it`. Never sent. */
  note?: string;
}

/** Names of the tools in an SWE trajectory: Gemini and Qwen CLI (`read_file`) or Claude Code (`Read`). */
export type Dialect = 'qwen' | 'claude';

/** What a stretch of a prompt is, for the reader and for counting. */
export interface PromptBlock {
  part: 'template' | 'tools' | 'demonstrations' | 'condition' | 'grounding' | 'history' | 'action' | 'suffix';
  title: string;
  /** Index into the messages, and the stretch in its content, in UTF-16 code units. */
  message: number;
  start: number;
  end: number;
}
