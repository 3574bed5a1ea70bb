import path from 'node:path';
import { homeFolder } from '../../context/user.ts';
import type { HookAgentName } from '../hookCall.ts';
import { openCodePlugin } from './openCodePlugin.ts';

/** For every project of the user, or for one folder. */
export type SettingsScope = 'user' | 'project';

type Environment = Readonly<Record<string, string | undefined>>;

/** An entry of one event of an agent, and the name of the event. */
export interface HookEntry {
  event: string;
  value: Readonly<Record<string, unknown>>;
}

/** How hooks stand in the settings of one agent. */
export interface AgentSettings {
  title: string;
  /** The agent's own folder of the user; where it is there, the agent is used here. Absolute. */
  home(env: Environment): string;
  /** The file below that folder, and the one below a project. */
  userFile: string;
  projectFile: string;
  /** What a new file has besides hooks. */
  head: Readonly<Record<string, unknown>>;
  /** The entries; `program`: how the hook is called, as a line of sh. Absent: the file is ours as a whole. */
  entries?(program: string): HookEntry[];
  /** The whole content of a file of ours. */
  content?(program: string): string;
  /** What the user has to do besides; a sentence. */
  afterwards?: string;
  /** The agent's file that names each settings file whose hooks it was told to trust; it calls no others. Absolute. */
  trustFile?(env: Environment): string;
}

const seconds = 15;

/**
 * Entries with a matcher and handlers inside, as Claude Code began; and one for the beginning of a session, by which the service
 * is there before the first call.
 */
function nested(program: string, events: readonly string[], matcher: string, timeout: number): HookEntry[] {
  const hooks = [{ type: 'command', command: program, timeout }];
  return [
    { event: 'SessionStart', value: { hooks } },
    ...events.map((event) => ({ event, value: { matcher, hooks } })),
  ];
}

const below =
  (...names: string[]) =>
  (env: Environment) =>
    path.join(homeFolder(env), ...names);
const configured = (variable: string, otherwise: string) => (env: Environment) => {
  const folder = env[variable];
  return folder !== undefined && path.isAbsolute(folder) ? folder : path.join(homeFolder(env), otherwise);
};

/** Where the hooks of each agent are kept, and in which form (their documentation and sources, see `agents/`). */
export const agentSettings: Readonly<Record<HookAgentName, AgentSettings>> = {
  claude: {
    title: 'Claude Code',
    home: configured('CLAUDE_CONFIG_DIR', '.claude'),
    userFile: 'settings.json',
    projectFile: '.claude/settings.json',
    head: {},
    entries: (program) => {
      const ours = 'Bash|Edit|Write|MultiEdit|NotebookEdit|Monitor';
      return nested(program, ['PreToolUse', 'PostToolUse', 'PostToolUseFailure'], ours, seconds);
    },
  },
  codex: {
    title: 'Codex',
    home: configured('CODEX_HOME', '.codex'),
    userFile: 'hooks.json',
    projectFile: '.codex/hooks.json',
    head: {},
    entries: (program) => nested(program, ['PreToolUse', 'PostToolUse'], '^(Bash|apply_patch)$', seconds),
    afterwards: 'Codex runs a hook only after you have trusted it: type /hooks there.',
    trustFile: (env) => path.join(configured('CODEX_HOME', '.codex')(env), 'config.toml'),
  },
  gemini: {
    title: 'Gemini CLI',
    home: below('.gemini'),
    userFile: 'settings.json',
    projectFile: '.gemini/settings.json',
    head: {},
    entries: (program) =>
      nested(program, ['BeforeTool', 'AfterTool'], 'run_shell_command|write_file|replace', 1_000 * seconds),
  },
  vscode: {
    title: 'VS Code',
    home: below('.copilot'),
    userFile: 'hooks/foretell.json',
    projectFile: '.github/hooks/foretell.json',
    head: {},
    entries: (program) =>
      ['SessionStart', 'PreToolUse', 'PostToolUse'].map((event) => ({
        event,
        value: { type: 'command', command: program, timeout: seconds },
      })),
  },
  copilot: {
    title: 'Copilot CLI',
    home: below('.copilot'),
    userFile: 'hooks/foretell-cli.json',
    projectFile: '.github/hooks/foretell-cli.json',
    head: { version: 1 },
    entries: (program) =>
      ['sessionStart', 'preToolUse', 'postToolUse'].map((event) => ({
        event,
        value: { type: 'command', bash: program, timeoutSec: seconds },
      })),
  },
  cursor: {
    title: 'Cursor',
    home: below('.cursor'),
    userFile: 'hooks.json',
    projectFile: '.cursor/hooks.json',
    head: { version: 1 },
    entries: (program) => [
      { event: 'beforeShellExecution', value: { command: program, timeout: seconds } },
      { event: 'preToolUse', value: { command: program, matcher: 'Write|Edit|StrReplace|Delete', timeout: seconds } },
      { event: 'afterShellExecution', value: { command: program, timeout: seconds } },
    ],
  },
  opencode: {
    title: 'OpenCode',
    home: below('.config', 'opencode'),
    userFile: 'plugin/foretell.js',
    projectFile: '.opencode/plugin/foretell.js',
    head: {},
    content: openCodePlugin,
  },
};

/** The settings file of an agent; absolute. `folder`: of the project. */
export function settingsFile(agent: HookAgentName, scope: SettingsScope, folder: string, env: Environment): string {
  const { home, userFile, projectFile } = agentSettings[agent];
  return scope === 'user' ? path.join(home(env), userFile) : path.join(folder, projectFile);
}
