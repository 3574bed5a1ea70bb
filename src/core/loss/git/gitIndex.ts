import type { BytePath } from '../bytePath.ts';

/**
 * Two index files say the same about every path: same content ids, modes, stages. Every `git status` rewrites the index
 * with fresh times only, and then nobody needs to be asked what changed.
 *
 * Format: gitformat-index(5), versions 2 to 4, SHA-1. `undefined` where only git can tell (split index, SHA-256).
 */
export function sameIndex(before: Uint8Array, after: Uint8Array): boolean | undefined {
  const [a, b] = [entriesOf(before), entriesOf(after)];
  if (!a || !b) return undefined;
  if (a.version !== b.version) return undefined;
  if (a.entries.length !== b.entries.length) return false;
  return a.entries.every((entry, index) => entry === b.entries[index]);
}

/** The names that an index has, as git names them; `undefined` where only git can tell. */
export function namesIn(index: Uint8Array): string[] | undefined {
  const found = entriesOf(index);
  if (!found) return undefined;
  const names: string[] = [];
  // Of one byte a character until the end: names are many, and few are anything but ASCII.
  let last = '';
  for (const entry of found.entries) {
    // Flags of two bytes, and two more where the first says so.
    const isExtended = found.version > 2 && (entry.charCodeAt(entryHead) & 0x40) !== 0;
    const name = entry.slice(entryHead + (isExtended ? 4 : 2));
    last = found.version === 4 ? withPrefix(name, last) : name;
    names.push(/[\x80-\xff]/.test(last) ? Buffer.from(last, 'latin1').toString('utf8') : last);
  }
  return names;
}

/** How an index has a path: the id of its content, and whether git was told not to compare the file with it (`--assume-unchanged`). */
export interface IndexEntry {
  id: string;
  unwatched: boolean;
}

/**
 * What `git ls-files -s -v` says of every path, as bytes. `undefined` where only git can tell: paths are left out of the checkout, which
 * it decides as it reads.
 */
export function entriesIn(index: Uint8Array): Map<BytePath, IndexEntry> | undefined {
  const found = entriesOf(index);
  if (!found) return undefined;
  const all = new Map<BytePath, IndexEntry>();
  let last = '';
  for (const entry of found.entries) {
    const flags = entry.charCodeAt(entryHead);
    const isExtended = found.version > 2 && (flags & 0x40) !== 0;
    const isLeftOut = isExtended && (entry.charCodeAt(entryHead + 2) & 0x40) !== 0;
    const isFolder = (entry.charCodeAt(2) & 0xf0) === 0x40;
    if (isLeftOut || isFolder) return undefined;
    const name = entry.slice(entryHead + (isExtended ? 4 : 2));
    last = found.version === 4 ? withPrefix(name, last) : name;
    const id = Buffer.from(entry.slice(4, entryHead), 'latin1').toString('hex');
    all.set(last, { id, unwatched: (flags & 0x80) !== 0 });
  }
  return all;
}

/** Version 4: how many bytes to drop from the end of the name before, as a number of variable length, and what follows (gitformat-pack(5)). */
function withPrefix(name: string, before: string): string {
  let at = 0;
  let byte = name.charCodeAt(at);
  let drop = byte & 0x7f;
  while (byte & 0x80) {
    at += 1;
    byte = name.charCodeAt(at);
    drop = ((drop + 1) << 7) | (byte & 0x7f);
  }
  return before.slice(0, before.length - drop) + name.slice(at + 1);
}

const idLength = 20;
// Of an entry only mode (4 bytes at 24) and what follows the times and sizes (40 on: id, flags) matter.
const modeAt = 24;
const idAt = 40;
const flagsAt = idAt + idLength;
/** Mode and id, with which an entry begins here. */
const entryHead = 4 + idLength;

function entriesOf(bytes: Uint8Array): { version: number; entries: string[] } | undefined {
  const index = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (index.length < 12 + idLength || index.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = index.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const count = index.readUInt32BE(8);
  const entries: string[] = [];
  let at = 12;
  for (let i = 0; i < count; i++) {
    if (at + flagsAt + 2 > index.length) return undefined;
    const extended = version > 2 && (index.readUInt16BE(at + flagsAt) & 0x4000) !== 0;
    const nameAt = at + flagsAt + (extended ? 4 : 2);
    // Version 4 begins a name with the number of bytes to drop from the one before; none of its bytes is NUL but in a
    // first byte of 0 (nothing to drop).
    const end = index.indexOf(0, version === 4 ? nameAt + 1 : nameAt);
    if (end < 0) return undefined;
    entries.push(index.toString('latin1', at + modeAt, at + modeAt + 4) + index.toString('latin1', at + idAt, end));
    // Up to version 3 an entry is padded with 1 to 8 NULs to a multiple of 8 bytes.
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
  }
  return onlyKnownExtensions(index, at) ? { version, entries } : undefined;
}

function onlyKnownExtensions(index: Buffer, start: number): boolean {
  let at = start;
  while (at + 8 <= index.length - idLength) {
    const name = index.toString('latin1', at, at + 4);
    // A lower-case name must be understood; "link" means that half of the index is in another file.
    if (!/^[A-Z]{4}$/.test(name) && name !== 'sdir') return false;
    at += 8 + index.readUInt32BE(at + 4);
  }
  return at === index.length - idLength;
}
