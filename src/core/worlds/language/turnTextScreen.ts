import type { Keystrokes, TurnAction } from './turn.ts';

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
  const keystrokes: Keystrokes[] = [{ keystrokes: `${script.replace(/\n+$/, '')}\n`, duration: durationSeconds }];
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
  const echoed = command.replace(/\n+$/, '').replaceAll('\n', '\n> ');
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

// `user@host:/app#`, `(venv) user@host:~$`, `bash-5.2$`, `[user@host app]$`, `/app $`, `>`; nothing else on the line.
const anyPrompt =
  /^(?:\([^()\s]*\) )?(?:[\w.-]+@[\w.-]+:[^\n]*?[$#%]|\[[\w.-]+@[\w.-]+ [^\]\n]*\][$#%]|(?:bash|sh|zsh)[-\w.]*[$#%>]|[~/]\S* ?[$#%❯]|[$#%>❯])[ \t]*$/;

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
  const lines = screen.replaceAll('\r\n', '\n').replace(/\s+$/, '').split('\n');
  const expected = echoLines(keystrokes);
  const reading: ScreenReading = { output: '', echoed: false };
  const ending = splitPrompt(lines.at(-1) ?? '', prompt);
  if (ending && ending.prompt !== '>') {
    reading.prompt = ending.prompt;
    lines.pop();
    if (ending.before !== '') lines.push(ending.before);
  }
  const endsOpen = ending === undefined || ending.before !== '';
  const printed: { text: string; isOpen: boolean }[] = [];
  let wasEcho = true;
  let isAnswer = false;
  for (const [index, line] of lines.entries()) {
    const echo = echoIn(line, expected[0]?.text, prompt, wasEcho);
    if (echo) {
      isAnswer = expected.shift()?.isQuestion === true;
      if (!isAnswer) reading.echoed = true;
      if (echo.before !== '') printed.push({ text: echo.before, isOpen: true });
    } else if (isAnswer && /^\d{1,3}\s*$/.test(line)) {
      reading.exitCode = Number(line);
      isAnswer = false;
    } else {
      printed.push({ text: line, isOpen: index === lines.length - 1 && endsOpen });
    }
    wasEcho = echo !== undefined && !isAnswer;
  }
  reading.output = printed.map((line) => (line.isOpen ? line.text : `${line.text}\n`)).join('');
  return reading;
}

function echoLines(keystrokes: readonly Keystrokes[]): { text: string; isQuestion: boolean }[] {
  return keystrokes.flatMap((one) => {
    if (/^(?:C-.|M-.|)$/.test(one.keystrokes)) return [];
    const text = one.keystrokes.replace(/\n+$/, '');
    const isQuestion = text.trim() === exitCodeQuestion;
    return text.split('\n').map((line) => ({ text: line.trimEnd(), isQuestion }));
  });
}

/** Finds an expected echo behind a prompt; without one only where an echo must stand, so that printed text is not taken. */
function echoIn(line: string, text: string | undefined, prompt: string | undefined, mayBeBare: boolean) {
  if (text === undefined) return undefined;
  const shown = line.trimEnd();
  if (shown === text && mayBeBare) return { before: '' };
  if (!shown.endsWith(text)) return undefined;
  const front = shown.slice(0, shown.length - text.length);
  if (front === '' || (text !== '' && !/\s$/.test(front))) return undefined;
  return splitPrompt(front, prompt);
}

/** Takes the prompt at the end of a line apart from what stands before it. */
function splitPrompt(line: string, known: string | undefined): { before: string; prompt: string } | undefined {
  const shown = line.trimEnd();
  if (anyPrompt.test(shown)) return { before: '', prompt: shown };
  if (known === undefined) return undefined;
  // The folder in the prompt may have changed: what stands before the colon is looked for.
  const colon = known.indexOf(':');
  const head = colon > 0 ? known.slice(0, colon + 1) : known;
  const at = shown.lastIndexOf(head);
  if (at < 0) return undefined;
  const found = shown.slice(at);
  return found === known || (colon > 0 && /^[^\s]*:\S*[$#%]$/.test(found))
    ? { before: shown.slice(0, at), prompt: found }
    : undefined;
}
