import { spawnSync } from 'node:child_process';

/** Why gVisor cannot be started here, in one sentence; undefined when it can. */
export function whyNoGvisor(): string | undefined {
  if (process.getuid?.() !== 0) return 'runsc do needs root.';
  const [program = '', ...words] = wordsForGvisor({ command: ['true'], uid: 0, gid: 0 });
  const { error, status, stderr } = spawnSync(program, words, { encoding: 'utf8', timeout: 60_000 });
  if (error) return 'gVisor is not installed (Debian package runsc).';
  return status === 0 ? undefined : `gVisor does not start here: ${stderr.trim().split('\n')[0]}`;
}

/** The words that run a command in gVisor: on the machine's files, whose changes stay in memory, without network. */
export function wordsForGvisor({
  command,
  uid,
  gid,
}: {
  command: readonly string[];
  uid: number;
  gid: number;
}): string[] {
  const become = uid === 0 ? [] : ['setpriv', '--reuid', String(uid), '--regid', String(gid), '--clear-groups'];
  return ['runsc', '--network=none', 'do', '-quiet', ...become, ...command];
}
