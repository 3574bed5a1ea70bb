/** Who runs the engine. */
export interface Identity {
  name: 'user' | 'root';
  uid: number;
  gid: number;
}

// Nobody else has this user: whatever process it owns was started by this very test.
const lonelyUser = 100_000 + (process.pid % 50_000);

/** The identities that can be tested here: root tests both, anybody else only himself. */
export function availableIdentities(): Identity[] {
  const uid = process.getuid?.() ?? 0;
  if (uid !== 0) return [{ name: 'user', uid, gid: process.getgid?.() ?? uid }];
  return [
    { name: 'user', uid: lonelyUser, gid: lonelyUser },
    { name: 'root', uid: 0, gid: 0 },
  ];
}

/** Options for `spawn`: only root may become somebody else. */
export function spawnAs(identity: Identity): { uid?: number; gid?: number } {
  return process.getuid?.() === 0 ? { uid: identity.uid, gid: identity.gid } : {};
}
