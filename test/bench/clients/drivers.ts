import fs from 'node:fs';
import path from 'node:path';
import type { HookAgentName } from '../../../src/core/hooks/hookCall.ts';
import { codexSettings, openCodeConfig } from '../agents/modelSettings.ts';
import {
  anthropic,
  chatCompletions,
  generateContent,
  type Protocol,
  responses,
  type ScriptedCall,
} from '../agents/scriptedModel.ts';
import { trustCodexHooks } from './trustCodex.ts';

/** A call without its name among the others. */
export type ClientCall = Omit<ScriptedCall, 'id'>;

/** How one published client is started against a scripted model, and how its model calls its tools. */
export interface ClientDriver {
  agent: HookAgentName;
  /** Of the npm registry. */
  package: string;
  /** Its program below the installed packages. */
  program: string;
  protocol: Protocol;
  /** A tool that it always offers. */
  tool: string;
  command(script: string): ClientCall;
  /** A command in a folder below; the last of these calls is it. */
  commandIn(folder: string, script: string): ClientCall[];
  /** Writes a whole file. `file`: absolute. */
  write(file: string, content: string): ClientCall;
  /** Puts one line in the place of another. */
  edit(file: string, before: string, after: string): ClientCall;
  /** Its own tool writes no file that is there. */
  refusesToOverwrite?: boolean;
  /** The call that reads a file before it is written; absent: it need not be read. */
  read?(file: string): ClientCall;
  /** Its words and variables. `home` has the hooks already. */
  start(place: { home: string; cwd: string; url: string }): { args: string[]; env: Record<string, string> };
  /** What a person has to do besides before it calls hooks. */
  trust?(program: string, place: { home: string; cwd: string; env: Record<string, string> }): Promise<void>;
}

/** Edits by a tool that takes patches. */
const patches: Pick<ClientDriver, 'write' | 'edit'> = {
  write: (file, content) =>
    patchCall([
      `*** Add File: ${file}`,
      ...content
        .trimEnd()
        .split('\n')
        .map((line) => `+${line}`),
    ]),
  edit: (file, before, after) => patchCall([`*** Update File: ${file}`, '@@', `-${before}`, `+${after}`]),
};

function patchCall(lines: readonly string[]): ClientCall {
  const input = ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');
  return { name: 'apply_patch', args: { input } };
}

/** Where the folder of one call holds for the next. */
const afterChange =
  (command: ClientDriver['command']): ClientDriver['commandIn'] =>
  (folder, script) => [command(`cd ${folder}`), command(script)];

const copilot: ClientDriver = {
  agent: 'copilot',
  package: '@github/copilot',
  program: '.bin/copilot',
  protocol: chatCompletions,
  tool: 'bash',
  command: (command) => ({ name: 'bash', args: { command, description: 'Run it' } }),
  commandIn: (folder, script) => [
    { name: 'bash', args: { command: `cd ${folder} && ${script}`, description: 'Run it' } },
  ],
  write: (file, file_text) => ({ name: 'create', args: { path: file, file_text } }),
  refusesToOverwrite: true,
  edit: (file, old_str, new_str) => ({ name: 'edit', args: { path: file, old_str, new_str } }),
  start: ({ url }) => ({
    args: ['-p', 'go', '--allow-all-tools', '--allow-all-paths', '--disable-builtin-mcps', '--trust-folder'],
    env: {
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: 'none',
      COPILOT_MODEL: 'scripted',
      COPILOT_AUTO_UPDATE: 'false',
    },
  }),
};

