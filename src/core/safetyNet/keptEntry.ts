import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import type { KeptFor, NotKeptReason } from '../facts/kept.ts';
import { NodeType } from '../view/fileChange.ts';
import { hasKind } from '../view/hasKind.ts';
import { isPrivateFolder } from '../view/statusIfKnown.ts';
import { writeWhole } from '../view/writeWhole.ts';
import type { NetUse } from './netUse.ts';

/** What stands somewhere after the action, as far as it is known. */
const NodeAfter = z.object({
  type: NodeType,
  sizeBytes: z.number(),
  mode: z.number(),
  target: z.optional(z.string()),
  /** Lower-case hexadecimal; absent where nobody asked. */
  sha256: z.optional(z.string()),
});

/** One node as it was before something was done to it. */
const KeptNode = z.object({
  /** Absolute. */
  path: z.string(),
  type: NodeType,
  /** Permission bits, 07777. */
  mode: z.number(),
  uid: z.number(),
  gid: z.number(),
  /** Nanoseconds since 1970, decimal. */
  mtimeNs: z.string(),
  sizeBytes: z.number(),
  target: z.optional(z.string()),
  /** Name of the file of the entry that has the content. */
  content: z.optional(z.string()),
  /** Path of another kept node that is the same file. */
  sameAs: z.optional(z.string()),
  /** It had further names, which are not kept: the path of one beside it, empty where none was found. */
  alsoAt: z.optional(z.string()),
  /** Extended attributes and access lists, see `NodeAttributes`; absent: there are none. */
  attributes: z.optional(z.string()),
  /** Only mode and owner change. */
  isStatusOnly: z.optional(z.literal(true)),
  /** Absent: nothing. */
  after: z.optional(NodeAfter),
  /** What stood there when the action had ended: inode, size and times, as `nodePrint` gives it. */
  left: z.optional(z.string()),
});
export type KeptNode = z.infer<typeof KeptNode>;

/** Something that would be lost and was not kept. */
const NotKept = z.object({
  path: z.string(),
  sizeBytes: z.number(),
  because: z.custom<NotKeptReason>(hasKind),
  /** It is nowhere else either. */
  isLost: z.boolean(),
});
export type NotKept = z.infer<typeof NotKept>;

/** What was kept before one action. */
const KeptEntry = z.object({
  format: z.literal(1),
  id: z.string().check(z.regex(/^[0-9a-f]{6,8}$/)),
  /** ISO 8601, UTC. */
  at: z.string(),
  /** The command or the edit, without secrets. */
  title: z.string(),
  cwd: z.string(),
  for: z.custom<KeptFor>(hasKind),
  /** Parents before what is in them. */
  nodes: z.array(KeptNode),
  notKept: z.array(NotKept),
  /** What was created: taken away again where the action is undone, if it is still what `left` says. */
  made: z.optional(z.array(z.object({ path: z.string(), left: z.string() }))),
  /** Of the contents. */
  bytes: z.number(),
});
export type KeptEntry = z.infer<typeof KeptEntry>;

/** How long things are kept, in milliseconds: a week. */
const keptMs = 7 * 24 * 3_600_000;

const entryFile = 'entry.json';

/** A new folder for what is kept, beside the others and under a name that does not count yet; `undefined`: nothing can be kept. */
export function beginEntry({ folder }: Pick<NetUse, 'folder'>): { id: string; aside: string } | undefined {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isPrivateFolder(folder)) return undefined;
    const id = randomBytes(3).toString('hex');
    if (fs.existsSync(path.join(folder, id))) return beginEntry({ folder });
    const aside = path.join(folder, `.${id}`);
    fs.mkdirSync(aside, { mode: 0o700 });
    return { id, aside };
  } catch {
    return undefined;
  }
}

/** Makes what was copied into `aside` an entry. False: it could not be written, and nothing is kept. */
export function finishEntry({ folder }: NetUse, aside: string, entry: KeptEntry): boolean {
  try {
    writeWhole(path.join(aside, entryFile), JSON.stringify(entry));
    fs.renameSync(aside, path.join(folder, entry.id));
    return true;
  } catch {
    fs.rmSync(aside, { recursive: true, force: true });
    return false;
  }
}

/** Writes an entry anew that is kept already. */
export function rewriteEntry(folder: string, entry: KeptEntry): void {
  writeWhole(path.join(folder, entry.id, entryFile), JSON.stringify(entry));
}

/** Path of a kept content. */
export function contentOf(folder: string, { id }: KeptEntry, { content = '' }: KeptNode): string {
  return path.join(folder, id, path.basename(content));
}

/** The entry with this id; `undefined` where there is none that can be read. */
export function readEntry(folder: string, id: string): KeptEntry | undefined {
  try {
    if (!isPrivateFolder(folder) || !/^[0-9a-f]{6,8}$/.test(id)) return undefined;
    const read = KeptEntry.safeParse(JSON.parse(fs.readFileSync(path.join(folder, id, entryFile), 'utf8')));
    return read.success && read.data.id === id ? read.data : undefined;
  } catch {
    return undefined;
  }
}

/** All that is kept, the newest first. What is older than a week is none of it. */
export function listEntries(folder: string, now: number): KeptEntry[] {
  const entries = namesIn(folder).flatMap((id) => readEntry(folder, id) ?? []);
  const young = entries.filter(({ at }) => now - Date.parse(at) < keptMs);
  return young.sort((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0));
}

function namesIn(folder: string): string[] {
  try {
    return isPrivateFolder(folder) ? fs.readdirSync(folder) : [];
  } catch {
    return [];
  }
}

/** Takes away what is older than a week, what was never finished, and then the oldest until `needed` bytes more fit. */
export function makeRoom({ folder, mostBytes }: NetUse, needed: number, now: number): void {
  const young = listEntries(folder, now);
  let bytes = needed;
  const stays = new Set(
    young.flatMap((entry) => {
      bytes += entry.bytes;
      return bytes <= mostBytes ? [entry.id] : [];
    }),
  );
  for (const name of namesIn(folder)) {
    const isBegun = /^\.[0-9a-f]{6,8}$/.test(name) && now - (ageOf(path.join(folder, name)) ?? now) < 3_600_000;
    if (!stays.has(name) && !isBegun && /^\.?[0-9a-f]{6,8}$/.test(name))
      fs.rmSync(path.join(folder, name), { recursive: true, force: true });
  }
}

function ageOf(file: string): number | undefined {
  return fs.lstatSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

/** What tells one state of a node from another. */
export function nodePrint({ ino, mode, size, mtimeNs, ctimeNs }: fs.BigIntStats): string {
  return `${ino} ${mode} ${size} ${mtimeNs} ${ctimeNs}`;
}
