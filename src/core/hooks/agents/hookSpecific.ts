import type { HookAnswer } from '../hookCall.ts';

/** The form that Claude Code began with and that Codex and VS Code share in part; `undefined`: nothing is to be said. */
export function hookSpecific(answer: HookAnswer): Record<string, string> | undefined {
  const hookEventName = 'PreToolUse';
  switch (answer.kind) {
    case 'nothing':
      return undefined;
    case 'note':
      return { hookEventName, additionalContext: answer.toAgent };
    case 'deny':
      return { hookEventName, permissionDecision: 'deny', permissionDecisionReason: answer.toAgent };
  }
}
