import { createHash } from 'node:crypto';
import fs from 'node:fs';
import type { ShellName } from '../../../action/action.ts';
import { homeFolder } from '../../../context/user.ts';
import { defaultLimits } from '../../../prediction/request.ts';
import { mayCallFunction, wordsIn } from '../../../shell/callsFunction.ts';
import { quoteWord } from '../../../shell/quoteWord.ts';
import type { InertFiles } from '../gate/inert.ts';
import { openView } from '../run.ts';
import { Launcher } from '../wire/launcher.ts';
import { startFile } from './startFile.ts';
import type { BashStart, ShellPlace, ShellStart, StartState, UnreadStart } from './startState.ts';
import { zshReport, zshStartOf } from './zshStart.ts';

/** Files that an interactive shell reads; when one of them changes, the state is taken anew. */
const startFiles: Partial<Record<ShellName, readonly string[]>> = {
  bash: ['/etc/bash.bashrc', '/etc/bashrc', '~/.bashrc', '~/.bash_aliases', '~/.bash_functions', '~/.profile'],
  zsh: ['/etc/zshrc', '/etc/zsh/zshrc', '/etc/zshenv', '/etc/zsh/zshenv', '~/.zshenv', '~/.zshrc'],
};

/** So long they may take: nvm and the like take seconds on a machine that has other work. */
const longestMs = 20_000;

/** Where systems have the one that bash reads whatever it is told (SYS_BASHRC). */
const systemFiles = ['/etc/bash.bashrc', '/etc/bash/bashrc', '/etc/bashrc'];

const begin = '__foretell_state_begins__';
const definitions = '__foretell_definitions_begin__';
const variables = '__foretell_variables_begin__';
const names = '__foretell_names_begin__';
const end = '__foretell_state_ends__';

/** Of these every shell has its own, or they would lead it elsewhere. */
const ownVariables = 'PWD|OLDPWD|SHLVL|_|PROMPT_COMMAND|BASH_ENV';

/**
 * Prints what an interactive bash has: options, functions, exported variables that can be set again, aliases, and the names of
 * functions. The prompt's own functions do no harm.
 */
const bashReport = `printf '%s\\n' ${begin}; shopt -p; set +o; printf '%s\\n' ${definitions}; declare -f; printf '%s\\n' ${variables}; fixed=$(readonly -p); for name in $(compgen -e); do case $name in ${ownVariables}) continue;; esac; [[ $fixed == *" $name="* ]] || printf '%s=%s\\0' "$name" "\${!name}"; done; printf '%s\\n' ${names}; for name in "\${!BASH_ALIASES[@]}"; do printf '%s\\0%s\\0' "$name" "\${BASH_ALIASES[$name]}"; done; printf '\\0'; compgen -A function; printf '%s\\n' ${end}`;

/** Where the state is taken and kept. */
export interface ShellStateOptions {
  launch: () => Launcher;
  inert(): InertFiles;
  /** The extension's own storage: the only place outside a view that is written. */
  storageFolder: string;
}

/**
 * Takes the aliases, functions, options and exported variables of the user's interactive shell, once: the shell starts
 * confined, so a start file that starts other programs starts only inert ones. Returns a file that bash reads with
 * `--rcfile`, and zsh in place of its own; `undefined` where there is nothing to take (other shells read their own files, or nothing
 * can be started).
 */
export function createShellState(
  options: ShellStateOptions,
): (shell: ShellName, env: Readonly<Record<string, string>>) => Promise<BashStart | UnreadStart | undefined> {
  const known = new Map<string, Promise<BashStart | UnreadStart | undefined>>();
  return (shell, env) => {
    const files = startFiles[shell];
    if (!files) return Promise.resolve(undefined);
    const key = fingerprint(files, env);
    let state = known.get(key);
    if (!state) {
      state = take(shell, options, env).catch(() => 'unread' as const);
      known.set(key, state);
    }
    return state;
  };
}

