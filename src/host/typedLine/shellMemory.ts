import { type FileHandle, open, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Global variables of a running shell, read from outside; the shell does not notice. */
export interface ShellMemory {
  /** Whether all of these variables are there. */
  has(...names: string[]): boolean;
  /** An `int`. */
  integer(name: string): Promise<number>;
  /** A pointer or an `unsigned long`; below 2^53 on every system that has one. */
  word(name: string): Promise<number>;
  /** Where a variable is. */
  address(name: string): number;
  bytes(address: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

/** Files whose variables are looked for: the shell itself, readline where it is a library, and the line editor of zsh. */
const wantedFiles = /\/(?:libreadline\.so[\d.]*|zle\.so)$/;

/** By path, as long as the window lives: a shell is hardly ever replaced. */
const variablesOf = new Map<string, Promise<Map<string, number>>>();

/**
 * Opens the memory of a process for reading. `undefined`: the system does not allow it (Yama on many desktops), or the
 * program is none of 64 bits. Which addresses its variables have is told by its file, as for any debugger.
 */
export async function openShellMemory(processId: number): Promise<ShellMemory | undefined> {
  let memory: FileHandle | undefined;
  try {
    memory = await open(`/proc/${processId}/mem`, 'r');
    const addresses = await addressesIn(processId);
    const opened = memory;
    const bytes = async (address: number, length: number) => {
      const read = await opened.read(Buffer.alloc(length), 0, length, address);
      if (read.bytesRead !== length) throw new Error('The memory ends there.');
      return read.buffer;
    };
    const at = (name: string) => {
      const address = addresses.get(name);
      if (address === undefined) throw new Error(`There is no ${name}.`);
      return address;
    };
    return {
      has: (...names) => names.every((name) => addresses.has(name)),
      integer: async (name) => (await bytes(at(name), 4)).readInt32LE(),
      word: async (name) => Number((await bytes(at(name), 8)).readBigUInt64LE()),
      address: at,
      bytes,
      close: () => opened.close(),
    };
  } catch {
    await memory?.close();
    return undefined;
  }
}

/** Where the variables of a process are, by their names. */
async function addressesIn(processId: number): Promise<Map<string, number>> {
  const addresses = new Map<string, number>();
  const maps = await readFile(`/proc/${processId}/maps`, 'utf8');
  let isFirst = true;
  // proc(5): address, permissions, offset, device, inode, path. The first mapping of a file begins where the file does.
  for (const [, start = '', file = ''] of maps.matchAll(/^([0-9a-f]+)-\S+ \S+ 0+ \S+ \d+ +(\/.*)$/gm)) {
    const isShell = isFirst;
    isFirst = false;
    if (!isShell && !wantedFiles.test(file)) continue;
    const real = isShell ? `/proc/${processId}/exe` : path.join(`/proc/${processId}/root`, file);
    let variables = variablesOf.get(file);
    if (!variables || file.endsWith(' (deleted)')) {
      variables = readVariables(real);
      variablesOf.set(file, variables);
    }
    const base = Number.parseInt(start, 16);
    for (const [name, offset] of await variables) if (!addresses.has(name)) addresses.set(name, base + offset);
  }
  return addresses;
}

/** Offsets of the variables that a file shows to others: the table `.dynsym` of an ELF file, elf(5). */
async function readVariables(file: string): Promise<Map<string, number>> {
  const variables = new Map<string, number>();
  const elf = await readFile(file);
  const isElf64 = elf.readUInt32BE(0) === 0x7f454c46 && elf[4] === 2 && elf[5] === 1;
  // ET_DYN: everything is relative to where it is loaded. Others are loaded where they say, and are no shells of today.
  if (!isElf64 || elf.readUInt16LE(16) !== 3) return variables;
  const word = (at: number) => Number(elf.readBigUInt64LE(at));
  const sections = word(40);
  const sectionBytes = elf.readUInt16LE(58);
  for (let number = 0; number < elf.readUInt16LE(60); number += 1) {
    const section = sections + number * sectionBytes;
    const isDynamicSymbols = elf.readUInt32LE(section + 4) === 11;
    if (!isDynamicSymbols) continue;
    const names = word(sections + elf.readUInt32LE(section + 40) * sectionBytes + 24);
    const [start, size] = [word(section + 24), word(section + 32)];
    for (let symbol = start; symbol < start + size; symbol += 24) {
      const isObject = ((elf[symbol + 4] ?? 0) & 15) === 1;
      const isDefined = elf.readUInt16LE(symbol + 6) !== 0;
      if (!isObject || !isDefined) continue;
      const name = names + elf.readUInt32LE(symbol);
      variables.set(elf.toString('latin1', name, elf.indexOf(0, name)), word(symbol + 8));
    }
  }
  return variables;
}
