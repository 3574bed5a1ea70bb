import type { Looker, View } from '../../view/view.ts';
import { blobId } from '../beforeContent.ts';
import { placeAfter } from '../destroyed.ts';
import type { Finding } from '../finding.ts';
import { maxAfterBytes } from '../textLines.ts';
import type { GitRunner } from './gitPlumbing.ts';
import { existingObjects } from './gitStorage.ts';
import type { RepositoryTask } from './repositoryTask.ts';

/** Whom it asks. */
interface Asked {
  runner: GitRunner;
  inView: Looker | undefined;
  view: View;
  /** Git had, or may have had, a part in the action. */
  gitRan: boolean;
}

/** Of more overwritten files than this none is read for it: most are told by then. */
const mostRead = 256;

/**
 * Adds to the versions that git has of overwritten files what stands there afterwards, where git had it before: what goes
 * back to it throws the work since then away, whichever commit it is of (`git reset --hard HEAD~1`, `git restore -s`).
 * Nothing is asked where git had no part.
 */
export async function addVersionsAfter(
  findings: readonly Finding[],
  task: RepositoryTask,
  tools: Asked,
): Promise<void> {
  if (!tools.gitRan || task.storage.destroyed) return;
  const open = findings.filter((finding) => finding.class === 'modified' && finding.item.fileAfter);
  if (open.length === 0 || open.length > mostRead) return;
  const found: { finding: Finding; after: Uint8Array; id: string }[] = [];
  for (const finding of open) {
    const [version] = finding.versionIds ?? [];
    const after =
      version === undefined ? undefined : await tools.view.read(placeAfter(finding.item), 'after', maxAfterBytes);
    if (version === undefined || after === undefined) continue;
    const id = blobId(after, version.length);
    // What the action itself stores is no earlier version.
    if (!task.storage.addedIds.has(id) && !finding.versionIds?.includes(id)) found.push({ finding, after, id });
  }
  const known = await existingObjects(
    tools,
    task,
    found.map(({ id }) => id),
  );
  for (const { finding, after, id } of found) {
    if (!known.has(id)) continue;
    finding.survivors = [...(finding.survivors ?? []), after];
    finding.versionIds = [...(finding.versionIds ?? []), id];
  }
}
