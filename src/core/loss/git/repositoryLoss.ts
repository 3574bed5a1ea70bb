import { withoutCredentials } from '../../programs/gitSettings.ts';
import { isAtOrAbove } from '../../programs/targets.ts';
import { quoteWord } from '../../shell/quoteWord.ts';
import type { FileChange } from '../../view/fileChange.ts';
import { below, folderOf } from '../bytePath.ts';
import { deletedFolders } from '../destroyed.ts';
import { commitsOf } from './commitsOf.ts';
import { commitsLoss, stashLoss } from './gitCommits.ts';
import type { GitFolderChanges } from './gitFolders.ts';
import { askGit, endOf, fields, type GitRunner } from './gitPlumbing.ts';
import { commitLines, maxListed, refSnapshot } from './gitRefs.ts';
import type { Findings } from './gitTask.ts';
import { isRemovedRemote } from './storageChange.ts';

/** What is lost when a whole repository is deleted (`rm -rf .git`, a nested clone): commits that no remote has, stashes. */
export async function repositoryLoss(
  runner: GitRunner,
  group: GitFolderChanges,
  files: readonly FileChange[],
): Promise<Findings> {
  const place = group.root ?? group.folder;
  const found: Findings = { facts: [{ kind: 'repositoryDeleted', place }], loss: [] };
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
    const commits = { count: 0, replacedBy: 0, inFiles: false };
    found.loss.push(
      commitsLoss(group.folder, {
        because: { kind: 'unreadableRepository', failure },
        recovery: { kind: 'none' },
        commits,
        sizeBytes,
      }),
    );
    return found;
  }
  const lost = commitLines(answer, 'commits');
  const commits = { count: lost.length, replacedBy: 0, inFiles: false };
  // One with a working tree has more than commits: settings, hooks, logs.
  const ids = group.root === undefined ? lost.map(({ id }) => id) : [];
  const beside = await holderBeside(runner, place, ids, deleted);
  if (beside !== undefined) {
    const command = `git clone --mirror ${quoteWord(beside)} ${quoteWord(place)}`;
    const recovery = { kind: 'remote', address: beside, by: 'clone', isHere: true, command } as const;
    found.loss.push(commitsLoss(group.folder, { because: { kind: 'allBeside' }, recovery, commits, sizeBytes }));
  } else if (lost.length > 0) {
    const because = { kind: 'onNoRemote', commits: commitsOf(lost, maxListed), hasRemote: living.length > 0 } as const;
    found.loss.push(commitsLoss(group.folder, { because, recovery: { kind: 'none' }, commits, sizeBytes }));
  } else if (living[0] !== undefined) {
    const address = withoutCredentials(living[0]);
    const command = `git clone ${quoteWord(address)} ${quoteWord(place)}`;
    found.loss.push(
      commitsLoss(group.folder, {
        because: { kind: 'allOnRemote' },
        recovery: { kind: 'remote', address, by: 'clone', command },
        commits,
        sizeBytes,
      }),
    );
  }
  snapshot.stashes.forEach((stash, index) => {
    found.loss.push(stashLoss({ name: `stash@{${index}}`, message: stash.message }, { kind: 'none' }));
  });
  return found;
}

/** So many repositories beside it are asked, and for so many commits at most. */
const mostAsked = { repositories: 20, commits: 500 };

/** A repository in the same folder whose names reach all of these commits, and which stays: a clone of it, or its remote. */
async function holderBeside(
  runner: GitRunner,
  place: string,
  ids: readonly string[],
  deleted: ReadonlySet<string>,
): Promise<string | undefined> {
  if (ids.length === 0 || ids.length > mostAsked.commits) return undefined;
  const script = `n=0
for folder in ./*/.git ./*/HEAD; do
folder=\${folder%/HEAD}
[ -e "$folder/HEAD" ] && [ -d "$folder/objects" ] || continue
n=$((n+1)); [ $n -le ${mostAsked.repositories} ] || break
more=$(g --git-dir="$folder" rev-list --max-count=1 "$@" --not --all 2>/dev/null) && [ -z "$more" ] && printf '%s\\0' "\${folder#./}"
done; ${endOf('beside')}`;
  const parent = folderOf(place);
  const answer = await askGit(runner, parent, script, { arguments: ids });
  const roots = fields(answer.sections.get('beside')?.text ?? '').map((name) =>
    below(parent, name.replace(/\/\.git$/, '')),
  );
  return roots.find((root) => root !== place && ![...deleted].some((folder) => isAtOrAbove(folder, root)));
}

async function remotesOf(runner: GitRunner, folder: string): Promise<string[]> {
  const script = `export GIT_DIR=.\n{ g config -z --get-regexp '^remote\\..*\\.url$' || true; }; ${endOf('remotes')}`;
  const answer = await askGit(runner, folder, script);
  return fields(answer.sections.get('remotes')?.text ?? '').map((record) => record.slice(record.indexOf('\n') + 1));
}
