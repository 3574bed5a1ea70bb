import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/**
 * A mount namespace in which everything but one directory is read-only, for real runs as root: a case that is more
 * dangerous than its author thought (`git bundle create /dev/null` replaces the device) then fails instead of harming the
 * machine. Nor can it set the clock (`date -s`), end the system or load code into the kernel.
 */
export interface Guard {
  /** Words to put before a command and its arguments, so that it runs in there, in the given directory. */
  prefix(cwd: string): string[];
  close(): void;
}

// The directory first: it keeps its own, writable mount. /tmp becomes an empty one on the same disk, because programs
// like ed(1) need it, with the directory in it where it was, and so does /dev/shm, where semaphores are made. What cannot be
// made read-only is a reason to stop, but for mounts that are hidden below others.
const script = `set -eu
mount --bind "$1" "$1"
mkdir -m 1777 "$1/guard-tmp"
chmod 1777 "$1/guard-tmp"
case $1 in
/tmp/*)
  mkdir -p "$1/guard-tmp/\${1#/tmp/}"
  mount --bind "$1" "$1/guard-tmp/\${1#/tmp/}"
  ;;
esac
mount --rbind "$1/guard-tmp" /tmp
cut -d ' ' -f 2 /proc/self/mounts | while IFS= read -r point; do
  point=$(printf '%b' "$point")
  case $point in "$1" | "$1"/* | /tmp | /tmp/*) continue ;; esac
  mount -o remount,bind,ro "$point" 2> /dev/null || case $point in / | /dev | /proc | /sys | /home) exit 1 ;; esac
done
mount -t tmpfs -o mode=1777 tmpfs /dev/shm
! (: > /foretell-guard-probe) 2> /dev/null
: > "$1/guard-probe"
rm "$1/guard-probe"
echo ready
exec cat`;

const withoutPowers = ['setpriv', '--bounding-set', '-sys_time,-sys_boot,-sys_module'];

/** Starts a guard that leaves only `writable` writable. Rejects with a sentence where this machine does not allow it. */
export function startGuard(writable: string): Promise<Guard> {
  // The place is a copy of the machine already, whose changes are thrown away.
  if (process.env['FORETELL_PLACE_TREE'])
    return Promise.resolve({ prefix: (cwd) => ['env', '-C', cwd], close: () => {} });
  return new Promise((resolve, reject) => {
    const holder = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', script, 'guard', writable], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let errors = '';
    holder.stderr.on('data', (piece: Buffer) => {
      errors += piece.toString();
    });
    const refuse = (why: string) =>
      reject(new Error(`Real runs as root need a mount namespace of their own, which cannot be made here: ${why}`));
    holder.on('error', (error) => refuse(error.message));
    holder.on('exit', () => refuse(errors.trim() || 'the mounts could not be made read-only'));
    createInterface({ input: holder.stdout }).on('line', (line) => {
      if (line !== 'ready') return;
      resolve({
        prefix: (cwd) => ['nsenter', `--mount=/proc/${holder.pid}/ns/mnt`, ...withoutPowers, 'env', '-C', cwd],
        close: () => holder.stdin.end(),
      });
    });
  });
}
