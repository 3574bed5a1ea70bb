import { openShellMemory, type ShellMemory } from './shellMemory.ts';

/** What a shell has by now, beyond what it was started with. */
export interface ShellState {
  /** Everything that it exports: the environment of a program that it would start. */
  env: Record<string, string>;
  /** By name; of zsh those that stand for a command. */
  aliases: ReadonlyMap<string, string>;
  /** Of zsh; see `PromptShell`. */
  globalAliases?: ReadonlyMap<string, string>;
  suffixAliases?: ReadonlyMap<string, string>;
  functions: ReadonlySet<string>;
  /** See `PromptShell`. */
  options?: ReadonlyMap<string, boolean>;
}

/** What a shell that was asked by keys told of itself. */
export type ToldState = Pick<ShellState, 'env'> &
  Partial<ShellState> & {
    /** Of fish: functions that words of the line name, as it shows them, without those that came with it. */
    definitions?: ReadonlyMap<string, string>;
  };

const pageBytes = 4096;
/** A longer value is no variable of anybody: the kernel takes none, MAX_ARG_STRLEN. */
const longestText = 131_072;
/** More entries than this are no table of a shell, but memory that changed while it was read. */
const mostEntries = 200_000;

type Reader = (pages: Pages) => Promise<ShellState | undefined>;
const readers: Readonly<Record<string, Reader>> = { bash: readBash, zsh: readZsh };

/**
 * Reads from outside what a shell exports and what it calls by other names. Nothing is typed, and nothing changes. `undefined`:
 * that is not possible here.
 */
export async function stateInMemory(processId: number, shell: string): Promise<ShellState | undefined> {
  const read = readers[shell];
  const memory = read && (await openShellMemory(processId));
  if (!read || !memory) return undefined;
  try {
    return await read(pagesOf(memory));
  } catch {
    // It went on meanwhile, or its tables are others than those of the versions that are known.
    return undefined;
  } finally {
    await memory.close();
  }
}

/** A memory of which each page is read once: tables are many small pieces. */
interface Pages {
  memory: ShellMemory;
  word(address: number): Promise<number>;
  integer(address: number): Promise<number>;
  /** The text that ends with a NUL, one unit for each byte. */
  text(address: number): Promise<string>;
}

function pagesOf(memory: ShellMemory): Pages {
  const known = new Map<number, Promise<Buffer>>();
  const page = (number: number) => {
    let read = known.get(number);
    if (!read) {
      read = memory.bytes(number * pageBytes, pageBytes);
      known.set(number, read);
    }
    return read;
  };
  const at = async (address: number) => ({
    bytes: await page(Math.floor(address / pageBytes)),
    offset: address % pageBytes,
  });
  return {
    memory,
    async word(address) {
      const { bytes, offset } = await at(address);
      return Number(bytes.readBigUInt64LE(offset));
    },
    async integer(address) {
      const { bytes, offset } = await at(address);
      return bytes.readInt32LE(offset);
    },
    async text(address) {
      let text = '';
      for (let next = address; text.length <= longestText; ) {
        const { bytes, offset } = await at(next);
        const end = bytes.indexOf(0, offset);
        if (end >= 0) return text + bytes.toString('latin1', offset, end);
        text += bytes.toString('latin1', offset);
        next += pageBytes - offset;
      }
      throw new Error('That is no text.');
    },
  };
}

/** The entries of one table: pairs of a name's address and another one, by chains of one form. */
async function entriesOf(
  pages: Pages,
  table: { rows: number; count: number; next: number; name: number },
): Promise<{ name: string; entry: number }[]> {
  if (table.count < 0 || table.count > mostEntries) throw new Error('That is no table.');
  const found: { name: string; entry: number }[] = [];
  for (let row = 0; row < table.count; row += 1) {
    for (
      let entry = await pages.word(table.rows + row * 8);
      entry !== 0;
      entry = await pages.word(entry + table.next)
    ) {
      found.push({ name: utf8(await pages.text(await pages.word(entry + table.name))), entry });
      if (found.length > mostEntries) throw new Error('That is no table.');
    }
  }
  return found;
}

const utf8 = (text: string) => Buffer.from(text, 'latin1').toString('utf8');

/** A variable of a bash that is text, exported or not; `undefined`: it is not there, or cannot be read. */
export async function variableOfBash(processId: number, name: string): Promise<string | undefined> {
  const memory = await openShellMemory(processId);
  if (!memory) return undefined;
  try {
    if (!memory.has('global_variables')) return undefined;
    const pages = pagesOf(memory);
    const data = (await bashTable(pages, await bashGlobals(pages))).find((one) => one.name === name)?.data;
    const value = data === undefined ? 0 : await pages.word(data + 8);
    return value === 0 ? undefined : utf8(await pages.text(value));
  } catch {
    return undefined;
  } finally {
    await memory.close();
  }
}

/** hashlib.h: HASH_TABLE is rows and their count; BUCKET_CONTENTS is next, key, data. */
async function bashTable(pages: Pages, address: number): Promise<{ name: string; data: number }[]> {
  if (address === 0) return [];
  const found = { rows: await pages.word(address), count: await pages.integer(address + 8), next: 0, name: 8 };
  const entries = await entriesOf(pages, found);
  return Promise.all(entries.map(async ({ name, entry }) => ({ name, data: await pages.word(entry + 16) })));
}

/** variables.h: VAR_CONTEXT is name, scope, flags, up, down, table; SHELL_VAR is name, value, …, attributes. */
async function bashGlobals(pages: Pages): Promise<number> {
  return pages.word((await pages.memory.word('global_variables')) + 32);
}

