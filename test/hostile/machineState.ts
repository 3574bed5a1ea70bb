import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { folderState, treeState } from './treeState.ts';

// Counters that the kernel changes by itself.
const volatileSettings =
  /\/(random\/|ns_last_pid|dentry-state|inode-(nr|state)|file-nr|aio-nr|pty\/nr|perf_|sched_domain|overflow|dentry|conntrack_count|route\/flush|tainted|keys\/|firmware_config|usermodehelper|vm\/stat|nr_hugepages|max_map_count_volatile)/;

const quickSettings = [
  'kernel/hostname',
  'kernel/domainname',
  'kernel/core_pattern',
  'kernel/printk',
  'kernel/sysrq',
  'kernel/ctrl-alt-del',
  'kernel/pid_max',
  'vm/swappiness',
  'vm/overcommit_memory',
  'vm/drop_caches',
  'fs/file-max',
  'net/ipv4/ip_forward',
  'net/ipv4/ip_default_ttl',
];

/**
 * State of the machine that belongs to nobody in particular: settings, mounts, names, addresses, limits of this process,
 * its descriptors, folders of the system. `quick` takes about 10 ms, `full` (every setting, all of /etc) about 150 ms.
 */
export function machineState(depth: 'quick' | 'full'): Map<string, string> {
  const state = new Map<string, string>();
  const settings = depth === 'quick' ? quickSettings.map((name) => `/proc/sys/${name}`) : settingsBelow('/proc/sys');
  for (const file of settings) state.set(file, read(file));
  for (const file of ['/proc/self/mountinfo', '/proc/self/limits', '/proc/self/cgroup', '/proc/swaps']) {
    state.set(file, short(read(file)));
  }
  state.set('/proc/net/fib_trie', short(read('/proc/net/fib_trie')));
  state.set('/sys/class/net/lo/mtu', read('/sys/class/net/lo/mtu'));
  state.set('umask', process.umask().toString(8));
  state.set('working directory', process.cwd());
  state.set('estimated error of the clock', clockError());
  for (const folder of ['/usr', '/etc', '/boot', '/opt', '/srv']) {
    for (const [entry, text] of folderState(folder)) if (!isBusy(entry)) state.set(entry, text);
  }
  for (const file of systemFiles) for (const [entry, text] of treeState(file, false)) state.set(entry, text);
  for (const name of ['null', 'zero', 'full', 'random', 'urandom', 'tty'])
    state.set(`/dev/${name}`, deviceState(`/dev/${name}`));
  if (depth === 'full') {
    for (const folder of ['/etc', '/usr/bin', '/usr/sbin', '/usr/local/bin', '/var/spool/cron', '/usr/lib/git-core']) {
      for (const [entry, text] of treeState(folder, false)) state.set(entry, text);
    }
  }
  return state;
}

const systemFiles = [
  '/etc/passwd',
  '/etc/shadow',
  '/etc/hosts',
  '/etc/ld.so.preload',
  '/etc/ld.so.cache',
  '/bin/sh',
  '/usr/bin/ls',
  '/usr/bin/true',
];

/** What a device node is; its times change whenever somebody writes to it. */
function deviceState(file: string): string {
  const status = fs.lstatSync(file, { throwIfNoEntry: false });
  return status ? `mode ${status.mode.toString(8)}, device ${status.rdev}` : 'gone';
}

/** Folders in which others work while the tests run. */
function isBusy(entry: string): boolean {
  return (
    entry === '/tmp' ||
    entry === '/proc' ||
    entry === '/dev' ||
    entry === '/sys' ||
    entry === '/run' ||
    entry === '/work'
  );
}

// adjtimex(2) without a change cannot be called from here; what the kernel shows of it would be in /proc only.
function clockError(): string {
  const drift = Date.now() - performance.timeOrigin - performance.now();
  return Math.abs(drift) < 5000 ? 'none' : `${drift} ms`;
}

function settingsBelow(folder: string): string[] {
  const files: string[] = [];
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (volatileSettings.test(file)) continue;
    if (entry.isDirectory()) files.push(...settingsBelow(file));
    else files.push(file);
  }
  return files;
}

function read(file: string): string {
  try {
    return fs.readFileSync(file, 'latin1').trim();
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}

function short(text: string): string {
  return text.length < 200 ? text : createHash('sha256').update(text).digest('hex').slice(0, 16);
}
