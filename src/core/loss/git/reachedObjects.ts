import type { Looker } from '../../view/view.ts';
import { askGit, endOf, type GitRunner } from './gitPlumbing.ts';
import type { RepositoryTask } from './repositoryTask.ts';

/** More commits that names and reflogs stand at are not told apart from new ones. */
const mostTips = 5_000;

/**
 * Which of these objects, all of them added by the action, a name, a reflog or the index reaches afterwards: those that git
 * keeps. The others are gone with its next gc. Where git cannot be asked, none is known to be reached.
 */
export async function reachedObjects(
  { runner, inView }: { runner: GitRunner; inView: Looker | undefined },
  { repository }: RepositoryTask,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const unique = [...new Set(ids)];
  // Without a view after the action nothing can be asked of it.
  if (inView === undefined || unique.length === 0) return new Set(unique);
  const old = await askGit(
    runner,
    repository.root,
    `g rev-list --no-walk=unsorted --all --reflog | head -n ${mostTips}; ${endOf('tips')}`,
  );
  const tips = (old.sections.get('tips')?.text ?? '').split('\n').filter((id) => id !== '');
  const script = `{ g rev-list --ignore-missing --objects --no-object-names --all --reflog --indexed-objects --stdin | grep -Fx "$@"; }; ${endOf('reached')}`;
  const answer = await askGit({ ...runner, looker: inView }, repository.commonFolder, script, {
    arguments: unique.flatMap((id) => ['-e', id]),
    stdin: Buffer.from(tips.map((id) => `^${id}\n`).join('')),
  });
  return new Set((answer.sections.get('reached')?.text ?? '').split('\n'));
}
