import { fieldsIn, folderIn, type HookAgent, idOf, observedIn, speakerIn, textIn } from '../hookCall.ts';
import { deedOf } from './deeds.ts';
import { hookSpecific } from './hookSpecific.ts';

const names = {
  commands: /^(?:Bash|Monitor)$/,
  edits: /^(?:Edit|MultiEdit|Write|NotebookEdit)$/,
  agent: 'claude',
} as const;

/**
 * Claude Code (`@anthropic-ai/claude-agent-sdk` 0.3.330, sdk.d.ts). Nothing is said by an empty output. `ask` is approved
 * silently under some of its modes, and `defer` fails the call: neither is ever answered.
 */
export const claudeForm: HookAgent = {
  read(event) {
    const moment = textIn(event, 'hook_event_name');
    const deed = deedOf(textIn(event, 'tool_name'), fieldsIn(event, 'tool_input'), names);
    if (deed === undefined) return undefined;
    const id = idOf(textIn(event, 'session_id'), textIn(event, 'tool_use_id'));
    const call = { deed, cwd: folderIn(event, 'cwd'), id, by: speakerIn(event, 'claude', 'session_id') };
    if (moment === 'PreToolUse') return call;
    // The words of a failure are for the model; a call that was interrupted is not compared.
    if (moment === 'PostToolUseFailure') return event['is_interrupt'] === true ? undefined : { ...call, observed: {} };
    if (moment !== 'PostToolUse') return undefined;
    const observed = observedIn(event['tool_response']);
    return { ...call, observed: deed.kind === 'command' ? { exitCode: 0, ...observed } : {} };
  },
  write(answer) {
    const said = hookSpecific(answer, true);
    if (!said) return '';
    // The reason is shown to the user already.
    if (answer.kind === 'allow') return JSON.stringify({ hookSpecificOutput: said });
    return JSON.stringify({ systemMessage: answer.kind === 'nothing' ? '' : answer.toUser, hookSpecificOutput: said });
  },
};
