import { readPrompt, stripContinuationPrompt } from '../../action/prompts.ts';
import { createScreen, plainText, type Screen, writeText } from '../../action/terminalScreen.ts';

/** One command that was found in what a terminal printed. Offsets are those of the text, in UTF-16 code units. */
export interface StreamCommand {
  command: string;
  /** What was printed until the next prompt, as it stood on the screen at the end. */
  output: string;
  /** The prompt before the command, and the one after its output, where they were seen. */
  prompt: string;
  nextPrompt?: string;
  exitCode?: number;
  /** Absolute; where the shell tells it. */
  cwd?: string;
  /** Where its output begins and ends. */
  start: number;
  end: number;
  /** `marks`: the shell itself marked it (OSC 133 or 633); `paste`: between the switches of bracketed paste; `prompt`: it stood behind what looks like a prompt. */
  found: 'marks' | 'paste' | 'prompt';
  /** A program took the whole screen; what it painted is left out. */
  tookScreen?: true;
}

// FinalTerm's marks (133), VS Code's (633), the folder (7), bracketed paste, the alternate screen.
const signs =
  /\u001b\](?:(133|633);([A-EP])((?:;[^\u0007\u001b]*)?)|7;file:\/\/[^/\u0007\u001b]*([^\u0007\u001b]*))(?:\u0007|\u001b\\)|\u001b\[\?(2004|1049|1047|47)([hl])/g;

/**
 * Finds the commands and their outputs in everything that a terminal printed. Sure where the shell marks them; else by
 * the switches of bracketed paste, which bash, zsh and fish send around every line that is typed; else by what looks like
 * a prompt. The latter two can err, and tell no exit codes.
 */
export function commandsInStream(text: string): StreamCommand[] {
  const found = [...text.matchAll(signs)];
  if (found.some((sign) => sign[2] === 'C')) return byMarks(text, found);
  if (found.some((sign) => sign[5] === '2004' && sign[6] === 'l')) return byPaste(text, found);
  return byPrompts(text);
}

function byMarks(text: string, found: readonly RegExpExecArray[]): StreamCommand[] {
  const commands: StreamCommand[] = [];
  let cwd: string | undefined;
  let promptAt: number | undefined;
  let lineAt: number | undefined;
  let told: string | undefined;
  let running: (StreamCommand & { from: number }) | undefined;
  const finish = (end: number, exitCode: number | undefined) => {
    if (!running) return;
    const { from, ...command } = running;
    running = undefined;
    if (command.command.trim() === '') return;
    commands.push({
      ...command,
      ...outputOf(text.slice(from, end)),
      end,
      ...(exitCode === undefined ? {} : { exitCode }),
    });
  };
  for (const sign of found) {
    const [whole, , kind, rest = '', folder] = sign;
    const after = sign.index + whole.length;
    if (folder !== undefined) cwd = folderOf(folder) ?? cwd;
    if (kind === 'P') cwd = /^;Cwd=(.*)$/.exec(rest)?.[1] ?? cwd;
    if (kind === 'E') told = unescaped((rest.slice(1).split(';')[0] ?? '').trim());
    if (kind === 'A') {
      finish(sign.index, undefined);
      promptAt = after;
      lineAt = undefined;
    }
    if (kind === 'B') lineAt = after;
    if (kind === 'C') {
      finish(sign.index, undefined);
      const typed = typedLine(text, promptAt ?? lineAt ?? sign.index, lineAt ?? sign.index, sign.index);
      const command = told ?? cmdlineOf(rest) ?? typed.command;
      running = {
        command,
        output: '',
        prompt: typed.prompt,
        start: after,
        end: after,
        from: after,
        found: 'marks',
        ...(cwd === undefined ? {} : { cwd }),
      };
      told = undefined;
      promptAt = undefined;
      lineAt = undefined;
    }
    if (kind === 'D') finish(sign.index, /^;(\d+)/.test(rest) ? Number(/^;(\d+)/.exec(rest)?.[1]) : undefined);
  }
  finish(text.length, undefined);
  return withNextPrompts(commands);
}

/** VS Code writes `\xAB` for characters that would end the mark. */
function unescaped(text: string): string {
  return text.replace(/\\(?:x([0-9a-fA-F]{2})|\\)/g, (_, hex: string | undefined) =>
    hex === undefined ? '\\' : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** kitty and fish 4 tell the command in the mark itself. */
function cmdlineOf(rest: string): string | undefined {
  const url = /;cmdline_url=([^;]*)/.exec(rest)?.[1];
  if (url === undefined) return undefined;
  try {
    return decodeURIComponent(url);
  } catch {
    return undefined;
  }
}

function folderOf(url: string): string | undefined {
  try {
    const folder = decodeURIComponent(url);
    return folder.startsWith('/') ? folder : undefined;
  } catch {
    return undefined;
  }
}

function byPaste(text: string, found: readonly RegExpExecArray[]): StreamCommand[] {
  const edits: { on: number; off: number; after: number; cwd: string | undefined }[] = [];
  let cwd: string | undefined;
  let on: RegExpExecArray | undefined;
  let isAway = false;
  for (const sign of found) {
    if (sign[4] !== undefined) cwd = folderOf(sign[4]) ?? cwd;
    if (/47|1049/.test(sign[5] ?? '')) isAway = sign[6] === 'h';
    if (sign[5] !== '2004' || isAway) continue;
    if (sign[6] === 'h') on = sign;
    else if (on) {
      edits.push({ on: on.index, off: sign.index, after: sign.index + sign[0].length, cwd });
      on = undefined;
    }
  }
  // zsh prints its prompt before it switches, bash and fish after.
  const before = edits.map(({ on: at }, index) => lastLine(text.slice(edits[index - 1]?.after ?? 0, at)));
  const isBefore = before.filter((line) => line.trim() !== '').length * 2 > edits.length;
  const commands: StreamCommand[] = [];
  edits.forEach(({ on: at, off, after, cwd: folder }, index) => {
    const next = edits[index + 1];
    const from = edits[index - 1]?.after ?? 0;
    const typed = isBefore ? typedLine(text, from, at, off) : behindPrompt(text.slice(at, off));
    const raw = text.slice(after, next?.on ?? text.length);
    const seen = outputOf(raw.replace(/^\r?\r?\n/, ''));
    if (isBefore && next) seen.output = withoutLastLine(seen.output);
    if (typed.command.trim() === '') return;
    const last = commands.at(-1);
    // The shell asked for the rest of a command that was not complete.
    if (last && typed.prompt.trim() === '>' && last.output.trim() === '') {
      last.command += `\n${typed.command}`;
      Object.assign(last, seen, { end: next?.on ?? text.length });
      return;
    }
    const place = folder === undefined ? {} : { cwd: folder };
    commands.push({ ...typed, ...seen, start: after, end: next?.on ?? text.length, found: 'paste', ...place });
  });
  return withNextPrompts(commands);
}

/** What was typed behind a prompt that ends at `line`; both stand on one screen, where the line was edited. */
function typedLine(text: string, prompt: number, line: number, end: number): { prompt: string; command: string } {
  const screen = shown(text.slice(prompt, line));
  const { row, column } = screen;
  const before = plainLines(screen);
  writeText(screen, text.slice(line, end));
  const lines = plainLines(screen).slice(row);
  const [first = '', ...more] = lines;
  const command = [first.slice(column), ...more.map(stripContinuationPrompt)].join('\n').trim();
  return { prompt: before.at(row)?.padEnd(column) ?? '', command };
}

/** A line with its prompt, of which only the whole is known. */
function behindPrompt(raw: string): { prompt: string; command: string } {
  const lines = plainLines(shown(raw));
  const at = lines.findIndex((line) => line.trim() !== '');
  const [first = '', ...more] = lines.slice(Math.max(at, 0));
  const prompted = readPrompt(first) ?? readAnyPrompt(first);
  const command = prompted?.command ?? first;
  const rest = more.map(stripContinuationPrompt).join('\n').trimEnd();
  return {
    prompt: first.slice(0, first.length - command.length),
    command: rest === '' ? command.trim() : `${command}\n${rest}`.trim(),
  };
}

function readAnyPrompt(line: string): { command: string } | undefined {
  const match = /^[^\n]{0,120}?[$#%>❯➜»λ] /.exec(line);
  return match ? { command: line.slice(match[0].length) } : undefined;
}

function byPrompts(text: string): StreamCommand[] {
  const commands: StreamCommand[] = [];
  // What is cleared away was on the screen before: every screen is read on its own.
  let from = 0;
  for (const piece of text.split(/(?<=\u001b\[[23]J)/)) {
    const end = from + piece.length;
    const { screen, tookScreen } = cleaned(piece);
    let running: { prompt: string; command: string; lines: string[] } | undefined;
    const finish = (nextPrompt?: string) => {
      if (!running) return;
      const { prompt, command, lines } = running;
      const output = lines.join('\n').replace(/\s+$/, '');
      commands.push({
        command,
        output: output === '' ? '' : `${output}\n`,
        prompt,
        ...(nextPrompt === undefined ? {} : { nextPrompt }),
        start: from,
        end,
        found: 'prompt',
        ...(tookScreen ? { tookScreen } : {}),
      });
      running = undefined;
    };
    for (const line of plainLines(screen)) {
      const prompted = readPrompt(line);
      if (!prompted) {
        running?.lines.push(line);
        continue;
      }
      const command = prompted.command.trim();
      const prompt = line.slice(0, line.length - prompted.command.length);
      finish(prompt);
      if (command !== '') running = { prompt, command, lines: [] };
    }
    finish();
    from = end;
  }
  return commands;
}

function withNextPrompts(commands: StreamCommand[]): StreamCommand[] {
  return commands.map((command, index) => {
    const next = commands[index + 1]?.prompt;
    return next === undefined || next === '' ? command : { ...command, nextPrompt: next };
  });
}

/**
 * What was printed as it stood on the screen at the end, without what full-screen programs painted (`tookScreen`).
 */
export function outputOf(raw: string): { output: string; tookScreen?: true } {
  const { screen, tookScreen } = cleaned(raw);
  const output = plainText(screen);
  return { output, ...(tookScreen ? { tookScreen } : {}) };
}

/** The screen at the end, without what full-screen programs painted. */
function cleaned(raw: string): { screen: Screen; tookScreen?: true } {
  const without = raw.replace(/\u001b\[\?(?:1049|1047|47)h[\s\S]*?(?:\u001b\[\?(?:1049|1047|47)l|$)/g, '');
  const screen = shown(without);
  return without === raw ? { screen } : { screen, tookScreen: true };
}

function shown(raw: string): Screen {
  const screen = createScreen();
  writeText(screen, raw);
  return screen;
}

function plainLines(screen: Screen): string[] {
  return plainText(screen).split('\n');
}

function lastLine(raw: string): string {
  const { screen } = cleaned(raw);
  return plainLines(screen)[screen.row] ?? '';
}

function withoutLastLine(output: string): string {
  return output.slice(0, output.lastIndexOf('\n') + 1);
}
