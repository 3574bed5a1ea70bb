import { fieldsIn, folderIn, type HookAgent, idOf, speakerIn, textIn } from '../hookCall.ts';
import { deedOf } from './deeds.ts';

const names = {
  commands: /^bash$/,
  edits: /^(?:edit|multiedit|write|patch|apply_patch)$/,
  agent: 'opencode',
} as const;

/** OpenCode, as the plugin of ours tells it (`@opencode-ai/plugin` 1.18.33); what denies is thrown there, a note is appended. */
export const opencode: HookAgent = {
  read(event) {
    const deed = deedOf(textIn(event, 'tool'), fieldsIn(event, 'args'), names);
    if (deed === undefined) return undefined;
    const id = idOf(textIn(event, 'sessionID'), textIn(event, 'callID'));
    const given = fieldsIn(event, 'args');
    const cwd = folderIn(given, 'workdir') ?? folderIn(event, 'cwd');
    const call = { deed, cwd, id, by: speakerIn(event, 'opencode', 'sessionID') };
    const moment = textIn(event, 'event');
    if (moment === 'tool.execute.before') return call;
    return moment === 'tool.execute.after' ? { ...call, observed: {} } : undefined;
  },
  write(answer) {
    switch (answer.kind) {
      case 'nothing':
      case 'allow':
        return '{}';
      case 'note':
        return JSON.stringify({ note: answer.toAgent });
      case 'deny':
        return JSON.stringify({ deny: answer.toAgent });
    }
  },
};
