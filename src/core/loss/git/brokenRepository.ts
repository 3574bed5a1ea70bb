import { quoteWord } from '../../shell/quoteWord.ts';
import { below } from '../bytePath.ts';
import { commitsOf } from './commitsOf.ts';
import { commitsLoss } from './gitCommits.ts';
import type { GitFolderChanges } from './gitFolders.ts';
import { askGit, endOf } from './gitPlumbing.ts';
import { removedIds } from './gitPruning.ts';
import { maxListed, type RefSnapshot } from './gitRefs.ts';
import type { Findings, GitFolderTask } from './gitTask.ts';
import { commitsOfRepository, repositoryFacts, stashLosses } from './repositoryLoss.ts';

/** Without one of these git takes a folder for no repository. */
const essential = ['HEAD', 'objects', 'refs'] as const;

/** Something is gone without which a folder is no repository. */
export function isBroken(group: GitFolderChanges): boolean {
  return essential.some((name) => group.changes.get(name)?.change === 'deleted');
}

/** What goes with parts of a repository, so that git cannot read it any more: commits with its objects, names with its refs. */
export async function describeBroken(
  task: GitFolderTask,
  before: RefSnapshot,
  failure: string,
  found: Findings,
): Promise<void> {
  const { group } = task;
  const removed = await removedIds(task);
  const left = removed === undefined ? new Set<string>() : await idsOfPacks(task);
  const gone = removed && new Set(removed.filter((id) => !left.has(id)));
  const isGone = group.changes.get('objects')?.change === 'deleted' && gone?.size !== 0;
  const command = isGone ? undefined : mending(task, before);
  const namesGone = losesNames(group);
  const mend = command !== undefined && !namesGone ? { mend: command } : {};
  found.facts.push({ kind: 'broken', failure, ...mend });
  if (gone === undefined || gone.size > 0) await describeLostObjects(task, before, gone, found);
  if (!namesGone || isGone) return;
  const facts = await repositoryFacts(task, before);
  if ('failure' in facts) return;
  const list = facts.lost.commits.filter(({ id }) => !gone?.has(id));
  if (list.length === 0) return;
  const because = { kind: 'unreachable', commits: commitsOf(list, maxListed), replacedBy: 0, inFiles: false } as const;
  const recovery = { kind: 'objectDatabase', ...(command === undefined ? {} : { command }) } as const;
  const commits = { count: list.length, replacedBy: 0, inFiles: false };
  found.loss.push(commitsLoss(below(group.folder, 'refs'), { because, recovery, commits }));
}

/** Commits and stashes whose objects are gone, though names still stand at them. `gone`: ids; absent: all. */
export async function describeLostObjects(
  task: GitFolderTask,
  before: RefSnapshot,
  gone: ReadonlySet<string> | undefined,
  found: Findings,
): Promise<void> {
  const facts = await repositoryFacts(task, before);
  if ('failure' in facts) return;
  const isGone = ({ id }: { id: string }) => gone?.has(id) ?? true;
  // What all had is on a remote: that is told where everything goes.
  const commits = facts.lost.commits.filter(isGone);
  const isAll = gone === undefined || facts.lost.tips.every((id) => gone.has(id));
  const loss =
    commits.length > 0 || isAll ? await commitsOfRepository({ ...facts, lost: { ...facts.lost, commits } }) : undefined;
  if (loss) found.loss.push(loss);
  found.loss.push(...(await stashLosses(facts, before.stashes.filter(isGone))));
}

/** Ids of all objects in the packs that are left. */
async function idsOfPacks({ input, group }: GitFolderTask): Promise<Set<string>> {
  const script = `for index in objects/pack/*.idx; do [ -e "\${index%.idx}.pack" ] && g show-index < "$index"; done; ${endOf('ids')}`;
  const answer = await askGit({ looker: input.inView, signal: input.signal }, group.folder, script);
  return new Set((answer.sections.get('ids')?.text ?? '').split('\n').flatMap((line) => line.split(' ')[1] ?? []));
}

/** Names go with `refs` where they do not stand in `packed-refs`, all of them, and that stays. */
function losesNames({ changes }: GitFolderChanges): boolean {
  if (changes.get('refs')?.change !== 'deleted') return false;
  if (changes.get('packed-refs')?.change === 'deleted') return true;
  return [...changes].some(([path, { type }]) => path.startsWith('refs/') && type !== 'directory');
}

/** Of more names no command is made. */
const mostNames = 40;

/** What makes HEAD and names anew, where all that they stood at is there. */
function mending({ group }: GitFolderTask, { branch, head, refs, stashes }: RefSnapshot): string | undefined {
  const isDeleted = (name: string) => group.changes.get(name)?.change === 'deleted';
  const folder = group.folder;
  const steps: string[] = [];
  for (const name of ['objects', 'refs']) if (isDeleted(name)) steps.push(`mkdir -p ${quoteWord(below(folder, name))}`);
  if (isDeleted('HEAD')) {
    const text = branch === undefined ? (head ?? '') : `ref: ${branch}`;
    steps.push(`printf '%s\\n' ${quoteWord(text)} > ${quoteWord(below(folder, 'HEAD'))}`);
  }
  if (losesNames(group)) {
    if (refs.size > mostNames) return undefined;
    for (const [name, id] of refs) steps.push(`git --git-dir=${quoteWord(folder)} update-ref ${quoteWord(name)} ${id}`);
    // Its log is still there, and would get another entry.
    const [stash] = stashes;
    if (stash) steps.push(`printf '%s\\n' ${stash.id} > ${quoteWord(below(folder, 'refs/stash'))}`);
  }
  return steps.join(' && ');
}
