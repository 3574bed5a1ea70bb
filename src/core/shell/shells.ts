/** How a shell reads words and quotes. */
export type ShellDialect = 'posix' | 'csh' | 'fish' | 'powershell' | 'cmd';

/** A shell: its language, and how its command line is read. */
export interface Shell {
  dialect: ShellDialect;
  /** The shell in whose language its scripts can be predicted; absent where none of those is near enough. */
  language?: 'bash' | 'sh' | 'zsh' | 'fish' | 'pwsh' | 'cmd';
  /** Braces make no words in it (`stay`), or only in some shells of its name (`open`: `sh` may be dash or bash). */
  braces?: 'stay' | 'open';
  /** The option behind which a script stands, as one writes it. */
  script: string;
  /** The same in all its forms: `-lc`, `--command`. */
  scriptOption: RegExp;
  /** Options whose value is the next word. */
  valued: readonly string[];
}

const posix: Shell = {
  dialect: 'posix',
  script: '-c',
  scriptOption: /^-[a-zA-Z]*c[a-zA-Z]*$/,
  valued: ['-O', '+O', '-o', '+o', '--rcfile', '--init-file'],
};
const csh: Shell = { dialect: 'csh', script: '-c', scriptOption: /^-[a-zA-Z]*c[a-zA-Z]*$/, valued: [] };
const fish: Shell = {
  dialect: 'fish',
  language: 'fish',
  script: '-c',
  scriptOption: /^(?:-[a-zA-Z]*c|--command)$/,
  valued: ['-C', '--init-command', '-d', '--debug', '-o', '--debug-output', '-f', '--features'],
};
const powershell: Shell = {
  dialect: 'powershell',
  language: 'pwsh',
  script: '-Command',
  scriptOption: /^-(?:c|command)$/i,
  valued: ['-ExecutionPolicy', '-File', '-f', '-WorkingDirectory', '-wd', '-ConfigurationName'],
};

const shells: ReadonlyMap<string, Shell> = new Map<string, Shell>([
  ['sh', { ...posix, language: 'sh', braces: 'open' }],
  ['dash', { ...posix, language: 'sh', braces: 'stay' }],
  ['ash', { ...posix, language: 'sh', braces: 'stay' }],
  ['bash', { ...posix, language: 'bash' }],
  ['rbash', { ...posix, language: 'bash' }],
  ['zsh', { ...posix, language: 'zsh' }],
  ['ksh', posix],
  ['ksh93', posix],
  ['mksh', posix],
  ['lksh', posix],
  ['yash', posix],
  ['csh', csh],
  ['tcsh', csh],
  ['fish', fish],
  ['pwsh', powershell],
  ['powershell', powershell],
  ['cmd', { dialect: 'cmd', language: 'cmd', script: '/c', scriptOption: /^\/[ck]$/i, valued: [] }],
]);

/** The shell that a program is: by its name, its path, or as a login shell names itself (`-bash`). */
export function shellOf(program: string): Shell | undefined {
  const name = program.slice(Math.max(program.lastIndexOf('/'), program.lastIndexOf('\\')) + 1);
  return shells.get(name.replace(/^-|\.exe$/gi, '').toLowerCase());
}

/** The shell that agents run commands by: the user's own where it speaks a language that they write, else bash. */
export function commandShell(program = ''): 'bash' | 'zsh' {
  return shellOf(program)?.language === 'zsh' ? 'zsh' : 'bash';
}

/** Whether a script of this shell is read by the rules of POSIX: all of them but fish, csh and those of Windows. */
export function isPosixShell(program: string): boolean {
  return shellOf(program)?.dialect === 'posix';
}

/** Name of the program on the `#!` line of a script, behind `env` and its options; `undefined` without such a line. */
export function shebangProgram(script: string): string | undefined {
  const line = /^#![ \t]*([^\n]*)/.exec(script)?.[1]?.trim();
  if (!line) return undefined;
  const words = line.split(/\s+/);
  let program = words.shift() ?? '';
  if (/(?:^|\/)env$/.test(program)) {
    // env -S, -i, VAR=value … program
    while (words[0] !== undefined && (/^-/.test(words[0]) || /^\w+=/.test(words[0]))) words.shift();
    program = words[0] ?? '';
  }
  return program.slice(program.lastIndexOf('/') + 1).replace(/[\d.]+$/, '') || line;
}
