import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { NamedPath } from '../../prediction/rehearsal.ts';
import { type RunPlace, sharedFolders } from '../../prediction/sharedFolders.ts';

/** How much of a node a run could see, and so what has to be the same for the same run. */
type Sight =
  /** A folder on the way to something else: that it is one, and who may enter it. */
  | 'way'
  /** Asked about, opened or changed: everything that stat(2) says, but for when it was last read. */
  | 'whole'
  /** A folder whose times say nothing, because everybody changes them: what is in it. */
  | 'names'
  /** A file of the kernel, whose times say nothing: what stands in it. */
  | 'text';

/** One thing on the machine that a run depended on, and what it was like. */
export interface Input {
  path: string;
  sight: Sight;
  /** What was seen. Two prints are the same where the run could see no difference. */
  print: string;
  /** A file that was opened, and its number. */
  isRead?: true;
  number?: string;
}

/** Where a run was made. */
export interface Place extends RunPlace {
  /** A program showed the status of what it was given. */
  showsStatus: boolean;
  /** Files of ours, which stand for something that is compared elsewhere. */
  isOwn(path: string): boolean;
}

/** All that a run depended on, or in a word why nobody can say. */
export type TakenInputs = { inputs: Input[] } | { because: string };

/**
 * File systems of this machine, by their number in statfs(2): a change of a file is told by its times at once. Of others (a network's)
 * a time may be old.
 */
const localSystems = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010, 0xca451a4e, 0x858458f6, 0x73717368,
  0xe0f5e1e2,
]);

/** Clocks of files tick up to ten milliseconds late. */
const tickMs = 20;

const mostLinks = 40;

/**
 * Takes what the named paths are like now on the real machine. A run that named something which cannot be compared later, or
 * that was changed since it began, gives no inputs.
 */
export function takeInputs(named: readonly NamedPath[], place: Place, beganAt: number): TakenInputs {
  const taker = new Taker(place, beganAt);
  for (const one of named) {
    taker.take(one);
    if (taker.because !== undefined) return { because: taker.because };
  }
  return { inputs: taker.inputs() };
}

/** Paths of inputs that are not as they were, in their order. */
export function changedInputs(inputs: readonly Input[]): string[] {
  return inputs.filter(({ path: name, sight, print }) => printOf(name, sight) !== print).map((input) => input.path);
}

class Taker {
  because: string | undefined;
  private readonly sights = new Map<string, Set<Sight>>();
  private readonly read = new Set<string>();
  private readonly nodes = new Map<string, fs.BigIntStats | string>();
  private readonly devices = new Map<bigint, boolean>();
  private readonly loose: Set<string>;
  private readonly since: bigint;
  private readonly place: Place;

  constructor(place: Place, beganAt: number) {
    this.place = place;
    this.since = BigInt(Math.floor(beganAt - tickMs)) * 1_000_000n;
    this.loose = sharedFolders(place);
  }

  take(named: NamedPath): void {
    // Where nothing stands there is no file system to be asked, and that nothing stands there is an input.
    if (named.isDisk && named.wasThere) this.because ??= isKernels(named.path) ? undefined : 'disk';
    const isThere = this.walk(named);
    // It was removed since, or was there in the view alone, by a link or a folder that the run made.
    if (named.wasThere && isThere === false) this.because ??= 'changedMeanwhile';
  }

  /**
   * Walks as the kernel does: every symbolic link on the way counts, and so does the first name that is not there. Says
   * whether something stands at the end; nothing of the kernel's own files.
   */
  private walk(named: NamedPath): boolean | undefined {
    let left = named.path.split('/').filter((name) => name !== '' && name !== '.');
    let at = '/';
    let links = 0;
    let endIsLink = false;
    if (left.length === 0) return this.end('/', named);
    while (left.length > 0 && this.because === undefined) {
      const [name = '', ...rest] = left;
      left = rest;
      if (name === '..') {
        at = path.dirname(at);
        continue;
      }
      at = at === '/' ? `/${name}` : `${at}/${name}`;
      if (this.isSpecial(at, left, named)) return undefined;
      const node = this.node(at);
      if (typeof node === 'string') return this.see(at, 'whole') || endIsLink;
      if (!this.isLocal(at, node)) this.because ??= 'elsewhere';
      if (node.isSymbolicLink()) {
        this.see(at, 'whole');
        links += 1;
        endIsLink ||= left.length === 0;
        this.settled(node.ctimeNs);
        if (links > mostLinks) return undefined;
        const target = readTarget(at);
        if (target.startsWith('/')) at = '/';
        else at = path.dirname(at);
        left = [...target.split('/').filter((one) => one !== '' && one !== '.'), ...left];
      } else if (left.length === 0) return this.end(at, named) || endIsLink;
      else if (node.isDirectory()) this.see(at, 'way');
      else return this.see(at, 'whole') || endIsLink;
    }
    // It ended with `..`, or a link to where it stands.
    return this.because === undefined ? this.end(at, named) || endIsLink : undefined;
  }

