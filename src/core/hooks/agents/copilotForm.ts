import { type Fields, fieldsIn, folderIn, type HookAgent, idOf, plainIn, speakerIn, textIn } from '../hookCall.ts';
import { deedOf } from './deeds.ts';

const names = {
  commands: /^(?:bash|Bash|shell)$/,
  edits: /^(?:create|edit|str_replace_editor|apply_patch|Write|Edit)$/,
  agent: 'copilot',
} as const;

/**
 * Copilot CLI (types.d.ts of the SDK in `@github/copilot` 1.0.102): decision and note stand at the top; older ones pass notes over.
 * `ask` is a denial in the cloud and never answered.
 */
export const copilotForm: HookAgent = {
  read(event) {
    const name = textIn(event, 'toolName', 'tool_name');
    const plain = plainIn(event, 'toolArgs', 'tool_input');
    // Of all that arrives as `Edit`, where Claude Code's names are used, only a patch is given as it is.
    const isPatch = plain !== undefined && (name === 'apply_patch' || name === 'Edit');
    const given = isPatch ? { input: plain } : fieldsIn(event, 'toolArgs', 'tool_input');
    const deed = deedOf(isPatch ? 'apply_patch' : name, given, names);
    if (deed === undefined) return undefined;
    // It has no name for a call: the session and what is called stand for it.
    const id = idOf(textIn(event, 'sessionId', 'session_id'), JSON.stringify(given));
    const by = speakerIn(event, 'copilot', 'sessionId', 'session_id');
    const call = { deed, cwd: folderIn(event, 'cwd'), id, by };
    // The result is worded for the model.
    return isBehind(event) ? { ...call, observed: {} } : call;
  },
  write(answer, event) {
    if (answer.kind === 'allow')
      return JSON.stringify({ permissionDecision: 'allow', permissionDecisionReason: answer.toUser });
    if (answer.kind === 'nothing' || isBehind(event)) return '';
    if (answer.kind === 'note') return JSON.stringify({ additionalContext: answer.toAgent });
    return JSON.stringify({ permissionDecision: 'deny', permissionDecisionReason: answer.toAgent });
  },
};

/** Whether the call has been made. */
function isBehind(event: Fields | undefined): boolean {
  return event !== undefined && ('toolResult' in event || 'tool_result' in event);
}
