import type { FileChange } from '../view/fileChange.ts';
import { deletedFolders } from './destroyed.ts';
import type { GitFolderChanges } from './gitFolders.ts';
import { askGit, endOf, fields, type GitRunner } from './gitPlumbing.ts';
import { commitLines, maxListed, refSnapshot } from './gitRefs.ts';
import { withoutCredentials } from './gitSettings.ts';
import type { Findings } from './gitTask.ts';
import { countOf, subjects } from './gitWords.ts';
import { isRemovedRemote } from './storageChange.ts';

/** What is lost when a whole repository is deleted (`rm -rf .git`, a nested clone): commits that no remote has, stashes. */
export async function repositoryLoss(
  runner: GitRunner,
  group: GitFolderChanges,
  files: readonly FileChange[],
): Promise<Findings> {
  const place = group.root ?? group.folder;
  const found: Findings = { details: [`deletes the git repository in ${place}`], loss: [] };
  const sizeBytes = [...group.changes.values()].reduce((sum, change) => sum + change.sizeBytes, 0);
  const deleted = deletedFolders(files);
  const remotes = await remotesOf(runner, group.folder);
  const living = remotes.filter((address) => !isRemovedRemote(address, place, deleted));
  const not = living.length > 0 ? '--not --remotes' : '';
  const list = `g rev-list --max-count=${maxListed} --pretty=tformat:%s`;
  const script = `export GIT_DIR=.
head=$(g rev-parse -q --verify HEAD)
${list} --branches --tags $head ${not}; ${endOf('commits')}`;
  const [answer, snapshot] = await Promise.all([
    askGit(runner, group.folder, script),
    refSnapshot(runner, group.folder, false),
  ]);
  const failure = answer.failure ?? snapshot.failure;
  if (failure !== undefined) {
    const why = `a repository whose commits could not be read: ${failure}`;
    found.loss.push({ path: group.folder, class: 'commits', why, recoverable: 'no', sizeBytes });
    return found;
  }
  const commits = commitLines(answer, 'commits');
  if (commits.length > 0) {
    const reason = living.length > 0 ? 'on no remote' : 'in a repository without a remote';
    const why = `${countOf(commits.length, 'commit', maxListed)} ${reason}: ${subjects(commits)}`;
    found.loss.push({ path: group.folder, class: 'commits', why, recoverable: 'no', sizeBytes });
  } else if (living[0] !== undefined) {
    const why = 'the repository; every commit is on a remote';
    const recoverable = `yes, from ${withoutCredentials(living[0])} as of the last fetch (git clone)`;
    found.loss.push({ path: group.folder, class: 'commits', why, recoverable, sizeBytes });
  }
  snapshot.stashes.forEach((stash, index) => {
    const why = `stashed changes: “${stash.message}”`;
    found.loss.push({ path: `stash@{${index}}`, class: 'stash', why, recoverable: 'no', sizeBytes: 0 });
  });
  return found;
}

async function remotesOf(runner: GitRunner, folder: string): Promise<string[]> {
  const script = `export GIT_DIR=.\n{ g config -z --get-regexp '^remote\\..*\\.url$' || true; }; ${endOf('remotes')}`;
  const answer = await askGit(runner, folder, script);
  return fields(answer.sections.get('remotes')?.text ?? '').map((record) => record.slice(record.indexOf('\n') + 1));
}
