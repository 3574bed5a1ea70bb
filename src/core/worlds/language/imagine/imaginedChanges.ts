import path from 'node:path';
import type { Observation } from '../../../context/workspaceContext.ts';
import { quoteWord } from '../../../shell/quoteWord.ts';
import { unquotePath } from '../../../shell/unquotePath.ts';
import type { FileChange } from '../../../view/fileChange.ts';
import type { Looker } from '../../../view/view.ts';

/** A line of `git status --porcelain`: two letters and a path, relative to the root of the repository. */
interface StatusLine {
  code: string;
  path: string;
  /** `R  old -> new`: what it was called. */
  from?: string;
}

/** What differs from the last commit. */
export const statusCommand = 'git status --porcelain --untracked-files=all';

/**
 * The look that is asked for to learn what a program changed. `find` tells what `git status` cannot: ignored files, files
 * that had changes already, and everything where there is no repository.
 */
export const changesCommand = `${statusCommand}; find . -type f -mmin -1 -not -path './.git/*'`;

/** Before a program starts, what differs from the last commit: really, and by what the script has done already. */
export interface KnownChanges {
  /** Root of the repository, to which `git status` is relative; where there is none, the folder that was asked about. */
  root: string;
  /** Two letters by absolute path; that of a folder ends with `/`. */
  status: Map<string, string>;
  /** Absolute paths that the script itself has changed. */
  byScript: Set<string>;
}

/** What a program is said to have changed. Paths are absolute. */
export interface SaidChanges {
  /** Created or modified files. */
  written: string[];
  deleted: string[];
  /** Folders that are new and of which only the name is said. */
  folders: string[];
}

/** Most files whose new content is asked for, of one program or command. */
export const mostFiles = 8;
/** Most new folders of which is asked what is in them. */
const mostFolders = 3;
const limitMs = 5_000;

/**
 * Asks git about the real files, without hooks and without writing its index. `shown`: what the model has seen; it repeats
 * the lines of `git status` among it, so they are known too. Never rejects; where git cannot tell, only those are known.
 */
export async function realChanges(
  looker: Looker,
  cwd: string,
  signal: AbortSignal,
  shown: readonly Observation[],
): Promise<KnownChanges> {
  const quiet = [
    'git',
    '-c',
    'core.fsmonitor=false',
    '-c',
    'core.hooksPath=/dev/null',
    '-c',
    'core.untrackedCache=false',
  ];
  const options = { cwd, signal, limitMs, env: { GIT_OPTIONAL_LOCKS: '0' } };
  const [above, status] = await Promise.all([
    looker.look([...quiet, 'rev-parse', '--show-cdup'], options),
    looker.look([...quiet, ...statusCommand.split(' ').slice(1)], options),
  ]);
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');
  // Relative, so that a folder that is reached through a symbolic link keeps its name.
  const root = above.exitCode === 0 ? path.resolve(cwd, text(above.stdout).replace(/\n$/, '')) : cwd;
  const known: KnownChanges = { root, status: new Map(), byScript: new Set() };
  const readings = shown.flatMap(({ look, text: seen }) =>
    look.kind === 'run' && /^git\b.* status\b/.test(look.command) ? [seen] : [],
  );
  for (const said of [...readings, status.exitCode === 0 ? text(status.stdout) : '']) {
    for (const line of readStatus(said)) known.status.set(placeOf(root, line.path), line.code);
  }
  return known;
}

/** Adds what the script has changed already, of files only; git's own are none of the workspace. */
export function addScriptChanges(known: KnownChanges, changes: readonly FileChange[]): void {
  for (const one of changes) {
    if (one.type !== 'file' || one.path.includes('/.git/')) continue;
    const before = known.status.get(one.path);
    const codes = { created: '??', deleted: ' D', renamed: '??', modified: ' M', mode: ' M' } as const;
    known.status.set(one.path, one.change === 'modified' ? (before ?? ' M') : codes[one.change]);
    known.byScript.add(one.path);
    if (one.from === undefined) continue;
    known.status.set(one.from, ' D');
    known.byScript.add(one.from);
  }
}

/** What is known as `git status` would print it, at most `most` lines; `only`: of these absolute paths. */
export function statusText(known: KnownChanges, most: number, only?: ReadonlySet<string>): string {
  const places = [...known.status.keys()];
  // One reading names a folder, another the files in it.
  const isListed = (folder: string) => places.some((place) => place !== folder && place.startsWith(folder));
  const lines = [...known.status].flatMap(([place, code]) => {
    if (only && !only.has(place)) return [];
    const isFolder = place.endsWith('/');
    if (isFolder && isListed(place)) return [];
    return [`${code} ${path.relative(known.root, place)}${isFolder ? '/' : ''}\n`];
  });
  return lines.slice(0, most).join('');
}

function placeOf(root: string, name: string): string {
  return `${path.resolve(root, name)}${name.endsWith('/') ? '/' : ''}`;
}

