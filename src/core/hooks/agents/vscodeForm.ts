import { fieldsIn, folderIn, type HookAgent, idOf, plainIn, speakerIn, textIn } from '../hookCall.ts';
import { deedOf } from './deeds.ts';
import { hookSpecific } from './hookSpecific.ts';

const names = {
  commands: /^(?:run_in_terminal|runInTerminal|runTerminalCommand|bash)$/,
  edits:
    /^(?:create_file|replace_string_in_file|multi_replace_string_in_file|insert_edit_into_file|apply_patch|create|edit|editFiles)$/,
  agent: 'copilot',
} as const;

/** VS Code's agents (docs/agents/reference/hooks-reference.md, 2026-07). It asks for every tool, whatever the matcher says. */
export const vscodeForm: HookAgent = {
  read(event) {
    const name = textIn(event, 'tool_name', 'toolName');
    const given = ['tool_input', 'toolInput', 'toolArgs'] as const;
    const plain = name === 'apply_patch' ? plainIn(event, ...given) : undefined;
    const deed = deedOf(name, plain === undefined ? fieldsIn(event, ...given) : { input: plain }, names);
    if (deed === undefined) return undefined;
    const id = idOf(textIn(event, 'sessionId', 'session_id'), textIn(event, 'tool_use_id', 'toolUseId'));
    const by = speakerIn(event, 'vscode', 'sessionId', 'session_id');
    const call = { deed, cwd: folderIn(event, 'cwd'), id, by };
    const moment = textIn(event, 'hookEventName', 'hook_event_name');
    if (moment === 'PreToolUse') return call;
    // The form of its response is not documented.
    return moment === 'PostToolUse' ? { ...call, observed: {} } : undefined;
  },
  write(answer) {
    const said = hookSpecific(answer, true);
    if (!said || answer.kind === 'nothing') return '{}';
    return JSON.stringify({ systemMessage: answer.toUser, hookSpecificOutput: said });
  },
};
