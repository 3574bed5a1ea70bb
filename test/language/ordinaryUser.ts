import type { Identity } from '../truth/fixture.ts';
import { identities } from '../truth/identity.ts';

/**
 * Makes this process an ordinary user for good, where it is root: scripts of cases really run here, and never as root.
 * Call it before anything is written. Throws where this machine has no ordinary account.
 */
export function becomeOrdinary(): Identity {
  process.umask(0o022);
  const [identity] = identities('user');
  if (!identity) throw new Error('This machine has no account for an ordinary user.');
  if (process.getuid?.() === 0) {
    process.setgroups?.([]);
    process.setgid?.(identity.gid);
    process.setuid?.(identity.uid);
    // git refuses to work where it may not read the home directory.
    process.env['HOME'] = '/nonexistent';
  }
  return identity;
}
