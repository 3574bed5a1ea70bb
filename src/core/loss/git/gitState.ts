import { isAtOrAbove } from '../../programs/targets.ts';
import { readRegularFile } from '../../view/regularFile.ts';
import { type BytePath, below, folderOf, fromBytePath, isNotText, onDisk } from '../bytePath.ts';
import type { Repository } from './findRepositories.ts';
import { entriesIn, type IndexEntry } from './gitIndex.ts';
import { askGitAlone, fields, type GitRunner, type RepositorySettings } from './gitPlumbing.ts';
import { listedEntry } from './listedIndex.ts';

/** A tracked path whose three versions (HEAD, index, working tree) are not all the same. */
export interface ChangedFile {
  /** Object id in HEAD; all zeros when HEAD does not have it. */
  headId: string;
  indexId: string;
  /** The working tree differs from the index. */
  dirty: boolean;
}

/** How some paths of a repository stand, from one look. Paths are relative to the top, as bytes. */
export interface GitState {
  /** Commit of HEAD; absent before the first commit. */
  head?: string;
  /** HEAD is known to be on its upstream, which is a remote's branch of this name. */
  pushedTo?: string;
  /** How the index has a path. */
  tracked(path: BytePath): IndexEntry | undefined;
  changed: Map<BytePath, ChangedFile>;
  untracked: Set<BytePath>;
  /** Finds nothing when a path is neither ignored nor below an ignored folder. */
  isIgnored(path: BytePath): boolean;
  /** Why nothing is known; the rest is empty then. */
  failure?: string;
}

/** So many paths are named to git; it compares each of its files with each of them. */
const namedPaths = 48;

/** Of more than this everything is asked about: looking for common folders would take longer. */
const manyPaths = 12_000;

/**
 * Arguments that name some paths (absolute; at, below or above `root`) to git: the paths, or where they are too many or not UTF-8
 * the folders around them. None at all means everything.
 */
export function pathArguments(root: string, paths: ReadonlySet<string>): string[] {
  if (paths.size > manyPaths) return [];
  let named = new Set([...paths].map((path) => (isNotText(path) ? textFolder(path) : path)));
  while (named.size > namedPaths && !named.has(root)) {
    const deepest = Math.max(...[...named].map(depthOf));
    named = new Set([...named].map((path) => (depthOf(path) === deepest ? folderOf(path) : path)));
  }
  // A folder that goes with the whole repository stands above it.
  if ([...named].some((path) => isAtOrAbove(path, root))) return [];
  return [...named].map((path) => path.slice(root === '/' ? 1 : root.length + 1));
}

function textFolder(path: string): string {
  let folder = folderOf(path);
  while (isNotText(folder)) folder = folderOf(folder);
  return folder;
}

function depthOf(path: string): number {
  return path.split('/').length;
}

/**
 * `--ignored=matching` names an ignored folder once instead of each file in it; `--untracked-files=all` does the opposite
 * for folders that are only untracked, because the files in them are somebody's work.
 */
const statusWords =
  'status --porcelain=v2 -z --branch --untracked-files=all --ignored=matching --no-renames --ignore-submodules=all'.split(
    ' ',
  );

/** Of a larger index git tells what was asked about alone. */
const mostIndexBytes = 256 * 1024;

/** Asks git how the given paths stand: two looks at once, or one where the index is small and says the rest. */
export async function gitState(
  runner: GitRunner,
  repository: Repository,
  settings: RepositorySettings,
  paths: ReadonlySet<string>,
): Promise<GitState> {
  const places = ['--', ...pathArguments(repository.root, paths)];
  const ask = (words: string[]) => askGitAlone(runner, repository.root, [...words, ...places], settings.filtersOff);
  const asking = ask(statusWords);
  const bytes = readRegularFile(onDisk(below(repository.gitFolder, 'index')), mostIndexBytes);
  const index = bytes && entriesIn(bytes);
  const [status, files] = await Promise.all([asking, index ? undefined : ask(['ls-files', '-s', '-v', '-z'])]);
  const failure = status.failure ?? files?.failure;
  const state: GitState = {
    tracked: () => undefined,
    changed: new Map(),
    untracked: new Set(),
    isIgnored: () => false,
  };
  if (failure !== undefined) return { ...state, failure };
  readStatus(status.sections.get('git')?.text ?? '', settings, state);
  state.tracked = index ? (path) => index.get(path) : trackedFiles(files?.sections.get('git')?.text ?? '');
  return state;
}

// Fields of git-status(1), "Porcelain Format Version 2", and where the path begins: after so many spaces.
const spacesBeforePath: Record<string, number> = { '1': 8, u: 10, '?': 1, '!': 1 };

function readStatus(text: string, settings: RepositorySettings, state: GitState): void {
  const ignoredFiles = new Set<BytePath>();
  const ignoredFolders = new Set<BytePath>();
  const headers: string[] = [];
  for (const record of fields(text)) {
    const kind = record.charAt(0);
    const spaces = spacesBeforePath[kind];
    if (spaces === undefined) {
      headers.push(record);
      continue;
    }
    const [words, path] = splitAtSpace(record, spaces);
    if (kind === '?') state.untracked.add(path);
    else if (kind === '!' && path.endsWith('/')) ignoredFolders.add(path.slice(0, -1));
    else if (kind === '!') ignoredFiles.add(path);
    else if (kind === '1') state.changed.set(path, changedFile(words));
    else state.changed.set(path, { headId: words[7] ?? '', indexId: words[8] ?? '', dirty: true });
  }
  state.isIgnored = (path) => ignoredFiles.has(path) || isBelow(path, ignoredFolders);
  readHeaders(headers, settings, state);
}

function splitAtSpace(record: string, spaces: number): [string[], string] {
  let end = 0;
  const words: string[] = [];
  for (let i = 0; i < spaces; i++) {
    const next = record.indexOf(' ', end);
    words.push(record.slice(end, next));
    end = next + 1;
  }
  return [words, record.slice(end)];
}

function changedFile(words: readonly string[]): ChangedFile {
  return { headId: words[6] ?? '', indexId: words[7] ?? '', dirty: words[1]?.[1] !== '.' };
}

function isBelow(path: BytePath, folders: ReadonlySet<BytePath>): boolean {
  if (folders.size === 0) return false;
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    if (folders.has(path.slice(0, end))) return true;
  }
  return false;
}

function readHeaders(headers: readonly string[], settings: RepositorySettings, state: GitState): void {
  const value = (name: string) =>
    headers.find((header) => header.startsWith(`# branch.${name} `))?.slice(`# branch.${name} `.length);
  const head = value('oid');
  if (head !== undefined && head !== '(initial)') state.head = head;
  const upstream = value('upstream');
  if (upstream === undefined || !value('ab')?.startsWith('+0 ')) return;
  // An upstream can be a local branch too; only a remote's branch keeps the commits when this repository is gone.
  for (const remote of settings.remotes.keys()) {
    if (upstream.startsWith(`${remote}/`)) state.pushedTo = fromBytePath(upstream);
  }
}

function trackedFiles(text: string): GitState['tracked'] {
  // Read when it is asked for: of 50,000 files often only one is.
  const records = new Map<BytePath, string>();
  for (const record of fields(text)) records.set(record.slice(record.indexOf('\t') + 1), record);
  return (path) => {
    const record = records.get(path);
    if (record === undefined) return undefined;
    const { id, tag } = listedEntry(record);
    return { id, unwatched: tag === 'S' || tag !== tag.toUpperCase() };
  };
}