/** variables.h: `att_exported`, and what has no value of its own as text. */
const attributes = { exported: 0x1, array: 0x4, associative: 0x40, noValue: 0x1000 };

async function readBash(pages: Pages): Promise<ShellState | undefined> {
  const { memory } = pages;
  if (!memory.has('global_variables', 'shell_functions', 'aliases', 'export_env')) return undefined;
  const env: Record<string, string> = {};
  const options = new Map<string, boolean>();
  for (const { name, data } of await bashTable(pages, await bashGlobals(pages))) {
    // bash(1): what is on, with colons between.
    if (name === 'SHELLOPTS' || name === 'BASHOPTS') {
      const on = utf8(await pages.text(await pages.word(data + 8)));
      for (const option of on.split(':')) if (option !== '') options.set(option, true);
    }
    const flags = await pages.integer(data + 40);
    if ((flags & attributes.exported) === 0) continue;
    if ((flags & (attributes.array | attributes.associative | attributes.noValue)) !== 0) continue;
    const value = await pages.word(data + 8);
    if (value !== 0) env[name] = utf8(await pages.text(value));
  }
  const functions = await bashTable(pages, await memory.word('shell_functions'));
  for (const { data } of functions) {
    const isExported = ((await pages.integer(data + 40)) & attributes.exported) !== 0;
    // What it hands on of a function is made only when a program is started.
    const handed = isExported ? await pages.word(data + 16) : 0;
    if (isExported && handed === 0) return undefined;
    const entry = isExported ? utf8(await pages.text(handed)) : '';
    if (entry !== '') env[entry.slice(0, entry.indexOf('='))] = entry.slice(entry.indexOf('=') + 1);
  }
  const aliases = new Map<string, string>();
  // alias.h: name, value.
  for (const { name, data } of await bashTable(pages, await memory.word('aliases'))) {
    aliases.set(name, utf8(await pages.text(await pages.word(data + 8))));
  }
  return { env, aliases, functions: new Set(functions.map(({ name }) => name)), options };
}

/** zsh.h: `DISABLED`, and `ALIAS_GLOBAL`, which stands for a word wherever it is. */
const disabled = 1;
const isGlobal = 2;

async function readZsh(pages: Pages): Promise<ShellState | undefined> {
  const { memory } = pages;
  if (!memory.has('environ', 'aliastab', 'sufaliastab', 'shfunctab')) return undefined;
  const env: Record<string, string> = {};
  const list = await memory.word('environ');
  for (let at = list, count = 0; count < mostEntries; at += 8, count += 1) {
    const address = await pages.word(at);
    if (address === 0) break;
    const entry = utf8(await pages.text(address));
    const end = entry.indexOf('=');
    if (end > 0) env[entry.slice(0, end)] = entry.slice(end + 1);
  }
  // zsh.h: a hashtable is size, count, rows; a hashnode is next, name, flags; of an alias its text follows.
  const table = async (name: string) => {
    const address = await memory.word(name);
    const found = { rows: await pages.word(address + 8), count: await pages.integer(address), next: 0, name: 8 };
    const entries = await entriesOf(pages, found);
    const flags = await Promise.all(entries.map(({ entry }) => pages.integer(entry + 16)));
    const flagged = entries.map((one, index) => ({ ...one, flags: flags[index] ?? 0 }));
    return flagged.filter((one) => (one.flags & disabled) === 0);
  };
  const aliases = new Map<string, string>();
  const globalAliases = new Map<string, string>();
  const suffixAliases = new Map<string, string>();
  const textOf = async (entry: number) => plain(utf8(await pages.text(await pages.word(entry + 24))));
  for (const { name, entry, flags } of await table('aliastab')) {
    ((flags & isGlobal) === 0 ? aliases : globalAliases).set(plain(name), await textOf(entry));
  }
  for (const { name, entry } of await table('sufaliastab')) suffixAliases.set(plain(name), await textOf(entry));
  const functions = new Set((await table('shfunctab')).map(({ name }) => plain(name)));
  return { env, aliases, globalAliases, suffixAliases, functions, options: await optionsOfZsh(pages, table) };
}

/** options.c: of an option in its table, that zsh begins with it; that it is of this one shell; another name of another one. */
const optionFlags = { begins: 0x10, special: 0x80, alias: 0x100 };

/** Those that are otherwise than a zsh begins with: `opts` has a byte for each, at the number behind its flags. */
async function optionsOfZsh(
  pages: Pages,
  table: (name: string) => Promise<{ name: string; entry: number; flags: number }[]>,
): Promise<ReadonlyMap<string, boolean> | undefined> {
  const { memory } = pages;
  if (!memory.has('opts', 'optiontab')) return undefined;
  const at = memory.address('opts');
  const values = await memory.bytes(at, 256);
  const options = new Map<string, boolean>();
  for (const { name, entry, flags } of await table('optiontab')) {
    if ((flags & (optionFlags.special | optionFlags.alias)) !== 0) continue;
    const isOn = values[await pages.integer(entry + 24)] !== 0;
    if (isOn !== ((flags & optionFlags.begins) !== 0)) options.set(name, isOn);
  }
  return options;
}

/** zsh keeps bytes that mean something to it behind one of its own. */
function plain(text: string): string {
  const bytes = Buffer.from(text);
  return bytes.includes(0x83) ? text.replaceAll(/\u0083(.)/gu, '$1') : text;
}