function fingerprint(files: readonly string[], env: Readonly<Record<string, string>>): string {
  const hash = createHash('sha256').update(JSON.stringify(Object.entries(env).sort()));
  for (const file of files) {
    try {
      const status = fs.statSync(file.replace(/^~/, (file.includes('zsh') && env['ZDOTDIR']) || homeFolder(env)));
      hash.update(`${file} ${status.mtimeMs} ${status.size}`);
    } catch {
      hash.update(`${file} missing`);
    }
  }
  return hash.digest('hex').slice(0, 24);
}

async function take(
  shell: ShellName,
  options: ShellStateOptions,
  env: Readonly<Record<string, string>>,
): Promise<BashStart | UnreadStart | undefined> {
  const launcher = await openView(options.launch, {
    mode: 'copy',
    shifted: false,
    openGate: false,
    inert: options.inert(),
    limits: { ...defaultLimits, wallMs: longestMs },
  });
  if (!(launcher instanceof Launcher)) return undefined;
  try {
    if (shell === 'zsh') {
      const told = await printed(launcher, ['zsh', '-i', '-c', zshReport], env);
      return zshStartOf(told, options.storageFolder, env) ?? 'unread';
    }
    const greets = systemFiles.some((file) => fs.existsSync(file))
      ? (await printed(launcher, ['bash', '--rcfile', '/dev/null', '-i', '-c', ':'], env)) !== ''
      : false;
    const parts = partsOf(await printed(launcher, ['bash', '-i', '-c', bashReport], env));
    if (!parts) return 'unread';
    const { aliases, functions } = namesIn(parts.names);
    return stateWith({
      ...{ storageFolder: options.storageFolder, greets, ownEnv: env['BASH_ENV'] },
      ...{ options: optionsIn(parts.options), definitions: parts.definitions },
      // What it was given it has anyway, and nothing of that is to lie on the disk.
      ...{ exported: exportedIn(parts.variables, env), aliases, functions },
    });
  } finally {
    void launcher.close();
  }
}

/** What a shell prints at a terminal, in the home folder. */
async function printed(
  launcher: Launcher,
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const pieces: Uint8Array[] = [];
  await launcher.run(
    {
      argv,
      env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
      cwd: homeFolder(env),
      columns: 80,
      rows: 24,
      stdin: 'input',
      newLayer: false,
    },
    (event) => {
      if (event.type === 'output') pieces.push(event.bytes);
      // A start file that waits for an answer gets none; programs of others are as if they were not installed.
      else if (event.type === 'asks') launcher.input(new Uint8Array(), true);
      else if (event.type === 'gated') launcher.answer(event.token, { kind: 'fails', error: 'ENOENT' });
    },
  );
  return Buffer.concat(pieces).toString('utf8').replaceAll('\r\n', '\n');
}

/** What a start file is made of. */
interface BashState {
  storageFolder: string;
  /** The system's own start file, which every interactive bash reads, prints something. */
  greets: boolean;
  /** BASH_ENV, as it was given. */
  ownEnv: string | undefined;
  /** What is on of `shopt` and `set -o`, and what is not. */
  options: ReadonlyMap<string, boolean>;
  /** All functions. */
  definitions: string;
  exported: string;
  aliases: ReadonlyMap<string, string>;
  functions: ReadonlySet<string>;
}

function stateWith(bash: BashState): BashStart {
  const { aliases, functions } = bash;
  const start = (script: string, { isAtPrompt, hasTerminal }: ShellPlace): ShellStart => {
    const defined = [...aliases].map(([name, value]) => `alias -- ${quoteWord(name)}=${quoteWord(value)}\n`).join('');
    // Hundreds of functions take longer to read than most commands run.
    const called = mayCallFunction(script, bash) ? bash.definitions : unasked(bash);
    const { first, last } = setting(bash.options);
    const text = `${first}unalias -a\n${defined}${called}${isAtPrompt ? '' : bash.exported}${last}`;
    if (hasTerminal && !bash.greets) {
      const file = startFile(bash.storageFolder, 'bash', '.rc', text);
      return { options: ['--rcfile', file, '-i'], env: {}, file };
    }
    // What it says, or an interactive shell of the want of a terminal, would stand before the script's own output.
    const own = bash.ownEnv === undefined ? 'unset BASH_ENV' : `BASH_ENV=${quoteWord(bash.ownEnv)}`;
    const file = startFile(bash.storageFolder, 'bash', '.rc', `${own}\n${text}`);
    return { options: [], env: { BASH_ENV: file }, file };
  };
  const at: BashStart['at'] = (prompt) =>
    stateWith({
      ...bash,
      ...(prompt.aliases ? { aliases: prompt.aliases } : {}),
      ...(prompt.options
        ? { options: new Map([...bash.options].map(([name]) => [name, prompt.options?.has(name) === true])) }
        : {}),
    });
  return { aliases, functions, start, at };
}

