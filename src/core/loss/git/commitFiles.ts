import { createHash } from 'node:crypto';
import type { FileChange } from '../../view/fileChange.ts';
import type { View } from '../../view/view.ts';
import { isNotText } from '../bytePath.ts';
import { askGit, endOf, type GitRunner } from './gitPlumbing.ts';

/** A file that the action writes and that git makes the same commits of again. */
export interface CommitFile {
  /** Absolute. */
  file: string;
  /** What made it: `git bundle`, `git fast-export`. */
  format: 'bundle' | 'fast-export';
  /** Object ids by the names that it has, `HEAD` and `refs/stash` among them where they are in it. */
  heads: ReadonlyMap<string, string>;
}

/** Larger files are not looked into, and of more only the first, in bytes and files. */
const most = { bytes: 256 * 1024 * 1024, files: 16 };

/** So much tells what a file is, in bytes. */
const headBytes = 16;

/**
 * The bundles and exports among the written files that are whole: with every object that their names need, as the real
 * repository has them, and nothing left to another repository.
 *
 * @param real Asks the repository in `gitFolder` as it is before the action.
 */
export async function commitFiles(
  { files, view }: { files: readonly FileChange[]; view: View },
  real: GitRunner,
  gitFolder: string,
): Promise<CommitFile[]> {
  const found: CommitFile[] = [];
  let left = most.files;
  for (const { path, change, type, sizeBytes } of files) {
    if (change === 'deleted' || change === 'mode' || type !== 'file' || isNotText(path)) continue;
    if (sizeBytes < 64 || sizeBytes > most.bytes || path.startsWith(`${gitFolder}/`)) continue;
    const head = await view.read(path, 'after', headBytes);
    const kind = head && kindOf(Buffer.from(head).toString('latin1'));
    if (kind === undefined || left-- <= 0) continue;
    const bytes = await view.read(path, 'after', sizeBytes);
    if (bytes?.length !== sizeBytes) continue;
    const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const heads = await (kind === 'bundle' ? bundleHeads : exportHeads)(content, real, gitFolder);
    if (heads) found.push({ file: path, format: kind, heads });
  }
  return found;
}

function kindOf(head: string): CommitFile['format'] | undefined {
  if (/^# v[23] git\b/.test(head)) return 'bundle';
  return /^(blob|reset|commit|tag|feature)[ \n]/.test(head) ? 'fast-export' : undefined;
}

/**
 * The names in a bundle's header; nothing where it needs commits of others (`-<id>`), leaves contents out (`@filter`), is cut
 * off or changed, or packs another number of objects than its names reach here.
 */
async function bundleHeads(content: Buffer, real: GitRunner, folder: string): Promise<Map<string, string> | undefined> {
  const end = content.indexOf('\n\n');
  if (end < 0) return undefined;
  const heads = new Map<string, string>();
  for (const line of content.toString('latin1', 0, end).split('\n').slice(1)) {
    if (line.startsWith('-') || line.startsWith('@filter')) return undefined;
    const [, id, name] = /^([0-9a-f]{40}|[0-9a-f]{64}) (.+)$/.exec(line) ?? [];
    if (id !== undefined && name !== undefined) heads.set(name, id);
  }
  const pack = content.subarray(end + 2);
  const idBytes = [...heads.values()][0]?.length === 64 ? 32 : 20;
  if (heads.size === 0 || pack.length < 12 + idBytes || pack.toString('latin1', 0, 4) !== 'PACK') return undefined;
  const sum = createHash(idBytes === 32 ? 'sha256' : 'sha1')
    .update(pack.subarray(0, -idBytes))
    .digest();
  if (!sum.equals(pack.subarray(-idBytes))) return undefined;
  const script = `export GIT_DIR=.
[ -e shallow ] || { g rev-list --objects --stdin | wc -l; }; ${endOf('count')}`;
  const stdin = Buffer.from([...heads.values()].map((id) => `${id}\n`).join(''));
  const answer = await askGit(real, folder, script, { stdin });
  const count = Number(answer.sections.get('count')?.text.trim() || Number.NaN);
  return count === pack.readUInt32BE(8) ? heads : undefined;
}

/** All names, where the file is what `git fast-export --all` says of this repository. */
async function exportHeads(content: Buffer, real: GitRunner, folder: string): Promise<Map<string, string> | undefined> {
  const script = `export GIT_DIR=.
[ -e shallow ] || g fast-export --all; ${endOf('export')}
g for-each-ref '--format=%(objectname) %(refname)'; ${endOf('refs')}`;
  const answer = await askGit(real, folder, script);
  const section = answer.sections.get('export');
  if (section?.exitCode !== 0 || section.text.length !== content.length) return undefined;
  if (section.text === '' || !Buffer.from(section.text, 'latin1').equals(content)) return undefined;
  const lines = (answer.sections.get('refs')?.text ?? '').split('\n').filter((line) => line !== '');
  return new Map(lines.map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]));
}
