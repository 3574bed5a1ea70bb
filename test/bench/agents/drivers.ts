import fs from 'node:fs';
import path from 'node:path';
import type { AgentCase } from './agentCase.ts';
import { clineEdits } from './clineCases.ts';
import { copilotCreates, copilotEdits } from './copilotCases.ts';
import { type ReplaceInput, replaceInputs, type WriteInput, writeInputs } from './editInputs.ts';
import { codexSettings, openCodeConfig } from './modelSettings.ts';
import { notebookCases } from './notebookCases.ts';
import { patchCases, shellPatchCases } from './patchCases.ts';
import { anthropic, chatCompletions, generateContent, type Protocol, responses } from './scriptedModel.ts';

/** How one agent is started against a scripted model, and which calls it is given. */
export interface AgentDriver {
  /** Of the npm registry. */
  package: string;
  /** Each of its versions has one with this ending, in which the program lies. */
  tag?: string;
  protocol: Protocol;
  /** A tool that it always offers. */
  tool: string;
  cases: readonly AgentCase[];
  /** The call that reads a file before it is edited; absent: it need not be read. */
  read?(file: string): { name: string; args: Record<string, unknown> };
  /** The words of the tool in a reply, which also has how long it took. */
  plain?(reply: string): string;
  /** Its command line and variables. `home` is empty and its own. */
  start(place: { package: string; home: string; url: string }): { argv: string[]; env: Record<string, string> };
}

const replaces = (tool: string, argsOf: (input: ReplaceInput) => Record<string, unknown>): AgentCase[] =>
  replaceInputs.map((input) => ({
    tool,
    name: input.name,
    files: input.files,
    args: argsOf(input),
    ...(input.isUnread ? {} : { reads: input.path }),
  }));
const writes = (tool: string, argsOf: (input: WriteInput) => Record<string, unknown>): AgentCase[] =>
  writeInputs.map((input) => ({ tool, name: input.name, files: input.files, args: argsOf(input), reads: input.path }));

const snake = ({ path: file_path, before, after, isAll }: ReplaceInput) => ({
  file_path,
  old_string: before,
  new_string: after,
  ...(isAll ? { replace_all: true } : {}),
});

