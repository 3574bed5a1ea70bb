import type { GitFact, GitFactKind, GitFactOf } from '../facts/gitFact.ts';
import type { Level } from '../facts/level.ts';

/** The level of each kind of fact, from its kind and its numbers; names, messages and values play no part. */
const levels: { readonly [K in GitFactKind]: (fact: GitFactOf<K>) => Level } = {
  repositoryMade: () => 'safe',
  repositoryDeleted: () => 'caution',
  repositoryMoved: () => 'caution',
  // What stands in the place of an object is shown as that one everywhere.
  refCreated: ({ replaces }) => (replaces === undefined ? 'safe' : 'caution'),
  refDeleted: () => 'caution',
  // A name that only goes forward loses nothing; a tag that names another object does.
  refMoved: ({ dropped, added }) => (dropped.count === 0 && added.count > 0 ? 'safe' : 'caution'),
  refRenamed: () => 'safe',
  moreRefs: ({ gone }) => (gone > 0 ? 'caution' : 'safe'),
  headSwitched: () => 'safe',
  headDetached: () => 'safe',
  stashPut: () => 'safe',
  stashApplied: () => 'safe',
  stashDropped: () => 'caution',
  staged: () => 'safe',
  unstaged: () => 'safe',
  // Whoever gets the repository gets them too.
  secretsTracked: () => 'caution',
  conflictsLeft: () => 'caution',
  conflictsResolved: () => 'safe',
  settingSet: ({ runs }) => (runs ? 'danger' : 'safe'),
  settingRemoved: () => 'caution',
  settingsUnreadable: () => 'danger',
  hookAdded: () => 'caution',
  hookChanged: () => 'caution',
  hookRemoved: () => 'caution',
  unfinishedBegun: () => 'safe',
  unfinishedEnded: () => 'safe',
  worktreeAdded: () => 'safe',
  worktreeRemoved: () => 'caution',
  worktreesCutOff: () => 'caution',
  submodulesCutOff: () => 'caution',
  submoduleMovedAway: () => 'caution',
  objectsPacked: () => 'safe',
  // Nothing reaches them any more; of a commit of the last two weeks, a dropped stash for one, somebody may still want something.
  objectsRemoved: ({ recent }) => (recent > 0 ? 'danger' : 'caution'),
  neededRemoved: () => 'danger',
  packsRemoved: () => 'caution',
  broken: () => 'danger',
  recordsByHand: () => 'danger',
  unreadable: () => 'danger',
};

/** How much a developer should care about a fact of git. */
export function gitLevel(fact: GitFact): Level {
  return (levels[fact.kind] as (fact: GitFact) => Level)(fact);
}
