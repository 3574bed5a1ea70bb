import path from 'node:path';
import { fieldsIn, folderIn, type HookAgent, idOf, speakerIn, textIn } from '../hookCall.ts';
import { deedOf } from './deeds.ts';

const names = { commands: /^run_shell_command$/, edits: /^(?:replace|write_file)$/, agent: 'gemini' } as const;

/**
 * Gemini CLI (packages/core/src/hooks): only JSON counts, and where standard output is empty standard error is read in its
 * place, so that something is always said. Before a call there is no field for the model, only `systemMessage` for the user;
 * behind it there is.
 */
export const gemini: HookAgent = {
  read(event) {
    const given = fieldsIn(event, 'tool_input');
    const deed = deedOf(textIn(event, 'tool_name'), given, names);
    if (deed === undefined) return undefined;
    const cwd = folderIn(event, 'cwd');
    const inner = textIn(given, 'dir_path', 'directory');
    const folder = cwd === undefined || inner === undefined ? cwd : path.resolve(cwd, inner);
    // It has no name for a call: the session and what is called stand for it.
    const id = idOf(textIn(event, 'session_id'), JSON.stringify(given));
    const by = speakerIn(event, 'gemini', 'session_id');
    const call = { deed, cwd: folder, id, by, readsAfterwards: true as const };
    const moment = textIn(event, 'hook_event_name');
    if (moment === 'BeforeTool') return call;
    // Its response is worded for the model.
    return moment === 'AfterTool' ? { ...call, observed: {} } : undefined;
  },
  write(answer, event) {
    const isBehind = event !== undefined && textIn(event, 'hook_event_name') === 'AfterTool';
    switch (answer.kind) {
      case 'nothing':
      case 'allow':
        return '{}';
      case 'note':
        return JSON.stringify(
          isBehind
            ? { hookSpecificOutput: { hookEventName: 'AfterTool', additionalContext: answer.toAgent } }
            : { systemMessage: answer.toAgent },
        );
      case 'deny':
        return JSON.stringify({ decision: 'deny', reason: answer.toAgent, systemMessage: answer.toUser });
    }
  },
};
