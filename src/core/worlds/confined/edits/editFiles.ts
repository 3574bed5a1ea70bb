import path from 'node:path';
import type { FileState, ToolPlace, ToolWrite } from '../../../action/edit/toolOutcome.ts';
import { plainEnvironment } from '../look/looker.ts';
import type { Launcher } from '../wire/launcher.ts';
import { emptyRecord, type RunRecord, streamBytes } from '../wire/runRecord.ts';

/** Largest file that an edit can read or write, in bytes: what fits in one frame of the launcher. */
export const maxEditBytes = 15 * 1024 ** 2;

/**
 * The launcher serves its own questions with rights over the user's files that the user's programs do not have: what the
 * owner's permission bits forbid is refused here. (Files of others are refused by the kernel.)
 */
async function isAllowed(launcher: Launcher, path: string, right: 'r' | 'w' | 'x'): Promise<boolean> {
  const self = process.getuid?.() ?? 0;
  if (self === 0) return true;
  const node = await launcher.stat(path, 'after');
  if (!node) return true;
  if (node.type === 'symlink') {
    const record = await runQuietly(launcher, ['sh', '-c', `[ ! -e "$0" ] || [ -${right} "$0" ]`, path], '/');
    return record.finished?.exitCode === 0;
  }
  const bit = { r: 0o400, w: 0o200, x: 0o100 }[right];
  return node.uid !== self || (node.mode & bit) !== 0;
}

async function mayEnter(launcher: Launcher, folder: string, toWrite: boolean): Promise<boolean> {
  return (await isAllowed(launcher, folder, 'x')) && (!toWrite || (await isAllowed(launcher, folder, 'w')));
}

/** What stands at a path of a view after what was done so far. Symbolic links are followed. */
export async function fileState(launcher: Launcher, file: string): Promise<FileState> {
  const denied = { kind: 'unreadable', code: 'EACCES' } as const;
  if (!(await mayEnter(launcher, path.dirname(file), false))) return denied;
  const read = await launcher.readOrError(file, 'after', maxEditBytes + 1);
  if (typeof read !== 'string' && !(await isAllowed(launcher, file, 'r'))) return denied;
  if (typeof read !== 'string')
    return read.length > maxEditBytes ? { kind: 'unreadable', code: 'EFBIG' } : { kind: 'file', bytes: read };
  if (read === 'ENOENT') return { kind: 'missing' };
  if (read === 'EISDIR' || (read === 'EINVAL' && (await isFolder(launcher, file)))) return { kind: 'folder' };
  return { kind: 'unreadable', code: read };
}

/** True for a folder, also through a symbolic link. */
export async function isFolder(launcher: Launcher, folder: string): Promise<boolean> {
  const node = await launcher.stat(folder === '/' ? folder : `${folder.replace(/\/+$/, '')}/.`, 'after');
  return node?.type === 'directory';
}

/** Why an edit cannot be made where it should be. */
export function noFolder(cwd: string): string {
  return `The folder ${cwd} does not exist; choose another working directory.`;
}

/** Where tool calls look, in a view. */
export function toolPlace(launcher: Launcher, cwd: string): ToolPlace {
  return {
    cwd,
    read: (file) => fileState(launcher, file),
    isFolder: (folder) => isFolder(launcher, folder),
    isLink: async (file) => (await launcher.stat(file, 'after'))?.type === 'symlink',
    linkTarget: (file) => linkTarget(launcher, file),
    names: (folder) => namesIn(launcher, folder),
    mode: async (file) => {
      const node = await launcher.stat(file, 'after');
      if (node?.type !== 'symlink') return node && node.mode & 0o7777;
      const target = await linkTarget(launcher, file);
      const real = target === undefined ? undefined : await launcher.stat(target, 'after');
      return real && real.mode & 0o7777;
    },
  };
}

const nothing = new Uint8Array();

