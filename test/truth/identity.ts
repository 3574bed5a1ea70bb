import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { Identity } from './fixture.ts';

// Accounts that every distribution has, that own nothing of value and that nobody logs in as. Not `nobody`: the kernel
// shows that number for every owner that a user namespace does not know.
const ordinaryAccounts = ['foretell-test', 'games', 'daemon', 'bin'];

/**
 * Who the commands run as. An ordinary user can only be itself; root is both itself and an ordinary account.
 * Empty where this machine has no such identity.
 */
export function identities(which: 'user' | 'root' | 'both'): Identity[] {
  const self = userInfo();
  if (self.uid !== 0) {
    return which === 'root' ? [] : [{ name: 'user', uid: self.uid, gid: self.gid, login: self.username }];
  }
  const user = ordinaryIdentity();
  const root: Identity = { name: 'root', uid: 0, gid: 0, login: 'root' };
  return [...(which === 'root' ? [] : user ? [user] : []), ...(which === 'user' ? [] : [root])];
}

/** The one identity that an option names: root, else an ordinary user. Without one it says so on standard error. */
export function identityFor(name: string): Identity | undefined {
  const [identity] = identities(name === 'root' ? 'root' : 'user');
  if (!identity) console.error('This machine has no such identity.');
  return identity;
}

/**
 * Words before a command that make it run as somebody in the place that `FORETELL_WITHIN` names (program and name), where
 * the suite itself cannot run; empty without one. Whoever uses them must not become somebody else before.
 */
export function wordsWithin(identity: Identity): string[] {
  const within = process.env['FORETELL_WITHIN']?.split(' ');
  return within ? [...within, '--as', `${identity.uid}:${identity.gid}`, '--'] : [];
}

function ordinaryIdentity(): Identity | undefined {
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const login of ordinaryAccounts) {
    const account = accounts.find(([name]) => name === login);
    if (account) return { name: 'user', uid: Number(account[2]), gid: Number(account[3]), login };
  }
  return undefined;
}
