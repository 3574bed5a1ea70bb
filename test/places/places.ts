import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { compiledOnce, compileProgram } from './compileProgram.ts';

/** A machine on which something is refused. */
export interface Place {
  name: string;
  /** What it is, in one sentence. */
  sentence: string;
  /** How it is made: by a filter of the kernel (`programs/profiles.c`), by gVisor, or by emulating a machine. */
  how: 'filter' | 'gvisor' | 'machine';
  /** Nobody can make mounts in there, so root's commands get a tree of their own whose changes are thrown away. */
  hasTree?: boolean;
  /** Root has no capability in there. */
  rootIsPowerless?: boolean;
}

const filtered = (name: string, sentence: string): Place => ({ name, sentence, how: 'filter' });
const withTree = (name: string, sentence: string): Place => ({ ...filtered(name, sentence), hasTree: true });

/** All places. The names of those that are made by a filter are those of `programs/profiles.c`. */
export const places: readonly Place[] = [
  filtered('plain', 'This machine, as it is.'),
  withTree('docker', "A container with Docker's default seccomp profile and capabilities."),
  { ...withTree('docker-none', 'The same without any capability (--cap-drop=ALL).'), rootIsPowerless: true },
  withTree('podman', "A rootless container with podman's profile and capabilities; users have mapped numbers."),
  withTree('no-namespaces', 'Nobody may make a namespace or a mount.'),
  filtered('no-user-namespaces', 'Nobody may make a user namespace.'),
  filtered('last-namespace', 'A user namespace in which no further one may be made (user.max_user_namespaces=0).'),
  withTree('no-mounts', "User namespaces without any power in them, as Ubuntu's AppArmor restriction makes them."),
  filtered('no-landlock', 'A kernel without Landlock.'),
  filtered('no-notify', 'A kernel without user notification of seccomp.'),
  filtered('no-ptrace', 'Nobody may trace.'),
  filtered('no-seccomp', 'Nobody may install a filter.'),
  filtered('no-close-range', 'close_range(2) is missing, and nothing else.'),
  filtered('no-getfd', 'Nobody may copy a descriptor of another process, as in containers; nothing else.'),
  filtered('kernel-5.15', 'What came after Linux 5.15 is missing, as far as a filter can see it.'),
  filtered('kernel-5.10', 'What came after Linux 5.10 is missing, as far as a filter can see it.'),
  filtered('kernel-5.0', 'What came after Linux 5.0 is missing, as in gVisor.'),
  { name: 'gvisor', sentence: "gVisor's own kernel (runsc do).", how: 'gvisor' },
  { name: 'linux-5.10', sentence: 'An emulated x86-64 machine with the kernel of Debian 11.', how: 'machine' },
  { name: 'linux-6.1', sentence: 'An emulated x86-64 machine with the kernel of Debian 12.', how: 'machine' },
  { name: 'linux-6.1-no-landlock', sentence: 'The same, started without Landlock.', how: 'machine' },
  { name: 'arm64', sentence: 'An emulated arm64 machine with the kernel of Debian 12.', how: 'machine' },
];

const sourceFolder = path.join(path.resolve(process.env['FORETELL_PROJECT'] ?? process.cwd()), 'test/places/programs');

/** The program that makes filtered places, and the one that tries what is refused; compiled when they are first asked for. */
export function placePrograms(): { place: string; probe: string } {
  const folder = compiledOnce('places', sourceFolder, (building) => {
    const compile = (name: string, ...files: string[]) =>
      compileProgram(sourceFolder, ['-static', '-std=gnu11', '-o', path.join(building, name), ...files]);
    compile('place', 'place.c', 'filter.c', 'profiles.c', 'tree.c');
    compile('probe', 'probe.c');
  });
  return { place: path.join(folder, 'place'), probe: path.join(folder, 'probe') };
}

/** The words before a command that make it run in a filtered place, on the machine's own tree. */
export function placeWords(name: string): string[] {
  return [placePrograms().place, name, '--'];
}

/** Why a filtered place cannot be made here, in one sentence; undefined when it can. */
export function whyNoPlace(name: string, options: { uid?: number; gid?: number } = {}): string | undefined {
  const [program = '', ...words] = placeWords(name);
  const { status, stderr } = spawnSync(program, [...words, 'true'], { encoding: 'utf8', ...options });
  return status === 0 ? undefined : stderr.trim() || `${name} ended with ${status}.`;
}