/** The clients that can be had without an account. */
export const clients: Readonly<Record<string, ClientDriver>> = {
  claude: {
    agent: 'claude',
    package: '@anthropic-ai/claude-code',
    program: '@anthropic-ai/claude-code-linux-x64/claude',
    protocol: anthropic,
    tool: 'Bash',
    command: (command) => ({ name: 'Bash', args: { command, description: 'Run it' } }),
    commandIn: afterChange((command) => ({ name: 'Bash', args: { command, description: 'Run it' } })),
    write: (file_path, content) => ({ name: 'Write', args: { file_path, content } }),
    edit: (file_path, old_string, new_string) => ({ name: 'Edit', args: { file_path, old_string, new_string } }),
    read: (file_path) => ({ name: 'Read', args: { file_path } }),
    start: ({ url }) => ({
      args: [
        ...['-p', 'go', '--model', 'claude-sonnet-4-5', '--permission-mode', 'acceptEdits'],
        ...['--allowedTools', 'Bash,Edit,Write,Read,Monitor'],
      ],
      env: {
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: 'none',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
      },
    }),
  },
  codex: {
    agent: 'codex',
    package: '@openai/codex',
    program: '.bin/codex',
    protocol: responses,
    tool: 'exec_command',
    command: (cmd) => ({ name: 'exec_command', args: { cmd } }),
    commandIn: (workdir, cmd) => [{ name: 'exec_command', args: { cmd, workdir } }],
    ...patches,
    start: ({ home, cwd, url }) => {
      codexSettings(home, cwd, url);
      return {
        args: ['exec', '--dangerously-bypass-approvals-and-sandbox', 'go'],
        env: { SCRIPTED_KEY: 'none' },
      };
    },
    trust: (program, { home, cwd, env }) =>
      trustCodexHooks(program, { cwd, env, settings: path.join(home, '.codex/config.toml') }),
  },
  gemini: {
    agent: 'gemini',
    package: '@google/gemini-cli',
    program: '.bin/gemini',
    protocol: generateContent,
    tool: 'run_shell_command',
    command: (command) => ({ name: 'run_shell_command', args: { command, description: 'Run it' } }),
    commandIn: (dir_path, command) => [{ name: 'run_shell_command', args: { command, dir_path } }],
    write: (file_path, content) => ({ name: 'write_file', args: { file_path, content } }),
    edit: (file_path, old_string, new_string) => ({
      name: 'replace',
      args: { file_path, old_string, new_string, instruction: 'Change it.' },
    }),
    start: ({ home, url }) => {
      const file = path.join(home, '.gemini/settings.json');
      const settings = {
        ...(fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as object) : {}),
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        general: { disableAutoUpdate: true, checkpointing: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        tools: { sandbox: false },
        model: { maxSessionTurns: -1, disableLoopDetection: true },
      };
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, JSON.stringify(settings));
      return {
        args: ['-p', 'go', '--yolo', '-m', 'gemini-2.5-pro'],
        env: {
          GOOGLE_GEMINI_BASE_URL: url,
          GEMINI_API_KEY: 'none',
          NO_BROWSER: '1',
          GEMINI_CLI_TRUST_WORKSPACE: 'true',
        },
      };
    },
  },
  copilot,
  copilotPatches: {
    ...copilot,
    refusesToOverwrite: false,
    ...patches,
    write: (file) => patchCall([`*** Delete File: ${file}`]),
    start: (place) => {
      const { args, env } = copilot.start(place);
      return { args, env: { ...env, COPILOT_MODEL: 'gpt-5.4', COPILOT_PROVIDER_WIRE_MODEL: 'scripted' } };
    },
  },
  opencode: {
    agent: 'opencode',
    package: 'opencode-ai',
    program: 'opencode-linux-x64/bin/opencode',
    protocol: chatCompletions,
    tool: 'bash',
    command: (command) => ({ name: 'bash', args: { command, description: 'Run it' } }),
    commandIn: (workdir, command) => [{ name: 'bash', args: { command, workdir, description: 'Run it' } }],
    write: (filePath, content) => ({ name: 'write', args: { filePath, content } }),
    edit: (filePath, oldString, newString) => ({ name: 'edit', args: { filePath, oldString, newString } }),
    read: (filePath) => ({ name: 'read', args: { filePath } }),
    start: ({ url }) => ({
      args: ['run', '-m', 'scripted/scripted', 'go'],
      env: {
        OPENCODE_CONFIG_CONTENT: JSON.stringify({
          ...openCodeConfig(url),
          permission: { bash: 'allow', edit: 'allow', external_directory: 'allow', doom_loop: 'allow' },
        }),
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_AUTOUPDATE: '1',
      },
    }),
  },
};
