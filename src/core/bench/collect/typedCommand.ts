import path from 'node:path';

/** Undefined where a command that is typed at a terminal shows what `bash -c` prints; else why not, as a sentence. */
export function whyNotTyped(script: string): string | undefined {
  if (script.includes('\n') || script.endsWith('\\'))
    return 'It has several lines, and a terminal shows a prompt between them.';
  if (/(?:^|[;&|(){}]\s*|\b(?:then|do|else)\s+)(?:exit|logout|exec)\b/.test(script))
    return 'It ends the shell of the terminal.';
  if (/(?:^|[;&|]\s*)set\s/.test(script)) return 'It changes how the shell of the terminal goes on.';
  if (/\b(?:kill|pkill|trap|SIG[A-Z]+)\b/.test(script))
    return 'It sends or catches signals, which an interactive shell does in its own way.';
  // What `$-`, `$0` and the like say depends on how the shell was started.
  if (
    /\$\{?(?:-|\$|0\b|SHLVL|LINENO|BASH_\w+|PPID|PS\d|HIST\w*|COLUMNS|LINES)|\b(?:ps|pgrep|pstree|history|fc|jobs|bg|fg|wait|bind|shopt|disown|suspend|tty|stty)\b/.test(
      script,
    )
  )
    return 'It asks about the shell or the terminal itself.';
  // `2>&1`, `&>`, `<&3`, `|&` and `&&` put nothing in the background.
  if (/(?<![&><|\\])&(?![&>])/.test(withoutQuoted(script)))
    return 'It leaves a job in the background, of which a terminal tells.';
  if (/\b(?:coproc|setsid|nohup)\b/.test(script)) return 'It leaves the terminal, or a job in the background.';
  // bash(1), HISTORY EXPANSION: not before a blank, `=` or `(`, and not in single quotes.
  if (/![^\s=(]/.test(script.replace(/'[^']*'/g, ''))) return 'A terminal replaces what begins with `!`.';
  return undefined;
}

function withoutQuoted(script: string): string {
  return script.replace(/\\.|'[^']*'|"(?:\\.|[^"\\])*"/g, '');
}

/** The environment that a command gets in a terminal form: no colours, no pager, both of which would wait or paint. */
export const terminalEnvironment: Readonly<Record<string, string>> = {
  TERM: 'dumb',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
};

/**
 * What a terminal shows of a command's output: lines end with `\n`, and the shell's own messages have no line number,
 * as those of an interactive bash. Undefined where it has other control characters: what they make of the screen is not
 * known here.
 */
export function shownText(output: string, script: string): string | undefined {
  const plain = output.replaceAll('\r\n', '\n');
  if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(plain)) return undefined;
  // A line that an interactive shell would not run, or would wait for the end of.
  if (/^bash: (?:-c: |eval: |(?:line \d+: )?warning: here-document)/m.test(plain)) return undefined;
  const own = /^bash: line \d+: /gm;
  // A bash within the command numbers its lines as well.
  if (/\b(?:bash|sh)\b/.test(script)) return own.test(plain) ? undefined : plain;
  return plain.replace(own, 'bash: ');
}

/**
 * Where the shell of a terminal stands after a command; undefined where that is not certain. `cwd` and `afterCwd`
 * (absolute): where it was run, and where the process stood at its end. That may be another program in the shell's place,
 * and is a path without links, while a terminal shows the path that was typed.
 */
export function folderAfter(script: string, cwd: string, afterCwd: string | undefined): string | undefined {
  if (afterCwd === undefined || !/\b(?:cd|pushd|popd)\b/.test(script)) return cwd;
  const typed = [...script.matchAll(/(?:^|[;&|]\s*)cd\s+([\w@%+=:,./-]+)/g)].at(-1)?.[1];
  // In brackets it moves a shell of its own.
  if (typed === undefined) return afterCwd === cwd ? cwd : undefined;
  return path.resolve(cwd, typed) === afterCwd ? afterCwd : undefined;
}

/**
 * Whether the programs of a pipeline wrote to the terminal beside its last one: then the order of the lines is a matter of
 * chance. Known by complaints, which begin with the name of a program. `programs`: what was started, by name.
 */
export function isOrderByChance(script: string, output: string, programs: readonly string[]): boolean {
  if (!/(?<!\|)\|(?!\|)/.test(withoutQuoted(script))) return false;
  const lines = output.split(/\r?\n/).filter((line) => line !== '');
  return lines.length > 1 && lines.some((line) => programs.some((name) => line.startsWith(`${name}: `)));
}
