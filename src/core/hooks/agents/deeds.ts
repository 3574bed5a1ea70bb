import type { AgentName } from '../../action/action.ts';
import { quoteWord } from '../../shell/quoteWord.ts';
import { type Fields, type HookDeed, scriptOf } from '../hookCall.ts';

/** Names of an agent's tools that run commands and that edit files. */
export interface ToolNames {
  commands: RegExp;
  edits: RegExp;
  agent: AgentName;
}

/** Tools of MCP servers that edit files; whether such a call is one is found out from its arguments later. */
const serverEdits = /^mcp_.*(?:edit|write|replace|create|patch|delete|remove)/i;

/** What a call of a tool is, where it is one of ours; decided by its name, so that every other call is answered at once. */
export function deedOf(name: string | undefined, given: Fields, names: ToolNames): HookDeed | undefined {
  if (name === undefined) return undefined;
  if (names.commands.test(name)) {
    const script = scriptOf(given['command'] ?? given['cmd'], quoteWord);
    return script === undefined ? undefined : { kind: 'command', script };
  }
  const isServers = serverEdits.test(name);
  if (!isServers && !names.edits.test(name)) return undefined;
  return { kind: 'edit', call: { name, arguments: { ...given } }, agent: isServers ? 'mcp' : names.agent };
}
