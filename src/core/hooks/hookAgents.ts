import { codex } from './agents/codex.ts';
import { cursor } from './agents/cursor.ts';
import { gemini } from './agents/gemini.ts';
import { opencode } from './agents/opencode.ts';
import { claude, copilot, vscode } from './agents/speakers.ts';
import type { HookAgent, HookAgentName } from './hookCall.ts';

/** How each agent speaks. */
export const hookAgents: Readonly<Record<HookAgentName, HookAgent>> = {
  claude,
  codex,
  gemini,
  vscode,
  copilot,
  cursor,
  opencode,
};
