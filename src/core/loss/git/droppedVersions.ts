import type { FoundLoss } from '../../facts/loss.ts';
import { quoteWord } from '../../shell/quoteWord.ts';
import { blobId, withoutCarriageReturns } from '../beforeContent.ts';
import { below, fromBytePath } from '../bytePath.ts';
import { goingOf } from '../going.ts';
import { linesLost, maxTextBytes, onlyAdds } from '../textLines.ts';
import { askGit, endOf, type GitRunner } from './gitPlumbing.ts';
import { objectTypes, type RefSnapshot, type StagedVersion } from './gitRefs.ts';
import { versions } from './gitStorage.ts';
import type { GitFolderTask } from './gitTask.ts';
import { indexedIds } from './listedIndex.ts';

/** Of more files that only the index has it is not asked whether their versions go. */
const mostFiles = 500;

/** So long names and reflogs are asked for a version, in milliseconds; one that was not found by then counts as dropped, and can be brought back. */
const askedMs = 8_000;

/**
 * Versions of files that only the index had, and that go from it: staged, then written anew on disk, then unstaged or staged
 * again. What is in the file before, or in a commit, a stash, a reflog or the index afterwards, is not among them, nor what only got more.
 */
export async function droppedVersions(task: GitFolderTask, before: RefSnapshot): Promise<FoundLoss[]> {
  const { group, input } = task;
  const root = group.root;
  if (root === undefined || before.staged.size === 0 || before.staged.size > mostFiles) return [];
  const isGone = group.fate === 'disappears';
  const real = { looker: input.looker, signal: input.signal };
  const inView = { looker: input.inView, signal: input.signal };
  const kept = isGone ? new Set<string>() : await indexedIds(inView, group.folder, 'gitFolder');
  const open: { path: string; version: StagedVersion; now: Uint8Array | undefined }[] = [];
  for (const [bytes, version] of before.staged) {
    if (/^0+$/.test(version.id) || !version.mode.startsWith('100') || kept.has(version.id)) continue;
    const path = below(root, fromBytePath(bytes));
    const content = await input.view.read(path, 'before');
    if (content && isVersion(content, version.id)) continue;
    open.push({ path, version, now: await input.view.read(path, 'after') });
  }
  if (open.length === 0) return [];
  const ids = open.map(({ version }) => version.id);
  const repository = { root, gitFolder: group.folder, commonFolder: group.folder };
  const [reached, left, contents] = await Promise.all([
    isGone ? new Set<string>() : reachedIds(inView, group.folder, ids),
    isGone ? new Map<string, string>() : objectTypes(inView, group.folder, ids),
    versions(real, repository, [...ids, ...open.map(({ version }) => version.headId)]),
  ]);
  return open.flatMap(({ path, version, now }) => {
    const content = contents.get(version.id);
    if (reached.has(version.id) || content?.length === 0 || (content && now && onlyAdds(content, now))) return [];
    const head = contents.get(version.headId);
    const lines = content && linesLost(content, [...(now ? [now] : []), ...(head ? [head] : [])]);
    const loss: FoundLoss = {
      path,
      class: 'index',
      because: { kind: 'stagedVersion' },
      recovery: left.has(version.id)
        ? { kind: 'objectDatabase', id: version.id, command: stagedAgain(root, path, version) }
        : { kind: 'none' },
      going: !now ? 'deleted' : content ? goingOf(content, now, head ? [head] : []) : 'replaced',
      sizeBytes: content?.length ?? maxTextBytes,
    };
    return [lines === undefined ? loss : { ...loss, lines }];
  });
}

function stagedAgain(root: string, path: string, { mode, id }: StagedVersion): string {
  const entry = `${mode},${id},${path.slice(root.length + 1)}`;
  return `git -C ${quoteWord(root)} update-index --add --cacheinfo ${quoteWord(entry)}`;
}

function isVersion(content: Uint8Array, id: string): boolean {
  if (blobId(content, id.length) === id) return true;
  const unix = withoutCarriageReturns(content);
  return unix !== undefined && blobId(unix, id.length) === id;
}

/** Which of these blobs a name, a reflog or the index reaches. */
async function reachedIds(inView: GitRunner, folder: string, ids: readonly string[]): Promise<Set<string>> {
  const script = `export GIT_DIR=.
{ g rev-list --objects --no-object-names --all --reflog --indexed-objects --ignore-missing | grep -Fx "$@"; }; ${endOf('reached')}`;
  const words = [...new Set(ids)].flatMap((id) => ['-e', id]);
  const answer = await askGit(inView, folder, script, { arguments: words, limitMs: askedMs });
  return new Set((answer.sections.get('reached')?.text ?? '').split('\n').filter((id) => id !== ''));
}
