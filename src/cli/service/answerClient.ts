import { serveEnter } from '../enter/serveEnter.ts';
import { runHook } from '../hooks/hook.ts';
import type { ServedClient } from './serve.ts';

/** Answers a client as the program would that it stands for: byte for byte, with its working directory and its environment. */
export async function answerClient(client: ServedClient, distFolder: string): Promise<void> {
  const { request, input, send, launchers } = client;
  if (request.role === 'enter') return serveEnter(client, distFolder);
  if (request.role !== 'hook') return;
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
