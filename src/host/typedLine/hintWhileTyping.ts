/** What is around a line that is typed in one terminal. */
export interface TypingSurroundings<Hint> {
  /** Is another text whenever the shell may have run since, so that nothing else has to be looked at; `undefined`: that cannot be told. */
  pulse(): Promise<string | undefined>;
  /** The line that stands at the prompt; `undefined`: there is no prompt, or it cannot be read now. */
  line(): Promise<string | undefined>;
  /** What there is to say of a line; `undefined`: nothing. */
  ask(line: string, signal: AbortSignal): Promise<Hint | undefined>;
  /** Shows what is said of the line that stands there now; `undefined`: nothing is shown. */
  show(hint: Hint | undefined, line: string): void;
  /** Milliseconds of a clock that never goes back. */
  nowMs(): number;
}

/** Follows what is typed in one terminal. */
export interface Typing {
  /** Looks once. Gives after how many milliseconds it wants to look again. */
  look(): Promise<number>;
  /** Nothing is shown or asked any more; what is known of the line is kept. */
  rest(): void;
}

/** So long nothing was typed: a pause. */
export const pauseMs = 500;
/** How soon a key that was pressed is noticed. */
const lookMs = 100;
/** The same where nobody has typed for a while. */
const idleLookMs = 250;
const idleAfterMs = 30_000;

/**
 * Asks what there is to say of a line when somebody pauses, once for each line, and shows it for as long as exactly that line stands
 * there. What is asked of a line that is another one by now is given up.
 */
export function followTyping<Hint>(around: TypingSurroundings<Hint>): Typing {
  let pulse: string | undefined;
  let line = '';
  let changedAtMs = around.nowMs();
  let answer: { line: string; hint: Hint | undefined } | undefined;
  let asking: AbortController | undefined;
  let isShown = false;
  let isResting = true;

  function hide(): void {
    asking?.abort();
    asking = undefined;
    if (isShown) around.show(undefined, '');
    isShown = false;
  }

  function show(): void {
    if (isShown || answer?.line !== line || answer.hint === undefined) return;
    isShown = true;
    around.show(answer.hint, line);
  }

  /** Reads the line, if it may be another one than at the last look. */
  async function read(): Promise<void> {
    const now = await around.pulse();
    if (now !== undefined && now === pulse) return;
    const found = (await around.line()) ?? '';
    pulse = now;
    if (found === line) return;
    line = found;
    changedAtMs = around.nowMs();
    // What was true before a command ran need not be true behind it.
    if (line === '') answer = undefined;
    hide();
  }

  async function ask(): Promise<void> {
    const asked = line;
    const abort = new AbortController();
    asking = abort;
    const hint = await around.ask(asked, abort.signal).catch(() => undefined);
    if (abort.signal.aborted) return;
    // A key may have been pressed behind the last look.
    const now = await around.line();
    if (abort.signal.aborted) return;
    asking = undefined;
    // Where it cannot be read just now, another pause has to come.
    changedAtMs = around.nowMs();
    if (now !== asked) return;
    answer = { line: asked, hint };
    show();
  }

  return {
    async look() {
      isResting = false;
      await read();
      // Somebody works elsewhere by now.
      if (isResting) return lookMs;
      const stillMs = around.nowMs() - changedAtMs;
      if (line.trim() !== '' && answer?.line === line) show();
      else if (line.trim() !== '' && !asking && stillMs >= pauseMs) void ask();
      return stillMs < idleAfterMs ? lookMs : idleLookMs;
    },
    rest() {
      hide();
      isResting = true;
      pulse = undefined;
    },
  };
}
