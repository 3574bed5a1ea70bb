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

/** Folders that tools fill for themselves: their files are counted, and neither named nor shown. */
const countedFolders = [
  ...[
    'node_modules',
    'bower_components',
    '.venv',
    'venv',
    '__pycache__',
    '.pytest_cache',
    '.mypy_cache',
    '.ruff_cache',
  ],
  ...['.tox', '.cache', '.parcel-cache', '.turbo', '.next', '.gradle', '.terraform'],
];
const countedName = countedFolders.map((name) => name.replace('.', '\\.')).join('|');
const countedFolder = new RegExp(`^((?:.*?/)?(?:${countedName}))(?:/|$)`);

/**
 * The look that is asked for to learn what a program changed. `find` tells what `git status` cannot: ignored files, files
 * that had changes already, and everything where there is no repository. Of folders that tools fill for themselves it tells how
 * many files are in them.
 */
export const changesCommand = [
  `${statusCommand}; find . -type f -mmin -1 -not -path './.git/*'`,
  `sed -E 's#/(${countedName})/.*#/\\1/#'`,
  'sort',
  'uniq -c',
].join(' | ');

/** Before a program starts, what differs from the last commit: really, and by what the script has done already. */
export interface KnownChanges {
  /** Root of the repository, to which `git status` is relative; where there is none, the folder that was asked about. */
  root: string;
  /** Two letters by absolute path; that of a folder ends with `/`. */
  status: Map<string, string>;
  /** Absolute paths that the script itself has changed. */
  byScript: Set<string>;
  /** How many files earlier programs were said to have put into folders of which only that is said. */
  counted: ReadonlyMap<string, number>;
}

/** What a program is said to have changed. Paths are absolute. */
export interface SaidChanges {
  /** Created or modified files. */
  written: string[];
  /** Of these, those that git has as they were before. */
  clean: ReadonlySet<string>;
  deleted: string[];
  /** Folders that are new and of which only the name is said. */
  folders: string[];
  /** Folders that tools fill for themselves, with how many files are new or changed in each. */
  counted: CountedFolder[];
}

/** A folder of which only is said how many files in it are new or changed. */
export interface CountedFolder {
  /** Absolute. */
  path: string;
  /** 0: not said. */
  files: number;
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
  const known: KnownChanges = { root, status: new Map(), byScript: new Set(), counted: new Map() };
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
  const clean = new Set<string>();
  const counts = new Map<string, number>();
  const isGone = (code: string | undefined) => code?.includes('D') === true;
  const top = isInside(cwd, [known.root]) ? known.root : cwd;
  /** True where it stands in a folder of which only the count is taken. */
  const count = (place: string, files: number): boolean => {
    const name = countedFolder.exec(path.relative(top, place))?.[1];
    if (name === undefined) return false;
    const folder = path.resolve(top, name);
    counts.set(folder, (counts.get(folder) ?? 0) + files);
    return true;
  };
  const isCounted = (place: string) => countedFolder.test(path.relative(top, place));
  for (const line of readStatus(said)) {
    const place = placeOf(known.root, line.path);
    // How many files are in it, the other lines tell.
    if (!isGone(line.code) && (known.status.has(place) ? isCounted(place) : count(place, 0))) continue;
    const before = known.status.get(place);
    if (place.endsWith('/')) {
      if (before === undefined) folders.add(place.slice(0, -1));
      continue;
    }
    if (before !== undefined && isGone(before) === isGone(line.code)) continue;
    if (isGone(line.code)) deleted.add(place);
    else {
      written.add(place);
      if (before === undefined && line.code.includes('M')) clean.add(place);
    }
    if (line.from !== undefined) deleted.add(path.resolve(known.root, line.from));
  }
  for (const line of said.split('\n')) {
    const [, files = '1', name] = foundLine.exec(line) ?? [];
    if (name === undefined) continue;
    const place = path.resolve(cwd, name);
    if (known.byScript.has(place) || deleted.has(place) || count(place, Number(files))) continue;
    if (!name.endsWith('/')) written.add(place);
    else if (!known.status.has(`${place}/`)) folders.add(place);
  }
  const isListed = (folder: string) => [...written].some((place) => place.startsWith(`${folder}/`));
  return {
    clean,
    written: [...written],
    deleted: [...deleted],
    folders: [...folders].filter((folder) => !isListed(folder)),
    counted: [...counts].flatMap(([place, files]) => {
      const before = known.counted.get(place);
      return before !== undefined && files <= before ? [] : [{ path: place, files: files - (before ?? 0) }];
    }),
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
): Promise<{
  written: string[];
  clean: ReadonlySet<string>;
  deleted: string[];
  outside: string[];
  unlisted: string[];
  counted: CountedFolder[];
}> {
  const { written, clean, deleted, folders, counted } = saidChanges(known, said, cwd);
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
    clean,
    deleted: deleted.filter(inside),
    outside: [...written, ...deleted].filter((place) => !inside(place)),
    unlisted: unlisted.filter(inside),
    counted: counted.filter((one) => inside(one.path)),
  };
}

// The blank at the beginning of ` M name` is lost where a reply is trimmed.
const statusLine = /^(?:([ MTADRCU?!]{2})|([MTADRCU])) (.+?)\r?$/;

/** A path as `find` prints it, with or without the count of `uniq -c`. */
const foundLine = /^\s*(?:(\d{1,9}) +)?(\.\/.+?)\s*$/;

/** The line is one of `changesCommand`: of `git status`, of `find`, or a complaint of these. */
export function isStatus(line: string): boolean {
  if (statusLine.test(line) || foundLine.test(line)) return true;
  return /^(?:## |(?:fatal|error|warning|hint|find|git|bash|sh): )/.test(line);
}

/** The line may be one of `find`: a path, or a complaint; a sentence is none. */
export function isListing(line: string): boolean {
  return /^(?:find|ls|bash|sh): /.test(line) || !/\S\s+\S+\s+\S+\s+\S|[:：。]$/.test(line.trim());
}

function readStatus(text: string): StatusLine[] {
  return text.split('\n').flatMap((line) => {
    const match = foundLine.test(line) ? null : statusLine.exec(line);
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
