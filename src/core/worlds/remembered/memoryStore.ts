import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { homeFolder } from '../../context/user.ts';
import type { FactEvent } from '../../prediction/factEvent.ts';
import { isPrivateFolder } from '../../view/statusIfKnown.ts';
import type { Input } from './inputs.ts';

/** Where runs are remembered, and how much and how long. */
export interface MemoryUse {
  /** See `memoryFolder`. */
  folder: string;
  /** Version of Foretell: what another one kept does not count. */
  version: string;
  mostBytes: number;
  /** At most `longestAgeMs`. */
  mostAgeMs: number;
  /** Nothing is recalled; what is rehearsed takes the place of what was remembered. */
  isFresh?: boolean;
}

/**
 * The run that looks for what is volatile has its clock a day ahead. For that day nothing changes by the clock alone but what is
 * marked; for more nobody knows.
 */
export const longestAgeMs = 24 * 3_600_000;

/** Limits where nobody says others. */
export const usualLimits: Pick<MemoryUse, 'mostBytes' | 'mostAgeMs'> = {
  mostBytes: 200 * 1024 ** 2,
  mostAgeMs: longestAgeMs,
};

/** What a remembered run depended on besides files: of variables a digest, so that no value is kept. */
export interface OtherInputs {
  variables: Record<string, string>;
  /** Version, kernel, user, limits and the like: what it is, and what it was. */
  machine: Record<string, string>;
}

/** What a kept run tells of its one program, which stands in for that program in other lines; see `lineUnit`. */
export interface KeptUnit {
  argv: readonly string[];
  cwd: string;
  realPath: string;
  /** Digest of what it began with. */
  env: string;
  exitCode: number;
  /** What another run of it printed; base64. */
  other: { stdout: string; stderr: string };
}

/** A run as it is kept. */
export interface KeptRun extends OtherInputs {
  format: 1;
  script: string;
  cwd: string;
  workspace: string;
  /** ISO 8601, UTC. */
  madeAt: string;
  inputs: Input[];
  events: FactEvent[];
  /** Contents after the run: path, and name of the file beside this one that holds it. */
  contents: [path: string, file: string][];
  unit?: KeptUnit;
  /** It was rehearsed for the sake of its one program, and says nothing of it that could be kept. */
  isUnfit?: true;
  /** When a real run of it came out the same, last; ISO 8601, UTC. */
  reallyAt?: string;
  /** When a real run came out otherwise: something decides it that nobody compares, so no run of it is kept for as long as one would be. */
  contradictedAt?: string;
}

/** A kept run for lists. */
export interface KeptRunSummary {
  script: string;
  cwd: string;
  workspace: string;
  madeAt: string;
  inputs: number;
  bytes: number;
  reallyAt?: string;
}

const entryFile = 'run.json';
const keyFile = 'key';

/** Where runs are kept: with the state of the user, never in a workspace (XDG Base Directory Specification). */
export function memoryFolder(env: Readonly<Record<string, string | undefined>>): string {
  const configured = env['XDG_STATE_HOME'];
  const folder =
    configured !== undefined && path.isAbsolute(configured)
      ? configured
      : path.join(homeFolder(env), '.local', 'state');
  return path.join(folder, 'foretell', 'memory');
}

/** A digest that tells nothing to whoever has not the key of this memory. */
export function digestIn(folder: string): ((text: string) => string) | undefined {
  try {
    if (!isPrivateFolder(folder)) return undefined;
    const key = fs.readFileSync(path.join(folder, keyFile));
    return (text) => createHash('sha256').update(key).update(text).digest('base64').slice(0, 24);
  } catch {
    return undefined;
  }
}

/** Makes the folder of a memory, where there is none. False: it cannot be used. */
export function makeMemory(folder: string): boolean {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isPrivateFolder(folder)) return false;
    const file = path.join(folder, keyFile);
    if (fs.existsSync(file)) return true;
    const aside = path.join(folder, `.${randomBytes(8).toString('hex')}`);
    fs.writeFileSync(aside, randomBytes(32), { mode: 0o600 });
    try {
      // Of two who begin at once one is the first.
      fs.linkSync(aside, file);
    } catch {}
    fs.rmSync(aside);
    return fs.existsSync(file);
  } catch {
    return false;
  }
}

