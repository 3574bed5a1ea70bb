import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** An emulated machine: which processor, and whose kernel. */
export interface Machine {
  architecture: 'amd64' | 'arm64';
  /** Debian's name of the release that the kernel is from. */
  kernel: string;
}

/** Where a machine's parts lie. */
export interface Images {
  kernel: string;
  initrd: string;
  /** An ext4 file system; never written to. */
  root: string;
}

const folder = path.resolve('test/places');
const cache = path.resolve('test/.cache/machines');
const userland = 'trixie';

// No package is configured, so nothing of another processor is run: what a suite needs has to work as it is unpacked.
const packages = [
  ...['base-files', 'base-passwd', 'bash', 'dash', 'coreutils', 'grep', 'sed', 'findutils', 'tar', 'gzip', 'diffutils'],
  ...['mawk', 'util-linux', 'mount', 'bsdutils', 'bsdextrautils', 'hostname', 'procps', 'psmisc', 'libc-bin', 'git'],
  ...['nodejs', 'jq', 'sqlite3', 'zip', 'unzip', 'make', 'xxd', 'bc', 'rsync', 'file', 'patch', 'tree', 'zsh', 'fish'],
  ...['xz-utils', 'bzip2', 'zstd', 'ed', 'perl-base', 'python3-minimal', 'binutils', 'gettext-base', 'less', 'cpio'],
  ...['busybox-static', 'login', 'passwd'],
];

// In the order in which they need each other; which there are depends on the kernel.
const modules = [
  ...['virtio', 'virtio_ring', 'virtio_pci_legacy_dev', 'virtio_pci_modern_dev', 'virtio_pci', 'virtio_blk'],
  ...['virtio_console', 'overlay'],
];

/** The images of a machine; made from Debian's packages in some minutes when they are first asked for. */
export function machineImages({ architecture, kernel }: Machine): Images {
  const root = made(`root-${architecture}`, packages, (target) => makeRoot(architecture, target));
  const kernelFolder = made(`kernel-${kernel}-${architecture}`, [], (target) =>
    makeKernel(architecture, kernel, target),
  );
  return {
    kernel: path.join(kernelFolder, 'vmlinuz'),
    initrd: path.join(kernelFolder, 'initrd'),
    root: path.join(root, 'root.ext4'),
  };
}

/** A folder of the cache, made once for what it is made of. */
function made(name: string, parts: readonly string[], make: (target: string) => void): string {
  const hash = createHash('sha256').update(JSON.stringify([userland, parts, modules]));
  for (const file of ['machineInit.sh', 'machineImages.ts']) hash.update(fs.readFileSync(path.join(folder, file)));
  const target = path.join(cache, `${name}-${hash.digest('hex').slice(0, 12)}`);
  if (fs.existsSync(target)) return target;
  console.error(`Making ${name} …`);
  const making = `${target}.${process.pid}`;
  fs.mkdirSync(making, { recursive: true });
  try {
    make(making);
    fs.renameSync(making, target);
  } finally {
    fs.rmSync(making, { recursive: true, force: true });
  }
  return target;
}

function unpack(architecture: string, release: string, include: readonly string[], target: string): void {
  const options = ['--quiet', '--variant=extract', `--architectures=${architecture}`, `--include=${include.join(',')}`];
  execFileSync('mmdebstrap', [...options, release, target, mirror()], { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Where this machine has its Debian packages from. */
function mirror(): string {
  const words = ['indextargets', '--format', '$(CODENAME) $(REPO_URI)', 'Created-By: Packages', 'Origin: Debian'];
  const lines = execFileSync('apt-get', words, { encoding: 'utf8' }).trim().split('\n');
  const [, found] = lines.map((line) => line.split(' ')).find(([release]) => /^[a-z]+$/.test(release ?? '')) ?? [];
  if (!found) throw new Error('apt on this machine knows no packages of Debian.');
  return found;
}

function makeRoot(architecture: string, target: string): void {
  const tree = path.join(target, 'tree');
  unpack(architecture, userland, packages, tree);
  // What the packages' scripts would have done.
  for (const name of ['passwd', 'group'])
    fs.copyFileSync(path.join(tree, `usr/share/base-passwd/${name}.master`), path.join(tree, 'etc', name));
  fs.symlinkSync('mawk', path.join(tree, 'usr/bin/awk'));
  fs.writeFileSync(path.join(tree, 'etc/hosts'), '127.0.0.1 localhost machine\n');
  fs.mkdirSync(path.join(tree, 'job'));
  fs.chmodSync(path.join(tree, 'tmp'), 0o1777);
  makeFileSystem(tree, path.join(target, 'root.ext4'), '4G');
  fs.rmSync(tree, { recursive: true });
}

/** An ext4 file system with what lies in a folder; the file takes only what is used. */
export function makeFileSystem(from: string, image: string, size: string): void {
  execFileSync('mke2fs', ['-q', '-t', 'ext4', '-d', from, image, size], { stdio: ['ignore', 'ignore', 'inherit'] });
}

function makeKernel(architecture: string, release: string, target: string): void {
  const tree = path.join(target, 'tree');
  unpack(architecture, release, [`linux-image-cloud-${architecture}`, 'busybox-static'], tree);
  const boot = path.join(tree, 'boot');
  const [kernel = ''] = fs.readdirSync(boot).filter((name) => name.startsWith('vmlinuz'));
  fs.copyFileSync(path.join(boot, kernel), path.join(target, 'vmlinuz'));
  const start = path.join(target, 'start');
  for (const name of ['bin', 'modules', 'dev', 'root']) fs.mkdirSync(path.join(start, name), { recursive: true });
  const busybox =
    ['bin/busybox', 'usr/bin/busybox'].map((name) => path.join(tree, name)).find((file) => fs.existsSync(file)) ?? '';
  fs.copyFileSync(busybox, path.join(start, 'bin/busybox'));
  fs.symlinkSync('busybox', path.join(start, 'bin/sh'));
  fs.copyFileSync(path.join(folder, 'machineInit.sh'), path.join(start, 'init'));
  for (const file of ['init', 'bin/busybox']) fs.chmodSync(path.join(start, file), 0o755);
  const found = execFileSync('find', [tree, '-name', '*.ko'], { encoding: 'utf8', maxBuffer: 1 << 26 }).split('\n');
  for (const [index, name] of modules.entries()) {
    const file = found.find((one) => one.endsWith(`/${name}.ko`));
    if (file) fs.copyFileSync(file, path.join(start, 'modules', `${10 + index}-${name}.ko`));
  }
  const archive = 'find . | cpio --quiet -o -H newc | gzip -1 > ../initrd';
  execFileSync('sh', ['-c', archive], { cwd: start, stdio: ['ignore', 'ignore', 'inherit'] });
  for (const name of [tree, start]) fs.rmSync(name, { recursive: true });
}
