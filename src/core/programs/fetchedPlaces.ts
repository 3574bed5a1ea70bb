import { gitCommandOf } from './gitCommand.ts';
import type { Doing } from './program.ts';
import { holds, programOf } from './programOf.ts';
import { type ReadArguments, readArguments } from './programPattern.ts';
import { type Place, resolveTarget } from './targets.ts';

/** The arguments of a call, with the values of the options that its row names. */
export function argumentsOf(argv: readonly string[], valued = programOf(argv[0] ?? '')?.does?.valued): ReadArguments {
  const doing: Doing | undefined = programOf(argv[0] ?? '')?.does;
  return readArguments(argv.slice(1), new Set(valued?.split(' ')), doing?.oneDash === true);
}

/**
 * The folder that a call brings from another machine (`git clone https://…/x`), as an absolute path; one whose name only the shell
 * knows stays as it is written. `undefined`: it brings none, or one without files.
 */
export function clonedFolder(argv: readonly string[], around: Place): string | undefined {
  const clones = programOf(argv[0] ?? '')?.clones;
  if (!clones) return undefined;
  const git = gitCommandOf(argv, around.cwd);
  const own = git ? ['git', git.command, ...git.words] : argv;
  const end = own.indexOf('--');
  // `gh repo clone a/x -- --depth 1`: what stands behind is for git.
  const read = argumentsOf(git || end < 0 ? own : own.slice(0, end), clones.valued);
  if (read.options.some(({ name }) => clones.unless?.test(name))) return undefined;
  const at = [2, 1].find((count) => clones.by.test(read.words.slice(0, count).join(' ')));
  if (at === undefined) return undefined;
  const [address = '', name = lastPart(address)] = read.words.slice(at);
  if (address === '' || name === '' || (clones.far && !clones.far.test(address))) return undefined;
  return resolveTarget(name, { ...around, cwd: git?.cwd ?? around.cwd });
}

/** Where a call unpacks an archive: what its option names, or where it is. `undefined`: it does not. */
export function unpackedInto(argv: readonly string[], around: Place): { folder: string; isNamed: boolean } | undefined {
  const unpacks = programOf(argv[0] ?? '')?.unpacks;
  const args = argv.slice(1);
  if (!unpacks?.when.test(args.join(' '))) return undefined;
  const { options } = argumentsOf(argv);
  // `7z x a.7z -ox`
  const attached = args.find((word) => word.length > 2 && unpacks.into?.test(word.slice(0, 2)));
  const named = options.findLast(({ name }) => unpacks.into?.test(name))?.value ?? attached?.slice(2);
  return { folder: resolveTarget(named ?? '.', around), isNamed: named !== undefined };
}

/** The name that git gives a folder of an address: its last part, without `.git`. */
function lastPart(address: string): string {
  return (
    address
      .replace(/\/+$/, '')
      .replace(/\.git$/, '')
      .split(/[/:]/)
      .at(-1) ?? ''
  );
}

/** Whether a call fetches from another machine. */
export function fetches({ argv: [name = '', ...words] }: { argv: readonly string[] }): boolean {
  return holds(programOf(name)?.fetches, words);
}
