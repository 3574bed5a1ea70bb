import { asPatchCall } from '../../action/edit/shellPatch.ts';
import { fieldsIn, folderIn, type HookAgent, type HookDeed, idOf, speakerIn, textIn } from '../hookCall.ts';
import { deedOf } from './deeds.ts';
import { hookSpecific } from './hookSpecific.ts';

const names = {
  commands: /^(?:Bash|shell|local_shell|exec_command|container\.exec)$/,
  edits: /^(?:apply_patch|Edit|Write)$/,
  agent: 'codex',
} as const;

/** A command that Codex makes a patch of, without a shell. */
function asPatch(deed: HookDeed): HookDeed {
  if (deed.kind !== 'command') return deed;
  const call = asPatchCall({ name: 'shell', arguments: { command: deed.script } });
  return call.name === 'shell' ? deed : { kind: 'edit', call, agent: 'codex' };
}

/**
 * Codex (codex-rs/hooks, 0.153): one field that it does not know, `ask`, or a denial without a reason, and the reply fails
 * and the call runs. So there are exactly two forms, and an empty output.
 */
export const codex: HookAgent = {
  read(event) {
    const given = fieldsIn(event, 'tool_input');
    const asked = deedOf(textIn(event, 'tool_name'), given, names);
    const deed = asked && asPatch(asked);
    if (deed === undefined) return undefined;
    // A patch arrives under the name that the matcher has for it, too.
    if (deed.kind === 'edit' && deed.agent === 'codex') deed.call.name = 'apply_patch';
    const id = idOf(textIn(event, 'session_id'), textIn(event, 'tool_use_id'));
    const cwd = folderIn(given, 'workdir') ?? folderIn(event, 'cwd');
    const call = { deed, cwd, id, by: speakerIn(event, 'codex', 'session_id') };
    const moment = textIn(event, 'hook_event_name');
    if (moment === 'PreToolUse') return call;
    // Its response has lines of its own around the output.
    return moment === 'PostToolUse' ? { ...call, observed: {} } : undefined;
  },
  write(answer) {
    // It takes `allow` only together with another input for the call.
    const said = hookSpecific(answer, false);
    return said ? JSON.stringify({ hookSpecificOutput: said }) : '';
  },
};
