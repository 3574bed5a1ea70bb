import type { Recovery } from '../../facts/recovery.ts';
import { withoutCredentials } from '../../programs/gitSettings.ts';
import { quoteWord } from '../../shell/quoteWord.ts';
import { beforeContent } from '../beforeContent.ts';
import { below, folderOf } from '../bytePath.ts';
import { deletedFolders, destroyedContent } from '../destroyed.ts';
import { heldElsewhere } from '../recovery/heldElsewhere.ts';
import { commitsOf } from './commitsOf.ts';
import { commitsLoss, stashLoss } from './gitCommits.ts';
import { askGit, endOf, fields, type GitRunner } from './gitPlumbing.ts';
import { commitLines, maxListed, refSnapshot } from './gitRefs.ts';
import type { Findings, GitFolderTask } from './gitTask.ts';
import { isRemovedRemote } from './storageChange.ts';

/** What is lost when a whole repository is deleted (`rm -rf .git`, a nested clone): commits that no remote has, stashes. */
export async function repositoryLoss(task: GitFolderTask): Promise<Findings> {
  const { input, group } = task;
  const { files, looker, inView, signal } = input;
  const runner = { looker, signal };
  const place = group.root ?? group.folder;
  const found: Findings = { facts: [{ kind: 'repositoryDeleted', place }], loss: [] };
  const sizeBytes = [...group.changes.values()].reduce((sum, change) => sum + change.sizeBytes, 0);
  const packed = await packedWhole(task);
  if (packed) {
    const commits = { count: 0, replacedBy: 0, inFiles: false };
    found.loss.push(
      commitsLoss(group.folder, { because: { kind: 'packedWhole' }, recovery: packed, commits, sizeBytes }),
    );
    return found;
  }
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
  const ids = lost.map(({ id }) => id);
  const beside = await holderBeside({ looker: inView, signal }, place, ids, task.others);
  if (beside !== undefined) {
    const command = `git clone ${group.root === undefined ? '--mirror ' : ''}${quoteWord(beside)} ${quoteWord(place)}`;
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

/**
 * A repository in the same folder, or among `others`, whose names reach all of these commits, and still do afterwards: a clone of it that does not
 * borrow its objects, or its remote. `inView`: asks what is there afterwards.
 */
async function holderBeside(
  inView: GitRunner,
  place: string,
  ids: readonly string[],
  others: readonly string[],
): Promise<string | undefined> {
  if (ids.length === 0 || ids.length > mostAsked.commits) return undefined;
  const script = `n=0
for folder in ${others.map((folder) => quoteWord(folder)).join(' ')} ./*/.git ./*/HEAD; do
folder=\${folder%/HEAD}
[ -e "$folder/HEAD" ] && [ -d "$folder/objects" ] || continue
n=$((n+1)); [ $n -le ${mostAsked.repositories} ] || break
more=$(g --git-dir="$folder" rev-list --max-count=1 "$@" --not --all 2>/dev/null) && [ -z "$more" ] && printf '%s\\0' "\${folder#./}"
done; ${endOf('beside')}`;
  const parent = folderOf(place);
  const answer = await askGit(inView, parent, script, { arguments: ids });
  const roots = fields(answer.sections.get('beside')?.text ?? '').map((name) =>
    name.startsWith('/') ? name.replace(/\/\.git$/, '') : below(parent, name.replace(/\/\.git$/, '')),
  );
  return roots.find((root) => root !== place);
}

/** Larger repositories are not looked for in archives, in bytes and files. */
const mostPacked = { bytes: 64 * 1024 * 1024, files: 5_000 };

/** Where all that a repository is made of is kept by the action: `tar czf a.tgz project && rm -rf project`. */
async function packedWhole({ input, group }: GitFolderTask): Promise<Recovery | undefined> {
  const { files, view, inView, signal } = input;
  const items = destroyedContent([...group.changes].flatMap(([path, change]) => (parts.test(path) ? [change] : [])));
  const bytes = items.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (items.length === 0 || items.length > mostPacked.files || bytes > mostPacked.bytes) return undefined;
  const held = await heldElsewhere(items, { files, view, inView, signal }, beforeContent(view, signal));
  const holders = items.map(({ path }) => held.get(path));
  const [first] = holders;
  const isWhole = holders.every((holder) => holder?.member !== undefined && holder.file === first?.file);
  if (!first || !isWhole) return undefined;
  return { kind: 'file', file: first.file, ...(first.format === undefined ? {} : { format: first.format }) };
}

/** Without these a repository is not what it was. */
const parts = /^(HEAD|packed-refs|shallow|(objects|refs)\/.+|logs\/refs\/stash)$/;

async function remotesOf(runner: GitRunner, folder: string): Promise<string[]> {
  const script = `export GIT_DIR=.\n{ g config -z --get-regexp '^remote\\..*\\.url$' || true; }; ${endOf('remotes')}`;
  const answer = await askGit(runner, folder, script);
  return fields(answer.sections.get('remotes')?.text ?? '').map((record) => record.slice(record.indexOf('\n') + 1));
}
