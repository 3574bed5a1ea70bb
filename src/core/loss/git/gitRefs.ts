import { fromBytePath } from '../bytePath.ts';
import { askGit, endOf, fields, type GitAnswer, type GitRunner } from './gitPlumbing.ts';

/** Where the names of a repository point, at one moment. */
export interface RefSnapshot {
  /** Object id by full name (`refs/heads/main`); `refs/stash` is not among them. */
  refs: Map<string, string>;
  /** Full name of the branch that HEAD follows; absent when it is detached. */
  branch?: string;
  /** Commit of HEAD; absent before the first one. */
  head?: string;
  /** Stash entries, newest first. */
  stashes: { id: string; message: string }[];
  /** Where `refs/stash` stands, also where its log, which has the entries, was emptied. */
  stashTip?: string;
  /** Staged differences to HEAD by path, as bytes; before the first commit everything in the index. */
  staged: Map<string, StagedVersion>;
  /** Paths with conflicts. */
  conflicts: number;
  failure?: string;
}

/** A path of the index that HEAD has differently. Ids of zeros where one of them does not have it. */
export interface StagedVersion {
  id: string;
  /** As git writes it: `100644`. */
  mode: string;
  headId: string;
}

/** What a `log` line of a commit says. */
export interface CommitLine {
  id: string;
  subject: string;
}

/** Every script here runs in the git folder itself: it needs no working tree, and git does not judge its owner. */
const here = 'export GIT_DIR=.\n';

/** Reads the names of a repository. `withIndex`: also what is staged (two more processes). */
export async function refSnapshot(runner: GitRunner, folder: string, withIndex: boolean): Promise<RefSnapshot> {
  const index = `base=$(g rev-parse -q --verify HEAD || g hash-object -t tree /dev/null)
{ g diff-index --cached --raw -z --no-renames --no-abbrev --ignore-submodules "$base" -- 2>/dev/null || true; }; ${endOf('staged')}
{ g ls-files -u -z || true; }; ${endOf('unmerged')}`;
  const script = `${here}g for-each-ref '--format=%(refname)%00%(objectname)'; ${endOf('refs')}
{ g symbolic-ref -q HEAD || true; }; ${endOf('branch')}
{ g rev-parse -q --verify HEAD || true; }; ${endOf('head')}
{ [ -e logs/refs/stash ] && g log -g -z '--format=%H %gs' refs/stash -- 2>/dev/null || true; }; ${endOf('stash')}
${withIndex ? index : ''}`;
  const answer = await askGit(runner, folder, script);
  const snapshot: RefSnapshot = { refs: new Map(), stashes: [], staged: new Map(), conflicts: 0 };
  if (answer.failure !== undefined) return { ...snapshot, failure: answer.failure };
  const text = (name: string) => answer.sections.get(name)?.text ?? '';
  for (const line of text('refs').split('\n')) {
    const [name, id] = line.split('\0');
    if (!name || !id) continue;
    if (name === 'refs/stash') snapshot.stashTip = id;
    else snapshot.refs.set(fromBytePath(name), id);
  }
  const branch = text('branch').trim();
  if (branch) snapshot.branch = fromBytePath(branch);
  const head = text('head').trim();
  if (head) snapshot.head = head;
  snapshot.stashes = fields(text('stash')).map((record) => {
    const line = record.replace(/^\n/, '');
    return { id: line.slice(0, line.indexOf(' ')), message: fromBytePath(line.slice(line.indexOf(' ') + 1)) };
  });
  readStaged(text('staged'), snapshot.staged);
  snapshot.conflicts = new Set(fields(text('unmerged')).map((record) => record.slice(record.indexOf('\t') + 1))).size;
  return snapshot;
}

// ":100644 100644 <id> <id> M" NUL path NUL; U is a conflict, which is counted by itself.
function readStaged(text: string, staged: RefSnapshot['staged']): void {
  const parts = fields(text);
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const [, mode = '', headId = '', id = '', status] = (parts[i] ?? '').split(' ');
    if (status !== 'U') staged.set(parts[i + 1] ?? '', { id, mode, headId });
  }
}

/** A name that points elsewhere afterwards. `from` or `to` is absent where it is created or deleted. */
export interface RefMove {
  name: string;
  from?: string;
  to?: string;
  /** It was a detached HEAD, and follows a branch afterwards. */
  followsBranch?: true;
}

