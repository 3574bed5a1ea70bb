import type { CliProcess } from '../cliProcess.ts';
import { serveEnter } from '../enter/serveEnter.ts';
import { runHook } from '../hooks/hook.ts';
import { readOptions } from '../options.ts';
import { predictAsked, prepareAsked } from '../predicting.ts';
import { isWordName } from '../wordNames.ts';
import type { ServedClient } from './serve.ts';

/** Answers a client as the program would that it stands for: byte for byte, with its working directory and its environment. */
export async function answerClient(client: ServedClient, distFolder: string): Promise<void> {
  const { request, input, send, launchers } = client;
  if (request.role === 'enter') return serveEnter(client, distFolder);
  if (request.role === 'foretell') return answerForetell(client, distFolder);
  const beganAt = performance.now();
  const code = await runHook(request.args, {
    distFolder,
    cwd: request.cwd ?? '/',
    env: request.env,
    isAtTerminal: false,
    input: { [Symbol.asyncIterator]: () => input()[Symbol.asyncIterator]() },
    async say(text) {
      send({ kind: 'output', text });
      // What comes behind the answer nobody waits for.
      send({ kind: 'exit', code: 0 });
    },
    tell: (line) => send({ kind: 'error', text: `${line}\n` }),
    sinceStart: () => performance.now() - beganAt,
    served: { callerId: request.processId, launchers },
  });
  send({ kind: 'exit', code });
}

/**
 * The command line, for predictions that are over in a moment. What is not said here the client does itself: other words, which
 * write or stay (`mcp`, `batch`), calls of a model, which take seconds and go out by the user's own settings, and `--apply`,
 * which asks and writes. A client that is told nothing does it itself.
 */
async function answerForetell({ request, input, send, signal, launchers }: ServedClient, distFolder: string) {
  const { args, cwd, env, terminals, processId } = request;
  if (isWordName(args[0])) return;
  const options = readOptions(args, cwd ?? '');
  if ('problem' in options || options.modelUrl !== undefined || options.apply) return;
  if (!['predict', 'edit', 'compare', 'help', 'version'].includes(options.command)) return;
  const around: CliProcess = {
    ...{ distFolder, cwd, env, terminals, input, signal },
    say: async (text) => send({ kind: 'output', text }),
    warn: (text) => send({ kind: 'error', text }),
    served: { callerId: processId, launchers },
  };
  const asked = await prepareAsked(options, around);
  send({ kind: 'exit', code: typeof asked === 'number' ? asked : await predictAsked(asked, around) });
}