  inputs(): Input[] {
    const all: Input[] = [];
    for (const [name, sights] of this.sights) {
      // Who sees all of a node sees whether it can be entered.
      const needed = sights.has('whole') ? [...sights].filter((sight) => sight !== 'way') : [...sights];
      for (const sight of needed) {
        const isRead = sight === 'whole' && this.read.has(name);
        all.push({
          path: name,
          sight,
          print: printOf(name, sight),
          ...(isRead ? { isRead, number: numberOf(this.node(name)) } : {}),
        });
      }
    }
    return all.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  }

  private node(name: string): fs.BigIntStats | string {
    let node = this.nodes.get(name);
    if (node === undefined) {
      node = lookAt(name);
      this.nodes.set(name, node);
    }
    return node;
  }

  /** Gives false: on a way, what is seen as a whole is where it ends. */
  private see(name: string, sight: Sight): false {
    const sights = this.sights.get(name);
    if (sights) sights.add(sight);
    else this.sights.set(name, new Set([sight]));
    return false;
  }

  private settled(changedAt: bigint): void {
    if (changedAt >= this.since) this.because ??= 'changedMeanwhile';
  }

  /** What stands at the end of a path; false: nothing. */
  private end(name: string, { path: asked, isOpened, isMoved, isLinked, isAsked }: NamedPath): boolean {
    if (this.place.isOwn(name)) return true;
    const node = this.node(name);
    if (typeof node === 'string') return this.see(name, 'whole');
    const isFolder = node.isDirectory();
    // Whatever is in it was there under another name as well.
    if (isFolder && (isMoved || isLinked)) this.because ??= 'folderMoved';
    if (isOpened && !node.isFile() && !isFolder) this.because ??= 'special';
    if (isOpened && node.isFile()) this.read.add(name);
    // Whoever makes a path canonical asks about all that is above; who asks about `..` wants to know.
    const isMeant = this.place.showsStatus || isAsked || (!isOpened && aboveItself.test(asked));
    const isLoose = isFolder && this.loose.has(name) && !isMeant;
    if (!isLoose) this.settled(node.ctimeNs);
    else if (isOpened) this.settled(node.mtimeNs);
    this.see(name, isLoose ? 'way' : 'whole');
    if (isLoose && isOpened) this.see(name, 'names');
    return true;
  }

  private isLocal(name: string, { dev }: fs.BigIntStats): boolean {
    let isLocal = this.devices.get(dev);
    if (isLocal === undefined) {
      try {
        isLocal = localSystems.has(fs.statfsSync(name).type);
      } catch {
        isLocal = false;
      }
      this.devices.set(dev, isLocal);
    }
    return isLocal;
  }

  /** The kernel's own folders, where times say nothing. `left`: names that are still to come. */
  private isSpecial(at: string, left: readonly string[], named: NamedPath): boolean {
    if (at === '/proc' || at === '/sys') {
      if (left.length > 0) this.kernelFile(path.join(at, ...left), named);
      else if (named.isOpened) this.because = 'kernel';
      return true;
    }
    if (at === '/dev') {
      if (left.length === 0) {
        if (named.isOpened) this.because = 'kernel';
        return true;
      }
      const [first = ''] = left;
      if (first === 'shm') return false;
      if (named.isOpened && !plainDevices.has(first)) this.because = 'device';
      return true;
    }
    return false;
  }

  private kernelFile(name: string, { isOpened }: NamedPath): void {
    if (isOpened && inherited.test(name)) this.see(`/proc/self/${path.basename(name)}`, 'text');
    if (ofItself.test(name) || hardware.test(name)) return;
    if (isOpened && ofMoment.test(name)) this.because = 'moment';
    else this.see(name, isOpened ? 'text' : 'names');
  }
}

