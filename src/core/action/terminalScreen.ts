/**
 * What a terminal would show for a stream of text: colours, overwriting with `\r`, tabs, erasing, moving the cursor.
 *
 * The screen is a growing list of lines without a width, because the panel wraps with CSS and wraps again when it is
 * resized. Moves upwards work within the lines that exist. Sequences that only set modes are dropped, and so are links:
 * their text stays text. Source for the sequences: https://invisible-island.net/xterm/ctlseqs/ctlseqs.html
 */

/** How a stretch of text looks. Colours are 0–15 for the theme's palette, or `#rrggbb`. */
export interface TextStyle {
  foreground?: number | string;
  background?: number | string;
  bold?: boolean;
  dim?: boolean;
  italic?: boolean;
  underline?: boolean;
  inverse?: boolean;
  hidden?: boolean;
  strike?: boolean;
  /** Where the text comes from: an index that the caller gives meaning to. */
  mark: number;
}

/** A stretch of text of one style. */
export interface TextRun {
  text: string;
  style: TextStyle;
}

interface Line {
  text: string;
  /** Style number of the whole line, as long as it has only one. */
  style: number;
  /** Style number of each UTF-16 unit; as long as `text`. Most lines never need it. */
  styles?: number[];
}

/** A screen that text is written to. Make one with `createScreen`; only the functions of this file change it. */
export interface Screen {
  lines: Line[];
  row: number;
  column: number;
  styles: TextStyle[];
  /** Lines that differ from when `takeChangedFrom` was last called begin here. */
  changedFrom: number;
  pen: Omit<TextStyle, 'mark'>;
  penNumber: number;
  penMark: number;
  numbers: Map<string, number>;
  saved: { row: number; column: number };
  /** An escape sequence whose end has not come yet. */
  pending: string;
}

/** An empty screen. */
export function createScreen(): Screen {
  return {
    lines: [{ text: '', style: 0 }],
    row: 0,
    column: 0,
    styles: [],
    changedFrom: 0,
    pen: {},
    penNumber: -1,
    penMark: -1,
    numbers: new Map(),
    saved: { row: 0, column: 0 },
    pending: '',
  };
}

