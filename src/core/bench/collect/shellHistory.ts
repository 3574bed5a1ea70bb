import type { ShellName } from '../../action/action.ts';

/** Shells whose history is read. */
export type HistoryShell = Extract<ShellName, 'bash' | 'zsh' | 'fish'>;

/** A file of commands that were typed once, and where it usually stands. */
export interface HistoryPlace {
  shell: HistoryShell;
  /** Absolute. */
  path: string;
}

/** Where the shells keep what was typed. `env` gives `HISTFILE` and `XDG_DATA_HOME`, if they are set. */
export function historyPlaces(home: string, env: Readonly<Record<string, string | undefined>>): HistoryPlace[] {
  const places: HistoryPlace[] = [
    { shell: 'bash', path: `${home}/.bash_history` },
    { shell: 'zsh', path: `${env['ZDOTDIR'] ?? home}/.zsh_history` },
    { shell: 'fish', path: `${env['XDG_DATA_HOME'] ?? `${home}/.local/share`}/fish/fish_history` },
  ];
  const own = env['HISTFILE'];
  if (own?.startsWith('/') && !places.some(({ path }) => path === own)) {
    places.unshift({ shell: own.includes('zsh') ? 'zsh' : 'bash', path: own });
  }
  return places;
}

/** Which shell wrote a history, by its name and its first lines. */
export function historyShellOf(path: string, bytes: Uint8Array): HistoryShell {
  const start = new TextDecoder().decode(bytes.subarray(0, 4096));
  if (/^- cmd: /m.test(start)) return 'fish';
  return /^: \d+:\d+;/m.test(start) || path.includes('zsh') ? 'zsh' : 'bash';
}

/** The commands of a history, oldest first, as they were typed; commands of several lines as one. */
export function readShellHistory(bytes: Uint8Array, shell: HistoryShell): string[] {
  const commands = shell === 'fish' ? readFish(bytes) : shell === 'zsh' ? readZsh(bytes) : readBash(bytes);
  return commands.map((one) => one.trim()).filter((one) => one !== '' && !one.includes('\0'));
}

/**
 * bash(1), HISTORY: a line each; where times are kept, a line `#SECONDS` stands before each command, and what follows up
 * to the next such line is one command, however many lines it has.
 */
function readBash(bytes: Uint8Array): string[] {
  const lines = new TextDecoder().decode(bytes).split('\n');
  if (!lines.some((line) => /^#\d{9,}$/.test(line))) return lines;
  const commands: string[][] = [];
  let hasTimes = false;
  for (const line of lines) {
    if (/^#\d{9,}$/.test(line)) {
      hasTimes = true;
      commands.push([]);
    } else if (hasTimes) commands.at(-1)?.push(line);
    // What is older than the setting has no times.
    else commands.push([line]);
  }
  return commands.map((one) => one.join('\n'));
}

/**
 * zsh: `: SECONDS:DURATION;command`, or the bare command; a line that ends with a backslash goes on in the next one. Bytes
 * from 0x83 on that have a meaning for zsh are written as 0x83 and the byte with bit 5 turned over (`unmetafy` in
 * Src/utils.c).
 */
function readZsh(bytes: Uint8Array): string[] {
  const plain: number[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === 0x83 && at + 1 < bytes.length) {
      at += 1;
      plain.push((bytes[at] ?? 0) ^ 32);
    } else plain.push(bytes[at] ?? 0);
  }
  const commands: string[] = [];
  let open: string | undefined;
  for (const line of new TextDecoder().decode(Uint8Array.from(plain)).split('\n')) {
    const text = open === undefined ? line.replace(/^: \d+:\d+;/, '') : `${open}\n${line}`;
    // An even number of backslashes at the end are backslashes.
    const goesOn = (/\\+$/.exec(line)?.[0].length ?? 0) % 2 === 1;
    open = goesOn ? text.slice(0, -1) : undefined;
    if (!goesOn) commands.push(text);
  }
  if (open !== undefined) commands.push(open);
  return commands;
}

/** fish: `- cmd: TEXT`, in which `\n` is a line break and `\\` a backslash; other lines tell when and where. */
function readFish(bytes: Uint8Array): string[] {
  return [...new TextDecoder().decode(bytes).matchAll(/^- cmd: (.*)$/gm)].map(([, text = '']) =>
    text.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character)),
  );
}
