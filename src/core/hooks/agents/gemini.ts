import path from 'node:path';
import { fieldsIn, folderIn, type HookAgent, idOf, speakerIn, textIn } from '../hookCall.ts';
import { deedOf } from './deeds.ts';

const names = { commands: /^run_shell_command$/, edits: /^(?:replace|write_file)$/, agent: 'gemini' } as const;

/**
 * Gemini CLI (packages/core/src/hooks): only JSON counts, and where standard output is empty standard error is read in its
 * place, so that something is always said. It has no field for the model alone; `systemMessage` is shown to the user.
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
    const call = { deed, cwd: folder, id, by: speakerIn(event, 'gemini', 'session_id') };
    const moment = textIn(event, 'hook_event_name');
    if (moment === 'BeforeTool') return call;
    // Its response is worded for the model.
    return moment === 'AfterTool' ? { ...call, observed: {} } : undefined;
  },
  write(answer) {
    switch (answer.kind) {
      case 'nothing':
      case 'allow':
        return '{}';
      case 'note':
        return JSON.stringify({ systemMessage: answer.toAgent });
      case 'deny':
        return JSON.stringify({ decision: 'deny', reason: answer.toAgent, systemMessage: answer.toUser });
    }
  },
};
