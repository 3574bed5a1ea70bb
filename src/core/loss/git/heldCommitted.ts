import type { Recovery } from '../../facts/recovery.ts';
import type { FileChange } from '../../view/fileChange.ts';
import type { View } from '../../view/view.ts';
import { deletedFolders } from '../destroyed.ts';
import type { Finding } from '../finding.ts';
import type { ClassifyTools } from './classifyInRepository.ts';
import { byClone, filesOf, fileWith, fromFiles, repositoryWith } from './commitHolders.ts';
import { touchedGitFolders } from './gitFolders.ts';
import { askGit, endOf } from './gitPlumbing.ts';
import type { RepositoryTask } from './repositoryTask.ts';

/**
 * Files that go with the repository in which they are committed come back from whoever has HEAD then: a bundle that the
 * action makes, or another repository.
 */
export async function settleHeldCommitted(
  findings: readonly Finding[],
  { repository }: RepositoryTask,
  { runner, inView }: ClassifyTools,
  { files, view }: { files: readonly FileChange[]; view: View },
): Promise<void> {
  const open = findings.filter(({ because }) => because.kind === 'committedInDeleted');
  if (open.length === 0 || inView === undefined) return;
  const answer = await askGit(runner, repository.root, `g rev-parse -q --verify HEAD; ${endOf('head')}`);
  const head = answer.sections.get('head')?.text.trim();
  if (!head) return;
  const groups = await touchedGitFolders(files);
  const others = groups.filter(({ folder, fate }) => folder !== repository.commonFolder && fate !== 'disappears');
  const { looker, signal } = runner;
  const question = {
    input: { files, view, looker, inView, signal },
    folder: repository.commonFolder,
    place: repository.root,
    others: others.map(({ folder }) => folder),
  };
  const deleted = deletedFolders(files);
  const isFolderKept = !deleted.has(repository.root);
  const where = {
    place: repository.root,
    isBare: false,
    isFolderKept,
    isBroken: isFolderKept && !deleted.has(repository.commonFolder),
  };
  const file = await fileWith(question, await filesOf(question), [head]);
  const beside = file ? undefined : await repositoryWith(question, { ids: [head], isCut: true });
  let recovery: Recovery | undefined;
  if (file) recovery = fromFiles([file], where, undefined);
  else if (beside !== undefined)
    recovery = { kind: 'remote', address: beside, by: 'clone', isHere: true, command: byClone(beside, where) };
  if (recovery) for (const finding of open) finding.recovery = recovery;
}