/** SELinux and the control groups are asked for in this way. */
function isKernels(name: string): boolean {
  return name === '/proc' || name.startsWith('/proc/') || name === '/sys' || name.startsWith('/sys/');
}

const plainDevices = new Set([
  ...['null', 'zero', 'full', 'random', 'urandom', 'tty', 'ptmx', 'pts', 'stdin', 'stdout', 'stderr', 'fd'],
]);
/** A process about itself, or about another one of the same run: their numbers are not the machine's. */
const ofItself = /^\/proc\/(self|thread-self|\d+)(\/|$)/;
/** What a process tells of itself and has from whoever started it, which is ourselves in the end. */
const inherited =
  /^\/proc\/(self|thread-self|\d+)\/(oom_score_adj|oom_adj|timerslack_ns|coredump_filter|personality|loginuid|sessionid|cgroup|autogroup)$/;
/** A folder as it is named by whoever asks about it alone. */
const aboveItself = /(^|\/)\.\.[./]*$/;
/** Counters and speeds that are never the same twice: two runs that print them differ, and so it is marked. */
const hardware = /^\/(proc\/stat|sys\/devices\/system\/cpu\/.*freq.*)$/;
/** What changes with the moment, and may look the same in two runs at one time. */
const ofMoment = /^\/proc\/(loadavg|uptime|vmstat|diskstats|interrupts|softirqs|swaps|locks|net|pressure|schedstat)/;

function numberOf(node: fs.BigIntStats | string): string {
  return typeof node === 'string' ? '' : String(node.ino);
}

/** What stat(2) says, or the name of the error. */
function lookAt(name: string): fs.BigIntStats | string {
  try {
    return fs.lstatSync(name, { bigint: true, throwIfNoEntry: false }) ?? 'ENOENT';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'EIO';
  }
}

function readTarget(name: string): string {
  try {
    return fs.readlinkSync(name);
  } catch {
    return '';
  }
}

function printOf(name: string, sight: Sight): string {
  if (sight === 'text') return textPrint(name);
  const node = lookAt(name);
  // Below something that is no folder there is nothing either.
  if (typeof node === 'string') return node === 'ENOTDIR' ? 'ENOENT' : node;
  const who = `${node.mode} ${node.uid} ${node.gid}`;
  if (sight === 'names') return `${who} ${node.isDirectory() ? namesPrint(name) : ''}`;
  if (node.isDirectory()) {
    const folder = `${who} ${node.ino}`;
    return sight === 'way' ? folder : `${folder} ${node.mtimeNs} ${node.ctimeNs} ${node.nlink}`;
  }
  const print = `${who} ${node.size} ${node.mtimeNs} ${node.ctimeNs} ${node.ino} ${node.nlink} ${node.rdev}`;
  return node.isSymbolicLink() ? `${print} ${readTarget(name)}` : print;
}

/** Names and kinds of what is in a folder, in the order in which the file system gives them. */
function namesPrint(name: string): string {
  const hash = createHash('sha256');
  let folder: fs.Dir | undefined;
  try {
    folder = fs.opendirSync(name, { encoding: 'latin1' });
    for (let entry = folder.readSync(); entry; entry = folder.readSync())
      hash.update(`${entry.name}\0${kindOf(entry)}\0`);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'EIO';
  } finally {
    folder?.closeSync();
  }
  return hash.digest('base64');
}

function kindOf(entry: fs.Dirent): string {
  if (entry.isFile()) return 'f';
  if (entry.isDirectory()) return 'd';
  if (entry.isSymbolicLink()) return 'l';
  if (entry.isFIFO()) return 'p';
  if (entry.isSocket()) return 's';
  return entry.isBlockDevice() ? 'b' : entry.isCharacterDevice() ? 'c' : '?';
}

/** Lines that tell what the machine is, of files that also tell how busy it is. */
const lasting: Readonly<Record<string, RegExp>> = {
  '/proc/cpuinfo': /^(?!cpu MHz|bogomips).*$/gim,
  '/proc/meminfo': /^(MemTotal|SwapTotal|Hugepagesize):.*$/gm,
};

function textPrint(name: string): string {
  try {
    if (fs.statSync(name).isDirectory()) return namesPrint(name);
    const text = fs.readFileSync(name, 'latin1');
    const lines = lasting[name];
    return createHash('sha256')
      .update(lines ? (text.match(lines) ?? []).join('\n') : text)
      .digest('base64');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'EIO';
  }
}
