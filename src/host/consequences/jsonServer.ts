import { type ChildProcess, fork } from 'node:child_process';

/** How long the server gets for one answer. */
const mostMs = 8_000;

/** A diagnostic as the language server protocol has it; lines and characters from 0. */
export interface ServerDiagnostic {
  range: { start: { line: number; character: number } };
  /** 1 error, 2 warning, 3 information, 4 hint. */
  severity?: number;
  message: string;
  source?: string;
}

/** What the server has to know before it is asked. */
export interface JsonServerOptions {
  /** Script of VS Code's own JSON language server. */
  script: string;
  /** Which schema belongs to which files. */
  associations: readonly { fileMatch: readonly string[]; uri: string }[];
  /** The setting `json.schemas`. */
  schemas: readonly object[];
  /** Content of a schema that is no file. Never rejects. */
  schemaContent(uri: string): Promise<string>;
}

/** VS Code's own JSON language server, in a process of its own, as VS Code itself starts it. */
export interface JsonServer {
  /** What it says about a text, as if it stood at this address. `undefined`: it did not answer. */
  diagnose(uri: string, languageId: string, text: string): Promise<readonly ServerDiagnostic[] | undefined>;
  close(): void;
}

interface Message {
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
}

/** Starts it; `undefined` where it does not come up. */
export async function startJsonServer(options: JsonServerOptions): Promise<JsonServer | undefined> {
  const server = fork(options.script, ['--node-ipc', `--clientProcessId=${process.pid}`], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', ELECTRON_NO_ASAR: '1' },
  });
  const waiting = new Map<number, (message: Message | undefined) => void>();
  const opened = new Map<string, number>();
  let count = 0;
  const send = (message: object) => {
    if (server.connected) server.send({ jsonrpc: '2.0', ...message }, () => {});
  };
  const tell = (method: string, params: unknown) => send({ method, params });
  const ask = (method: string, params: unknown): Promise<Message | undefined> => {
    count += 1;
    const id = count;
    return new Promise((resolve) => {
      const end = (message: Message | undefined) => {
        clearTimeout(timer);
        waiting.delete(id);
        resolve(message);
      };
      const timer = setTimeout(() => end(undefined), mostMs);
      waiting.set(id, end);
      send({ id, method, params });
    });
  };
  server.on('message', (message: Message) => {
    if (message.method === undefined) waiting.get(message.id ?? -1)?.(message);
    else if (message.id !== undefined) void answer(message.id, message, options, send);
  });
  for (const event of ['exit', 'error', 'disconnect']) {
    server.on(event, () => {
      for (const end of [...waiting.values()]) end(undefined);
    });
  }
  const initialized = await ask('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities: { textDocument: { diagnostic: { dynamicRegistration: false } } },
    initializationOptions: {
      handledSchemaProtocols: ['file'],
      provideFormatter: false,
      customCapabilities: { rangeFormatting: { editLimit: 10_000 } },
    },
  });
  if (!initialized?.result) {
    stop(server);
    return undefined;
  }
  tell('initialized', {});
  tell('workspace/didChangeConfiguration', {
    settings: { json: { validate: { enable: true }, schemas: options.schemas }, http: {} },
  });
  tell('json/schemaAssociations', [options.associations]);

  return {
    async diagnose(uri, languageId, text) {
      const version = (opened.get(uri) ?? 0) + 1;
      opened.set(uri, version);
      if (version === 1) tell('textDocument/didOpen', { textDocument: { uri, languageId, version, text } });
      else tell('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text }] });
      const answered = await ask('textDocument/diagnostic', { textDocument: { uri } });
      const result = answered?.result as { items?: ServerDiagnostic[] } | null | undefined;
      return result?.items;
    },
    close: () => stop(server),
  };
}

function stop(server: ChildProcess): void {
  if (server.connected) server.disconnect();
  server.kill();
}

/** The server asks for schemas that are no files, and tells what it would like to be told later. */
async function answer(
  id: number,
  { method, params }: Message,
  options: JsonServerOptions,
  send: (message: object) => void,
): Promise<void> {
  const [uri] = Array.isArray(params) ? (params as unknown[]) : [params];
  if (method === 'vscode/content' && typeof uri === 'string') send({ id, result: await options.schemaContent(uri) });
  else send({ id, result: null });
}
