import { posix } from 'node:path';
import type { PlannedReader } from '../../../programs/program.ts';
import { lessKnown, type Reader, type ReaderTools, type Reading, readOptions } from './call.ts';

const asks = ['-i', '-I', '--interactive'];

const rm: Reader = async (call, { disk }) => {
  const options = readOptions(call, '');
  if (options.has('--help', '--version')) return 'exact';
  let reading: Reading = options.isOpen ? 'unknown' : options.has(...asks) ? 'known' : 'exact';
  for (const word of options.words) {
    const bare = word.replace(/\/+$/, '') || '/';
    if (/^\.{1,2}$/.test(posix.basename(bare))) continue; // rm refuses these.
    const path = await disk.place(call.cwd, bare);
    if (path === '/') {
      if (options.has('--no-preserve-root')) reading = 'unknown';
      continue;
    }
    const node = await disk.node(path);
    if (!node || (bare !== word && node.type !== 'directory')) continue;
    if (node.type === 'directory' && !options.has('-r', '-R', '--recursive')) {
      if (options.has('-d', '--dir') && (await disk.names(path)).length === 0) await disk.remove(path);
      continue;
    }
    // What may not be removed stays: that it is not there must not be said of it.
    if (!(await disk.remove(path))) reading = 'unknown';
    if (disk.isCut || (await disk.holdsMount(path))) reading = lessKnown(reading, 'known');
  }
  return reading;
};

const unlink: Reader = async (call, { disk }) => {
  const options = readOptions(call, '');
  const [word] = options.words;
  if (options.isOpen || word === undefined) return options.isOpen ? 'unknown' : 'exact';
  const path = await disk.place(call.cwd, word);
  const node = await disk.node(path);
  if (node && node.type !== 'directory') await disk.remove(path);
  return 'exact';
};

const rmdir: Reader = async (call, { disk }) => {
  const options = readOptions(call, '');
  for (const word of options.words) {
    const path = await disk.place(call.cwd, word.replace(/\/+$/, '') || '/');
    const node = await disk.node(path);
    if (node?.type === 'directory' && (await disk.names(path)).length === 0) await disk.remove(path);
  }
  return options.isOpen || options.has('-p', '--parents') ? 'known' : 'exact';
};

const shred: Reader = async (call, { disk }) => {
  const options = readOptions(call, '-n --iterations -s --size --random-source');
  for (const word of options.words) {
    const { path, node } = await disk.follow(await disk.place(call.cwd, word));
    if (node?.type === 'other') return 'unknown';
    if (node?.type !== 'file' || !(await disk.mayWrite(path))) continue;
    if (options.has('-u', '--remove')) await disk.remove(path);
    else await disk.write(path);
  }
  return options.isOpen ? 'unknown' : 'known';
};

const truncate: Reader = async (call, { disk, contentOf }) => {
  const options = readOptions(call, '-s --size -r --reference -o --io-blocks');
  const given = options.value('-s', '--size');
  for (const word of options.words) {
    const { path, node } = await disk.follow(await disk.place(call.cwd, word));
    if (node?.type === 'other') return 'unknown';
    if (node && (node.type !== 'file' || !(await disk.mayWrite(path)))) continue;
    if (!node && options.has('-c', '--no-create')) continue;
    const before = node ? await contentOf(path) : new Uint8Array();
    await disk.write(path, before && resized(before, given));
  }
  return options.isOpen ? 'unknown' : given === '0' ? 'exact' : 'known';
};

const mostBytes = 16 * 1024 ** 2;

/** The content after `truncate -s given`; what is new is zero. `undefined` where it is not computed. */
function resized(before: Uint8Array, given: string | undefined): Uint8Array | undefined {
  const [, sign = '', digits, unit = ''] = /^([+-]?)(\d+)([KMGT]?)$/.exec(given ?? '') ?? [];
  if (digits === undefined) return undefined;
  const number = Number(digits) * 1024 ** ' KMGT'.indexOf(unit || ' ');
  const size = sign === '+' ? before.length + number : sign === '-' ? Math.max(0, before.length - number) : number;
  if (size > mostBytes) return undefined;
  const after = new Uint8Array(size);
  after.set(before.subarray(0, size));
  return after;
}

const tee: Reader = async (call, tools) => {
  const options = readOptions(call, '');
  if (options.has('-a', '--append')) return 'known';
  const content = call.inputText === undefined ? undefined : Buffer.from(call.inputText);
  for (const word of options.words) if (!(await overwrite(call.cwd, word, content, tools))) return 'unknown';
  return options.isOpen ? 'unknown' : 'known';
};

const dd: Reader = async (call, tools) => {
  const values = new Map(
    call.words.map(({ text }) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]),
  );
  const to = values.get('of');
  if (call.words.some(({ isOpen }) => isOpen)) return 'unknown';
  if (to === undefined || /append/.test(values.get('oflag') ?? '')) return 'known';
  const from = values.get('if');
  const isPlain = [...values.keys()].every((key) => /^(if|of|status|bs|ibs|obs)$/.test(key));
  const content = from === '/dev/null' ? new Uint8Array() : undefined;
  const source = from === undefined || content ? undefined : await tools.disk.place(call.cwd, from);
  const copied = isPlain ? (content ?? (source && (await tools.contentOf(source)))) : undefined;
  return (await overwrite(call.cwd, to, copied || undefined, tools)) ? 'known' : 'unknown';
};