/** The kept run of a key; `undefined` where there is none that can be used. */
export function readKept(folder: string, key: string): KeptRun | undefined {
  try {
    const kept = JSON.parse(fs.readFileSync(path.join(folder, key, entryFile), 'utf8')) as KeptRun;
    return kept.format === 1 && isPrivateFolder(folder) ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** Where the contents of a kept run stand. */
export function contentFile(folder: string, key: string, name: string): string {
  return path.join(folder, key, path.basename(name));
}

/** Keeps a run in the place of an earlier one, and makes room for it. */
export function keepRun(use: MemoryUse, key: string, kept: KeptRun, contents: readonly Uint8Array[]): void {
  const aside = path.join(use.folder, `.${randomBytes(8).toString('hex')}`);
  const text = JSON.stringify(kept);
  const bytes = contents.reduce((sum, content) => sum + content.length, Buffer.byteLength(text));
  if (bytes > use.mostBytes) {
    forgetRun(use.folder, key);
    return;
  }
  try {
    fs.mkdirSync(aside, { mode: 0o700 });
    kept.contents.forEach(([, name], index) => {
      fs.writeFileSync(path.join(aside, name), contents[index] ?? new Uint8Array(), { mode: 0o600 });
    });
    fs.writeFileSync(path.join(aside, entryFile), text, { mode: 0o600 });
    makeRoom(use, use.mostBytes - bytes, key);
    fs.rmSync(path.join(use.folder, key), { recursive: true, force: true });
    fs.renameSync(aside, path.join(use.folder, key));
  } catch {
    // The disk is full, or somebody else keeps the same: nothing is remembered then.
    fs.rmSync(aside, { recursive: true, force: true });
  }
}

/** Removes one kept run, or what is left of it. */
export function forgetRun(folder: string, key: string): void {
  if (/^[0-9a-f]{64}$/.test(key)) fs.rmSync(path.join(folder, key), { recursive: true, force: true });
}

interface Found {
  key: string;
  bytes: number;
  at: number;
}

function find(folder: string): Found[] {
  let names: string[] = [];
  try {
    if (isPrivateFolder(folder)) names = fs.readdirSync(folder);
  } catch {}
  return names.flatMap((key) => {
    if (!/^[0-9a-f]{64}$/.test(key)) return [];
    try {
      const files = fs.readdirSync(path.join(folder, key)).map((name) => fs.statSync(path.join(folder, key, name)));
      const bytes = files.reduce((sum, { size }) => sum + size, 0);
      return [{ key, bytes, at: fs.statSync(path.join(folder, key)).mtimeMs }];
    } catch {
      return [];
    }
  });
}

/** Removes what is too old, and then the oldest until the rest fits. */
function makeRoom({ folder, mostAgeMs }: MemoryUse, mostBytes: number, besides: string): void {
  const found = find(folder)
    .filter(({ key }) => key !== besides)
    .sort((a, b) => b.at - a.at);
  let bytes = 0;
  for (const one of found) {
    bytes += one.bytes;
    if (bytes > mostBytes || Date.now() - one.at > mostAgeMs) forgetRun(folder, one.key);
  }
}

/** All that is remembered, the newest first. */
export function listKept(folder: string): KeptRunSummary[] {
  const found = find(folder).sort((a, b) => b.at - a.at);
  return found.flatMap(({ key, bytes }) => {
    const kept = readKept(folder, key);
    if (!kept || kept.contradictedAt !== undefined || kept.isUnfit) return [];
    const { script, cwd, workspace, madeAt, inputs, reallyAt } = kept;
    const summary = { script, cwd, workspace, madeAt, inputs: inputs.length, bytes };
    return [{ ...summary, ...(reallyAt === undefined ? {} : { reallyAt }) }];
  });
}

/** Forgets all runs, or those of one workspace. Says how many. */
export function clearKept(folder: string, workspace?: string): number {
  return forgetThose(folder, (key) => workspace === undefined || readKept(folder, key)?.workspace === workspace);
}

/** The kept runs of one command, typed in any shell. */
export function keptRunsOf(
  folder: string,
  { script, cwd }: { script: string; cwd: string },
): { key: string; kept: KeptRun }[] {
  return find(folder).flatMap(({ key }) => {
    const kept = readKept(folder, key);
    return kept?.script === script && kept.cwd === cwd ? [{ key, kept }] : [];
  });
}

/** Writes what is known of a kept run by now, as a whole. */
export function rewriteKept(folder: string, key: string, kept: KeptRun): void {
  const file = path.join(folder, key, entryFile);
  const aside = path.join(folder, key, `.${randomBytes(8).toString('hex')}`);
  try {
    fs.writeFileSync(aside, JSON.stringify(kept), { mode: 0o600 });
    fs.renameSync(aside, file);
  } catch {
    // Of two truths the older one would be left.
    forgetRun(folder, key);
  }
}

/** Whether a time (ISO 8601) is so near that what was kept then still counts. A clock that was set back says nothing. */
export function isYoung(time: string, mostAgeMs: number, now: number): boolean {
  const age = now - Date.parse(time);
  return age >= 0 && age <= Math.min(mostAgeMs, longestAgeMs);
}

function forgetThose(folder: string, isMeant: (key: string) => boolean): number {
  const keys = find(folder).flatMap(({ key }) => (isMeant(key) ? [key] : []));
  for (const key of keys) forgetRun(folder, key);
  return keys.length;
}
