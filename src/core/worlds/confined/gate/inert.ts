import fs from 'node:fs';
import path from 'node:path';
import { isInertGitHelper } from '../../../programs/gitHelpers.ts';
import { programNamed, programOf } from '../../../programs/programOf.ts';
import { statusIfKnown } from '../../../view/statusIfKnown.ts';

/** Real files of the programs that may run, resolved once. */
export interface InertFiles {
  /** Real paths that may run without being asked about. */
  inert: string[];
  /** Of these, programs that read the process or mount table: in copy mode they are answered by look mode. */
  ask: string[];
  /** Of these, programs that show or store owners, sizes and link counts: in a copy these are corrected for them. */
  correct: string[];
  /** Programs of the system that may run without consent in some forms of their words (`known` in the table of programs). */
  known: string[];
}

const systemFolders = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/sbin'];
const gitFolders = ['/usr/lib/git-core', '/usr/libexec/git-core', '/usr/local/libexec/git-core'];

/** What was resolved last, for a few values of PATH; it counts as long as none of the folders has changed. */
const resolved = new Map<string, { folders: string; files: InertFiles }>();
const mostResolved = 8;

/** What `resolveInert` gives now; what it gave before where no folder of programs has changed since. */
export function inertNow(searchPath: string): InertFiles {
  // Debian's links to the chosen one of several programs are changed in a folder of their own.
  const folders = [...foldersIn(searchPath), ...gitFolders, '/etc/alternatives'].map(versionOf).join('\n');
  const known = resolved.get(searchPath);
  if (known?.folders === folders) return known.files;
  const files = resolveInert(searchPath);
  resolved.delete(searchPath);
  resolved.set(searchPath, { folders, files });
  for (const oldest of resolved.keys()) {
    if (resolved.size <= mostResolved) break;
    resolved.delete(oldest);
  }
  return files;
}

function versionOf(folder: string): string {
  const status = statusIfKnown(folder);
  return status ? `${status.dev} ${status.ino} ${status.mtimeNs} ${status.ctimeNs}` : '';
}

function foldersIn(searchPath: string): Set<string> {
  return new Set([...systemFolders, ...searchPath.split(':').filter((folder) => folder.startsWith('/'))]);
}

/**
 * Resolves the table of inert programs to real files of the system: owned by root, writable by nobody else.
 * `searchPath` (a PATH value) adds folders; a program in a folder that the user can write is not inert there.
 */
export function resolveInert(searchPath: string): InertFiles {
  const inert = new Set<string>();
  const ask = new Set<string>();
  const correct = new Set<string>();
  const known = new Set<string>();
  for (const folder of realFolders(foldersIn(searchPath))) {
    for (const name of list(folder)) {
      const program = programNamed(name) ?? (/\d$/.test(name) ? programOf(name) : undefined);
      if (!program?.inert && !program?.known) continue;
      const file = fileIn(folder, name);
      if (file === undefined) continue;
      if (program.known && !program.inert && isSystemProgram(file)) known.add(file);
      if (!program.inert || program !== programNamed(name)) continue;
      const real = systemReal(file);
      if (real === undefined) continue;
      inert.add(real);
      if (program.asks) ask.add(real);
      if (program.showsStatus) correct.add(real);
    }
  }
  for (const folder of realFolders(gitFolders)) {
    for (const name of list(folder)) {
      if (!isInertGitHelper(name)) continue;
      const file = fileIn(folder, name);
      const real = file === undefined ? undefined : systemReal(file);
      if (real !== undefined) inert.add(real);
    }
  }
  return { inert: [...inert].sort(), ask: [...ask].sort(), correct: [...correct].sort(), known: [...known].sort() };
}

/** Each folder once: `/bin` is mostly a link to `/usr/bin`. */
function realFolders(folders: Iterable<string>): Set<string> {
  const real = new Set<string>();
  for (const folder of folders) {
    try {
      real.add(fs.realpathSync.native(folder));
    } catch {
      // There is none.
    }
  }
  return real;
}

/** The real path of a name in a folder whose path is real; `undefined` where it leads nowhere. */
function fileIn(folder: string, name: string): string | undefined {
  const file = path.join(folder, name);
  try {
    return fs.lstatSync(file).isSymbolicLink() ? fs.realpathSync.native(file) : file;
  } catch {
    return undefined;
  }
}

