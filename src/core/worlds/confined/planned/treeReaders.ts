import { posix } from 'node:path';
import type { PlannedReader } from '../../../programs/program.ts';
import { programOf } from '../../../programs/programOf.ts';
import { type Call, type Reader, type ReaderTools, readOptions } from './call.ts';
import { overwrite } from './fileReaders.ts';

/** Of so many files that an archive brings the content is compared. */
const comparedMembers = 16;
/** So many calls of what `find -exec` starts are read. */
const mostCalls = 20_000;

/** Destroying actions of find(1), by what is read in their place. */
const startsOthers = /^-(exec|execdir|ok|okdir)$/;

/**
 * What `find` would find is asked of itself: its destroying actions are replaced by printing, everything else stays, so that
 * its tests are its own.
 */
function findReader(readInner: Reader): Reader {
  return async (call, tools) => {
    if (call.words.some(({ isOpen }) => isOpen)) return 'unknown';
    const mark = `\u0001${Math.random().toString(36).slice(2)}`;
    const parts = withoutActions(call, mark);
    if (parts.isUnknown) return 'unknown';
    for (const file of parts.writes) await overwrite(call.cwd, file, undefined, tools);
    if (parts.actions.length === 0) return parts.writes.length > 0 ? 'known' : 'exact';
    const printed = await tools.look(['find', ...parts.words], call);
    if (!printed) return 'unknown';
    const found = [...printed.toString('utf8').matchAll(new RegExp(`${mark}(\\d+) ([^\\0]*)\\0`, 'g'))];
    if (found.length > mostCalls) return 'unknown';
    for (const [, number, path = ''] of found) {
      const action = parts.actions[Number(number)];
      if (!action) continue;
      if (action.length === 0) await deleteFound(call, path, tools);
      else {
        // `-execdir` starts in the folder of what was found.
        const isInFolder = parts.inFolder.has(Number(number));
        const given = isInFolder ? `./${posix.basename(path)}` : path;
        const cwd = isInFolder ? posix.dirname(await tools.disk.place(call.cwd, path)) : call.cwd;
        const words = action.slice(1).map((word) => ({ text: word.replaceAll('{}', given), isOpen: false }));
        const reading = await readInner({ ...call, cwd, name: posix.basename(action[0] ?? ''), words }, tools);
        if (reading === 'unknown') return 'unknown';
      }
    }
    return 'known';
  };
}

async function deleteFound(call: Call, path: string, { disk }: ReaderTools): Promise<void> {
  const at = await disk.place(call.cwd, path.replace(/\/+$/, '') || '/');
  const node = await disk.node(at);
  // `-delete` never removes `.`; a folder has to be empty by then.
  if (!node || /(^|\/)\.$/.test(path)) return;
  if (node.type !== 'directory' || (await disk.names(at)).length === 0) await disk.remove(at);
}

