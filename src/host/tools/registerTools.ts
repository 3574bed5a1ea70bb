import path from 'node:path';
import * as vscode from 'vscode';
import type { SharedRequest, ToolAround } from '../../core/toolbox/tool.ts';
import type { ToolSessions } from '../../core/toolbox/toolSessions.ts';
import { consentIn } from '../consent/consents.ts';
import type { Engine } from '../engine/engine.ts';
import type { EditorRequest } from '../predict/run.ts';
import { folderMeant, localFolders, usualShell } from '../predict/selection.ts';
import { readSettings } from '../settings.ts';

/** What tools need of the window. */
export interface ToolsOptions {
  context: vscode.ExtensionContext;
  engine: Engine;
  editorRequest(): EditorRequest;
  log: vscode.LogOutputChannel;
}

/** A tool as package.json offers it: `foretell_` and the name of the tool. */
interface OfferedTool {
  name: string;
  displayName: string;
}

const prefix = 'foretell_';

/** The longest text; a chat may allow less. */
const mostCharacters = 8_000;

/** Offers the tools to VS Code's chat, and the server of the command line to its other agents where a setting says so. */
export function registerTools(options: ToolsOptions): vscode.Disposable {
  const { context } = options;
  const { contributes } = context.extension.packageJSON as { contributes: { languageModelTools: OfferedTool[] } };
  let sessions: ToolSessions | undefined;
  const registered = contributes.languageModelTools.map(({ name, displayName }) =>
    vscode.lm.registerTool<object>(name, {
      prepareInvocation: ({ input }) => preparedFor(displayName, input),
      async invoke({ input, tokenizationOptions }, token) {
        const [foretell, { tools }, { createToolSessions }] = await Promise.all([
          options.engine.load(),
          import('../../core/toolbox/tools.ts'),
          import('../../core/toolbox/toolSessions.ts'),
        ]);
        sessions ??= createToolSessions(foretell);
        const tool = tools.find((one) => `${prefix}${one.name}` === name);
        if (!tool) throw new Error(`There is no tool ${name} in this version of Foretell.`);
        const abort = new AbortController();
        const stop = token.onCancellationRequested(() => abort.abort());
        try {
          const around = aroundCall(options, foretell, sessions, abort.signal);
          const reply = await tool.call(input, around);
          if ('problem' in reply) throw new Error(reply.problem);
          const text = await withinBudget(reply.text, tokenizationOptions);
          // The data says the same again, and a model would pay for it twice.
          return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
        } finally {
          stop.dispose();
        }
      },
    }),
  );
  return vscode.Disposable.from(...registered, ...offerServer(options), {
    dispose: () => void sessions?.closeAll(),
  });
}

/** What is around one call: everything of the window but its terminal, because an agent's commands see a pipe. */
function aroundCall(
  { editorRequest, log }: ToolsOptions,
  foretell: ToolAround['foretell'],
  sessions: ToolSessions,
  signal: AbortSignal,
): ToolAround {
  const { terminal: _, interactive: _shell, memory, ...request } = editorRequest();
  return {
    foretell,
    sessions,
    cwd: folderMeant(),
    shell: usualShell(readSettings()),
    requestIn: (cwd: string, rehearse: boolean): SharedRequest => ({
      ...request,
      hash: true,
      trusted: request.trusted === true && rehearse,
      ...(rehearse ? { consent: consentIn(cwd, log), memory } : {}),
    }),
    mostCharacters,
    progress: () => {},
    signal,
  };
}

/** Says what is asked for, as text: an agent wrote it. */
function preparedFor(title: string, input: object): vscode.PreparedToolInvocation {
  const { command } = input as { command?: unknown };
  const isCommand = typeof command === 'string';
  const shown = isCommand ? command : JSON.stringify(input, undefined, 2);
  const message = new vscode.MarkdownString(
    'Nothing is run for real and nothing is changed: Foretell shows what would happen.',
  ).appendCodeblock(shown.length > 2_000 ? `${shown.slice(0, 2_000)}…` : shown, isCommand ? 'shellscript' : 'json');
  return { invocationMessage: `Foretell: ${title}`, confirmationMessages: { title: `${title}?`, message } };
}

/** As much of a text as the chat has room for. */
async function withinBudget(text: string, budget?: vscode.LanguageModelToolTokenizationOptions): Promise<string> {
  let kept = text;
  while (budget && kept.length > 100 && (await budget.countTokens(kept)) > budget.tokenBudget)
    kept = `${kept.slice(0, Math.floor(kept.length * 0.6))}\n(cut: the chat has no more room)`;
  return kept;
}

/** What newer versions of VS Code have than the one that is needed. */
interface ServerApi {
  lm: {
    registerMcpServerDefinitionProvider?(
      id: string,
      provider: { onDidChangeMcpServerDefinitions: vscode.Event<void>; provideMcpServerDefinitions(): object[] },
    ): vscode.Disposable;
  };
  McpStdioServerDefinition?: new (
    label: string,
    command: string,
    args: string[],
    env: Record<string, string>,
    version: string,
  ) => object;
}

/** A window that does not take the server has everything else all the same. */
function offerServer({ context, log }: ToolsOptions): vscode.Disposable[] {
  try {
    return registerServer(context);
  } catch (error) {
    log.warn(`The server for agents is not offered: ${error instanceof Error ? error.message : String(error)}`);
    return [];
  }
}

/** The server of the command line, for agents that use no tools of the editor. Off by default: both would be there twice. */
function registerServer(context: vscode.ExtensionContext): vscode.Disposable[] {
  const { lm, McpStdioServerDefinition: Definition } = vscode as unknown as ServerApi;
  if (!lm.registerMcpServerDefinitionProvider || !Definition) return [];
  const changed = new vscode.EventEmitter<void>();
  const version = String((context.extension.packageJSON as { version?: unknown }).version);
  const cli = path.join(context.extensionPath, 'dist', 'cli.js');
  const provider = lm.registerMcpServerDefinitionProvider('foretell.mcp', {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions() {
      const isOn = vscode.workspace.getConfiguration('foretell').get('mcp.enabled', false);
      if (!isOn || !vscode.workspace.isTrusted) return [];
      const [folder] = localFolders();
      const args = [cli, 'mcp', ...(folder === undefined ? [] : ['--cwd', folder])];
      return [new Definition('Foretell', process.execPath, args, { ELECTRON_RUN_AS_NODE: '1' }, version)];
    },
  });
  const listeners = [
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('foretell.mcp')) changed.fire();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
  ];
  return [provider, changed, ...listeners];
}
