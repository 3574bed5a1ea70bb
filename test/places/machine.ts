import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { type Images, type Machine, machineImages, makeFileSystem } from './machineImages.ts';

/** What it is told when it starts, besides. */
type Booted = Machine & { boot?: string };

const machines: Readonly<Record<string, Booted>> = {
  'linux-5.10': { architecture: 'amd64', kernel: 'bullseye' },
  'linux-6.1': { architecture: 'amd64', kernel: 'bookworm' },
  'linux-6.1-no-landlock': { architecture: 'amd64', kernel: 'bookworm', boot: 'lsm=yama,apparmor' },
  arm64: { architecture: 'arm64', kernel: 'bookworm' },
};

const emulators = {
  amd64: { program: 'qemu-system-x86_64', words: ['-machine', 'pc'], console: 'ttyS0', package: 'qemu-system-x86' },
  arm64: {
    program: 'qemu-system-aarch64',
    words: ['-machine', 'virt'],
    console: 'ttyAMA0',
    package: 'qemu-system-arm',
  },
};

/** Why an emulated machine cannot be made here, in one sentence; undefined when it can. */
export function whyNoMachine(name: string): string | undefined {
  const machine = machines[name];
  if (!machine) return `There is no machine called ${name}.`;
  if (process.getuid?.() !== 0) return 'Only root can unpack the files of a machine with their owners.';
  const emulator = emulators[machine.architecture];
  const needs = { mmdebstrap: 'mmdebstrap', mke2fs: 'e2fsprogs', cpio: 'cpio', [emulator.program]: emulator.package };
  const missing = Object.entries(needs).filter(([program]) => !findProgram(program));
  return missing.length === 0
    ? undefined
    : `Debian packages are missing: ${missing.map(([, name]) => name).join(', ')}.`;
}

/** What runs in a machine. `files` of the project, relative to it, are there at the same place. */
export interface Job {
  command: readonly string[];
  uid: number;
  gid: number;
  files: readonly string[];
}

/**
 * Starts a machine, runs a command in it with our standard input and output (what it says on standard error comes at the
 * end), and returns the exit code; 125 when the machine did not start. Its changes are thrown away. Emulated without acceleration: a start takes 15 s, node 20 times what it takes here.
 */
export async function runInMachine(name: string, job: Job): Promise<number> {
  const machine = machines[name];
  if (!machine) return 125;
  const images = machineImages(machine);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-machine-'));
  try {
    makeJob(folder, job);
    const { program } = emulators[machine.architecture];
    await emulate(program, emulatorWords(machine, images, folder), path.join(folder, 'out'));
    const read = (file: string) => fs.readFileSync(path.join(folder, file), { encoding: 'utf8', flag: 'a+' });
    process.stderr.write(read('err'));
    const code = read('code').trim();
    if (code) return Number(code);
    console.error(
      `The machine ended before the command did. ${read('console').trim().split('\n').slice(-8).join('\n')}`,
    );
    return 125;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function findProgram(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return folders.map((folder) => path.join(folder, name)).find((file) => fs.existsSync(file));
}

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

/** The second disk: what to run, as whom, and the files of the project. */
function makeJob(folder: string, { command, uid, gid, files }: Job): void {
  const job = path.join(folder, 'job');
  fs.mkdirSync(path.join(job, 'files'), { recursive: true });
  const environment = {
    HOME: '/home/place',
    PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    ...Object.fromEntries(Object.entries(process.env).filter(([key]) => /^FORETELL_/.test(key))),
  };
  const lines = Object.entries(environment).map(([key, value]) => `export ${key}=${quoted(value ?? '')}`);
  fs.writeFileSync(path.join(job, 'environment'), `${lines.join('\n')}\n`);
  fs.writeFileSync(path.join(job, 'command'), `exec ${command.map(quoted).join(' ')}\n`);
  fs.copyFileSync('test/places/machineStart.sh', path.join(job, 'start'));
  fs.chmodSync(path.join(job, 'start'), 0o755);
  fs.writeFileSync(path.join(job, 'as'), `${uid}:${gid}\n`);
  fs.writeFileSync(path.join(job, 'project'), `${process.cwd()}\n`);
  for (const file of files) {
    if (fs.existsSync(file))
      fs.cpSync(file, path.join(job, 'files', file), { recursive: true, verbatimSymlinks: true });
  }
  makeFileSystem(job, path.join(folder, 'job.ext4'), '512M');
}

function emulatorWords(machine: Booted, images: Images, folder: string): string[] {
  const emulator = emulators[machine.architecture];
  const disk = (file: string) => ['-drive', `file=${file},format=raw,if=virtio,snapshot=on`];
  const port = (name: string, chardev: string) => [
    ...['-chardev', `${chardev},id=${name}`],
    ...['-device', `virtserialport,chardev=${name},name=${name}`],
  ];
  return [
    ...[...emulator.words, '-accel', 'tcg', '-cpu', 'max', '-m', '2G', '-smp', '1'],
    ...['-nodefaults', '-no-reboot', '-display', 'none', '-serial', `file:${path.join(folder, 'console')}`],
    ...['-kernel', images.kernel, '-initrd', images.initrd],
    ...['-append', `console=${emulator.console} quiet panic=-1 ${machine.boot ?? ''}`],
    ...[...disk(images.root), ...disk(path.join(folder, 'job.ext4')), '-device', 'virtio-serial-pci'],
    ...[...port('in', 'stdio,signal=off'), ...port('out', `socket,path=${path.join(folder, 'out')}`)],
    ...['err', 'code'].flatMap((name) => port(name, `file,path=${path.join(folder, name)}`)),
  ];
}

/** Output has a way of its own: what stands for standard input takes nothing any more when that has ended. */
async function emulate(program: string, words: readonly string[], output: string): Promise<void> {
  const server = net.createServer((socket) => socket.pipe(process.stdout, { end: false }));
  await new Promise<void>((resolve) => server.listen(output, resolve));
  try {
    await new Promise<void>((resolve, reject) => {
      const child = spawn(program, words, { stdio: 'inherit' });
      child.on('error', reject);
      child.on('close', () => resolve());
    });
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}
