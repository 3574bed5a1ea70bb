import { createHash } from 'node:crypto';
import { isWayBack } from '../../facts/recovery.ts';
import type { FileChange } from '../../view/fileChange.ts';
import type { Looker, View } from '../../view/view.ts';
import { below } from '../bytePath.ts';
import type { Finding } from '../finding.ts';
import { askGit, endOf, fields } from './gitPlumbing.ts';

const largeObject = /^(.+)\/\.git\/(?:modules\/.+\/)?lfs\/objects\/[0-9a-f]{2}\/[0-9a-f]{2}\/([0-9a-f]{64})$/;

/** A file of the storage of Git LFS that the action takes away, and not with the whole repository. */
export function isLostLargeObject(path: string, deletedFolders: ReadonlySet<string>): boolean {
  const root = largeObject.exec(path)?.[1];
  return root !== undefined && !deletedFolders.has(`${root}/.git`);
}

/**
 * Git has only a pointer of a file that Git LFS keeps: without its storage, whether it can be brought back is a matter of a server.
 * So it is for each file that would come from there, and for each that stood only there.
 */
export async function settleLargeObjects(
  findings: Finding[],
  input: { files: readonly FileChange[]; view: View; inView?: Looker | undefined; signal: AbortSignal },
): Promise<Finding[]> {
  const gone = new Map<string, number>();
  for (const { change, path, from, sizeBytes } of input.files) {
    const left = change === 'deleted' ? path : from;
    const digest = left === undefined ? undefined : largeObject.exec(left)?.[2];
    if (digest !== undefined) gone.set(digest, sizeBytes);
  }
  if (gone.size === 0) return findings;
  const sizes = new Set(gone.values());
  const told = new Set<string>();
  for (const finding of findings) {
    const { path, type, sizeBytes } = finding.item;
    if (type !== 'file' || !sizes.has(sizeBytes) || largeObject.test(path) || !isWayBack(finding.recovery)) continue;
    const digest = digestOf(await input.view.read(path, 'before', sizeBytes));
    if (digest === undefined || !gone.has(digest)) continue;
    told.add(digest);
    becomesUnknown(finding);
  }
  const checkedOut = new Map<string, Promise<ReadonlySet<string>>>();
  const left: Finding[] = [];
  for (const finding of findings) {
    const [, root = '', digest = ''] = largeObject.exec(finding.item.path) ?? [];
    if (digest === '') left.push(finding);
    else {
      const standing = checkedOut.get(root) ?? standingIn(root, gone, input);
      checkedOut.set(root, standing);
      if (told.has(digest) || (await standing).has(digest)) continue;
      becomesUnknown(finding);
      left.push(finding);
    }
  }
  return left;
}

function becomesUnknown(finding: Finding): void {
  finding.class = 'unknown';
  finding.because = { kind: 'filtered', filter: 'lfs' };
  finding.recovery = { kind: 'unknown' };
  delete finding.lines;
}

function digestOf(content: Uint8Array | undefined): string | undefined {
  return content && createHash('sha256').update(content).digest('hex');
}

/** Digests of what stands in the working tree afterwards, of files of which the index has a pointer. */
async function standingIn(
  root: string,
  gone: ReadonlyMap<string, number>,
  { view, inView, signal }: { view: View; inView?: Looker | undefined; signal: AbortSignal },
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  if (!inView) return found;
  const script = `g grep --cached -z -F -e 'oid sha256:' || true; ${endOf('pointers')}`;
  const answer = await askGit({ looker: inView, signal }, root, script, { limitMs: 10_000 });
  for (const line of (answer.sections.get('pointers')?.text ?? '').split('\n')) {
    const [path, text = ''] = fields(line);
    const digest = /^oid sha256:([0-9a-f]{64})$/.exec(text)?.[1];
    const size = digest === undefined ? undefined : gone.get(digest);
    if (path === undefined || digest === undefined || size === undefined) continue;
    if (digestOf(await view.read(below(root, path), 'after', size + 1)) === digest) found.add(digest);
  }
  return found;
}
