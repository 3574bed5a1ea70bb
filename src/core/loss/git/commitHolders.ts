import type { Recovery } from '../../facts/recovery.ts';
import { quoteWord } from '../../shell/quoteWord.ts';
import { below, folderOf } from '../bytePath.ts';
import { type CommitFile, commitFiles } from './commitFiles.ts';
import { askGit, endOf, fields, type GitRunner } from './gitPlumbing.ts';
import type { GitEffectsInput } from './gitTask.ts';

/** Commits of a repository by their ids. `isCut`: there are more, and these are all at which a name stands. */
export interface WantedCommits {
  ids: readonly string[];
  isCut: boolean;
}

/** So many repositories beside it are asked. */
const mostAsked = 20;

/** What is asked of, and about, a repository that goes. */
export interface HolderQuestion {
  input: Pick<GitEffectsInput, 'files' | 'view' | 'looker' | 'inView' | 'signal'>;
  /** Its git folder. */
  folder: string;
  /** The folder that it is for, or the same. */
  place: string;
  /** Git folders of other repositories that the action reaches into, and that are there afterwards. */
  others: readonly string[];
}

/** The files that the action writes which hold commits of this repository. */
export function filesOf({ input, folder }: HolderQuestion): Promise<CommitFile[]> {
  return commitFiles(input, { looker: input.looker, signal: input.signal }, folder);
}

/** The one file that has all of these ids in reach of its names. */
export async function fileWith(
  { input, folder }: HolderQuestion,
  files: readonly CommitFile[],
  ids: readonly string[],
): Promise<CommitFile | undefined> {
  const real = { looker: input.looker, signal: input.signal };
  for (const one of files) {
    const stdin = Buffer.from([...ids, ...[...one.heads.values()].map((id) => `^${id}`)].join('\n'));
    const script = `export GIT_DIR=.\ng rev-list --max-count=1 --stdin; ${endOf('more')}`;
    const section = (await askGit(real, folder, script, { stdin })).sections.get('more');
    if (section?.exitCode === 0 && section.text === '') return one;
  }
  return undefined;
}

/**
 * A repository in the same folder, or among `others`, whose names reach all of these commits, and still do afterwards: a clone
 * that does not borrow its objects, or its remote. One that left contents with its origin has less, and so may one whose history was cut.
 */
export async function repositoryWith(
  { input, place, others }: HolderQuestion,
  { ids, isCut }: WantedCommits,
): Promise<string | undefined> {
  if (ids.length === 0) return undefined;
  const script = `ids=$(cat); n=0
for folder in ${others.map((folder) => quoteWord(folder)).join(' ')} ./*/.git ./*/HEAD; do
folder=\${folder%/HEAD}
[ -e "$folder/HEAD" ] && [ -d "$folder/objects" ] || continue
n=$((n+1)); [ $n -le ${mostAsked} ] || break
${isCut ? '[ ! -e "$folder/shallow" ] || continue' : ''}
set -- "$folder"/objects/pack/*.promisor; [ ! -e "$1" ] || continue
more=$(printf '%s\\n' "$ids" | g --git-dir="$folder" rev-list --max-count=1 --stdin --not --all 2>/dev/null) && [ -z "$more" ] && printf '%s\\0' "\${folder#./}"
done; ${endOf('beside')}`;
  const parent = folderOf(place);
  const inView: GitRunner = { looker: input.inView, signal: input.signal };
  const answer = await askGit(inView, parent, script, { stdin: Buffer.from(ids.join('\n')) });
  const roots = fields(answer.sections.get('beside')?.text ?? '').map((name) =>
    name.startsWith('/') ? name.replace(/\/\.git$/, '') : below(parent, name.replace(/\/\.git$/, '')),
  );
  return roots.find((root) => root !== place);
}

/** Where a repository was, and what of it is still there. */
export interface LostPlace {
  place: string;
  /** It had no folder of its own around it. */
  isBare: boolean;
  /** The folder that it was for stays, with its files. */
  isFolderKept: boolean;
  /** So does its git folder, in which something is missing. */
  isBroken: boolean;
}

/** Puts what is left of a git folder aside. */
function putAside({ place, isBare, isBroken }: LostPlace): string {
  const folder = isBare ? place : below(place, '.git');
  return isBroken ? `mv ${quoteWord(folder)} ${quoteWord(`${folder}.broken`)} && ` : '';
}

/** The way back by a clone of `from`: a folder, or a remote's address. */
export function byClone(from: string, where: LostPlace): string {
  return `${putAside(where)}${cloned(from, where)}`;
}

function cloned(from: string, { place, isBare, isFolderKept }: LostPlace): string {
  const to = quoteWord(place);
  if (!isFolderKept || isBare) return `git clone ${isBare ? '--mirror ' : ''}${quoteWord(from)} ${to}`;
  // Git clones into no folder that has something in it.
  const clone = quoteWord(below(place, '.clone'));
  const moved = `mv ${quoteWord(below(place, '.clone/.git'))} ${to} && rmdir ${clone}`;
  return `git clone -n ${quoteWord(from)} ${clone} && ${moved} && git -C ${to} reset -q`;
}

/** The way back of all that some files hold together. */
export function fromFiles(
  [first, ...others]: readonly [CommitFile, ...CommitFile[]],
  where: LostPlace,
  branch: string | undefined,
): Recovery {
  const { place, isBare, isFolderKept } = where;
  const to = quoteWord(place);
  const name = branch === undefined ? '' : `-b ${quoteWord(branch)} `;
  const made = `git init -q ${isBare ? '--bare ' : ''}${name}${to}`;
  const reads = [first, ...others].map(({ file, format }) =>
    format === 'bundle'
      ? `git -C ${to} fetch -q -u ${quoteWord(file)} '+refs/*:refs/*'`
      : `git -C ${to} fast-import --quiet < ${quoteWord(file)}`,
  );
  const reset = isBare ? '' : ` && git -C ${to} reset -q${isFolderKept ? '' : ' --hard'}`;
  const command = `${putAside(where)}${made} && ${reads.join(' && ')}${reset}`;
  const together = others.length === 0 ? {} : { together: others.map(({ file }) => file) };
  return { kind: 'file', file: first.file, format: first.format, ...together, command };
}
