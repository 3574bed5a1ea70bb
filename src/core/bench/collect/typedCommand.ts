/** Undefined where a command that is typed at a terminal shows what `bash -c` prints; else why not, as a sentence. */
export function whyNotTyped(script: string): string | undefined {
  if (script.includes('\n')) return 'It has several lines, and a terminal shows a prompt between them.';
  if (/(?:^|[;&|(){}]\s*|\b(?:then|do|else)\s+)(?:exit|logout|exec)\b/.test(script)) return 'It ends the shell of the terminal.';
  if (/(?:^|[;&|]\s*)set\s/.test(script)) return 'It changes how the shell of the terminal goes on.';
  // `2>&1`, `&>`, `<&3`, `|&` and `&&` put nothing in the background.
  if (/(?<![&><|\\])&(?![&>])/.test(withoutQuoted(script))) return 'It leaves a job in the background, of which a terminal tells.';
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
  const own = /^bash: line \d+: /gm;
  // A bash within the command numbers its lines as well.
  if (/\b(?:bash|sh)\b/.test(script)) return own.test(plain) ? undefined : plain;
  return plain.replace(own, 'bash: ');
}
