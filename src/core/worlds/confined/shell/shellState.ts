import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { ShellName } from '../../../action/action.ts';
import { homeFolder } from '../../../context/user.ts';
import { defaultLimits } from '../../../prediction/request.ts';
import { quoteWord } from '../../../shell/quoteWord.ts';
import type { InertFiles } from '../gate/inert.ts';
import { openView } from '../run.ts';
import { Launcher } from '../wire/launcher.ts';

/** What a shell has when its start files were read. */
export interface StartState {
  /** Read by bash with `--rcfile`: options, aliases, functions and exported variables. */
  file: string;
  /** The same without the variables. */
  definitions: string;
  aliases: ReadonlyMap<string, string>;
  functions: ReadonlySet<string>;
}

/** Files that an interactive shell reads; when one of them changes, the state is taken anew. */
const startFiles: Partial<Record<ShellName, readonly string[]>> = {
  bash: ['/etc/bash.bashrc', '/etc/bashrc', '~/.bashrc', '~/.bash_aliases', '~/.bash_functions', '~/.profile'],
};

const begin = '__foretell_state_begins__';
const variables = '__foretell_variables_begin__';
const names = '__foretell_names_begin__';
const end = '__foretell_state_ends__';

/**
 * Prints what an interactive bash has: options, aliases, functions and exported variables.
 * The prompt's own functions do no harm; read-only variables cannot be set again and are left out by `export -p` filters.
 */
const bashReport = `printf '%s\\n' ${begin}; shopt -p; alias -p; declare -f; printf '%s\\n' ${variables}; export -p | grep -v -E '^declare -[a-z]*r|^declare -x (PWD|OLDPWD|SHLVL|_|PROMPT_COMMAND|BASH_ENV)='; printf '%s\\n' ${names}; for name in "\${!BASH_ALIASES[@]}"; do printf '%s\\0%s\\0' "$name" "\${BASH_ALIASES[$name]}"; done; printf '\\0'; compgen -A function; printf '%s\\n' ${end}`;

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
 * `--rcfile`; `undefined` where there is nothing to take (other shells read their own files).
 */
export function createShellState(
  options: ShellStateOptions,
): (shell: ShellName, env: Readonly<Record<string, string>>) => Promise<StartState | undefined> {
  const known = new Map<string, Promise<StartState | undefined>>();
  return (shell, env) => {
    const files = startFiles[shell];
    if (!files) return Promise.resolve(undefined);
    const key = fingerprint(files, env);
    let state = known.get(key);
    if (!state) {
      state = take(options, key, env).catch(() => undefined);
      known.set(key, state);
    }
    return state;
  };
}

function fingerprint(files: readonly string[], env: Readonly<Record<string, string>>): string {
  const hash = createHash('sha256').update(JSON.stringify(Object.entries(env).sort()));
  for (const file of files) {
    try {
      const status = fs.statSync(file.replace(/^~/, homeFolder(env)));
      hash.update(`${file} ${status.mtimeMs} ${status.size}`);
    } catch {
      hash.update(`${file} missing`);
    }
  }
  return hash.digest('hex').slice(0, 24);
}

async function take(
  options: ShellStateOptions,
  key: string,
  env: Readonly<Record<string, string>>,
): Promise<StartState | undefined> {
  const launcher = await openView(options.launch, {
    mode: 'copy',
    shifted: false,
    openGate: false,
    inert: options.inert(),
    limits: { ...defaultLimits, wallMs: 5_000 },
  });
  if (!(launcher instanceof Launcher)) return undefined;
  const pieces: Uint8Array[] = [];
  try {
    await launcher.run(
      {
        argv: ['bash', '-i', '-c', bashReport],
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
  } finally {
    void launcher.close();
  }
  const text = Buffer.concat(pieces).toString('utf8').replaceAll('\r\n', '\n');
  const parts = partsOf(text);
  if (!parts) return undefined;
  fs.mkdirSync(options.storageFolder, { recursive: true, mode: 0o700 });
  const write = (name: string, content: string) => {
    const file = path.join(options.storageFolder, name);
    fs.writeFileSync(file, content, { mode: 0o600 });
    return file;
  };
  return {
    file: write(`bash-${key}.rc`, parts.definitions + parts.variables),
    definitions: write(`bash-${key}-definitions.rc`, parts.definitions),
    ...namesIn(parts.names),
  };
}

/** The same with the aliases that a bash has at its prompt by now, in place of those of its start files. */
export function withAliases(state: StartState, aliases: ReadonlyMap<string, string>): StartState {
  const { aliases: known } = state;
  if (aliases.size === known.size && [...aliases].every(([name, value]) => known.get(name) === value)) return state;
  const defined = [...aliases].map(([name, value]) => `alias -- ${quoteWord(name)}=${quoteWord(value)}\n`);
  const text = `${fs.readFileSync(state.definitions, 'latin1')}unalias -a\n${Buffer.from(defined.join('')).toString('latin1')}`;
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 24);
  const definitions = path.join(path.dirname(state.definitions), `bash-${digest}-prompt.rc`);
  if (!fs.existsSync(definitions)) {
    // Another prediction of the same may read it meanwhile: it is there as a whole, or not at all.
    const fresh = `${definitions}.${randomBytes(6).toString('hex')}`;
    fs.writeFileSync(fresh, text, { encoding: 'latin1', mode: 0o600 });
    fs.renameSync(fresh, definitions);
  }
  return { ...state, definitions, aliases };
}

/** What stands between the marks of the report. */
function partsOf(text: string): { definitions: string; variables: string; names: string } | undefined {
  const [from, second, third, to] = [begin, variables, names, end].map((mark) => text.lastIndexOf(`${mark}\n`));
  if (from === undefined || second === undefined || third === undefined || to === undefined) return undefined;
  if (from < 0 || second < from || third < second || to < third) return undefined;
  return {
    definitions: text.slice(from + begin.length + 1, second),
    variables: text.slice(second + variables.length + 1, third),
    names: text.slice(third + names.length + 1, to),
  };
}

/** Aliases as name, NUL, value, NUL; after one more NUL a function a line. */
function namesIn(text: string): Pick<StartState, 'aliases' | 'functions'> {
  const pieces = text.split('\0');
  const functions = (pieces.at(-1) ?? '').split('\n').filter((name) => name !== '');
  const aliases = new Map<string, string>();
  for (let at = 0; at + 2 < pieces.length; at += 2) aliases.set(pieces[at] ?? '', pieces[at + 1] ?? '');
  return { aliases, functions: new Set(functions) };
}
