import {
  type Fields,
  fieldsIn,
  folderIn,
  type HookAgent,
  idOf,
  isFields,
  observedIn,
  speakerIn,
  textIn,
} from '../hookCall.ts';
import { deedOf } from './deeds.ts';

const names = {
  commands: /^(?:Shell|run_terminal_cmd|Bash)$/,
  edits: /^(?:Write|Edit|StrReplace|MultiEdit|search_replace|edit_file|Delete|delete_file)$/,
  agent: 'cursor',
} as const;

/** Events that wait for a permission: their answer must have one, and `allow` is the word for having nothing against it. */
const asksPermission = /^(?:before[A-Z]|preToolUse$)/;

/**
 * Cursor's hooks. A permission is a field that must be there: `allow` lets Cursor go on as its own settings say. `ask` is
 * ignored in one of its modes and never answered.
 */
export const cursor: HookAgent = {
  read(event) {
    const moment = textIn(event, 'hook_event_name');
    const isShell = moment === 'beforeShellExecution' || moment === 'afterShellExecution';
    if (!isShell && moment !== 'preToolUse' && moment !== 'postToolUse') return undefined;
    const given = isShell ? event : fieldsIn(event, 'tool_input');
    const deed = deedOf(isShell ? 'Shell' : textIn(event, 'tool_name'), given, names);
    // Commands have an event of their own.
    if (deed === undefined || (!isShell && deed.kind === 'command')) return undefined;
    const cwd = folderIn(event, 'cwd') ?? rootOf(event);
    const id = idOf(textIn(event, 'conversation_id'), textIn(event, 'generation_id'), JSON.stringify(deed));
    const call = { deed, cwd, id, by: speakerIn(event, 'cursor', 'conversation_id') };
    if (moment === 'afterShellExecution') return { ...call, observed: observedIn(event['output']) };
    return moment === 'postToolUse' ? { ...call, observed: {} } : call;
  },
  write(answer, event) {
    const moment = event && textIn(event, 'hook_event_name');
    if (moment !== undefined && !asksPermission.test(moment)) return '{}';
    switch (answer.kind) {
      case 'nothing':
      case 'allow':
        return '{"permission":"allow"}';
      case 'note':
        return JSON.stringify({ permission: 'allow', agent_message: answer.toAgent });
      case 'deny':
        return JSON.stringify({ permission: 'deny', user_message: answer.toUser, agent_message: answer.toAgent });
    }
  },
};

function rootOf(event: Fields): string | undefined {
  const roots = event['workspace_roots'];
  const [first] = Array.isArray(roots) ? roots : [];
  return isFields(event) && typeof first === 'string' && first.startsWith('/') ? first : undefined;
}
