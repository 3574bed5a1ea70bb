import * as vscode from 'vscode';
import { type CassetteServer, type Reply, type ServerOptions, startServer } from '../../cassettes/server.ts';

/** A model server on this machine, and the settings that point to it. */
export interface ConnectedModel {
  server: CassetteServer;
  /** Prompts that it was asked, as one text each, in order. */
  prompts(): string[];
}

type Answer = NonNullable<ServerOptions['answer']>;

/** What the model is told to say about the last turn of a prompt; the first that fits. */
export type Script = readonly (readonly [asked: RegExp, says: string | Reply])[];

/** The last turn of a request. */
function lastTurn(body: Record<string, unknown>): string {
  const messages = body['messages'] as { role: string; content: string }[];
  return messages.at(-1)?.content ?? '';
}

/** A reply in the form that is asked for. */
export const observed = (text: string) => `<predicted_observation>\n${text}\n</predicted_observation>`;

/** What a shell tool replies. */
export const shellReply = (output: string, exitCode = 0) =>
  observed(
    `Command: x\nDirectory: (root)\nOutput: ${output === '' ? '(empty)' : output}\nError: (none)\nExit Code: ${exitCode}`,
  );

/** A terminal's screen, with the prompt that the question shows, and the exit code that it asks for. */
export const screen = (command: string, output: string, exitCode = 0) => {
  const prompt = 'user@host:/w$';
  return observed(`${prompt} ${command}\n${output}${prompt} echo $?\n${exitCode}\n${prompt}`);
};

/** Answers by a script; what is not in it, the model does not know. */
export function scripted(script: Script): Answer {
  return (body) => {
    const turn = lastTurn(body);
    return script.find(([asked]) => asked.test(turn))?.[1] ?? observed('');
  };
}

/** Starts a server, connects the extension to it, and takes both away afterwards. */
export async function withModel(
  options: Partial<ServerOptions>,
  during: (model: ConnectedModel) => Promise<void>,
): Promise<void> {
  const server = await startServer({ dialect: 'vllm', ...options });
  try {
    await configure({ baseUrl: server.baseUrl, provider: 'server' });
    await during({
      server,
      prompts: () => server.completions().map(({ body }) => JSON.stringify(body?.['messages'])),
    });
  } finally {
    await configure({ provider: undefined, baseUrl: undefined, name: undefined });
    await server.close();
  }
}

/** Where the guide looks for servers; the first port that is free here. */
export async function startOnUsualPort(options: ServerOptions): Promise<CassetteServer> {
  for (const port of [8000, 30_000, 8080]) {
    const server = await startServer({ ...options, port }).catch(() => undefined);
    if (server) return server;
  }
  return startServer({ ...options, port: 1234 });
}

/** Settings of the user, as the guide writes them. */
export async function configure(values: Record<string, string | undefined>): Promise<void> {
  const settings = vscode.workspace.getConfiguration('foretell.model');
  for (const [name, value] of Object.entries(values)) {
    await settings.update(name, value, vscode.ConfigurationTarget.Global);
  }
}