/** Agents whose packages can be asked. */
export const drivers: Readonly<Record<string, AgentDriver>> = {
  claude: {
    package: '@anthropic-ai/claude-code-linux-x64',
    protocol: anthropic,
    tool: 'Edit',
    cases: [
      ...replaces('Edit', snake),
      ...writes('Write', ({ path: file_path, content }) => ({ file_path, content })),
      ...notebookCases,
    ],
    read: (file_path) => ({ name: 'Read', args: { file_path } }),
    start: ({ package: folder, url }) => ({
      argv: [
        path.join(folder, 'claude'),
        ...['-p', 'go', '--model', 'claude-sonnet-4-5', '--permission-mode', 'acceptEdits'],
        ...['--tools', 'Edit,Write,Read,NotebookEdit', '--allowedTools', 'Edit,Write,Read,NotebookEdit'],
      ],
      env: {
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: 'none',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
      },
    }),
  },
  gemini: {
    package: '@google/gemini-cli',
    protocol: generateContent,
    tool: 'replace',
    cases: [
      ...replaces('replace', (input) => {
        const { replace_all: all, ...args } = snake(input);
        return { ...args, instruction: 'Change it.', ...(all ? { allow_multiple: true } : {}) };
      }),
      ...writes('write_file', ({ path: file_path, content }) => ({ file_path, content })),
    ],
    start: ({ package: folder, home, url }) => {
      fs.mkdirSync(path.join(home, '.gemini'));
      const settings = {
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        general: { disableAutoUpdate: true, checkpointing: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        tools: { sandbox: false },
        model: { maxSessionTurns: -1, disableLoopDetection: true },
      };
      fs.writeFileSync(path.join(home, '.gemini/settings.json'), JSON.stringify(settings));
      return {
        argv: [process.execPath, path.join(folder, 'bundle/gemini.js'), '-p', 'go', '--yolo', '-m', 'gemini-2.5-pro'],
        env: {
          GOOGLE_GEMINI_BASE_URL: url,
          GEMINI_API_KEY: 'none',
          NO_BROWSER: '1',
          GEMINI_CLI_TRUST_WORKSPACE: 'true',
        },
      };
    },
  },
  qwen: {
    package: '@qwen-code/qwen-code',
    protocol: chatCompletions,
    tool: 'edit',
    cases: [
      ...replaces('edit', snake),
      ...writes('write_file', ({ path: file_path, content }) => ({ file_path, content })),
    ],
    read: (file_path) => ({ name: 'read_file', args: { file_path, absolute_path: file_path } }),
    start: ({ package: folder, url }) => ({
      argv: [process.execPath, path.join(folder, 'cli.js'), '-p', 'go', '--yolo', '--auth-type', 'openai'],
      env: { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'scripted' },
    }),
  },
  opencode: {
    package: 'opencode-linux-x64',
    protocol: chatCompletions,
    tool: 'edit',
    cases: [
      ...replaces('edit', ({ path: filePath, before, after, isAll }) => ({
        filePath,
        oldString: before,
        newString: after,
        ...(isAll ? { replaceAll: true } : {}),
      })),
      ...writes('write', ({ path: filePath, content }) => ({ filePath, content })),
    ],
    read: (filePath) => ({ name: 'read', args: { filePath } }),
    start: ({ package: folder, url }) => {
      const config = {
        ...openCodeConfig(url),
        permission: { edit: 'allow', external_directory: 'allow', doom_loop: 'allow' },
      };
      return {
        argv: [path.join(folder, 'bin/opencode'), 'run', '-m', 'scripted/scripted', 'go'],
        env: {
          OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
          OPENCODE_DISABLE_MODELS_FETCH: '1',
          OPENCODE_DISABLE_AUTOUPDATE: '1',
        },
      };
    },
  },
  codex: {
    package: '@openai/codex',
    tag: 'linux-x64',
    protocol: responses,
    tool: 'apply_patch',
    cases: [...patchCases, ...shellPatchCases],
    plain: (reply) => reply.replace(/^(?:(?:Exit code: \d+\n)?Wall time: [\d.]+ seconds\nOutput:\n)+/, ''),
    start: ({ package: folder, home, url }) => {
      codexSettings(home, path.join(home, 'root'), url);
      return {
        argv: [
          path.join(folder, 'vendor/x86_64-unknown-linux-musl/bin/codex'),
          ...['exec', '--dangerously-bypass-approvals-and-sandbox', '--skip-git-repo-check', 'go'],
        ],
        env: { SCRIPTED_KEY: 'none' },
      };
    },
  },
  copilot: {
    ...copilot('scripted'),
    tool: 'edit',
    cases: [
      ...replaces('edit', ({ path: file, before: old_str, after: new_str }) => ({
        path: file,
        old_str,
        new_str,
      })).filter(({ name }) => !name.startsWith('all of')),
      ...copilotEdits,
      ...writes('create', ({ path: file, content: file_text }) => ({ path: file, file_text })),
      ...copilotCreates,
    ],
  },
  cline: {
    package: '@cline/cli-linux-x64',
    protocol: chatCompletions,
    tool: 'editor',
    cases: [
      ...replaces('editor', ({ path: file, before: old_text, after: new_text }) => ({
        path: file,
        old_text,
        new_text,
      })).filter(({ name }) => !name.startsWith('all of')),
      ...writes('editor', ({ path: file, content: new_text }) => ({ path: file, new_text })),
      ...clineEdits,
    ],
    start: ({ package: folder, home, url }) => {
      const settings = { provider: 'openai-compatible', apiKey: 'none', model: 'scripted', baseUrl: `${url}/v1` };
      const used = { settings, updatedAt: '2026-11-24T00:00:00.000Z', tokenSource: 'manual' };
      const providers = { version: 1, lastUsedProvider: settings.provider, providers: { [settings.provider]: used } };
      fs.mkdirSync(path.join(home, '.cline/data/settings'), { recursive: true });
      fs.writeFileSync(path.join(home, '.cline/data/settings/providers.json'), JSON.stringify(providers));
      return {
        argv: [
          path.join(folder, 'bin/cline'),
          '-P',
          settings.provider,
          '-m',
          'scripted',
          '--retries',
          '1000',
          '--json',
          'Go on.',
        ],
        env: {},
      };
    },
  },
  'copilot-patches': { ...copilot('gpt-5.4'), tool: 'bash', cases: patchCases },
};

/** GitHub's command line with a model of a name; which tools it offers depends on that. */
function copilot(model: string): Pick<AgentDriver, 'package' | 'protocol' | 'start'> {
  return {
    package: '@github/copilot-linux-x64',
    protocol: chatCompletions,
    start: ({ package: folder, url }) => ({
      argv: [
        path.join(folder, 'copilot'),
        ...['-p', 'go', '--allow-all-tools', '--allow-all-paths', '--disable-builtin-mcps', '--trust-folder'],
      ],
      env: {
        COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
        COPILOT_PROVIDER_API_KEY: 'none',
        COPILOT_MODEL: model,
        COPILOT_PROVIDER_WIRE_MODEL: 'scripted',
        COPILOT_AUTO_UPDATE: 'false',
      },
    }),
  };
}
