import { shortId, shortName } from '../../facts/gitNames.ts';
import type { Recovery } from '../../facts/recovery.ts';
import { commitsOf } from './commitsOf.ts';
import { commitsLoss, stashLoss } from './gitCommits.ts';
import { askGit, endOf, type GitRunner } from './gitPlumbing.ts';
import { commitsNotIn, maxListed, type RefSnapshot, refSnapshot } from './gitRefs.ts';
import type { Findings } from './gitTask.ts';

/** Names that calls of git would delete or move, which nobody ran. */
export interface PlannedNames {
  /** The git folder, absolute. */
  folder: string;
  /** Full names of refs that go. */
  deleted: string[];
  /** Where a name goes to instead: object ids, by full name. */
  moved: Map<string, string>;
  /** Positions of stash entries that are dropped; `all`. */
  stashes: number[] | 'all';
}

/** What that does to git: asked of the real repository, in which nothing has happened yet. It does not throw. */
export async function plannedNamesEffects(runner: GitRunner, names: PlannedNames): Promise<Findings> {
  const found: Findings = { facts: [], loss: [] };
  const before = await refSnapshot(runner, names.folder, false);
  if (before.failure !== undefined) return found;
  const gone = before.stashes.filter((_, index) => names.stashes === 'all' || names.stashes.includes(index));
  const kept = keptIds(before, names, new Set(gone.map(({ id }) => id)));
  const logged = await loggedByHead(runner, names.folder);
  for (const ref of [...names.deleted, ...names.moved.keys()]) {
    const was = before.refs.get(ref);
    const to = names.moved.get(ref);
    if (was === undefined || was === to) continue;
    const lost = await commitsNotIn(runner, names.folder, [was], kept);
    const commits = commitsOf(lost, maxListed);
    if (to === undefined) found.facts.push({ kind: 'refDeleted', ref, was, lost: commits });
    else {
      const dropped = commitsOf(await commitsNotIn(runner, names.folder, [was], [to]), maxListed);
      const added = commitsOf(await commitsNotIn(runner, names.folder, [to], [was]), maxListed);
      found.facts.push({ kind: 'refMoved', ref, from: was, to, dropped, added });
    }
    if (lost.length === 0) continue;
    const loss = commitsLoss(shortName(ref), {
      because: { kind: 'unreachable', commits, replacedBy: 0, inFiles: false },
      recovery: wayBackTo(was, logged.has(was)),
      commits: { count: lost.length, replacedBy: 0, inFiles: false },
    });
    found.loss.push(loss);
  }
  for (const [index, stash] of before.stashes.entries()) {
    if (!gone.includes(stash)) continue;
    const named = { name: `stash@{${index}}`, message: stash.message };
    found.facts.push({ kind: 'stashDropped', ...named });
    const command = `git stash apply ${stash.id}`;
    found.loss.push(stashLoss(named, { kind: 'objectDatabase', id: stash.id, command }));
  }
  return found;
}

function keptIds(before: RefSnapshot, names: PlannedNames, goneStashes: ReadonlySet<string>): string[] {
  const changed = new Set([...names.deleted, ...names.moved.keys()]);
  const refs = [...before.refs].filter(([name]) => !changed.has(name)).map(([, id]) => id);
  const head = before.head !== undefined && !changed.has(before.branch ?? '') ? [before.head] : [];
  const stashes = before.stashes.map(({ id }) => id).filter((id) => !goneStashes.has(id));
  return [...refs, ...head, ...names.moved.values(), ...stashes];
}

/** A deleted branch takes its own reflog with it; that of HEAD stays. */
async function loggedByHead(runner: GitRunner, folder: string): Promise<Set<string>> {
  const script = `export GIT_DIR=.\n{ g log -g --format=%H HEAD -- 2>/dev/null || true; }; ${endOf('logged')}`;
  const answer = await askGit(runner, folder, script);
  return new Set((answer.sections.get('logged')?.text ?? '').split('\n'));
}

function wayBackTo(id: string, isLogged: boolean): Recovery {
  const command = `git branch rescue ${shortId(id)}`;
  return isLogged ? { kind: 'reflog', commit: id, command } : { kind: 'objectDatabase', id, command };
}