/** Cuts a file and writes into it, as `>` does. False where what is written is no file. */
export async function overwrite(
  cwd: string,
  word: string,
  content: Uint8Array | undefined,
  { disk }: ReaderTools,
): Promise<boolean> {
  const { path, node } = await disk.follow(await disk.place(cwd, word));
  if (node?.type === 'other') return /^\/dev\/(null|zero|full|tty|std(in|out|err)|fd\/\d+)$/.test(path);
  if (node?.type === 'directory') return true;
  if (node ? await disk.mayWrite(path) : await disk.mayChange(posix.dirname(path))) await disk.write(path, content);
  return true;
}

const mkdir: Reader = async (call, { disk }) => {
  const options = readOptions(call, '-m --mode');
  for (const word of options.words) {
    const path = await disk.place(call.cwd, word.replace(/\/+$/, '') || '/');
    const missing: string[] = [];
    for (let at = path; at !== '/' && !(await disk.node(at)); at = posix.dirname(at)) missing.unshift(at);
    if (missing.length > 1 && !options.has('-p', '--parents')) continue;
    for (const folder of missing) disk.make(folder, { type: 'directory', mode: 0o755, sizeBytes: 0 });
  }
  return 'known';
};

const touch: Reader = async (call, { disk }) => {
  const options = readOptions(call, '-d --date -r --reference -t --time');
  if (options.has('-c', '--no-create', '-h', '--no-dereference')) return 'known';
  for (const word of options.words) {
    const { path, node } = await disk.follow(await disk.place(call.cwd, word));
    if (!node && (await disk.mayChange(posix.dirname(path)))) await disk.write(path, new Uint8Array());
  }
  return 'known';
};

/** Runs `sed` without `-i` on each file: what it prints is what would stand there. */
const sed: Reader = async (call, tools) => {
  const words = call.words.map(({ text }) => text);
  const inPlace = words.find((word) => /^-[nErszubl]*i|^--in-place/.test(word));
  if (inPlace === undefined) return 'exact';
  if (call.words.some(({ isOpen }) => isOpen)) return 'unknown';
  const suffix = /^--in-place=(.*)$|^-[nErszubl]*i(.*)$/s.exec(inPlace)?.slice(1).join('') ?? '';
  const kept = words.flatMap((word) => {
    if (word !== inPlace) return [word];
    const before = /^-([nErszubl]*)i/.exec(word)?.[1] ?? '';
    return before === '' ? [] : [`-${before}`];
  });
  const options = readOptions(
    { ...call, words: kept.map((text) => ({ text, isOpen: false })) },
    '-e -f -l --expression --file --line-length',
  );
  const files = options.has('-e', '-f', '--expression', '--file') ? options.words : options.words.slice(1);
  const before = kept.filter((word) => !files.includes(word));
  for (const file of files) {
    const path = await tools.disk.place(call.cwd, file);
    const node = await tools.disk.node(path);
    if (!node || node.type === 'directory' || node.type === 'other') continue;
    const content = node.real === path ? await tools.look(['sed', ...before, '--', file], call) : undefined;
    if (suffix !== '') await tools.disk.copy(path, backupName(path, suffix));
    await tools.disk.write(path, content);
  }
  return 'known';
};

function backupName(path: string, suffix: string): string {
  const name = posix.basename(path);
  const backup = suffix.includes('*') ? suffix.replaceAll('*', name) : name + suffix;
  return backup.includes('/') ? posix.resolve(posix.dirname(path), backup) : posix.join(posix.dirname(path), backup);
}

const sort: Reader = async (call, tools) => {
  const options = readOptions(call, '-o --output -k --key -t -S -T --buffer-size --temporary-directory --parallel');
  const to = options.value('-o', '--output');
  if (to === undefined) return options.isOpen ? 'unknown' : 'exact';
  if (options.isOpen) return 'unknown';
  const words = call.words.map(({ text }) => text);
  const at = words.findIndex((word) => /^-[a-zA-Z]*o$/.test(word) && !word.startsWith('--'));
  const without =
    at >= 0 ? [...words.slice(0, at), ...words.slice(at + 2)] : words.filter((word) => !/^(-o|--output)/.test(word));
  const isReal = tools.disk.touched().length === 0;
  return (await overwrite(call.cwd, to, isReal ? await tools.look(['sort', ...without], call) : undefined, tools))
    ? 'known'
    : 'unknown';
};

/** Programs that make, change or delete the files that they are given. */
export const fileReaders = {
  rm,
  unlink,
  rmdir,
  shred,
  truncate,
  tee,
  dd,
  mkdir,
  touch,
  sed,
  sort,
} satisfies Partial<Record<PlannedReader, Reader>>;
