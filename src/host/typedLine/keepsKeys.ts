/** What the shells do themselves without a change of their keys. */
const harmless = new Set(
  'cd pwd echo printf true false : test [ jobs fg bg wait kill history umask ulimit pushd popd dirs clear exit'.split(
    ' ',
  ),
);

/** `export NAME=value`, and `set -gx NAME value` of fish: variables of programs, whose names are in capitals. */
const exportsVariables =
  /^(?:export(?: [A-Z][A-Z0-9_]*(?:=\S*)?)+|set -[gUx]*x[gU]*(?: --)? [A-Z][A-Z0-9_]*(?: \S+)*)$/;

/** `alias NAME=value`, in fish also `alias NAME value`: a word that stands for others. Some functions of fish set its keys. */
const definesAlias = /^alias (?!fish_)([A-Za-z][\w-]*)[= ]\S+$/;
/** What a shell is asked with, and what is taken for harmless here, keeps its meaning. */
const askedWith = new Set(
  'alias and begin bind bindkey builtin command commandline do done end exec for function functions if not or set setopt source string then unset while zle'.split(
    ' ',
  ),
);

/** Stands for a word that only running it tells; no command is called so. */
const someWord = '\u0001';

/**
 * Whether a command that ran in a shell can have left the meaning of its keys as it was: a list of programs and of a few
 * builtins. Functions, `set`, `bind`, files that are sourced … may have changed it, and what is not understood as well.
 * `isProgram`: whether a name is found on PATH; `isKept`: whether a file that is read in by the shell keeps them, see `fileKeepsKeys`.
 */
export function keepsKeys(
  line: string,
  isProgram: (name: string) => boolean,
  isKept: (file: string) => boolean = () => false,
): boolean {
  const text = line.replaceAll(/'[^']*'/g, someWord).replaceAll(/"(?:[^"$`\\]|\$\w)*"/g, someWord);
  // What is put in for `(…)` and `$(…)` runs too, in fish in the same shell.
  const inner = /\$?\(([^()]*)\)/.exec(text);
  if (inner) {
    const rest = text.slice(0, inner.index) + someWord + text.slice(inner.index + inner[0].length);
    return keepsKeys(inner[1] ?? '', isProgram) && keepsKeys(rest, isProgram, isKept);
  }
  if (/["'`(){}\\<]/.test(text)) return false;
  return text
    .replaceAll(/(?:&|\d*)>{1,2}[&|]?\s*[\w./-]+/g, ' ')
    .split(/\|\||&&|[;|&\n]/)
    .map((part) => part.trim().split(/\s+/))
    .every((words) => {
      const name = words.find((word) => !/^\w+=/.test(word)) ?? '';
      if (exportsVariables.test(words.join(' '))) return true;
      if ((name === 'source' || name === '.') && words.length === 2) return isKept(words[1] ?? '');
      const alias = definesAlias.exec(words.join(' '))?.[1];
      if (alias !== undefined) return !harmless.has(alias) && !askedWith.has(alias) && !isProgram(alias);
      return name === '' || name.startsWith('#') || harmless.has(name) || name.includes('/') || isProgram(name);
    });
}

/** What the lines of Python's `activate.fish` begin with: variables, the prompt, and functions that it defines itself. */
const activating = new Set(
  'function end if else set functions test printf deactivate _old_fish_prompt _fish_prompt _pydoc pydoc return'.split(
    ' ',
  ),
);

/** Functions that such a file may define. */
const activated = /^function (?:deactivate|fish_prompt|_old_fish_prompt|pydoc)(?:\s|$)/;

/**
 * Whether a file that a fish reads in leaves the meaning of its keys as it was: one that puts a virtual environment of Python in
 * place (`venv/bin/activate.fish`), each line of which is understood.
 */
export function fileKeepsKeys(text: string): boolean {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .every((line) => {
      // It restores the status of the last command.
      if (line === 'echo "exit $old_status" | .') return true;
      const words = line.replaceAll(/'[^']*'|"[^"$]*"|\(set_color [\w ]+\)/g, someWord);
      if (/\bbind\b|key_bindings|commandline|[;|&<>`()]/.test(words)) return false;
      const name = /^\S+/.exec(line)?.[0] ?? '';
      return activating.has(name) && (name !== 'function' || activated.test(line));
    });
}
