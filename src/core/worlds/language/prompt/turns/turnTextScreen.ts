import type { Keystrokes, TurnAction } from '../../../../action/turnAction.ts';
import { withoutLastBreaks } from './turnText.ts';

/** Who sits at the simulated terminal; it makes the prompt. `home` and `cwd` are absolute. */
export interface TerminalPlace {
  user: string;
  host: string;
  home: string;
  cwd: string;
}

/** The prompt of an interactive bash (`\u@\h:\w\$`), without a blank at its end. */
export function promptText(place: TerminalPlace, cwd = place.cwd): string {
  const isHome = cwd === place.home || (cwd.startsWith(`${place.home}/`) && place.home !== '/');
  const shown = isHome ? `~${cwd.slice(place.home.length)}` : cwd;
  return `${place.user}@${place.host}:${shown}${place.user === 'root' ? '#' : '$'}`;
}

/** What is typed to learn the exit code of the command before. */
export const exitCodeQuestion = 'echo $?';

/**
 * A command as keystrokes. `durationSeconds` is how long is waited for it; `asksExitCode` types `echo $?` after it.
 * Several lines are typed one after the other, as they stand.
 */
export function typeCommand(
  script: string,
  { durationSeconds = 60, asksExitCode = false }: { durationSeconds?: number; asksExitCode?: boolean } = {},
): TurnAction & { kind: 'keystrokes' } {
  const keystrokes: Keystrokes[] = [{ keystrokes: `${withoutLastBreaks(script)}\n`, duration: durationSeconds }];
  if (asksExitCode) keystrokes.push({ keystrokes: `${exitCodeQuestion}\n`, duration: 0.1 });
  return { kind: 'keystrokes', keystrokes };
}

/**
 * What a terminal shows after a command: the prompt with the echoed command, the output, the exit code where it is asked
 * for, the new prompt. `afterCwd` is where the shell stands then (default: where it stood).
 */
export function renderScreen(
  place: TerminalPlace,
  command: string,
  output: string,
  { exitCode, afterCwd = place.cwd }: { exitCode?: number; afterCwd?: string } = {},
): string {
  const echoed = withoutLastBreaks(command).replaceAll('\n', '\n> ');
  const next = promptText(place, afterCwd);
  const asked = exitCode === undefined ? '' : `${next} ${exitCodeQuestion}\n${exitCode}\n`;
  // Output without a line break at its end has the prompt on its last line; so it is in a terminal.
  return `${promptText(place)} ${echoed}\n${output}${asked}${next}`;
}

/** What was read from a screen. */
export interface ScreenReading {
  /** What the command printed, with the line break at its end where the prompt stood on a line of its own. */
  output: string;
  /** Where the turn asked for it and the screen tells. */
  exitCode?: number;
  /** The prompt at the end; absent: the command still runs, or the screen was cut. */
  prompt?: string;
  /** The keystrokes were seen on the screen. */
  echoed: boolean;
}

