import type { Looker } from '../../view/view.ts';
import { type BytePath, fromBytePath } from '../bytePath.ts';
import type { Destroyed } from '../destroyed.ts';
import { maxTextBytes } from '../textLines.ts';
import { absentObjects } from './absentObjects.ts';
import type { Repository } from './findRepositories.ts';
import { askGit, endOf, fields, type GitRunner } from './gitPlumbing.ts';
import { pathArguments } from './gitState.ts';
import type { RepositoryTask } from './repositoryTask.ts';

/** A commit that a remote has, and a branch of it there. */
export interface PushedCommit {
  /** Absent: HEAD. */
  commit?: string;
  branch: string;
}

/** What is on a remote: the commit there that has the same content at this path. */
export type Pushed = (path: BytePath) => PushedCommit | undefined;

/**
 * Which paths of HEAD a remote has, as of the last fetch. A path is pushed when some commit that a remote has (the
 * youngest ones below HEAD) has the same content there: that compares two trees instead of walking through commits.
 */
export async function unpushedPaths(runner: GitRunner, task: RepositoryTask): Promise<Pushed> {
  const script = `on() { g for-each-ref --count=1 --contains "$1" '--format=%(refname:short)' refs/remotes; }
[ -n "$(g for-each-ref --count=1 refs/remotes)" ] || exit 0
ours=$(g rev-list --boundary HEAD --not --remotes)
[ -n "$ours" ] || { on HEAD; ${endOf('all')}; exit 0; }
for commit in $(printf '%s\\n' "$ours" | sed -n 's/^-//p' | head -n 4); do
printf '%s\\n' "$commit"; on "$commit"; ${endOf('on$suffix')}
g diff-tree -r -z --name-only --no-renames --ignore-submodules "$commit" HEAD -- "$@"; ${endOf('differ$suffix')}
suffix=\${suffix}x
done`;
  const { sections, failure } = await askGit(runner, task.repository.root, script, {
    arguments: pathArguments(task.repository.root, task.topmost),
  });
  if (failure !== undefined) return () => undefined;
  const all = sections.get('all')?.text.trim();
  if (all) return () => ({ branch: all });
  const commits = [...sections].flatMap(([name, { text }]) => {
    const [commit, branch] = name.startsWith('on') ? text.split('\n') : [];
    const differing = sections.get(name.replace('on', 'differ'));
    return commit && branch && differing ? [{ commit, branch, differing: new Set(fields(differing.text)) }] : [];
  });
  return (path) => commits.find(({ differing }) => !differing.has(path));
}

interface Sources {
  runner: GitRunner;
  inView: Looker | undefined;
}

/**
 * Which of these objects git still has after the action: it has them now, or the action adds them (`git stash`, `git
 * commit`); where the action removes objects, the view is asked.
 */
export async function existingObjects(
  sources: Sources,
  task: RepositoryTask,
  ids: readonly string[],
): Promise<Set<string>> {
  const unique = [...new Set(ids)];
  const added = unique.filter((id) => task.storage.addedIds.has(id));
  const unknown = unique.filter((id) => !task.storage.addedIds.has(id));
  const absent = task.storage.removesObjects ? undefined : absentObjects(task.repository.commonFolder, unknown);
  const asked = unknown.filter((id) => !absent?.has(id));
  if (asked.length === 0) return new Set(added);
  const looker = task.storage.removesObjects && sources.inView ? sources.inView : sources.runner.looker;
  const cwd = task.storage.removesObjects && sources.inView ? task.repository.commonFolder : task.repository.root;
  const script = `g cat-file --batch-check --buffer; ${endOf('objects')}`;
  const stdin = Buffer.from(asked.map((id) => `${id}\n`).join(''), 'latin1');
  const answer = await askGit({ ...sources.runner, looker }, cwd, script, { stdin });
  const found = new Set(added);
  if (task.storage.removesObjects && !sources.inView) return found;
  for (const line of (answer.sections.get('objects')?.text ?? '').split('\n')) {
    const [id, type] = line.split(' ');
    if (id !== undefined && type === 'blob') found.add(id);
  }
  return found;
}

/** Contents of some blobs by id; those above 2 MiB and those that are missing are left out. */
export async function versions(
  runner: GitRunner,
  repository: Repository,
  ids: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const unique = [...new Set(ids)].filter((id) => id !== '');
  const contents = new Map<string, Uint8Array>();
  for (let at = 0; at < unique.length; at += 256) {
    const stdin = Buffer.from(
      unique
        .slice(at, at + 256)
        .map((id) => `${id}\n`)
        .join(''),
      'latin1',
    );
    const answer = await askGit(runner, repository.root, `g cat-file --batch --buffer; ${endOf('contents')}`, {
      stdin,
    });
    readContents(answer.sections.get('contents')?.text ?? '', contents);
  }
  return contents;
}

function readContents(text: string, contents: Map<string, Uint8Array>): void {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    if (end < 0) return;
    const [id, type, size] = text.slice(at, end).split(' ');
    at = end + 1;
    if (size === undefined || id === undefined) continue;
    const length = Number(size);
    if (type === 'blob' && length <= maxTextBytes) contents.set(id, Buffer.from(text.slice(at, at + length), 'latin1'));
    at += length + 1;
  }
}