function list(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Where a user namespace has no number for root, as in Flatpak, the system's files belong to nobody. They are still told
 * from the user's own, unless the user is nobody as well.
 */
function ownsSystem(uid: number, real: string): boolean {
  // Everything that root has made belongs to root as well, also what lies in a project.
  if (uid === 0) return process.getuid?.() !== 0 || isOfSystem(real);
  return uid === nobody() && uid === rootOwner() && uid !== process.getuid?.() && isOfSystem(real);
}

/**
 * In the folders of the system (hier(7), and where Go is installed). Containers keep projects in `/app`, `/usr/app` and
 * `/usr/src/app`, where all belongs to root, too; only in Flatpak programs of the system are in `/app`.
 */
export function isOfSystem(real: string, isFlatpak?: boolean): boolean {
  if (real.startsWith('/app/') && (isFlatpak ?? isInFlatpak())) return true;
  return /^\/(?:(?:usr\/(?:local\/)?)?(?:s?bin|lib(?:exec|x?\d+)?|games|share)|usr\/local\/go|nix\/store|gnu\/store)\//.test(
    real,
  );
}

/** flatpak-metadata(5): every sandbox has this file at its root. */
function isInFlatpak(): boolean {
  return fs.existsSync('/.flatpak-info');
}

/** The number that stands for users who have none in a user namespace (user_namespaces(7)). */
function nobody(): number {
  try {
    return Number(fs.readFileSync('/proc/sys/kernel/overflowuid', 'utf8'));
  } catch {
    return 65_534;
  }
}

function rootOwner(): number | undefined {
  return fs.statSync('/usr', { throwIfNoEntry: false })?.uid;
}

/** Why no program of the system can be told from others, as a sentence; `undefined` where they can. */
export function whyNothingIsInert(): string | undefined {
  if (rootOwner() !== nobody() || process.getuid?.() !== nobody()) return undefined;
  return "Here everything belongs to nobody, as in a user namespace without users, so the system's programs cannot be told from others; start Foretell outside of it, or give the namespace your own user (unshare --map-current-user).";
}

/** The real path, when it is a file that only root can change and that is no script of an active interpreter. */
export function systemFile(file: string): string | undefined {
  try {
    return systemReal(fs.realpathSync.native(file));
  } catch {
    return undefined;
  }
}

function systemReal(real: string): string | undefined {
  try {
    return isOwnedFile(real) && !isActiveScript(real) ? real : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a program lies in the system's folders, where only root can change it, and so does the interpreter of a script. */
export function isSystemProgram(file: string): boolean {
  try {
    const real = ownedFile(file);
    if (real === undefined || !isOfSystem(real)) return false;
    const [, interpreter] = /^#!\s*(\S+)/.exec(firstLine(real)) ?? [];
    if (interpreter === undefined) return true;
    const found = ownedFile(interpreter);
    return found !== undefined && isOfSystem(found);
  } catch {
    return false;
  }
}

/** The real path of a program that only root can change. Throws where there is none. */
function ownedFile(file: string): string | undefined {
  const real = fs.realpathSync.native(file);
  return isOwnedFile(real) ? real : undefined;
}

function isOwnedFile(real: string): boolean {
  const status = fs.statSync(real);
  const isOwned = status.isFile() && ownsSystem(status.uid, real) && (status.mode & 0o022) === 0;
  return isOwned && (status.mode & 0o111) !== 0;
}

function isActiveScript(real: string): boolean {
  const line = firstLine(real);
  return line.startsWith('#!') && !/\/(ba|da|z|fi|k)?sh\b|\/[gm]?awk\b|\/sed\b|\/make\b/.test(line);
}

function firstLine(real: string): string {
  const file = fs.openSync(real, 'r');
  try {
    const head = Buffer.alloc(128);
    return head.toString('latin1', 0, fs.readSync(file, head, 0, head.length, 0)).split('\n')[0] ?? '';
  } finally {
    fs.closeSync(file);
  }
}

/** First executable file called `name` in a PATH value. */
export function findInPath(name: string, searchPath: string): string | undefined {
  for (const folder of searchPath.split(':')) {
    const candidate = path.join(folder || '.', name);
    try {
      fs.accessSync(candidate, fs.constants.X_OK);
      if (fs.statSync(candidate).isFile()) return candidate;
    } catch {
      // Not here: the next folder may have it.
    }
  }
  return undefined;
}
