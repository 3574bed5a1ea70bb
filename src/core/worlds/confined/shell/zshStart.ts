import { quoteWord } from '../../../shell/quoteWord.ts';
import type { BashStart } from './startState.ts';
import { zshState } from './zshState.ts';

const begin = '__foretell_zsh_begins__';
const end = '__foretell_zsh_ends__';

/** Of these every shell has its own, or they would lead it elsewhere. */
const ownVariables = /^(?:PWD|OLDPWD|SHLVL|_|ZDOTDIR|TTY|TTYIDLE)$/;

/** What a shell cannot be told, or what belongs to the terminal of another one. */
const ofTerminal =
  /^(?:interactive|shinstdin|stdin|zle|monitor|login|privileged|restricted|singlecommand|onecmd|rcs|globalrcs|prompt\w+)$/;

/**
 * Prints what an interactive zsh has, each part ended by two NULs: aliases (plain, global, suffix), options, exported variables, each
 * as name, NUL, value, NUL; names of its functions; then lines that define functions, named folders and where functions are found.
 */
export const zshReport = `zmodload zsh/parameter; () { emulate -L zsh; builtin printf '%s\\n' ${begin}; builtin printf '%s\\0' "\${(@kv)aliases}"; printf '\\0'; builtin printf '%s\\0' "\${(@kv)galiases}"; printf '\\0'; builtin printf '%s\\0' "\${(@kv)saliases}"; printf '\\0' } ; builtin printf '%s\\0' "\${(@kv)options}"; printf '\\0'; for __name in "\${(@k)parameters[(R)*export*]}"; do builtin printf '%s\\0%s\\0' "$__name" "\${(P)__name}"; done; printf '\\0'; builtin printf '%s\\0' "\${(@k)functions}"; printf '\\0'; builtin typeset -p fpath; builtin hash -dL; builtin functions; builtin printf '%s\\n' ${end}`;

/**
 * What a zsh that runs a script is to begin with, from what an interactive one has printed of itself. `env`: what that was given.
 * `undefined`: it did not come to the end, or nobody can say that its start file would be read.
 */
export function zshStartOf(
  printed: string,
  storageFolder: string,
  env: Readonly<Record<string, string>>,
): BashStart | undefined {
  const from = printed.lastIndexOf(`${begin}\n`);
  const to = printed.lastIndexOf(`${end}\n`);
  if (from < 0 || to < from) return undefined;
  const report = printed.slice(from + begin.length + 1, to);
  const parts = report.split('\0\0');
  const [aliases, globalAliases, suffixAliases, options, exported] = parts.slice(0, 5).map(pairs);
  const names = (parts[5] ?? '').split('\0').filter((name) => name !== '');
  const lines = parts.slice(6).join('\0\0').replace(/^\0+/, '');
  if (!aliases || !options || !exported || parts.length < 7) return undefined;
  const text = [...exports(exported, env), lines].join('\n');
  const state = zshState(
    storageFolder,
    {
      ...{ aliases, globalAliases: globalAliases ?? new Map(), suffixAliases: suffixAliases ?? new Map() },
      options: new Map(
        [...options].filter(([name]) => !ofTerminal.test(name)).map(([name, is]) => [name, is === 'on']),
      ),
    },
    env,
    { functions: new Set(names), text },
  );
  if (!state) return undefined;
  const start: BashStart = { ...state, at: () => start };
  return start;
}

/** An empty list prints one NUL. */
function pairs(part: string): Map<string, string> {
  const pieces = part.split('\0');
  const found = new Map<string, string>();
  for (let at = 0; at + 1 < pieces.length; at += 2) found.set(pieces[at] ?? '', pieces[at + 1] ?? '');
  return found;
}

/** Assignments of what the start files export, without what was there before. */
function exports(exported: ReadonlyMap<string, string>, env: Readonly<Record<string, string>>): string[] {
  return [...exported]
    .filter(([name, value]) => !ownVariables.test(name) && env[name] !== value && /^\w+$/.test(name))
    .map(([name, value]) => `export ${name}=${quoteWord(value)}`);
}