/** What a moved or deleted name means for commits. Lists are cut at `maxListed`. */
export interface MoveMeaning {
  added: CommitLine[];
  /** No longer reachable from this name. */
  dropped: CommitLine[];
  /** No longer reachable from any name. */
  lost: CommitLine[];
  /** Of the lost ones, so many are not in a reflog either. */
  unlogged: number;
  /** The old commit does not exist any more after the action. */
  pruned: boolean;
}

/** Lists of commits end here; a count of this size means "or more". */
export const maxListed = 1000;

/**
 * Asks the view what some moves mean: one look. `moves` should be few (the caller groups many). What a new name adds is
 * counted from `base`, the commit of HEAD before.
 */
export async function moveMeanings(
  inView: GitRunner,
  folder: string,
  moves: readonly RefMove[],
  base: string | undefined,
): Promise<Map<string, MoveMeaning>> {
  const list = `g rev-list --max-count=${maxListed} --pretty=tformat:%s`;
  const script = `${here}i=0
while [ $# -gt 0 ]; do
old=$1; new=$2; base=$3; shift 3; i=$((i+1))
if [ "$new" != - ] && [ "$base" != - ]; then ${list} "$new" --not "$base"; ${endOf('added$i')}; fi
if [ "$old" != - ]; then
if [ "$new" != - ]; then ${list} "$old" --not "$new"; ${endOf('dropped$i')}; fi
${list} "$old" --not --all; ${endOf('lost$i')}
g rev-list --count "$old" --not --all --reflog; ${endOf('unlogged$i')}
fi
done`;
  const args = moves.flatMap((move) => [move.from ?? '-', move.to ?? '-', move.from ?? base ?? '-']);
  const answer = await askGit(inView, folder, script, { arguments: args });
  const meanings = new Map<string, MoveMeaning>();
  moves.forEach((move, index) => {
    const i = index + 1;
    meanings.set(move.name, {
      added: commitLines(answer, `added${i}`),
      dropped: commitLines(answer, `dropped${i}`),
      lost: commitLines(answer, `lost${i}`),
      unlogged: Number(answer.sections.get(`unlogged${i}`)?.text.trim() || 0),
      pruned: move.from !== undefined && (answer.sections.get(`lost${i}`)?.exitCode ?? 0) >= 128,
    });
  });
  return meanings;
}

/** Commits that `from` had and that none of `kept` has, asked of the real repository (the view has lost them). */
export async function commitsNotIn(
  runner: GitRunner,
  folder: string,
  from: readonly string[],
  kept: readonly string[],
): Promise<CommitLine[]> {
  const script = `${here}g rev-list --max-count=${maxListed} --pretty=tformat:%s --ignore-missing --stdin; ${endOf('lost')}`;
  const stdin = Buffer.from(`${[...from, ...kept.map((id) => `^${id}`)].join('\n')}\n`);
  return commitLines(await askGit(runner, folder, script, { stdin }), 'lost');
}

/** Which of some commits a name of this repository reaches. */
export async function reachedCommits(runner: GitRunner, folder: string, ids: readonly string[]): Promise<Set<string>> {
  // A name that is missing would be an error, and one that is skipped would look reached.
  const script = `${here}set -- objects/pack/*.promisor; [ ! -e "$1" ] || exit 0
wanted=$(cat)
there=$(printf '%s\n' "$wanted" | g cat-file --batch-check --buffer | sed -n 's/ commit .*//p')
printf '%s\n' "$there"; ${endOf('there')}
printf '%s\n' "$there" | g rev-list --stdin --not --all; ${endOf('unreached')}`;
  const answer = await askGit(runner, folder, script, { stdin: Buffer.from(ids.map((id) => `${id}\n`).join('')) });
  const lines = (name: string) => (answer.sections.get(name)?.text ?? '').split('\n').filter((id) => id !== '');
  if (answer.sections.get('unreached')?.exitCode !== 0) return new Set();
  const unreached = new Set(lines('unreached'));
  return new Set(lines('there').filter((id) => !unreached.has(id)));
}

/** Commits that only reflogs keep; those of the given stash entries, which live in a reflog by design, do not count. */
export async function onlyLogged(
  runner: GitRunner,
  folder: string,
  stashes: readonly { id: string }[],
): Promise<CommitLine[]> {
  const list = `g rev-list --max-count=${maxListed} --pretty=tformat:%s --ignore-missing`;
  const script = `${here}${list} --reflog --not --all "$@"; ${endOf('logged')}`;
  const ids = stashes.slice(0, 200).map((stash) => stash.id);
  return commitLines(await askGit(runner, folder, script, { arguments: ids }), 'logged');
}