/** `actions`: what is done with what is found, by number; empty for `-delete`. */
function withoutActions(call: Call, mark: string) {
  const given = call.words.map(({ text }) => text);
  const result = {
    words: [] as string[],
    actions: [] as string[][],
    writes: [] as string[],
    inFolder: new Set<number>(),
    isUnknown: false,
  };
  const printed = () => `${mark}${result.actions.length - 1} %p\\0`;
  for (let at = 0; at < given.length; at++) {
    const word = given[at] ?? '';
    if (word === '-delete') {
      result.actions.push([]);
      result.words.push('-printf', printed());
    } else if (startsOthers.test(word)) {
      const end = given.findIndex(
        (one, index) => index > at && (one === ';' || (one === '+' && given[index - 1] === '{}')),
      );
      const action = given.slice(at + 1, end < 0 ? undefined : end);
      if (programOf(action[0] ?? '')?.onlyTests) {
        result.words.push(...given.slice(at, end + 1));
      } else {
        result.actions.push(action);
        if (word.endsWith('dir')) result.inFolder.add(result.actions.length - 1);
        result.words.push('-printf', printed());
      }
      if (end < 0) result.isUnknown = true;
      at = end < 0 ? given.length : end;
    } else if (/^-f(print0?|ls|printf)$/.test(word)) {
      result.writes.push(given[at + 1] ?? '');
      at += word === '-fprintf' ? 2 : 1;
      result.words.push('-true');
    } else result.words.push(word);
  }
  // `-delete` means `-depth` as well; after the starting points, before the first expression.
  if (given.includes('-delete')) {
    const first = result.words.findIndex((word) => /^[-(!]/.test(word) && !/^-([HLPD]|O\d)$/.test(word));
    result.words.splice(first < 0 ? result.words.length : first, 0, '-depth');
  }
  return result;
}

/** rsync says itself what it would do. */
const rsync: Reader = async (call, { disk, look }) => {
  const words = call.words.map(({ text }) => text);
  if (call.words.some(({ isOpen }) => isOpen)) return 'unknown';
  const options = readOptions(
    call,
    '-e --rsh --exclude --include --exclude-from --include-from --files-from -f --filter --out-format --log-file -T --temp-dir --backup-dir --suffix --bwlimit --max-size --min-size --chmod --chown --timeout --port -B --block-size --compare-dest --copy-dest --link-dest --partial-dir --password-file --rsync-path --max-delete',
  );
  const last = options.words.at(-1);
  if (last === undefined || options.words.length < 2 || options.has('-n', '--dry-run', '--list-only')) return 'exact';
  if (options.words.some((word) => /^[^/]*:/.test(word))) return 'unknown';
  const printed = await look(['rsync', '-n', '--out-format=%i %n', ...words], call);
  if (!printed) return 'unknown';
  const target = (await disk.follow(await disk.place(call.cwd, last))).path;
  const isFolder = (await disk.node(target))?.type === 'directory' || last.endsWith('/');
  const keeps = options.has('-b', '--backup');
  for (const line of printed.toString('utf8').split('\n')) {
    const [, what = '', name = ''] = /^(\*deleting|[<>ch.][fdLDS]\S{9}) +(.*)$/.exec(line) ?? [];
    if (name === '' || keeps) continue;
    const path = isFolder ? posix.join(target, name) : target;
    const node = await disk.node(path);
    if (what === '*deleting' && node) await disk.remove(path);
    else if (/^[>c][fL]/.test(what) && node && node.type !== 'directory') await disk.write(path);
  }
  if (options.has('--remove-source-files')) return 'unknown';
  return 'known';
};

const tar: Reader = async (call, tools) => {
  const words = [...call.words.map(({ text }) => text)];
  if (call.words.some(({ isOpen }) => isOpen)) return 'unknown';
  // Without a dash the first word holds the options, and their values follow in order.
  if (words[0] && /^[A-Za-z]+$/.test(words[0])) {
    const letters = words.shift() ?? '';
    const values = [...letters]
      .filter((letter) => /[fCbTX]/.test(letter))
      .flatMap((letter) => [`-${letter}`, words.shift() ?? '']);
    words.unshift(`-${[...letters].filter((letter) => !/[fCbTX]/.test(letter)).join('')}`, ...values);
  }
  const options = readOptions(
    { ...call, words: words.map((text) => ({ text, isOpen: false })) },
    '-f --file -C --directory -b -T --files-from -X --exclude-from --exclude -I --use-compress-program --transform --xform --strip-components --owner --group --mode',
  );
  const file = options.value('-f', '--file');
  if (file === undefined || file === '-' || /:/.test(file))
    return options.has('-x', '--extract', '--get') ? 'unknown' : 'exact';
  const folder = options.value('-C', '--directory') ?? '.';
  if (options.has('-c', '--create')) {
    await overwrite(call.cwd, file, undefined, tools);
    return 'known';
  }
  if (!options.has('-x', '--extract', '--get') || options.has('-O', '--to-stdout')) return 'exact';
  if (options.has('-k', '--keep-old-files', '--skip-old-files', '--keep-newer-files')) return 'known';
  if (options.has('--strip-components', '--transform', '--xform', '-P', '--absolute-names', '-T', '--files-from'))
    return 'unknown';
  const listed = await tools.look(['tar', '-t', '--quoting-style=literal', '-f', file, ...options.words], call);
  if (!listed) return 'unknown';
  return membersOver(listed, folder, call, tools, (name) => ['tar', '-x', '-O', '-f', file, name]);
};

const unzip: Reader = async (call, tools) => {
  if (call.words.some(({ isOpen }) => isOpen)) return 'unknown';
  const options = readOptions(call, '-d -x -P');
  const [given, ...members] = options.words;
  if (given === undefined || options.has('-l', '-t', '-p', '-v', '-Z', '-c')) return 'exact';
  if (options.has('-n')) return 'known';
  if (options.has('-j', '-x', '-f', '-u')) return 'unknown';
  const file = (await tools.disk.node(await tools.disk.place(call.cwd, given))) ? given : `${given}.zip`;
  const listed = await tools.look(['unzip', '-Z1', file, ...members], call);
  if (!listed) return 'unknown';
  return membersOver(listed, options.value('-d') ?? '.', call, tools, (name) => ['unzip', '-p', file, name]);
};

/** Files of an archive that would take the place of what stands there. */
async function membersOver(
  listed: Buffer,
  folder: string,
  call: Call,
  { disk, look }: ReaderTools,
  reads: (name: string) => string[],
): Promise<'known'> {
  let compared = 0;
  const base = await disk.place(call.cwd, `${folder}/`);
  for (const name of listed.toString('utf8').split('\n')) {
    if (name === '' || name.endsWith('/') || name.split('/').includes('..')) continue;
    const path = await disk.place(base, name.replace(/^\/+/, ''));
    const node = await disk.node(path);
    if (!node || node.type === 'directory' || !(await disk.mayChange(posix.dirname(path)))) continue;
    compared += 1;
    await disk.write(path, compared <= comparedMembers ? await look(reads(name), call) : undefined);
  }
  return 'known';
}

/** Programs that work on whole trees. `readInner` reads what `find -exec` starts. */
export function treeReaders(readInner: Reader) {
  return { find: findReader(readInner), rsync, tar, unzip } satisfies Partial<Record<PlannedReader, Reader>>;
}