// Text without controls, or one control sequence, or one control character. OSC, DCS, APC and PM end with BEL or ST.
const tokens =
  /[^\u0000-\u001f\u007f\u009b]+|(?:\u001b\[|\u009b)([0-?]*)([ -/]*)([@-~])|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[ -/]*[0-~]|[\u0000-\u001f\u007f\u009b]/gu;
// What could still become a sequence when more text comes: at most 4 kB are waited for.
const unfinished = /(?:\u001b|\u009b|\u001b\[[0-?]*[ -/]*|\u009b[0-?]*[ -/]*|\u001b[\]PX^_][^\u0007\u001b]*\u001b?)$/u;

/** Writes text at the cursor. `mark` is kept with every character, see `TextStyle.mark`. */
export function writeText(screen: Screen, text: string, mark = 0): void {
  let input = screen.pending + text;
  screen.pending = '';
  const cut = unfinished.exec(input.slice(-4096));
  if (cut) {
    screen.pending = cut[0];
    input = input.slice(0, input.length - cut[0].length);
  }
  if (mark !== screen.penMark) {
    screen.penMark = mark;
    screen.penNumber = -1;
  }
  for (const match of input.matchAll(tokens)) {
    const [token, parameters, , final] = match;
    if (final !== undefined) control(screen, parameters ?? '', final);
    else if (token.charCodeAt(0) >= 0x20 && token.charCodeAt(0) !== 0x7f && token.charCodeAt(0) !== 0x9b)
      put(screen, token);
    else if (token.length === 1) character(screen, token);
    else if (token === '\u001b7') screen.saved = { row: screen.row, column: screen.column };
    else if (token === '\u001b8') moveTo(screen, screen.saved.row, screen.saved.column);
    else if (token === '\u001bM') moveTo(screen, screen.row - 1, screen.column);
    else if (token === '\u001bc') setPen(screen, {});
  }
}

/** The first line that changed since the last call, and forgets it. */
export function takeChangedFrom(screen: Screen): number {
  const from = screen.changedFrom;
  screen.changedFrom = screen.lines.length;
  return from;
}

/** The stretches of one line, from left to right. */
export function lineRuns(screen: Screen, index: number): TextRun[] {
  const line = screen.lines[index];
  const runs: TextRun[] = [];
  if (!line) return runs;
  const styles = line.styles;
  if (!styles) {
    const style = screen.styles[line.style];
    if (style && line.text) runs.push({ text: line.text, style });
    return runs;
  }
  let start = 0;
  for (let at = 1; at <= line.text.length; at++) {
    if (at < line.text.length && styles[at] === styles[start]) continue;
    const style = screen.styles[styles[start] ?? 0];
    if (style) runs.push({ text: line.text.slice(start, at), style });
    start = at;
  }
  return runs;
}

/** The text of all lines without any style, for comparing and copying. */
export function plainText(screen: Screen): string {
  return screen.lines.map((line) => line.text.trimEnd()).join('\n');
}

function styleNumber(screen: Screen): number {
  if (screen.penNumber >= 0) return screen.penNumber;
  const style: TextStyle = { ...screen.pen, mark: screen.penMark };
  const key = JSON.stringify(style);
  let number = screen.numbers.get(key);
  if (number === undefined) {
    number = screen.styles.push(style) - 1;
    screen.numbers.set(key, number);
  }
  screen.penNumber = number;
  return number;
}

function setPen(screen: Screen, pen: Omit<TextStyle, 'mark'>): void {
  screen.pen = pen;
  screen.penNumber = -1;
}

function touch(screen: Screen, row: number): Line {
  while (screen.lines.length <= row) screen.lines.push({ text: '', style: 0 });
  if (row < screen.changedFrom) screen.changedFrom = row;
  return screen.lines[row] as Line;
}

function stylesOf(line: Line): number[] {
  line.styles ??= new Array<number>(line.text.length).fill(line.style);
  return line.styles;
}

function pad(screen: Screen, line: Line, length: number): void {
  const missing = length - line.text.length;
  if (missing > 0) overwrite(screen, line, line.text.length, ' '.repeat(missing));
}

function overwrite(screen: Screen, line: Line, at: number, text: string): void {
  const number = styleNumber(screen);
  const end = at + text.length;
  if (at === 0 && end >= line.text.length) {
    line.style = number;
    delete line.styles;
  } else if (line.styles || line.style !== number) {
    const styles = stylesOf(line);
    for (let index = at; index < end; index++) styles[index] = number;
  }
  line.text = line.text.slice(0, at) + text + line.text.slice(end);
}

function put(screen: Screen, text: string): void {
  const line = touch(screen, screen.row);
  pad(screen, line, screen.column);
  overwrite(screen, line, screen.column, text);
  screen.column += text.length;
}

function moveTo(screen: Screen, row: number, column: number): void {
  // A stranger's number must not make a million empty lines.
  screen.row = Math.max(0, Math.min(row, screen.lines.length + 500));
  screen.column = Math.max(0, Math.min(column, 4000));
}

function character(screen: Screen, token: string): void {
  switch (token) {
    case '\n':
    case '\u000b':
    case '\u000c':
      // The terminal's line discipline makes \r\n of \n; pipes do not pass through it, but people see them so.
      screen.row += 1;
      screen.column = 0;
      touch(screen, screen.row);
      break;
    case '\r':
      screen.column = 0;
      break;
    case '\b':
      screen.column = Math.max(0, screen.column - 1);
      break;
    case '\t':
      screen.column = (Math.floor(screen.column / 8) + 1) * 8;
      pad(screen, touch(screen, screen.row), screen.column);
      break;
  }
}

function control(screen: Screen, parameters: string, final: string): void {
  const mode = Number.parseInt(parameters, 10) || 0;
  const count = mode || 1;
  switch (final) {
    case 'm':
      setPen(screen, graphics(screen.pen, parameters));
      break;
    case 'K':
      eraseInLine(screen, mode);
      break;
    case 'J':
      eraseInScreen(screen, mode);
      break;
    case 'A':
    case 'F':
      moveTo(screen, screen.row - count, final === 'F' ? 0 : screen.column);
      break;
    case 'B':
    case 'E':
      moveTo(screen, screen.row + count, final === 'E' ? 0 : screen.column);
      break;
    case 'C':
      moveTo(screen, screen.row, screen.column + count);
      break;
    case 'D':
      moveTo(screen, screen.row, screen.column - count);
      break;
    case 'G':
    case '`':
      moveTo(screen, screen.row, count - 1);
      break;
    case 'H':
    case 'f': {
      const [row = '', column = ''] = parameters.split(';');
      moveTo(screen, (Number.parseInt(row, 10) || 1) - 1, (Number.parseInt(column, 10) || 1) - 1);
      break;
    }
    case 'P':
    case '@':
    case 'X':
      shift(screen, final, Math.min(count, 4000));
      break;
    case 's':
      screen.saved = { row: screen.row, column: screen.column };
      break;
    case 'u':
      moveTo(screen, screen.saved.row, screen.saved.column);
      break;
  }
}

function eraseInLine(screen: Screen, mode: number): void {
  const line = touch(screen, screen.row);
  if (mode === 0) {
    line.text = line.text.slice(0, screen.column);
    line.styles?.splice(line.text.length);
    return;
  }
  const end = mode === 2 ? line.text.length : Math.min(screen.column + 1, line.text.length);
  overwrite(screen, line, 0, ' '.repeat(end));
}

function eraseInScreen(screen: Screen, mode: number): void {
  if (mode === 0) {
    eraseInLine(screen, 0);
    screen.lines.length = screen.row + 1;
  } else if (mode >= 2) {
    screen.lines.length = 0;
    screen.changedFrom = 0;
    touch(screen, 0);
    // Programs that clear the screen then go home; what they draw begins at our top.
    moveTo(screen, 0, 0);
  }
}

function shift(screen: Screen, final: string, count: number): void {
  const line = touch(screen, screen.row);
  const at = Math.min(screen.column, line.text.length);
  const styles = stylesOf(line);
  if (final === 'P') {
    line.text = line.text.slice(0, at) + line.text.slice(at + count);
    styles.splice(at, count);
    return;
  }
  const removed = final === 'X' ? count : 0;
  line.text = line.text.slice(0, at) + ' '.repeat(count) + line.text.slice(at + removed);
  styles.splice(at, removed, ...new Array<number>(count).fill(styleNumber(screen)));
}

function graphics(pen: Omit<TextStyle, 'mark'>, parameters: string): Omit<TextStyle, 'mark'> {
  let next = { ...pen };
  const codes = parameters.split(';');
  for (let at = 0; at < codes.length; at++) {
    const parts = (codes[at] ?? '').split(':');
    const code = Number(parts[0] || 0);
    if (code === 0) next = {};
    else if (code === 1) next.bold = true;
    else if (code === 2) next.dim = true;
    else if (code === 3) next.italic = true;
    else if (code === 4) toggle(next, 'underline', parts[1] !== '0');
    else if (code === 7) next.inverse = true;
    else if (code === 8) next.hidden = true;
    else if (code === 9) next.strike = true;
    else if (code === 21) next.underline = true;
    else if (code === 22) {
      delete next.bold;
      delete next.dim;
    } else if (code === 23) delete next.italic;
    else if (code === 24) delete next.underline;
    else if (code === 27) delete next.inverse;
    else if (code === 28) delete next.hidden;
    else if (code === 29) delete next.strike;
    else if (code >= 30 && code <= 37) next.foreground = code - 30;
    else if (code >= 90 && code <= 97) next.foreground = code - 82;
    else if (code === 39) delete next.foreground;
    else if (code >= 40 && code <= 47) next.background = code - 40;
    else if (code >= 100 && code <= 107) next.background = code - 92;
    else if (code === 49) delete next.background;
    else if (code === 38 || code === 48) {
      // 38;5;n and 38;2;r;g;b take the parameters that follow; 38:5:n and 38:2::r:g:b carry them along.
      const rest = parts.length > 1 ? parts.slice(1) : codes.slice(at + 1);
      const { colour, used } = extendedColour(rest, parts.length > 1);
      if (parts.length === 1) at += used;
      if (colour !== undefined) next[code === 38 ? 'foreground' : 'background'] = colour;
    }
  }
  return next;
}

function toggle(pen: Omit<TextStyle, 'mark'>, name: 'underline', on: boolean): void {
  if (on) pen[name] = true;
  else delete pen[name];
}

function extendedColour(rest: string[], colons: boolean): { colour?: number | string; used: number } {
  if (rest[0] === '5') {
    const colour = paletteColour(Number(rest[1] || 0));
    return colour === undefined ? { used: 2 } : { colour, used: 2 };
  }
  if (rest[0] === '2') {
    // ISO 8613-6 puts a colour space between: 38:2:space:r:g:b.
    const from = colons && rest.length > 4 ? 2 : 1;
    const channels = rest.slice(from, from + 3).map((channel) => Number(channel || 0));
    if (channels.length === 3 && channels.every((channel) => channel >= 0 && channel <= 255)) {
      return { colour: hexColour(channels), used: 4 };
    }
    return { used: 4 };
  }
  return { used: 0 };
}

function hexColour(channels: readonly number[]): string {
  return `#${channels.map((channel) => Math.trunc(channel).toString(16).padStart(2, '0')).join('')}`;
}

function paletteColour(number: number): number | string | undefined {
  if (!(number >= 0 && number <= 255)) return undefined;
  if (number < 16) return number;
  if (number >= 232) return hexColour(new Array<number>(3).fill(8 + (number - 232) * 10));
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  const cube = number - 16;
  return hexColour([level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)]);
}
