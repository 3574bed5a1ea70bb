import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The state of bash between real commands that follow each other, as in a terminal. */
export interface CarriedShell {
  /** Value of `BASH_ENV` for the next command: it takes up variables, functions and aliases. */
  startFile: string;
  /** Where the last command ended; `undefined` before the first. */
  cwd(): string | undefined;
  /** What the last command left exported; `undefined` before the first. */
  env(): Record<string, string> | undefined;
}

/** Keeps the state of bash in files of the folder `base`, which must not be part of what is compared. */
export function startCarrying(base: string): CarriedShell {
  const [startFile, state, where, exported] = ['start', 'state', 'where', 'exported'].map((name) =>
    join(base, `carry-${name}`),
  ) as [string, string, string, string];
  for (const file of [state, where, exported]) {
    writeFileSync(file, '');
    chmodSync(file, 0o666);
  }
  const lines = [
    'unset BASH_ENV',
    'shopt -s expand_aliases',
    `trap '{ { declare -p; declare -f; alias -p; shopt -p; set +o; } >| ${state}; pwd >| ${where}; env -0 >| ${exported}; } 2> /dev/null' EXIT`,
    `. ${state} 2> /dev/null`,
  ];
  writeFileSync(startFile, `${lines.join('\n')}\n`);
  chmodSync(startFile, 0o644);
  return {
    startFile,
    cwd: () => readFileSync(where, 'utf8').trimEnd() || undefined,
    env: () => parseEnv(readFileSync(exported, 'utf8')),
  };
}

/** Reads the output of `env -0`. */
function parseEnv(text: string): Record<string, string> | undefined {
  if (text === '') return undefined;
  const entries = text.split('\0').filter((entry) => entry.includes('='));
  return Object.fromEntries(
    entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );
}