/**
 * Reads what `changesCommand` is said to print in `cwd`, and takes away what was known before. What the script itself
 * changed a moment ago is in the model's answer too, and is not what the program did.
 */
function saidChanges(known: KnownChanges, said: string, cwd: string): SaidChanges {
  const written = new Set<string>();
  const deleted = new Set<string>();
  const folders = new Set<string>();
  const isGone = (code: string | undefined) => code?.includes('D') === true;
  for (const line of readStatus(said)) {
    const place = placeOf(known.root, line.path);
    const before = known.status.get(place);
    if (place.endsWith('/')) {
      if (before === undefined) folders.add(place.slice(0, -1));
      continue;
    }
    if (before !== undefined && isGone(before) === isGone(line.code)) continue;
    if (isGone(line.code)) deleted.add(place);
    else written.add(place);
    if (line.from !== undefined) deleted.add(path.resolve(known.root, line.from));
  }
  for (const name of said.split('\n')) {
    const place = name.startsWith('./') ? path.resolve(cwd, name.trimEnd()) : undefined;
    if (place !== undefined && !known.byScript.has(place) && !deleted.has(place)) written.add(place);
  }
  const isListed = (folder: string) => [...written].some((place) => place.startsWith(`${folder}/`));
  return {
    written: [...written],
    deleted: [...deleted],
    folders: [...folders].filter((folder) => !isListed(folder)),
  };
}

/**
 * Files that are said to have changed, where changes are taken in: in the workspace, in `cwd` and in `/tmp`, and not in
 * what git keeps. `said`: what `changesCommand` is said to print; `find` asks for the output of one more command.
 * `unlisted`: new folders of which nobody said what is in them.
 */
export async function changedFiles(
  known: KnownChanges,
  said: string,
  { cwd, workspaceFolders }: { cwd: string; workspaceFolders: readonly string[] },
  find: (title: string, command: string) => Promise<string | undefined>,
): Promise<{ written: string[]; deleted: string[]; outside: string[]; unlisted: string[] }> {
  const { written, deleted, folders } = saidChanges(known, said, cwd);
  const unlisted = folders.slice(mostFolders);
  for (const folder of folders.slice(0, mostFolders)) {
    const command = `find ${quoteWord(path.relative(cwd, folder))} -type f`;
    const listed = await find(`files in ${path.basename(folder)}`, command);
    if (listed === undefined) unlisted.push(folder);
    else written.push(...saidFiles(listed, folder, cwd));
  }
  const allowed = [...workspaceFolders, cwd, '/tmp'];
  const inside = (place: string) => isInside(place, allowed) && !/\/\.git(?:\/|$)/.test(place);
  return {
    written: [...new Set(written.filter(inside))],
    deleted: deleted.filter(inside),
    outside: [...written, ...deleted].filter((place) => !inside(place)),
    unlisted: unlisted.filter(inside),
  };
}

// The blank at the beginning of ` M name` is lost where a reply is trimmed.
const statusLine = /^(?:([ MTADRCU?!]{2})|([MTADRCU])) (.+?)\r?$/;

/** The line is one of `changesCommand`: of `git status`, of `find`, or a complaint of these. */
export function isStatus(line: string): boolean {
  return statusLine.test(line) || /^(?:\.\/.|## |(?:fatal|error|warning|hint|find|git|bash|sh): )/.test(line);
}

/** The line may be one of `find`: a path, or a complaint; a sentence is none. */
export function isListing(line: string): boolean {
  return /^(?:find|ls|bash|sh): /.test(line) || !/\S\s+\S+\s+\S+\s+\S|[:：。]$/.test(line.trim());
}

function readStatus(text: string): StatusLine[] {
  return text.split('\n').flatMap((line) => {
    const match = statusLine.exec(line);
    if (!match) return [];
    const rest = match[3] ?? '';
    const code = match[1] ?? ` ${match[2] ?? ''}`;
    const arrow = /[RC]/.test(code) ? rest.indexOf(' -> ') : -1;
    if (arrow < 0) return [{ code, path: unquotePath(rest) }];
    const from = code.includes('R') ? { from: unquotePath(rest.slice(0, arrow)) } : {};
    return [{ code, path: unquotePath(rest.slice(arrow + 4)), ...from }];
  });
}

/** Paths that `find FOLDER -type f` is said to print, absolute and inside the folder. */
function saidFiles(text: string, folder: string, cwd: string): string[] {
  const files = text.split('\n').flatMap((line) => {
    const name = line.trim();
    if (name === '' || /[\0*?]/.test(name) || /^(find|ls):/.test(name)) return [];
    const place = path.resolve(cwd, name);
    return place.startsWith(`${folder}/`) ? [place] : [];
  });
  return [...new Set(files)];
}

/** Whether a path stands in one of the folders. */
function isInside(place: string, folders: readonly string[]): boolean {
  return folders.some((folder) => place === folder || place.startsWith(folder.endsWith('/') ? folder : `${folder}/`));
}
