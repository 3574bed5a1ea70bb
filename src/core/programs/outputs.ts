import { posix } from 'node:path';
import { gitCommandOf } from './gitCommand.ts';
import { programInPlace } from './outOfPlace.ts';
import type { Program, Writes } from './program.ts';
import { holds } from './programOf.ts';
import { readArguments } from './programPattern.ts';

/**
 * Files that a program writes, or links that it puts in their place, as far as its arguments tell. What stands there before
 * is lost then, whoever writes it.
 */
export function outputsOf(argv: readonly string[]): string[] {
  const row = programInPlace(argv[0] ?? '');
  const writes = row?.writes;
  const args = argv.slice(1);
  if (!writes || (writes.when && !holds(writes.when, args)) || holds(writes.unless, args)) return [];
  const found = inNamedFolder(args, writes, valuesOf(args, writes, row));
  if (writes.prefix !== undefined) found.push(...behindPrefix(args, writes.prefix));
  if (writes.by === 'tar') found.push(...tarOutput(args));
  if (writes.third) found.push(...thirdWord(args, writes.third));
  if (writes.by === 'newer') found.push(...newerFiles(args, row));
  if (writes.by === 'statements') found.push(...statementFiles(args));
  if (writes.by === 'copy') found.push(...copiedFrom(args, row, writes));
  if (writes.by === 'git') {
    const options = args.includes('archive') ? gitArchive : gitOutput;
    found.push(...valuesOf(args, { options }, row).map(({ value }) => value));
  }
  if (writes.operand !== undefined) {
    // That a device is changed is what it says of itself.
    const operands = operandsOf(args, row).slice(writes.operand, writes.operand + 1);
    found.push(...operands.filter((word) => !word.startsWith('/dev/')));
  }
  found.push(...writtenWords(args, writes));
  return [...new Set(found)].filter((path) => path !== '' && path !== '-');
}

/** Those of which what stands there goes, whatever it is, where the program succeeds. Absolute paths. */
export function overwrittenBy(argv: readonly string[], cwd: string): string[] {
  const writes = programInPlace(argv[0] ?? '')?.writes;
  const { overwrites } = writes ?? {};
  const args = argv.slice(1);
  if (!writes || overwrites === false) return [];
  if (overwrites?.when && !holds(overwrites.when, args)) return [];
  if (overwrites?.unless && holds(overwrites.unless, args)) return [];
  // The value of an option can look like the last word.
  const [before = '', last = ''] = args.slice(-2);
  if (
    writes.word === 'last' &&
    (last.startsWith('-') || (before.startsWith('-') && !holds(overwrites?.when, [before])))
  )
    return [];
  return outputPaths(argv, cwd);
}

/**
 * Files that it makes where nothing of their names is there, where it succeeds: those that its options name, or the one that gets
 * the last part of an address. Absolute paths.
 */
