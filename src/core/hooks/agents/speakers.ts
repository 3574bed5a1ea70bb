import { type Fields, type HookAgent, textIn } from '../hookCall.ts';
import { claudeForm } from './claudeForm.ts';
import { copilotForm } from './copilotForm.ts';
import { vscodeForm } from './vscodeForm.ts';

/**
 * VS Code and Copilot CLI read each other's hooks, and those of Claude Code, and then send their own events there and expect
 * their own answers. Fields that only one of them has tell who speaks.
 */
function speakerOf(event: Fields | undefined, usual: HookAgent): HookAgent {
  if (event === undefined) return usual;
  if ('hookEventName' in event) return vscodeForm;
  if ('toolName' in event) return copilotForm;
  const name = textIn(event, 'tool_name') ?? '';
  const isClaudes = 'hook_event_name' in event && /^[A-Z][a-z]/.test(name);
  // Copilot CLI gives Claude's names, and a time that Claude Code does not give.
  if (isClaudes) return 'timestamp' in event ? copilotForm : usual === vscodeForm ? claudeForm : usual;
  return usual;
}

function speaking(usual: HookAgent): HookAgent {
  return {
    read: (event) => speakerOf(event, usual).read(event),
    write: (answer, event) => speakerOf(event, usual).write(answer, event),
  };
}

/** What stands in the settings of Claude Code; it answers whoever reads them. */
export const claude = speaking(claudeForm);
/** The same of Copilot CLI. */
export const copilot = speaking(copilotForm);
/** The same of VS Code. */
export const vscode = speaking(vscodeForm);