/** Options of `set` that change what a command does; others are of the prompt, of traps, or of how a shell was started. */
const setOptions =
  /^(?:allexport|braceexpand|errexit|keyword|noclobber|noglob|nounset|physical|pipefail|posix|xtrace)$/;

/** From the lines of `shopt -p` and `set +o`. */
function optionsIn(text: string): ReadonlyMap<string, boolean> {
  const options = new Map<string, boolean>();
  for (const [, shopt, set, name = ''] of text.matchAll(/^(?:shopt -([su])|set ([-+])o) (\S+)$/gm)) {
    if (shopt !== undefined || setOptions.test(name)) options.set(name, shopt === 's' || set === '-');
  }
  return options;
}

/** Lines that set them: how functions are read belongs before these, and what stops or shows a line behind all others. */
function setting(options: ReadonlyMap<string, boolean>): { first: string; last: string } {
  const lines = [...options].map(([name, isOn]) =>
    setOptions.test(name)
      ? { last: `${isOn ? '-' : '+'}o ${name}` }
      : { first: `shopt -${isOn ? 's' : 'u'} ${name}\n` },
  );
  const first = lines.map((line) => line.first ?? '').join('');
  // As one line, because the first may show the next.
  return { first, last: `set${lines.map((line) => (line.last ? ` ${line.last}` : '')).join('')}\n` };
}

/** What bash calls itself, for a name that it does not find. */
const forUnknownNames = 'command_not_found_handle';

/** What is called though nobody names it; all where that calls others. */
function unasked({ definitions, functions }: BashState): string {
  if (!functions.has(forUnknownNames)) return '';
  const [, text] = new RegExp(`^(${forUnknownNames} \\(\\) ?\\n\\{[\\s\\S]*?\\n\\}\\n)`, 'm').exec(definitions) ?? [];
  const isAlone = text && !wordsIn(text).some((word) => word !== forUnknownNames && functions.has(word));
  return isAlone ? text : definitions;
}

/** Assignments of what the start files export, without what was there before. */
function exportedIn(text: string, env: Readonly<Record<string, string>>): string {
  const entries = text.split('\0').map((entry) => [entry.slice(0, entry.indexOf('=')), entry] as const);
  return entries
    .filter(([name, entry]) => name !== '' && env[name] !== entry.slice(name.length + 1))
    .map(([name, entry]) => `export ${name}=${quoteWord(entry.slice(name.length + 1))}\n`)
    .join('');
}

/** What stands between the marks of the report. */
function partsOf(text: string): Record<'options' | 'definitions' | 'variables' | 'names', string> | undefined {
  const marks = [begin, definitions, variables, names, end];
  const at = marks.map((mark) => text.lastIndexOf(`${mark}\n`));
  if (at.some((place, index) => place < (at[index - 1] ?? 0))) return undefined;
  const between = (index: number) => text.slice((at[index] ?? 0) + (marks[index]?.length ?? 0) + 1, at[index + 1]);
  return { options: between(0), definitions: between(1), variables: between(2), names: between(3) };
}

/** Aliases as name, NUL, value, NUL; after one more NUL a function a line. */
function namesIn(text: string): Pick<StartState, 'aliases' | 'functions'> {
  const pieces = text.split('\0');
  const functions = (pieces.at(-1) ?? '').split('\n').filter((name) => name !== '');
  const aliases = new Map<string, string>();
  for (let at = 0; at + 2 < pieces.length; at += 2) aliases.set(pieces[at] ?? '', pieces[at + 1] ?? '');
  return { aliases, functions: new Set(functions) };
}
