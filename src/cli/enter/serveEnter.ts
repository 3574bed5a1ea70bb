import { answerEnter } from '../../core/hooks/answerEnter.ts';
import { enterShells } from '../../core/hooks/enterStart.ts';
import { launcherPath } from '../../core/launcherPath.ts';
import type { ServedClient } from '../service/serve.ts';

/** How a shell says what is typed; they are not variables of its programs. */
const lineName = 'FORETELL_ENTER_LINE';
const stateName = 'FORETELL_ENTER_STATE';

/**
 * Answers a shell in which Enter was pressed; its arguments: the name of the shell, columns, milliseconds. Exit status 0: the line
 * runs; 1: it is held, with a text of two lines.
 */
export async function serveEnter(client: ServedClient, distFolder: string): Promise<void> {
  const { request, send, signal, launchers } = client;
  const [name, columns, within] = request.args;
  const shell = enterShells.find((one) => one === name);
  const { [lineName]: line = '', [stateName]: state = '', ...env } = request.env;
  if (shell === undefined || line.trim() === '' || request.cwd === undefined) return send({ kind: 'exit', code: 0 });
  const text = await answerEnter(
    { line, state, shell, columns: numberOf(columns, 80), withinMs: numberOf(within, 300) },
    {
      ...{ launcher: launcherPath(distFolder), env, cwd: request.cwd, signal, launchers, callerId: request.processId },
      held: (late) => send({ kind: 'late', text: late }),
    },
  ).catch(() => undefined);
  if (text !== undefined) send({ kind: 'output', text });
  send({ kind: 'exit', code: text === undefined ? 0 : 1 });
}

function numberOf(text: string | undefined, otherwise: number): number {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 && number <= 10_000 ? number : otherwise;
}