/** Files are hashed by git up to this size in all: 256 MiB, about half a second. */
const maxHashedBytes = 256 * 1024 * 1024;

/** Object ids of files that are too large to be read here, by relative path. */
export async function largeBlobIds(
  runner: GitRunner,
  repository: Repository,
  files: readonly { item: Destroyed; path: BytePath }[],
): Promise<Map<BytePath, string>> {
  let left = maxHashedBytes;
  const chosen = files.filter(({ item, path }) => {
    if (path.includes('\n') || item.sizeBytes > left) return false;
    left -= item.sizeBytes;
    return true;
  });
  if (chosen.length === 0) return new Map();
  const stdin = Buffer.from(chosen.map(({ path }) => `${quoted(path)}\n`).join(''), 'latin1');
  const script = `g hash-object --no-filters --stdin-paths; ${endOf('ids')}`;
  const answer = await askGit(runner, repository.root, script, { stdin });
  const section = answer.sections.get('ids');
  const ids = (section?.text ?? '').split('\n');
  // One unreadable file ends the listing; what came before it is in order.
  return new Map(chosen.flatMap(({ path }, index) => (ids[index] ? [[path, ids[index]] as const] : [])));
}

/** git reads a line that begins with a quote as a C string; no other name needs quoting. */
function quoted(path: BytePath): string {
  return path.startsWith('"') ? `"${path.replace(/[\\"]/g, '\\$&')}"` : path;
}

/** So many paths are looked for in stashes and branches by name. */
const namedHolders = 32;

/** Where some blobs are kept under their own path: a phrase such as `stash@{0}` or `branch topic`, by path. */
export async function blobHolders(
  sources: Sources,
  task: RepositoryTask,
  blobs: readonly { path: BytePath; id: string }[],
): Promise<Map<BytePath, string>> {
  const holders = new Map<BytePath, string>();
  const named = blobs.filter((blob) => !blob.path.includes('\n')).slice(0, namedHolders);
  const looker = sources.inView ?? sources.runner.looker;
  const script = `{ g log -g -n 20 --format=%gd refs/stash -- 2>/dev/null
g for-each-ref --count=40 --sort=-committerdate '--format=%(refname)' refs/heads refs/tags refs/remotes; }; ${endOf('names')}`;
  const cwd = task.storage.destroyed || sources.inView ? task.repository.commonFolder : task.repository.root;
  const names = await askGit({ ...sources.runner, looker }, cwd, script);
  const refs = (names.sections.get('names')?.text ?? '').split('\n').filter((name) => name !== '');
  // The third parent of a stash holds its untracked files.
  const places = refs.flatMap((ref) => (isStash(ref) ? [ref, `${ref}^2`, `${ref}^3`] : [ref]));
  const questions = named.flatMap((blob) => places.map((place) => ({ blob, place })));
  if (questions.length === 0) return holders;
  const stdin = Buffer.from(questions.map(({ blob, place }) => `${place}:${blob.path}\n`).join(''), 'latin1');
  const check = await askGit(
    { ...sources.runner, looker },
    cwd,
    `g cat-file --batch-check --buffer; ${endOf('found')}`,
    {
      stdin,
    },
  );
  const lines = (check.sections.get('found')?.text ?? '').split('\n');
  questions.forEach(({ blob, place }, index) => {
    if (lines[index]?.startsWith(`${blob.id} `) && !holders.has(blob.path)) holders.set(blob.path, phrase(place));
  });
  return holders;
}

/** So many contents are looked for in HEAD under other paths. */
const mostElsewhere = 64;

/** Which of these blobs HEAD has under any path afterwards, as a phrase such as `HEAD, as src/a.txt`, by id: those no gc takes away. */
export async function headHolders(
  { runner, inView }: Sources,
  { repository, storage }: RepositoryTask,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids)].slice(0, mostElsewhere);
  const holders = new Map<string, string>();
  // A linked worktree has a HEAD of its own.
  const isOwnHead = repository.gitFolder === repository.commonFolder;
  if (wanted.length === 0 || inView === undefined || storage.destroyed || !isOwnHead) return holders;
  const script = `{ g ls-tree -r -z HEAD | grep -zF "$@"; }; ${endOf('tree')}`;
  const answer = await askGit({ ...runner, looker: inView }, repository.commonFolder, script, {
    arguments: wanted.flatMap((id) => ['-e', id]),
  });
  for (const entry of fields(answer.sections.get('tree')?.text ?? '')) {
    const id = entry.slice(0, entry.indexOf('\t')).split(' ')[2];
    if (id === undefined || !wanted.includes(id) || holders.has(id)) continue;
    holders.set(id, `HEAD, as ${fromBytePath(entry.slice(entry.indexOf('\t') + 1))}`);
  }
  return holders;
}

function isStash(ref: string): boolean {
  return ref.includes('stash@{');
}

function phrase(place: string): string {
  if (isStash(place)) return place.replace(/^refs\//, '').replace(/\^\d$/, '');
  const name = fromBytePath(place);
  return name
    .replace(/^refs\/heads\//, 'branch ')
    .replace(/^refs\/tags\//, 'tag ')
    .replace(/^refs\/remotes\//, 'remote branch ');
}
