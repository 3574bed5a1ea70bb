import { fieldsIn, folderIn, type HookAgent, idOf, speakerIn, textIn } from '../hookCall.ts';
import { deedOf } from './deeds.ts';

const names = {
  commands: /^(?:bash|Bash|shell)$/,
  edits: /^(?:create|edit|str_replace_editor|apply_patch|Write|Edit)$/,
  agent: 'copilot',
} as const;

/**
 * Copilot CLI (hooks-reference.md of its documentation): the decision stands at the top, and there is no field for a note.
 * `ask` is a denial in the cloud and never answered.
 */
export const copilotForm: HookAgent = {
  read(event) {
    const given = fieldsIn(event, 'toolArgs', 'tool_input');
    const deed = deedOf(textIn(event, 'toolName', 'tool_name'), given, names);
    if (deed === undefined) return undefined;
    // It has no name for a call: the session and what is called stand for it.
    const id = idOf(textIn(event, 'sessionId', 'session_id'), JSON.stringify(given));
    const by = speakerIn(event, 'copilot', 'sessionId', 'session_id');
    const call = { deed, cwd: folderIn(event, 'cwd'), id, by };
    // The result is worded for the model.
    return 'toolResult' in event || 'tool_result' in event ? { ...call, observed: {} } : call;
  },
  write(answer) {
    if (answer.kind === 'allow')
      return JSON.stringify({ permissionDecision: 'allow', permissionDecisionReason: answer.toUser });
    if (answer.kind !== 'deny') return '';
    return JSON.stringify({ permissionDecision: 'deny', permissionDecisionReason: answer.toAgent });
  },
};
