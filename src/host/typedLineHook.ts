import { quoteWord } from '../core/action/quoteWord.ts';
import type { LineEditing } from './lineEditing.ts';

/** Ctrl+X Ctrl+P: bound by the hooks below, free in bash, zsh and fish as they come. */
export const askKeys = '\u0018\u0010';

/** A shell whose line editor can be asked for what is typed. */
export interface LineEditor {
  /** Sourced by the shell. Binds `askKeys` to a function that writes the typed line and a NUL into `answer`. */
  hook(answer: string): string;
  /** Keys that put the typed line aside, source the hook, and bring the line back; `undefined`: there are none. */
  sourceKeys(hookFile: string, editing: LineEditing): string | undefined;
}

const endAndKill = '\u0005\u0015';
const startAndKill = '\u0001\u000b';
const yank = '\u0019';

/** By the name of the shell. A leading blank keeps the line out of the history where the user has asked for that. */
export const lineEditors: Readonly<Record<string, LineEditor>> = {
  bash: {
    // A subshell: VS Code watches the shell's DEBUG trap, which a subshell does not inherit, and would take the function
    // for a command that has started.
    hook: (answer) =>
      `bind -x '"\\C-x\\C-p": (printf "%s\\0" "$READLINE_LINE" >${inDoubleQuotes(answer)})' 2>/dev/null\n`,
    sourceKeys: (hookFile, editing) =>
      editing === 'emacs' ? `${endAndKill} . ${quoteWord(hookFile)}\r${yank}` : undefined,
  },
  zsh: {
    hook: (answer) =>
      [
        `__foretell_line() { printf '%s\\0' "$BUFFER" >${quoteWord(answer)} }`,
        'zle -N __foretell_line',
        `for __foretell_map in emacs viins vicmd; do bindkey -M $__foretell_map '^X^P' __foretell_line; done`,
        'unset __foretell_map',
        '',
      ].join('\n'),
    // push-line brings the line back by itself at the next prompt: Escape q, or by its name from vi's command mode.
    sourceKeys: (hookFile, editing) =>
      `${editing === 'emacs' ? '\u001bq' : '\u001b:push-line\ri'} . ${quoteWord(hookFile)}\r`,
  },
  fish: {
    hook: (answer) =>
      [
        `function __foretell_line; printf '%s\\0' (commandline | string collect) >${quoteWord(answer)}; end`,
        'bind \\cx\\cp __foretell_line',
        '',
      ].join('\n'),
    // Not Ctrl+E as in bash: at the end of the line it takes over what fish suggests.
    sourceKeys: (hookFile, editing) =>
      editing === 'emacs' ? `${startAndKill} source ${quoteWord(hookFile)}\r${yank}` : undefined,
  },
};

/** The path stands inside single quotes already. */
function inDoubleQuotes(file: string): string {
  return `"${file.replace(/[\\"$`]/g, '\\$&').replaceAll("'", "'\\''")}"`;
}
