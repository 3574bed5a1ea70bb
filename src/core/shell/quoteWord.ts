import type { ShellDialect } from './shells.ts';

// `=ls` is a path in zsh, `%1` a job in fish.
const plain = /^[\w@+:,./-][\w@%+=:,./-]*$/;
const plainInPowershell = /^[\w./:\\][\w./:\\-]*$/;

/** A text as one word of a command line. By default for POSIX shells: sh, bash, zsh, ksh. */
export function quoteWord(word: string, dialect: ShellDialect = 'posix'): string {
  switch (dialect) {
    case 'posix':
      return plain.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
    case 'csh':
      return plain.test(word) ? word : `'${word.replace(/'/g, "'\\''").replace(/[!\n]/g, '\\$&')}'`;
    case 'fish':
      return plain.test(word) ? word : `'${word.replace(/[\\']/g, '\\$&')}'`;
    case 'powershell':
      return plainInPowershell.test(word) ? word : `'${word.replaceAll("'", "''")}'`;
    case 'cmd':
      return plainInPowershell.test(word) ? word : `"${word.replaceAll('"', '""')}"`;
  }
}

// `HEAD~1`, `main^`: inside of a word these mean something only where zsh was told so (EXTENDED_GLOB).
const plainRevision = /^[\w@][\w@./-]*(?<=\w)[~^][\d~^]*$/;

// What a shell would not start as a program: its own words, and what looks like an assignment.
const notAProgram =
  /=|^(?:!|\{|\}|\[\[|\]\]|case|coproc|do|done|elif|else|esac|fi|for|function|if|in|select|then|time|until|while)$/;

/** The words of a call as a command line that a POSIX shell reads back as the same call. */
export function quoteCall(argv: readonly string[]): string {
  return argv
    .map((word, index) => (index === 0 && plain.test(word) && notAProgram.test(word) ? `'${word}'` : quoteWord(word)))
    .join(' ');
}

/**
 * The same on one line, to be shown: control characters are written as in `$'\n'`, which bash, zsh and ksh read back,
 * so that a hostile argument cannot draw a second line. What is `open` stays as it is written: `$X`, `*.log`.
 */
export function showCall(argv: readonly string[], open: readonly string[] = []): string {
  return argv
    .map((word) => {
      if (open.includes(word)) return showControls(word);
      if (hasControls(word)) return quoteControls(word);
      return plainRevision.test(word) ? word : quoteWord(word);
    })
    .join(' ');
}

/** What is invisible, or turns the direction of what stands beside it. */
const unseen = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

function hasControls(word: string): boolean {
  return word.search(unseen) >= 0;
}

/** A text on one line, to be shown: control characters, and what is invisible, as they are written in `$'…'`. */
export function showControls(text: string): string {
  return text.replace(unseen, (character) => {
    if (character === '\n') return '\\n';
    if (character === '\t') return '\\t';
    const code = character.charCodeAt(0);
    return code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

function quoteControls(word: string): string {
  return `$'${showControls(word.replace(/['\\]/g, '\\$&'))}'`;
}
