import { setMaxListeners } from 'node:events';
import type { Readable } from 'node:stream';
import type { ShellName } from '../../core/action/action.ts';
import type { Foretell } from '../../core/foretell.ts';
import type { ToolAround } from '../../core/toolbox/tool.ts';
import { createToolSessions } from '../../core/toolbox/toolSessions.ts';
import { tools } from '../../core/toolbox/tools.ts';
import { jsonLines } from '../lines.ts';
import { createTurns } from '../turns.ts';
import { createMcpServer, type McpServer } from './mcpServer.ts';

/** What `foretell mcp` needs. */
export interface McpRun {
  foretell: Foretell;
  version: string;
  /** Where a call runs that names no folder; `undefined`: the folder of this process does not exist. */
  cwd: string | undefined;
  shell: ShellName;
  requestIn: ToolAround['requestIn'];
  /** How many predictions are made at once. */
  concurrency: number;
  input: Readable;
  /** Writes one line. */
  write(line: string): Promise<void>;
  signal: AbortSignal;
}

/** The longest text that a tool answers with. */
const mostCharacters = 8_000;

/** How long what was asked may go on when nothing more can be asked, in milliseconds: an agent that is gone reads nothing. */
const lastWordsMs = 5_000;

/** Serves tools over standard input and output until the input ends. */
export async function runMcp(run: McpRun): Promise<void> {
  const { foretell, input, signal } = run;
  const sessions = createToolSessions(foretell);
  const turns = createTurns(run.concurrency);
  let written: Promise<void> = Promise.resolve();
  const around = { foretell, sessions, mostCharacters, cwd: run.cwd, shell: run.shell, requestIn: run.requestIn };
  const server = createMcpServer({
    version: run.version,
    tools,
    async call(tool, given, { signal: cancelled, progress }) {
      // Every prediction of a call listens to it.
      setMaxListeners(0, cancelled);
      await turns.take();
      try {
        // Nobody reads the answer to what was called off while it waited.
        return cancelled.aborted ? { text: '' } : await tool.call(given, { ...around, signal: cancelled, progress });
      } finally {
        turns.give();
      }
    },
    write: (message) => {
      written = written.then(() => run.write(JSON.stringify(message)));
    },
  });
  for await (const line of jsonLines(input, signal)) server.receive(line);
  await lastWords(server, signal);
  await written;
  await sessions.closeAll();
}

/** What was asked is answered if that is soon; then it is called off. */
async function lastWords(server: McpServer, signal: AbortSignal): Promise<void> {
  const cancel = () => server.cancel();
  const timer = setTimeout(cancel, lastWordsMs);
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  await server.settled();
  clearTimeout(timer);
}
