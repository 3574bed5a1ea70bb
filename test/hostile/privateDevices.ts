import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../temporaryFolder.ts';
import type { State } from './canaries.ts';
import type { Identity } from './identity.ts';

/**
 * A mount namespace with a /dev of its own: throw-away nodes, a disk that is a file, a FIFO and a socket in a folder that
 * the view can only bind. Whatever gets out of a confinement in there changes these and not the machine's. Needs root.
 */
export interface PrivateDevices {
  /** Program and arguments that start something in there, as `identity`, in the folder `cwd`. */
  wrapper(identity: Identity, cwd: string): string[];
  /** The folder that can only be bound; holds `fifo` and `file`. */
  bound: string;
  /** A folder of tracefs with records of its own; empty where there is none. */
  trace: string;
  /** Everything about the nodes that must not change: mode, owner, every time, the content of the disk and of the FIFO. */
  state(): State;
  /** Lines of /proc/locks that are about one of the nodes. */
  locks(): string[];
  /** Makes ready for the next case: empties the FIFO, and makes the last use of the terminal, which it notes but every eight seconds, long ago. */
  reset(): void;
  remove(): Promise<void>;
}

// The machine's disks do not exist in there; vda is a file on a loop device.
const script = `set -e
base="$1"
mkdir -p "$base/dev" "$base/lower" "$base/middle" "$base/bound" "$base/up" "$base/up2" "$base/work" "$base/work2"
mount -t tmpfs -o mode=755 dev "$base/dev"
cd "$base/dev"
mknod null c 1 3; mknod zero c 1 5; mknod full c 1 7; mknod random c 1 8; mknod urandom c 1 9; mknod tty c 5 0
# Numbers for local use: no driver serves them, so what gets out writes to nobody.
mknod kmsg c 60 11; mknod console c 60 1; mknod mem c 60 2
chmod 666 null zero full random urandom tty; chmod 600 kmsg console mem
mkdir pts shm; chmod 1777 shm
ln -s pts/ptmx ptmx; ln -s /proc/self/fd fd; ln -s /proc/self/fd/0 stdin; ln -s /proc/self/fd/1 stdout; ln -s /proc/self/fd/2 stderr
truncate -s 1M "$base/disk"
loop=$(losetup -f --show "$base/disk") && mknod vda b 7 "\${loop#/dev/loop}" && chmod 600 vda || loop=
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts pts
mount -t tmpfs tmpfs "$base/lower"
mkdir "$base/lower/folder"; echo content > "$base/lower/folder/file"; mkfifo -m 666 "$base/lower/folder/fifo"
# Two overlays on top of each other: a third one is refused, so a view can only bind this.
mount -t tmpfs tmpfs "$base/work"; mkdir "$base/work/u" "$base/work/w" "$base/work/u2" "$base/work/w2"
mount -t overlay -o "lowerdir=$base/lower,upperdir=$base/work/u,workdir=$base/work/w" overlay "$base/middle"
mount -t overlay -o "lowerdir=$base/middle,upperdir=$base/work/u2,workdir=$base/work/w2" overlay "$base/bound"
mount --rbind "$base/dev" /dev
# An instance has a buffer of its own; where there is no tracefs, there are no records.
trace=
grep -qs ' /sys/kernel/tracing tracefs ' /proc/self/mounts || mount -t tracefs tracefs /sys/kernel/tracing 2> /dev/null || true
if mkdir "/sys/kernel/tracing/instances/foretell-$$" 2> /dev/null; then
  trace="/sys/kernel/tracing/instances/foretell-$$"
fi
echo "ready $loop $trace"
cat
[ -z "$trace" ] || rmdir "$trace"`;

/** Makes the namespace; `undefined` where this user cannot. */
export async function makePrivateDevices(): Promise<PrivateDevices | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const base = temporaryFolder('devices');
  const holder = spawn('unshare', ['--mount', '--propagation', 'private', 'bash', '-c', script, 'devices', base], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [loop = '', trace = ''] = await readyWords(holder);
  const inside = (name: string) => `/proc/${holder.pid}/root${name}`;
  const names = ['null', 'zero', 'full', 'random', 'urandom', 'tty', 'kmsg', 'console', 'mem', 'vda'];
  const nodes = () => names.map((name) => inside(`/dev/${name}`)).filter((file) => fs.existsSync(file));
  const fifo = inside(`${base}/bound/folder/fifo`);
  // Open for both, so that nobody who opens it waits, and what was written to it is there to be counted.
  const reader = fs.openSync(fifo, fs.constants.O_RDWR | fs.constants.O_NONBLOCK);
  return {
    bound: path.join(base, 'bound/folder'),
    trace,
    wrapper: ({ uid, gid }, cwd) => [
      'nsenter',
      `--mount=/proc/${holder.pid}/ns/mnt`,
      ...(uid === 0 ? [] : ['setpriv', '--reuid', `${uid}`, '--regid', `${gid}`, '--clear-groups', '--']),
      ...['sh', '-c', 'cd "$0" && exec "$@"', cwd],
    ],
    state() {
      const state: State = new Map();
      for (const file of nodes()) {
        const { mode, uid, gid, rdev, nlink, atimeNs, mtimeNs, ctimeNs } = fs.lstatSync(file, { bigint: true });
        const facts = [mode.toString(8), uid, gid, rdev, nlink, atimeNs, mtimeNs, ctimeNs];
        state.set(path.basename(file), facts.join(' '));
      }
      state.set('names in /dev', fs.readdirSync(inside('/dev')).sort().join(' '));
      state.set('bytes in the FIFO', `${drain(reader)}`);
      if (trace) state.set('records', fs.readFileSync(inside(`${trace}/trace`), 'latin1').replace(/^#.*\n/gm, ''));
      state.set('disk', digest(fs.readFileSync(path.join(base, 'disk'))));
      return state;
    },
    locks() {
      const numbers = nodes().flatMap((file) => {
        // An attempt may have moved one.
        const status = fs.lstatSync(file, { throwIfNoEntry: false });
        if (!status) return [];
        const { dev, ino } = status;
        const hex = (part: number) => part.toString(16).padStart(2, '0');
        return ` ${hex((dev >> 8) & 0xfff)}:${hex((dev & 0xff) | ((dev >> 12) & 0xfff00))}:${ino} `;
      });
      const lines = fs.readFileSync('/proc/locks', 'utf8').split('\n');
      return lines.filter((line) => numbers.some((number) => line.includes(number)));
    },
    reset() {
      fs.utimesSync(inside('/dev/tty'), 0, 0);
      drain(reader);
      if (trace) fs.writeFileSync(inside(`${trace}/trace_marker`), 'a record\n');
    },
    async remove() {
      fs.closeSync(reader);
      const ended = new Promise((resolve) => holder.once('close', resolve));
      holder.stdin?.end();
      await ended;
      if (loop) execFileSync('losetup', ['-d', loop]);
      fs.rmSync(base, { recursive: true, force: true });
    },
  };
}

async function readyWords(holder: ChildProcess): Promise<string[]> {
  for await (const chunk of holder.stdout ?? []) {
    const match = /^ready (.*)$/m.exec(String(chunk));
    if (match) return (match[1] ?? '').split(' ');
  }
  throw new Error('the private devices could not be made');
}

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}

/** Reads all that is there and says how much it was. */
function drain(file: number): number {
  const bytes = Buffer.alloc(65_536);
  let count = 0;
  try {
    for (let got = 1; got > 0; count += got) got = fs.readSync(file, bytes);
  } catch {
    // EAGAIN: there is no more.
  }
  return count;
}