/** Reads what `rev-list --pretty=tformat:%s` printed in a section: a line `commit <id>`, then the subject. */
export function commitLines(answer: GitAnswer, section: string): CommitLine[] {
  const lines = (answer.sections.get(section)?.text ?? '').split('\n');
  const commits: CommitLine[] = [];
  for (let i = 0; i + 1 < lines.length; i += 2) {
    const id = /^commit ([0-9a-f]+)$/.exec(lines[i] ?? '')?.[1];
    if (id !== undefined) commits.push({ id, subject: fromBytePath(lines[i + 1] ?? '') });
  }
  return commits;
}

/** Types of objects by id; those that git does not have are left out. */
export async function objectTypes(
  runner: GitRunner,
  folder: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const types = new Map<string, string>();
  if (ids.length === 0) return types;
  const stdin = Buffer.from(ids.map((id) => `${id}\n`).join(''), 'latin1');
  const answer = await askGit(runner, folder, `${here}g cat-file --batch-check --buffer; ${endOf('types')}`, { stdin });
  for (const line of (answer.sections.get('types')?.text ?? '').split('\n')) {
    const [id, type] = line.split(' ');
    if (id && type && type !== 'missing') types.set(id, type);
  }
  return types;
}

/** How many of some commits are of the last two weeks: so long git keeps what nothing reaches (`gc.pruneExpire`). */
export async function recentCommits(runner: GitRunner, folder: string, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const stdin = Buffer.from(ids.map((id) => `${id}\n`).join(''), 'latin1');
  const script = `${here}g rev-list --no-walk=unsorted --since=2.weeks --ignore-missing --count --stdin; ${endOf('recent')}`;
  const answer = await askGit(runner, folder, script, { stdin });
  return Number(answer.sections.get('recent')?.text.trim() || 0);
}

/** Ids of all objects in some packs of the real repository. `names` are relative to the git folder (`objects/pack/…idx`). */
export async function packedIds(runner: GitRunner, folder: string, names: readonly string[]): Promise<string[]> {
  const script = `${here}for index in "$@"; do g show-index < "$index"; done; ${endOf('ids')}`;
  const answer = await askGit(runner, folder, script, { arguments: names });
  return (answer.sections.get('ids')?.text ?? '').split('\n').flatMap((line) => line.split(' ')[1] ?? []);
}

/** A path (bytes) that a stash entry changes. Ids of zeros where there is no version. */
export interface StashedPath {
  path: string;
  /** As git writes it: `100644`; zeros where the entry deletes it. */
  mode: string;
  id: string;
  /** What it was changed from. */
  baseId: string;
}

/** What a stash entry holds: changed paths, and the untracked ones of its third parent. */
export async function stashedPaths(runner: GitRunner, folder: string, id: string): Promise<StashedPath[]> {
  const list = 'g diff-tree -r -z --raw --no-renames --no-abbrev --ignore-submodules';
  const script = `${here}${list} "$1^1" "$1"; ${endOf('changed')}
{ ${list} --root --no-commit-id "$1^3" 2>/dev/null || true; }; ${endOf('untracked')}`;
  const answer = await askGit(runner, folder, script, { arguments: [id] });
  return ['changed', 'untracked'].flatMap((name) => {
    const parts = fields(answer.sections.get(name)?.text ?? '');
    return parts.flatMap((path, at) => {
      const [, mode, baseId, newId] = at % 2 === 0 ? [] : (parts[at - 1] ?? '').split(' ');
      return mode && baseId && newId ? [{ path, mode, id: newId, baseId }] : [];
    });
  });
}

/** Paths (bytes) that a commit changes since it left the history of `HEAD`, and those in which it differs from `HEAD` now. */
export async function changedPaths(
  runner: GitRunner,
  folder: string,
  commit: string,
  head: string,
): Promise<{ changed: string[]; different: string[] } | undefined> {
  const list = 'g diff-tree -r -z --name-only --no-renames --ignore-submodules';
  const script = `${here}base=$(g merge-base "$2" "$1") && ${list} "$base" "$1"; ${endOf('changed')}
${list} "$2" "$1"; ${endOf('different')}`;
  const answer = await askGit(runner, folder, script, { arguments: [commit, head] });
  const parts = [answer.sections.get('changed'), answer.sections.get('different')] as const;
  if (answer.failure !== undefined || parts.some((part) => part?.exitCode !== 0)) return undefined;
  return { changed: fields(parts[0]?.text ?? ''), different: fields(parts[1]?.text ?? '') };
}
