// Whose windows they are: an ordinary user's, also where root starts the tests. Root writes everywhere and is nobody's
// usual self: his windows show neither what is refused to a person nor what belongs to somebody else.
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundleTests } from '../../bundleTests.mjs';

/**
 * The account that root gives the windows to, as the truth suite chooses it; undefined where whoever starts this is an
 * ordinary user already. Where that account cannot be had or cannot read one of `files`, the reason is told instead.
 */
export async function ordinaryUser(files) {
  if (process.getuid() !== 0) return {};
  const [bundle] = await bundleTests(['test/truth/identity.ts'], `host-${process.pid}`);
  const { identities } = await import(bundle);
  const [user] = identities('user');
  if (!user) return { problem: 'this machine has no ordinary account' };
  const { uid, gid } = user;
  const unread = files.find((file) => spawnSync('test', ['-r', file], { uid, gid }).status !== 0);
  return unread ? { problem: `${user.login} cannot read ${unread}` } : { user };
}

/** Makes a home as a new account has it, and returns the variables that lead there. */
export function makeHome(folder, login) {
  const home = path.join(folder, 'home');
  if (existsSync('/etc/skel')) cpSync('/etc/skel', home, { recursive: true });
  mkdirSync(home, { recursive: true });
  // Where HISTCONTROL leaves lines out of the history, VS Code's integration takes $BASH_COMMAND in its stead, which is the first command
  // of a line, and tells now that and now what the screen shows.
  appendFileSync(path.join(home, '.bashrc'), '\nHISTCONTROL=$FORETELL_HISTCONTROL\n');
  // Without one zsh asks its questions for new users before the first prompt.
  writeFileSync(path.join(home, '.zshrc'), '');
  return { HOME: home, SHELL: '/bin/bash', ...(login ? { USER: login, LOGNAME: login } : {}) };
}
