import { posix } from 'node:path';
import type { PlannedReader } from '../../../programs/program.ts';
import {
  type Call,
  lessKnown,
  type Options,
  type Reader,
  type ReaderTools,
  type Reading,
  readOptions,
} from './call.ts';

const backups = ['-b', '--backup', '-S', '--suffix'];

/** Where each of the operands would go: `cp a b folder`, `cp -t folder a b`, `cp -T a b`. */
async function pairsOf(call: Call, options: Options, { disk }: ReaderTools): Promise<{ from: string; to: string }[]> {
  const folder = options.value('-t', '--target-directory');
  const operands = folder === undefined ? options.words.slice(0, -1) : options.words;
  const last = folder ?? options.words.at(-1);
  if (last === undefined || operands.length === 0) return [];
  const target = await disk.place(call.cwd, last);
  const intoFolder =
    !options.has('-T', '--no-target-directory') && (await disk.follow(target)).node?.type === 'directory';
  if (!intoFolder && operands.length > 1) return []; // It fails: the last one is no folder.
  const base = intoFolder ? (await disk.follow(target)).path : target;
  const pairs: { from: string; to: string }[] = [];
  for (const word of operands) {
    const bare = word.replace(/\/+$/, '') || '/';
    const from = await disk.place(call.cwd, bare);
    pairs.push({ from, to: intoFolder ? posix.join(base, posix.basename(from)) : base });
  }
  return pairs;
}

/** Copies one node: over a file its content changes, into a folder one by one. */
async function copyNode(from: string, to: string, options: Options, tools: ReaderTools): Promise<void> {
  const { disk } = tools;
  const node = await disk.node(from);
  if (!node || from === to) return;
  const source = node.type === 'symlink' && !keepsLinks(options) ? await disk.follow(from) : { path: from, node };
  if (source.node?.type === 'directory') {
    if (!isRecursive(options)) return;
    const there = (await disk.follow(to)).node;
    if (!there) {
      if (await disk.mayChange(posix.dirname(to))) await disk.copy(source.path, to);
    } else if (there.type === 'directory') {
      for (const name of await disk.names(source.path)) {
        await copyNode(posix.join(source.path, name), posix.join(to, name), options, tools);
      }
    }
    return;
  }
  const replaces = options.has('--remove-destination') || source.node?.type === 'symlink';
  const at = replaces ? { path: to, node: await disk.node(to) } : await disk.follow(to);
  if (at.node?.type === 'directory' || at.node?.type === 'other' || at.path === source.path) return;
  const may = at.node && !replaces ? await disk.mayWrite(at.path) : await disk.mayChange(posix.dirname(at.path));
  const forced = options.has('-f', '--force') && (await disk.mayChange(posix.dirname(at.path)));
  if (may || forced) await disk.copy(source.path, at.path);
}

function isRecursive(options: Options): boolean {
  return options.has('-r', '-R', '-a', '--recursive', '--archive');
}

function keepsLinks(options: Options): boolean {
  if (options.has('-L', '--dereference')) return false;
  return options.has('-a', '-d', '-P', '--archive', '--no-dereference') || isRecursive(options);
}

const cp: Reader = async (call, tools) => {
  const options = readOptions(call, '-t --target-directory -S --suffix');
  const reading = careful(options);
  if (options.has('-n', '--no-clobber', '--attributes-only') || options.has(...backups)) return reading;
  for (const { from, to } of await pairsOf(call, options, tools)) await copyNode(from, to, options, tools);
  return reading;
};

const mv: Reader = async (call, tools) => {
  const { disk } = tools;
  const options = readOptions(call, '-t --target-directory -S --suffix');
  const reading = careful(options);
  for (const { from, to } of await pairsOf(call, options, tools)) {
    const [node, there] = [await disk.node(from), await disk.node(to)];
    if (!node || from === to || to.startsWith(`${from}/`)) continue;
    if (there && options.has('-n', '--no-clobber')) continue;
    const isFolder = node.type === 'directory';
    if (there && (there.type === 'directory') !== isFolder) continue; // It refuses.
    if (there && isFolder && (await disk.names(to)).length > 0) continue;
    if (!(await disk.mayChange(posix.dirname(from))) || !(await disk.mayChange(posix.dirname(to)))) continue;
    if (there && options.has(...backups)) await disk.copy(to, `${to}~`);
    await disk.move(from, to);
  }
  return lessKnown(reading, 'known');
};

function careful(options: Options): Reading {
  if (options.isOpen) return 'unknown';
  return 'known';
}

const install: Reader = async (call, tools) => {
  const options = readOptions(call, '-t --target-directory -S --suffix -m --mode -o --owner -g --group');
  if (options.has('-d', '--directory') || options.has(...backups)) return careful(options);
  for (const { from, to } of await pairsOf(call, options, tools)) {
    const source = await tools.disk.follow(from);
    const there = await tools.disk.node(to);
    if (source.node?.type !== 'file' || there?.type === 'directory' || there?.type === 'other') continue;
    // install(1) removes what stands there and makes a new file.
    if (await tools.disk.mayChange(posix.dirname(to))) await tools.disk.copy(source.path, to);
  }
  return careful(options);
};

const ln: Reader = async (call, tools) => {
  const { disk } = tools;
  const options = readOptions(call, '-t --target-directory -S --suffix');
  const [first, second] = options.words;
  if (options.words.length === 1 && first !== undefined) {
    await link(first, posix.join(call.cwd, posix.basename(first)), call, options, tools);
    return careful(options);
  }
  const named = options.value('-t', '--target-directory') ?? (options.words.length > 2 ? options.words.at(-1) : second);
  if (named === undefined) return careful(options);
  const target = await disk.place(call.cwd, named);
  const there = await disk.node(target);
  const isFolder =
    options.has('-n', '--no-dereference') && there?.type === 'symlink'
      ? false
      : (await disk.follow(target)).node?.type === 'directory';
  const intoFolder = isFolder && !options.has('-T', '--no-target-directory');
  const sources = options.value('-t', '--target-directory') === undefined ? options.words.slice(0, -1) : options.words;
  for (const source of sources) {
    const at = intoFolder ? posix.join((await disk.follow(target)).path, posix.basename(source)) : target;
    await link(source, at, call, options, tools);
  }
  return careful(options);
};

async function link(source: string, at: string, call: Call, options: Options, { disk }: ReaderTools): Promise<void> {
  const there = await disk.node(at);
  if (there?.type === 'directory' || (there && !options.has('-f', '--force'))) return;
  if (!(await disk.mayChange(posix.dirname(at)))) return;
  if (there && options.has(...backups)) await disk.copy(at, `${at}~`);
  if (options.has('-s', '--symbolic')) {
    disk.make(at, { type: 'symlink', mode: 0o777, sizeBytes: Buffer.byteLength(source), target: source });
    return;
  }
  const from = await disk.place(call.cwd, source);
  if (from !== at && (await disk.node(from))?.type === 'file') await disk.copy(from, at);
}

/** Programs that put files at other places, where something may stand. */
export const copyReaders = { cp, mv, install, ln } satisfies Partial<Record<PlannedReader, Reader>>;
