import { quoteWord } from '../../core/shell/quoteWord.ts';
import type { LineEditing } from './lineEditing.ts';

/** Ctrl+X Ctrl+P: bound by the hooks below, free in zsh and fish as they come. */
export const askKeys = '\u0018\u0010';

/** Ctrl+X Ctrl+L: bound by the same hooks; the shell draws its prompt and line anew. */
export const redrawKeys = '\u0018\u000c';

/** A shell whose line editor can be asked for what is typed. */
export interface LineEditor {
  /** Sourced by the shell. Binds `askKeys`, whatever its mode, to what writes the line and its variables into `answer`, each with a NUL. */
  hook(answer: string): string;
  /** Keys that put all that is typed aside, source the hook, and bring it back; `undefined`: there are none. */
  sourceKeys(hookFile: string, editing: LineEditing): string | undefined;
}

/** Alt+<, which goes to the begin of the first line, and Ctrl+K for all lines and their ends; without a line it does nothing. */
const killAll = `\u001b<${'\u000b'.repeat(400)}`;
const yank = '\u0019';

/**
 * By the name of the shell. A leading blank keeps the line out of the history where the user has asked for that. Not bash:
 * none of its keys puts a command of several lines aside.
 */
export const lineEditors: Readonly<Record<string, LineEditor>> = {
  zsh: {
    hook: (answer) =>
      [
        `__foretell_line() { local -A __foretell_options; zmodload zsh/parameter 2>/dev/null && __foretell_options=("\${(@kv)options[@]}"); emulate -LR zsh; { printf '%s\\0' "$PREBUFFER$BUFFER"; command env -0; __foretell_names; printf '\\0\\0' } >${quoteWord(answer)} }`,
        // What it calls by other names, and the options that are not as zsh begins: told as a whole, or not at all.
        `__foretell_names() { local n; zmodload zsh/parameter 2>/dev/null || return 0; for n in \${(k)__foretell_options}; do [[ $n == local* || $__foretell_options[$n] == $options[$n] ]] || printf '\\2o\\2%s\\2%s\\0' "$n" "$__foretell_options[$n]"; done; for n in \${(k)aliases}; do printf '\\2a\\2%s\\2%s\\0' "$n" "$aliases[$n]"; done; for n in \${(k)galiases}; do printf '\\2g\\2%s\\2%s\\0' "$n" "$galiases[$n]"; done; for n in \${(k)saliases}; do printf '\\2s\\2%s\\2%s\\0' "$n" "$saliases[$n]"; done; for n in \${(k)functions}; do [[ $n == __foretell_* ]] || printf '\\2f\\2%s\\0' "$n"; done; printf '\\2.\\0' }`,
        '__foretell_redraw() { zle reset-prompt }',
        'zle -N __foretell_line; zle -N __foretell_redraw',
        `for __foretell_map in emacs viins vicmd; do bindkey -M $__foretell_map '^X^P' __foretell_line; bindkey -M $__foretell_map '^X^L' __foretell_redraw; done`,
        'unset __foretell_map',
        '',
      ].join('\n'),
    // push-input brings all lines back by itself at the next prompt. Its name is asked for by Escape x, or by : in vi.
    sourceKeys: (hookFile, editing) =>
      `${editing === 'emacs' ? '\u001bxpush-input\r' : '\u001b:push-input\ri'} . ${quoteWord(hookFile)}\r`,
  },
  fish: {
    hook: (answer) =>
      [
        `function __foretell_line; begin; printf '%s\\0' (commandline | string collect --allow-empty); command env -0; __foretell_functions (commandline -bo); printf '\\0\\0'; end >${quoteWord(answer, 'fish')}; end`,
        // Those that came with fish are there in a rehearsal as well.
        `function __foretell_functions; set -l __foretell_name; for __foretell_name in $argv; functions -q -- $__foretell_name; and not string match -q -- "$__fish_data_dir/*" (functions --details -- $__foretell_name); and printf '\\1%s\\1%s\\0' $__foretell_name (functions -- $__foretell_name | string collect); end; end`,
        'for mode in default insert visual replace replace_one; bind -M $mode \\cx\\cp __foretell_line; bind -M $mode \\cx\\cl "commandline -f repaint"; end',
        '',
      ].join('\n'),
    // Not Ctrl+E as the first: at the end of the line it takes over what fish suggests.
    sourceKeys: (hookFile, editing) =>
      editing === 'emacs' ? `${killAll} source ${quoteWord(hookFile, 'fish')}\r${yank}` : undefined,
  },
};
