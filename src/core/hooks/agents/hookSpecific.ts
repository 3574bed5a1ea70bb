import type { HookAnswer } from '../hookCall.ts';

/**
 * The form that Claude Code began with and that Codex and VS Code share in part; `undefined`: nothing is to be said. `knowsAllow`: a call
 * that is allowed is made without a question.
 */
export function hookSpecific(answer: HookAnswer, knowsAllow: boolean): Record<string, string> | undefined {
  const hookEventName = 'PreToolUse';
  switch (answer.kind) {
    case 'nothing':
      return undefined;
    case 'allow':
      return knowsAllow
        ? { hookEventName, permissionDecision: 'allow', permissionDecisionReason: answer.toUser }
        : undefined;
    case 'note':
      return { hookEventName, additionalContext: answer.toAgent };
    case 'deny':
      return { hookEventName, permissionDecision: 'deny', permissionDecisionReason: answer.toAgent };
  }
}
