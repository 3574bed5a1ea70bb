import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { FileChange, NodeType } from '../../src/core/view/fileChange.ts';
import type { Looker, LookResult, View } from '../../src/core/view/view.ts';
import { gitSettings } from '../gitSettings.ts';

/** Environment of fixtures: no home directory, no settings of the machine, a fixed author and time. */
export const fixtureEnv: Record<string, string> = {
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  HOME: '/nonexistent',
  ...gitSettings,
  GIT_AUTHOR_DATE: '2024-01-01T00:00:00Z',
  GIT_COMMITTER_DATE: '2024-01-01T00:00:00Z',
  LC_ALL: 'C.UTF-8',
};

/** A looker that simply runs the program: for throw-away fixtures only. `looks` counts. */
export function plainLooker(map: (folder: string) => string = (folder) => folder): Looker & { looks: string[][] } {
  const looks: string[][] = [];
  return {
    looks,
    look: (argv, options) => {
      looks.push([...argv]);
      return new Promise<LookResult>((done) => {
        const child = execFile(
          argv[0] ?? '',
          argv.slice(1),
          {
            cwd: map(options.cwd),
            env: { ...fixtureEnv, ...options.env },
            encoding: 'buffer',
            maxBuffer: 1 << 30,
            timeout: options.limitMs ?? 10_000,
            ...(options.signal ? { signal: options.signal } : {}),
          },
          (error, stdout, stderr) => {
            const code = error ? (typeof error.code === 'number' ? error.code : -1) : 0;
            done({ exitCode: code, stdout, stderr: stderr.toString() });
          },
        );
        child.stdin?.on('error', () => {});
        child.stdin?.end(options.stdin ?? '');
      });
    },
  };
}

/** A folder of the fixture and the copy in which a command was really run: together they are a view. */
export interface Pair {
  /** What the changes are said to be about. */
  real: string;
  /** A copy of it, in which the command has run. */
  copy: string;
}

/** Where a path of the real folder is in the copy. */
export function inCopy(pair: Pair, place: string): string {
  return place === pair.real || place.startsWith(`${pair.real}/`) ? pair.copy + place.slice(pair.real.length) : place;
}

function isFile(file: string): boolean {
  try {
    return fs.lstatSync(asBytes(file)).isFile();
  } catch {
    // Neither it nor perhaps its folder is there.
    return false;
  }
}

/** A view over a pair; counts what is read. */
export function pairView(pair: Pair): View & { reads: number } {
  return {
    reads: 0,
    async read(place, moment, maxBytes = 16 * 1024 * 1024) {
      this.reads += 1;
      const file = moment === 'before' ? place : inCopy(pair, place);
      if (!isFile(file)) return undefined;
      return fs.readFileSync(asBytes(file)).subarray(0, maxBytes);
    },
    async close() {},
  };
}

/** The bytes of a path whose non-UTF-8 bytes are lone surrogates. */
export function asBytes(text: string): Buffer {
  const parts = [...text].map((c) => {
    const code = c.codePointAt(0) ?? 0;
    return code >= 0xdc80 && code <= 0xdcff ? Buffer.from([code - 0xdc00]) : Buffer.from(c);
  });
  return Buffer.concat(parts);
}

interface Node {
  type: NodeType;
  mode: string;
  sizeBytes: number;
  target?: string;
  hash: string;
}

function walk(folder: Buffer, relative: string, into: Map<string, Node>): void {
  for (const name of fs.readdirSync(folder, { encoding: 'buffer' })) {
    const full = Buffer.concat([folder, Buffer.from('/'), name]);
    const key = relative === '' ? name.toString('latin1') : `${relative}/${name.toString('latin1')}`;
    const status = fs.lstatSync(full);
    const mode = (status.mode & 0o7777).toString(8).padStart(4, '0');
    if (status.isDirectory()) {
      into.set(key, { type: 'directory', mode, sizeBytes: 0, hash: '' });
      walk(full, key, into);
    } else if (status.isSymbolicLink()) {
      const target = fs.readlinkSync(full);
      into.set(key, { type: 'symlink', mode, sizeBytes: status.size, target, hash: target });
    } else if (status.isFile()) {
      const hash = createHash('sha1').update(fs.readFileSync(full)).digest('hex');
      into.set(key, { type: 'file', mode, sizeBytes: status.size, hash });
    } else into.set(key, { type: 'other', mode, sizeBytes: 0, hash: '' });
  }
}

/** The changes between the two folders of a pair, as the confined world lists them (moves as deletion and creation). */
export function pairChanges(pair: Pair): FileChange[] {
  const [before, after] = [new Map<string, Node>(), new Map<string, Node>()];
  if (fs.existsSync(pair.real)) walk(Buffer.from(pair.real), '', before);
  if (fs.existsSync(pair.copy)) walk(Buffer.from(pair.copy), '', after);
  const changes: FileChange[] = [];
  if (!fs.existsSync(pair.copy)) {
    changes.push({
      path: pair.real,
      change: 'deleted',
      type: 'directory',
      mode: '0755',
      sizeBytes: 0,
      volatile: false,
    });
  }
  for (const key of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const [old, now] = [before.get(key), after.get(key)];
    const place = `${pair.real}/${decode(key)}`;
    if (!now && old) changes.push({ ...shown(old), path: place, change: 'deleted', volatile: false });
    else if (now && !old) changes.push({ ...shown(now), path: place, change: 'created', volatile: false });
    else if (now && old && (now.hash !== old.hash || now.type !== old.type)) {
      changes.push({ ...shown(now), path: place, change: 'modified', before: shown(old), volatile: false });
    } else if (now && old && now.mode !== old.mode) {
      changes.push({ ...shown(now), path: place, change: 'mode', before: shown(old), volatile: false });
    }
  }
  return changes;
}

function shown({ hash: _, ...node }: Node): Omit<Node, 'hash'> {
  return node;
}

function decode(latin1: string): string {
  const bytes = Buffer.from(latin1, 'latin1');
  const text = bytes.toString('utf8');
  if (!text.includes('\ufffd')) return text;
  return [...bytes].map((byte) => String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte)).join('');
}

/** Runs a bash script for real in a folder of the fixture. Returns its output; a failure is part of the test. */
export function run(folder: string, script: string): string {
  try {
    return execFileSync('bash', ['-c', script], {
      cwd: folder,
      env: fixtureEnv,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1 << 28,
    });
  } catch (error) {
    return (error as { stdout?: string }).stdout ?? '';
  }
}

/** A throw-away folder that is removed when the process ends. */
export function throwAway(): string {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-loss-')));
  process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Really runs a script in a folder, then puts the folder back as it was (times kept, so that git's index stays fresh). The
 * folder as the script left it is the copy. The script runs at the real path because linked worktrees name it.
 */
export function rehearse(real: string, script: string, folder = ''): Pair {
  const place = throwAway();
  const pair = { real, copy: `${place}/copy` };
  execFileSync('cp', ['-a', real, `${place}/before`]);
  run(folder === '' ? real : `${real}/${folder}`, script);
  if (fs.existsSync(real)) fs.renameSync(real, pair.copy);
  fs.renameSync(`${place}/before`, real);
  return pair;
}
