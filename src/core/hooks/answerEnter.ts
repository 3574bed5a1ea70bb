import { version } from '../../../package.json';
import type { CommandAction, ShellName } from '../action/action.ts';
import { consentFile, consentFor } from '../consent/consentStore.ts';
import { isLostForGood } from '../facts/recovery.ts';
import { type ForetellRequest, foldAll } from '../foretell.ts';
import type { Prediction } from '../prediction/prediction.ts';
import { printable } from '../prediction/text/printable.ts';
import { quoteWord } from '../shell/quoteWord.ts';
import { heldText } from '../words/heldText.ts';
import { memoryFolder, usualLimits } from '../worlds/remembered/memoryStore.ts';
import type { CallSurroundings } from './answerCall.ts';
import { oneCallForetell } from './oneCallForetell.ts';

/** A line that somebody has typed, and pressed Enter. */
export interface TypedLine {
  line: string;
  /** What the shell has by now and does not export, as commands of its language that define it; may be empty. */
  state: string;
  shell: ShellName;
  /** Width of the terminal. */
  columns: number;
  /** The shell runs the line after so many milliseconds. */
  withinMs: number;
}

/** What is needed to answer one line. */
export interface EnterSurroundings
  extends Pick<CallSurroundings, 'launcher' | 'env' | 'cwd' | 'signal' | 'callerId' | 'launchers'> {
  /** The words alone are dangerous: with this text the line is held if no answer comes in time. */
  held(text: string): void;
}

/** Of the time that there is, the share that the rehearsal may take; analyses and the way back to the shell take theirs. */
const rehearsalShare = 0.5;
/** The share after which what is known by then has to do. */
const knownShare = 0.8;

/** What is asked of a typed line, besides the line itself. */
type LineRequest = Omit<ForetellRequest, 'action' | 'signal'>;

/** Predicts a line before it is run. Gives the text with which it is held; `undefined`: it runs. */
export async function answerEnter(typed: TypedLine, around: EnterSurroundings): Promise<string | undefined> {
  const { env, cwd } = around;
  return predictLine(typed, around, async (predict) => {
    // Where nobody waits for the rehearsal, the words are judged: in a millisecond.
    const words = await predict({ due: AbortSignal.abort() });
    const byWords = isDanger(words) ? textOf(words, typed, cwd, true) : undefined;
    if (byWords !== undefined) around.held(byWords);
    const { consent } = consentFor(consentFile(env), cwd);
    const prediction = await predict({
      trusted: true,
      ...(consent ? { consent } : {}),
      memory: { folder: memoryFolder(env), version, ...usualLimits },
      limits: { wallMs: typed.withinMs * rehearsalShare },
      due: AbortSignal.timeout(Math.round(typed.withinMs * knownShare)),
    });
    if (isDanger(prediction)) return textOf(prediction, typed, cwd, false);
    // Its facts are not all known.
    return prediction.ending === 'done' ? undefined : byWords;
  });
}

/** Predicts a typed line by an engine of its own, which is gone when `ask` has ended. `undefined`: it is not asked. */
export async function predictLine<T>(
  { line, state, shell }: Pick<TypedLine, 'line' | 'state' | 'shell'>,
  around: Omit<EnterSurroundings, 'held'>,
  ask: (predict: (request: LineRequest) => Promise<Prediction>) => Promise<T | undefined>,
): Promise<T | undefined> {
  // Bytes that are no text would be predicted as others than will be run.
  if (`${line}${state}`.includes('\ufffd')) return undefined;
  const { cwd, signal } = around;
  const foretell = oneCallForetell(around);
  const action: CommandAction = { kind: 'command', script: scriptOf(line, state, shell), shell, cwd };
  try {
    return await ask(async (request) => {
      const { events, view } = foretell.predict({ ...request, action, signal });
      const prediction = await foldAll(action, events);
      await view.close().catch(() => {});
      return prediction;
    });
  } finally {
    await foretell.dispose();
  }
}

/** zsh reads all that it is given at once: only what is evaluated behind that has the aliases and options of before it. */
function scriptOf(line: string, state: string, shell: ShellName): string {
  if (state === '') return line;
  return shell === 'zsh' ? `${state}\neval ${quoteWord(line)}` : `${state}\n${line}`;
}

function isDanger({ verdict }: Prediction): boolean {
  return verdict.level === 'danger';
}

function textOf({ verdict, loss }: Prediction, { columns }: TypedLine, cwd: string, isOfWords: boolean): string {
  const shown = (name: string) => printable(name.startsWith(`${cwd}/`) ? name.slice(cwd.length + 1) : name);
  const lines = heldText({
    reasons: verdict.reasons.filter(({ level }) => level === 'danger').map(({ text }) => printable(text)),
    lost: loss.filter(isLostForGood).map((one) => shown(one.path)),
    recoveries: loss.map(({ recovery }) => recovery),
    isOfWords,
    columns,
  });
  return `${lines.join('\n')}\n`;
}
