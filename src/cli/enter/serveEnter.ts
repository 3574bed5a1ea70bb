import { answerEnter } from '../../core/hooks/answerEnter.ts';
import { answerHint } from '../../core/hooks/answerHint.ts';
import { enterShells } from '../../core/hooks/enterStart.ts';
import { launcherPath } from '../../core/launcherPath.ts';
import type { ServedClient } from '../service/serve.ts';

/** How a shell says what is typed; they are not variables of its programs. */
const lineName = 'FORETELL_ENTER_LINE';
const stateName = 'FORETELL_ENTER_STATE';

/**
 * Answers a shell in which Enter was pressed; its arguments: the name of the shell, columns, milliseconds. Exit status 0: the line
 * runs; 1: it is held, with a text of two lines. With a fourth argument, `hint`, the line is still typed: 0, and what is to be said of it.
 */
export async function serveEnter(client: ServedClient, distFolder: string): Promise<void> {
  const { request, send, signal, launchers } = client;
  const [name, columns, within, wish] = request.args;
  const shell = enterShells.find((one) => one === name);
  const { [lineName]: line = '', [stateName]: state = '', ...env } = request.env;
  if (shell === undefined || line.trim() === '' || request.cwd === undefined) return send({ kind: 'exit', code: 0 });
  const typed = { line, state, shell, columns: numberOf(columns, 80), withinMs: numberOf(within, 300) };
  const around = {
    launcher: launcherPath(distFolder),
    env,
    cwd: request.cwd,
    signal,
    launchers,
    callerId: request.processId,
  };
  if (wish === 'hint') {
    const hint = await answerHint(typed, { ...around, showsGlyphs: isUnicode(env) }).catch(() => undefined);
    if (hint !== undefined) send({ kind: 'output', text: `${hint}\n` });
    return send({ kind: 'exit', code: 0 });
  }
  const held = (text: string) => send({ kind: 'late', text });
  const text = await answerEnter(typed, { ...around, held }).catch(() => undefined);
  if (text !== undefined) send({ kind: 'output', text });
  send({ kind: 'exit', code: text === undefined ? 0 : 1 });
}

/** Whether the locale has more characters than ASCII: the first of these variables that says anything counts. */
function isUnicode(env: Readonly<Record<string, string | undefined>>): boolean {
  return /utf-?8/i.test(env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '');
}

function numberOf(text: string | undefined, otherwise: number): number {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 && number <= 10_000 ? number : otherwise;
}