export function madeBy(argv: readonly string[], cwd: string): string[] {
  const row = programInPlace(argv[0] ?? '');
  const args = argv.slice(1);
  const { makes, ...writes } = row?.writes ?? {};
  if (!makes) return [];
  const values = valuesOf(args, writes, row);
  const named = inNamedFolder(
    args,
    writes,
    values.filter(({ option }) => makes.test(option)),
  );
  const fetched =
    row?.savesAs === 'address' && args.every((word) => isAddress(word) || tellsHow.test(word))
      ? lastParts(args).filter((name) => !/[?#]/.test(name))
      : [];
  return [...named, ...fetched]
    .filter((path) => path !== '' && path !== '-' && !path.endsWith('/'))
    .map((path) => posix.resolve(cwd, path));
}

/** Options that change nothing of where what is fetched goes. */
const tellsHow =
  /^(?:-q|-nv|-4|-6|--quiet|--no-verbose|--show-progress|--progress=\w+|--no-check-certificate|--https-only)$/;

/** The same as `outputsOf`, as absolute paths. */
export function outputPaths(argv: readonly string[], cwd: string): string[] {
  const from = gitCommandOf(argv, cwd)?.cwd ?? cwd;
  return outputsOf(argv).map((path) => posix.resolve(from, path));
}

const gitArchive = /^(?:-o|--output)$/;
const gitOutput = /^--output$/;

/** What an option of a command line names. */
interface NamedValue {
  option: string;
  value: string;
}

/** `psql -c '\\o f'`, and `\\copy t to 'f'`; not `\\o | less`, nor what a server writes. */
function statementFiles(args: readonly string[]): string[] {
  const statements = args.flatMap((word, at) => {
    if (/^(?:-c|--command)$/.test(args[at - 1] ?? '')) return [word];
    return /^--command=/.test(word) ? [word.slice(word.indexOf('=') + 1)] : [];
  });
  const files = statements.flatMap((statement) => [
    ...statement.matchAll(/^\s*\\(?:o|out|w|write|g|gx)[ \t]+(?!\|)('[^'\n]*'|[^\s;]+)/gm),
    ...statement.matchAll(/^\s*\\copy\b.*?\bto\s+(?!program\b|p?stdout\b)('[^'\n]*'|[^\s;]+)/gim),
  ]);
  return files.map(([, file = '']) => (file.startsWith("'") ? file.slice(1, -1) : file));
}

/** `aws lambda invoke --function-name f out.json` */
function thirdWord(args: readonly string[], behind: RegExp): string[] {
  const takesNext = (word: string) => /^--[^=]+$/.test(word) && !/^--(?:no-|debug$)/.test(word);
  const [first, second, third] = args.filter((word, at) => !word.startsWith('-') && !takesNext(args[at - 1] ?? ''));
  return third !== undefined && third !== 'help' && behind.test(`${first} ${second}`) ? [third] : [];
}

/** `wget -N https://a.b/c/f` writes `f` again where it is newer there. */
function newerFiles(args: readonly string[], row: Program | undefined): string[] {
  if (!args.some((word) => word === '--timestamping' || /^-[a-zA-MO-Z]*N[a-zA-Z]*$/.test(word))) return [];
  const at = args.findIndex((word) => row?.savesIn?.test(word));
  if (at < 0 && args.some((word) => row?.savesIn?.test(word.replace(/=.*|(?<=^-\w).*/s, '')))) return [];
  const folder = at < 0 ? '' : (args[at + 1] ?? '');
  return lastParts(args).map((name) => posix.join(folder, name));
}

/** `curl --output-dir d -o f` writes `d/f`. */
function inNamedFolder(args: readonly string[], { folder }: Writes, values: readonly NamedValue[]): string[] {
  const at = folder === undefined ? -1 : args.lastIndexOf(folder.named);
  const parent = at < 0 ? undefined : args[at + 1];
  return values.map(({ option, value }) =>
    parent !== undefined && folder?.of.test(option) && value !== '-' ? posix.join(parent, value) : value,
  );
}

function behindPrefix(args: readonly string[], prefix: string): string[] {
  return args.filter((word) => word.startsWith(prefix)).map((word) => word.slice(prefix.length));
}

function operandsOf(args: readonly string[], row: Program | undefined): string[] {
  return readArguments(args, new Set(row?.does?.valued?.split(' ')), row?.does?.oneDash === true).words;
}

function writtenWords(args: readonly string[], { word: which }: Writes): string[] {
  const words = args.filter((word) => !word.startsWith('-'));
  switch (which) {
    case undefined:
      return [];
    case 'all':
      return words;
    case 'first':
      return words.slice(0, 1);
    case 'second':
      return words.slice(1, 2);
    case 'second of two':
      return words.length === 2 ? words.slice(1) : [];
    case 'last':
      return words.length > 1 ? words.slice(-1) : [];
  }
}

/** `-o f`, `-of`, `--output=f`, and in a bundle: `-sSo f`, `-sSof`. */
function valuesOf(
  args: readonly string[],
  writes: Pick<Writes, 'options' | 'bundles' | 'by' | 'optionsBehind'>,
  row?: Program,
): NamedValue[] {
  const { options, bundles, by, optionsBehind } = writes;
  if (!options || (optionsBehind && !holds(optionsBehind, args))) return [];
  const valued = new Set(row?.does?.valued?.split(' '));
  const found: NamedValue[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (word === '--') break;
    const next = args[at + 1];
    const [, long, value] = /^(--?[\w-]+)=(.*)$/s.exec(word) ?? [];
    if (long !== undefined && value !== undefined && options.test(long)) found.push({ option: long, value });
    else if (options.test(word)) {
      if (next !== undefined) found.push({ option: word, value: next });
      at++;
    } else if (valued.has(word)) at++;
    else if (bundles) {
      const inBundle = bundled(word, options, valued);
      if (inBundle?.value !== '') found.push(...(inBundle ? [inBundle] : []));
      else if (args[++at] !== undefined) found.push({ ...inBundle, value: args[at] ?? '' });
    } else if (/^-[oO]./.test(word) && options.test(word.slice(0, 2)))
      found.push({ option: word.slice(0, 2), value: word.slice(2) });
  }
  return by === 'address' ? [...found, ...addressNames(args, valued)] : found;
}

/** The value in a bundle of letters, empty where it is the next word; another letter may take the rest before. */
function bundled(word: string, options: RegExp, valued: ReadonlySet<string>): NamedValue | undefined {
  const letters = /^-[a-zA-Z]/.test(word) ? [...word.slice(1)] : [];
  const at = letters.findIndex((letter) => options.test(`-${letter}`) || valued.has(`-${letter}`));
  const option = `-${letters[at] ?? ''}`;
  return at < 0 || !options.test(option) ? undefined : { option, value: letters.slice(at + 1).join('') };
}

/** `curl -O https://a.b/c/f?x` writes `f`: of one address, or where it holds for all. */
function addressNames(args: readonly string[], valued: ReadonlySet<string>): NamedValue[] {
  const isAll = args.includes('--remote-name-all');
  const isNamed = args.some((word) => {
    if (word === '--remote-name') return true;
    const letters = /^-[a-zA-Z]/.test(word) ? [...word.slice(1)] : [];
    const end = letters.findIndex((letter) => valued.has(`-${letter}`));
    return letters.slice(0, end < 0 ? letters.length : end).includes('O');
  });
  const addresses = args.filter(isAddress);
  if (!isAll && (!isNamed || addresses.length !== 1)) return [];
  return lastParts(addresses.map((address) => address.replace(/[?#].*$/s, ''))).map((value) => ({
    option: '-O',
    value,
  }));
}

function isAddress(word: string): boolean {
  return /^\w+:\/\/[^/]+\/./.test(word);
}

/** Empty ones and patterns aside. */
function lastParts(addresses: readonly string[]): string[] {
  return addresses
    .filter(isAddress)
    .map((address) => address.slice(address.lastIndexOf('/') + 1))
    .filter((name) => name !== '' && !/[[\]{}]/.test(name));
}

/** `scp host:a/b to`: `to`, or `to/b` where that is a folder. */
function copiedFrom(
  args: readonly string[],
  row: Program | undefined,
  { behind, intoFolder, onlyFar }: Writes,
): string[] {
  const valued = new Set(row?.does?.valued?.split(' '));
  const all = args.filter((word, at) => !word.startsWith('-') && !valued.has(args[at - 1] ?? ''));
  const own = behind ? [1, 2].find((count) => behind.test(all.slice(0, count).join(' '))) : 0;
  if (own === undefined) return [];
  const words = all.slice(own);
  const to = words.at(-1);
  // A pod stands behind its namespace: `ns/pod:/a`.
  const isFar = (word: string) => (behind ? /^[^:.]+:/ : /^(?:[^/]*:|scp:\/\/)/).test(word);
  const from = words.slice(0, -1);
  if (to === undefined || from.length === 0 || isFar(to) || ((behind || onlyFar) && !from.some(isFar))) return [];
  // What ends with a slash is a folder.
  const names = from
    .filter((word) => !word.endsWith('/'))
    .map((word) => posix.join(to, posix.basename(word.replace(behind ? /^[^:]*:/ : /^[^/]*:/, ''))));
  const isFolder = from.length > 1 || intoFolder?.test(all.slice(0, own).join(' ')) === true;
  return [...(isFolder ? [] : [to]), ...names];
}

/** The archive of `tar cf a.tar b`, with or without a dash; reading one writes nothing of that name. */
function tarOutput(args: readonly string[]): string[] {
  const first = args[0] ?? '';
  const letters = /^-?[a-zA-Z]+$/.test(first) ? first.replace('-', '') : '';
  const creates =
    /[cru]/.test(letters) || args.some((word) => /^(--create|--append|--update|-[a-zA-Z]*[cru][a-zA-Z]*)$/.test(word));
  if (!creates) return [];
  const attached = args.flatMap((word) => (word.startsWith('--file=') ? [word.slice(7)] : []));
  const at = args.findIndex(
    (word, index) => /^(--file|-[a-zA-Z]*f)$/.test(word) || (index === 0 && letters.includes('f') && word === first),
  );
  return [...attached, ...(at >= 0 && args[at + 1] !== undefined ? [args[at + 1] ?? ''] : [])];
}