/** Writes into a view as the tool would: through symbolic links, in place. Returns `''` or the name of the error. */
export async function writeFile(launcher: Launcher, write: ToolWrite): Promise<string> {
  const { bytes, mode } = write;
  const folder = path.dirname(write.path);
  if (bytes === null && !(await mayEnter(launcher, folder, true))) return 'EACCES';
  if (bytes === null) return (await launcher.put(write.path, 'delete', nothing)) ?? '';
  if (bytes.length > maxEditBytes) return 'EFBIG';
  if (write.makesFolders) {
    const refused = await makeFolders(launcher, folder);
    if (refused !== '') return refused;
  }
  const isThere = (await launcher.stat(write.path, 'after')) !== undefined;
  if (!(await mayEnter(launcher, folder, !isThere || write.takesPlace === true))) return 'EACCES';
  if (isThere && !write.takesPlace && !(await isAllowed(launcher, write.path, 'w'))) return 'EACCES';
  let error = await launcher.put(write.path, 'file', bytes, mode);
  // A symbolic link that leads nowhere: the file that it names is made.
  if (error === 'ELOOP') {
    const target = await linkTarget(launcher, write.path);
    if (target !== undefined) error = await launcher.put(target, 'file', bytes, mode);
  }
  return error ?? '';
}

/** Makes a folder and those above it that are missing. Returns `''` or the name of the error. */
async function makeFolders(launcher: Launcher, folder: string): Promise<string> {
  if (await isFolder(launcher, folder)) return '';
  const above = path.dirname(folder);
  if (above !== folder) {
    const refused = await makeFolders(launcher, above);
    if (refused !== '') return refused;
  }
  if (!(await mayEnter(launcher, above, true))) return 'EACCES';
  const error = await launcher.put(folder, 'directory', nothing);
  // Something that is no folder stands there.
  return error === 'EEXIST' ? 'ENOTDIR' : (error ?? '');
}

/** Where a path really leads: through symbolic links, also of folders that are not there yet. */
async function realPath(launcher: Launcher, file: string): Promise<string> {
  const plain = path.resolve(file);
  for (let at = plain; at !== '/'; at = path.dirname(at)) {
    const node = await launcher.stat(at, 'after');
    if (node?.type === 'symlink') return (await linkTarget(launcher, plain)) ?? plain;
  }
  return plain;
}

/** True for what is no file but a part of the running system: a write there would not be a change of the copy. */
export async function isOfSystem(launcher: Launcher, file: string): Promise<boolean> {
  const real = await realPath(launcher, file);
  return /^\/(proc|sys|dev)(\/|$)/.test(real) && !real.startsWith('/dev/shm/');
}

async function linkTarget(launcher: Launcher, link: string): Promise<string | undefined> {
  const record = await runQuietly(launcher, ['readlink', '-m', '--', link], '/');
  const target = streamBytes(record, 'stdout').toString('utf8').replace(/\n$/, '');
  return target.startsWith('/') && target !== link ? target : undefined;
}

async function namesIn(launcher: Launcher, folder: string): Promise<string[]> {
  const find = ['find', folder, '-mindepth', '1', '-maxdepth', '1', '-printf', '%f\\0'];
  const record = await runQuietly(launcher, find, '/');
  return streamBytes(record, 'stdout').toString('utf8').split('\0').slice(0, -1);
}

/** Runs one inert program in a view, with nothing on its standard input. What is not inert fails as if it were missing. */
export async function runQuietly(
  launcher: Launcher,
  argv: readonly string[],
  cwd: string,
  newLayer = false,
): Promise<RunRecord> {
  const record = emptyRecord();
  const env = Object.entries(plainEnvironment(launcher.caller)).map(([name, value]) => `${name}=${value}`);
  const run = { argv, env, cwd, columns: 0, rows: 0, stdin: 'null' as const, newLayer };
  record.finished = await launcher.run(run, (event) => {
    if (event.type === 'output') record.output.push({ stream: event.stream, bytes: event.bytes, unsure: false });
    else if (event.type === 'gated') launcher.answer(event.token, { kind: 'fails', error: 'ENOENT' });
    else if (event.type === 'effect') record.effects.push({ ...event, unsure: false });
  });
  return record;
}