// `user@host:/app#`, `(venv) user@host:~$`, `bash-5.2$`, `[user@host app]$`, `/app $`; nothing else on the line.
const anyPrompt =
  /^(?:\([^()\s]*\) )?(?:[\w.-]+@[\w.-]+:[^\n]*?[$#%]|\[[\w.-]+@[\w.-]+ [^\]\n]*\][$#%]|(?:bash|sh|zsh)[-\w.]*[$#%>]|[~/]\S* ?[$#%❯]|[$#%❯])[ \t]*$/;

const longestPrompt = 1000;

/**
 * Reads a predicted screen: takes the echo of the keystrokes and the prompts away, and answers with what the command
 * printed. `prompt` is the one before the action; with it, output that ends without a line break is told from the prompt
 * behind it. Tolerant: the echo may be missing, and the first line may lack its prompt.
 */
export function parseScreen(
  screen: string,
  keystrokes: readonly Keystrokes[],
  { prompt }: { prompt?: string } = {},
): ScreenReading {
  const lines = screen.replaceAll('\r\n', '\n').trimEnd().split('\n');
  const expected = echoLines(keystrokes);
  const reading: ScreenReading = { output: '', echoed: false };
  const printed: string[] = [];
  const ending = splitPrompt(lines.at(-1) ?? '', prompt);
  if (ending) {
    reading.prompt = ending.prompt;
    lines.pop();
  }
  // What stands on the last line before a prompt, or while the command runs, had no line break yet.
  let open = ending ? ending.before : (lines.pop() ?? '');
  const question = expected.at(-1)?.isQuestion === true ? expected.pop() : undefined;
  const asked = findQuestion([...lines, ...(ending ? [] : [open])], question, prompt);
  if (asked) {
    if (asked.exitCode !== undefined) reading.exitCode = asked.exitCode;
    lines.length = asked.index;
    open = asked.before;
  }
  let wasEcho = true;
  let echoes = 0;
  for (const [index, line] of lines.entries()) {
    const next = expected[echoes];
    const mayBeBare = next?.isContinued === true ? wasEcho : index === 0;
    const echo = echoIn(line, next, prompt, mayBeBare);
    if (echo) {
      echoes += 1;
      reading.echoed = true;
      printed.push(echo.before);
    } else printed.push(`${line}\n`);
    wasEcho = echo !== undefined;
  }
  const isEcho = !ending && !asked && echoIn(open, expected[echoes], prompt, lines.length === 0) !== undefined;
  reading.echoed ||= isEcho;
  reading.output = printed.join('') + (isEcho ? '' : open);
  return reading;
}

/** The last place where the exit code is asked for; a program may print what looks like it. */
function findQuestion(lines: readonly string[], question: Echo | undefined, prompt: string | undefined) {
  for (let index = lines.length - 1; question && index >= 0; index--) {
    // A model may forget the prompt here; then the question and its answer must be the last lines.
    const echo = echoIn(lines[index] ?? '', question, prompt, index === lines.length - 2);
    if (!echo) continue;
    const answer = (lines[index + 1] ?? '').trim();
    return { index, before: echo.before, ...(/^\d{1,3}$/.test(answer) ? { exitCode: Number(answer) } : {}) };
  }
  return undefined;
}

interface Echo {
  text: string;
  isQuestion: boolean;
  /** It is not the first line of its keystrokes; pasted lines are echoed without a prompt. */
  isContinued: boolean;
}

function echoLines(keystrokes: readonly Keystrokes[]): Echo[] {
  return keystrokes.flatMap((one) => {
    if (/^(?:C-.|M-.|)$/.test(one.keystrokes)) return [];
    const text = withoutLastBreaks(one.keystrokes);
    const isQuestion = text.trim() === exitCodeQuestion;
    return text.split('\n').map((line, index) => ({ text: line.trimEnd(), isQuestion, isContinued: index > 0 }));
  });
}

/** Finds an expected echo behind a prompt; without one only where it may lack it, so that printed text is not taken. */
function echoIn(line: string, expected: Echo | undefined, prompt: string | undefined, mayBeBare: boolean) {
  if (expected === undefined) return undefined;
  const { text, isContinued } = expected;
  const shown = line.trimEnd();
  if (shown === text && mayBeBare) return { before: '' };
  if (!shown.endsWith(text)) return undefined;
  const front = shown.slice(0, shown.length - text.length);
  if (front === '' || (text !== '' && !/\s$/.test(front))) return undefined;
  if (front.trimEnd() === '>') return isContinued ? { before: '' } : undefined;
  return splitPrompt(front, prompt);
}

/** Takes the prompt at the end of a line apart from what stands before it. */
function splitPrompt(line: string, known: string | undefined): { before: string; prompt: string } | undefined {
  const shown = line.trimEnd();
  // The folder in the prompt may have changed: what stands before the colon is looked for.
  const colon = known?.indexOf(':') ?? -1;
  const head = colon > 0 ? known?.slice(0, colon + 1) : known;
  const at = head === undefined ? -1 : shown.lastIndexOf(head);
  if (at >= 0) {
    const found = shown.slice(at);
    const before = shown.slice(0, at);
    const isPrompt = found === known || (colon > 0 && /^\S*:[^\s$#%]*[$#%]$/.test(found));
    if (isPrompt)
      return /^(?:\([^()\s]*\) )?$/.test(before) ? { before: '', prompt: shown } : { before, prompt: found };
  }
  return shown.length <= longestPrompt && anyPrompt.test(shown) ? { before: '', prompt: shown } : undefined;
}
