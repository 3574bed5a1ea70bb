import type { Writes } from './program.ts';
import { holds, programOf } from './programOf.ts';

/**
 * Files that a program writes, or links that it puts in their place, as far as its arguments tell. What stands there before
 * is lost then, whoever writes it.
 */
export function outputsOf(argv: readonly string[]): string[] {
  const writes = programOf(argv[0] ?? '')?.writes;
  const args = argv.slice(1);
  if (!writes || (writes.when && !holds(writes.when, args)) || holds(writes.unless, args)) return [];
  const found = valuesOf(args, writes);
  if (writes.prefix !== undefined) found.push(...behindPrefix(args, writes.prefix));
  if (writes.by === 'tar') found.push(...tarOutput(args));
  if (writes.by === 'git') found.push(...valuesOf(args, args.includes('archive') ? gitArchive : gitOutput));
  found.push(...writtenWords(args, writes));
  return [...new Set(found)].filter((path) => path !== '' && path !== '-');
}

const gitArchive: Writes = { options: /^(?:-o|--output)$/ };
const gitOutput: Writes = { options: /^--output$/ };

function behindPrefix(args: readonly string[], prefix: string): string[] {
  return args.filter((word) => word.startsWith(prefix)).map((word) => word.slice(prefix.length));
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

/** `-o f`, `-of`, `--output=f`, and the last letter of a bundle: `-sSo f`. */
function valuesOf(args: readonly string[], { options, bundles }: Writes): string[] {
  if (!options) return [];
  return args.flatMap((word, index) => {
    const [, long, value] = /^(--?[\w-]+)=(.*)$/s.exec(word) ?? [];
    if (long !== undefined && value !== undefined && options.test(long)) return [value];
    if (options.test(word)) return args[index + 1] === undefined ? [] : [args[index + 1] ?? ''];
    if (bundles && /^-[a-zA-Z]{2,6}$/.test(word) && options.test(`-${word.at(-1)}`))
      return args[index + 1] === undefined ? [] : [args[index + 1] ?? ''];
    return /^-[oO]./.test(word) && !word.startsWith('--') && options.test(word.slice(0, 2)) ? [word.slice(2)] : [];
  });
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
