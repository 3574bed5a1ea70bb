import { randomBytes } from 'node:crypto';
import type { Launcher } from '../wire/launcher.ts';
import { ownFolder } from './ownFolder.ts';

/**
 * Carries the state of bash from one command of a session to the next: variables, functions, aliases and options, as in
 * a terminal. (The working directory is carried by whoever asks for the next command.)
 *
 * Three files on the view's own /dev/shm (`ownFolder`): a start file that takes up the state that the command before left, that
 * state, written when the shell ends, and what the command was given of variables that hold secrets. They are no change of the
 * user's and are not listed.
 */
export interface CarriedState {
  /** Environment entries that make bash read the start file. */
  env: readonly string[];
  /** Puts the start file into a view that has none, or one for others. `secrets`: variables that a command is given only by name. */
  prepare(launcher: Launcher, secrets: readonly string[]): Promise<void>;
  /** True for these files. */
  isOwn(path: string): boolean;
}

/** For sessions in which every command gets a new shell, as the shell tools of agents do. */
export const carriesNothing: CarriedState = { env: [], async prepare() {}, isOwn: () => false };

/** The variable in which the value stands that a command was given. */
const given = (name: string) => `__foretell_${name}`;

/** State of one session; the files have a name that no other session has. */
export function createCarriedState(): CarriedState {
  const folder = ownFolder();
  const base = `${folder}/.foretell-${randomBytes(6).toString('hex')}`;
  /** The variables for which the start file of a view was written. */
  const prepared = new WeakMap<Launcher, string>();
  // Read-only variables of bash itself cannot be set again; the complaints about them are of no interest.
  const prelude = (secrets: readonly string[]) =>
    [
      'unset BASH_ENV',
      'shopt -s expand_aliases',
      ...secrets.map((name) => `printf '%s\\n' "${given(name)}=\${${name}@Q}" >>${base}.given`),
      // Whoever lists the traps is shown ours: another number in every view makes that volatile.
      `trap '{ ${forgetting(secrets)}declare -p; declare -f; alias -p; shopt -p; set +o; } >|${base}.state 2>/dev/null # ${randomBytes(4).toString('hex')}' EXIT`,
      // The last line: what follows `set -x` is shown.
      `if [ -f ${base}.state ]; then . ${base}.state; fi 2>/dev/null`,
    ].join('\n');
  /** What commands are given is no state: the next one may not name it, or be the first that does. What was set by hand is. */
  const forgetting = (secrets: readonly string[]) => {
    const unset = secrets.map((name) => `[ "\${${name}-}" = "\${${given(name)}-}" ] && unset -v ${name}; `);
    const copies = secrets.map(given).join(' ');
    return secrets.length === 0 ? '' : `. ${base}.given; ${unset.join('')}unset -v ${copies}; `;
  };
  return {
    env: [`BASH_ENV=${base}.start`],
    async prepare(launcher, secrets) {
      const names = secrets.filter((name) => /^[A-Za-z_]\w*$/.test(name));
      if (prepared.get(launcher) === names.join()) return;
      prepared.set(launcher, names.join());
      await launcher.put(`${base}.start`, 'file', Buffer.from(`${prelude(names)}\n`), 0o600);
    },
    isOwn: (path) => path === folder || path.startsWith(base),
  };
}
