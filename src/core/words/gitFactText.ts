import type { Commits, GitFact } from '../facts/gitFact.ts';
import { shortId, shortName } from '../facts/gitNames.ts';
import { quoteWord } from '../shell/quoteWord.ts';
import { countOf } from '../view/quantity.ts';
import { commitCount, nameWithKind, quotedSubjects, shorten } from './gitWords.ts';

/** A fact of git as one clause, for example `deletes branch topic (was 1a2b3c4d5e)`. For people; nothing reads it back. */
export function gitFactText(fact: GitFact): string {
  const worktree = fact.worktree === undefined ? '' : ` in worktree ${fact.worktree}`;
  const isNamed = 'place' in fact && fact.place === fact.repository;
  const repository = fact.repository === undefined || isNamed ? '' : ` in ${fact.repository}`;
  return `${clause(fact)}${worktree}${repository}`;
}

/** The same where the repository is said by what stands above it. */
export function gitFactTextThere({ repository: _, ...fact }: GitFact): string {
  return gitFactText(fact as GitFact);
}

function clause(fact: GitFact): string {
  switch (fact.kind) {
    case 'repositoryMade':
      return `makes a git repository in ${fact.place}`;
    case 'repositoryDeleted':
      return `deletes the git repository in ${fact.place}`;
    case 'repositoryMoved': {
      const after = fact.replaced ? 'is another repository then' : 'is no repository any more';
      return `moves the git repository to ${fact.to}: ${fact.place} ${after}`;
    }
    case 'refCreated':
    case 'refDeleted':
    case 'refMoved':
    case 'refRenamed':
    case 'moreRefs':
    case 'headSwitched':
    case 'headDetached':
      return refClause(fact);
    case 'stashPut':
      return `puts changes into the stash (“${shorten(fact.message)}”)`;
    case 'stashApplied':
      return `applies ${fact.name} to the files and drops it (“${shorten(fact.message)}”)`;
    case 'stashDropped':
      return `drops ${fact.name} (“${shorten(fact.message)}”)`;
    case 'staged':
    case 'unstaged':
    case 'secretsTracked':
    case 'conflictsLeft':
    case 'conflictsResolved':
      return indexClause(fact);
    case 'settingSet':
    case 'settingRemoved':
    case 'settingsUnreadable':
    case 'hookAdded':
    case 'hookChanged':
    case 'hookRemoved':
      return settingClause(fact);
    case 'unfinishedBegun':
      return `leaves ${fact.what} unfinished`;
    case 'unfinishedEnded':
      return `ends ${fact.what}`;
    case 'worktreeAdded':
      return `adds worktree ${fact.name}`;
    case 'worktreeRemoved':
      return `removes worktree ${fact.name}`;
    case 'worktreesCutOff': {
      const trees = `${fact.places.length === 1 ? 'worktree' : 'worktrees'} ${fact.places.join(', ')}`;
      if (fact.movedTo === undefined) return `leaves ${trees} without a repository`;
      const where = fact.movedTo.endsWith('/.git')
        ? `-C ${quoteWord(fact.movedTo.slice(0, -'/.git'.length))}`
        : `--git-dir=${quoteWord(fact.movedTo)}`;
      const named = (fact.repaired ?? []).map((place) => ` ${quoteWord(place)}`).join('');
      return `leaves ${trees} pointing to where the repository was (git ${where} worktree repair${named})`;
    }
    case 'submodulesCutOff': {
      const modules = `${fact.places.length === 1 ? 'submodule' : 'submodules'} ${fact.places.join(', ')}`;
      return `leaves ${modules} pointing to where the repository was (${fact.mend})`;
    }
    case 'submoduleMovedAway':
      return `moves submodule ${fact.place} to ${fact.to} without telling git, which finds it at neither place (git mv would; back by ${fact.mend})`;
    case 'objectsPacked':
      return 'packs git’s objects';
    case 'objectsRemoved': {
      const ofThem = fact.commits > 0 ? `, ${countOf(fact.commits, 'commit')} among them` : '';
      return `removes ${countOf(fact.count, 'unreachable object')} for good${ofThem}`;
    }
    case 'neededRemoved': {
      const ofThem = fact.commits > 0 ? `, ${countOf(fact.commits, 'commit')} among them` : '';
      return `removes ${countOf(fact.count, 'object')} that branches, tags or stashes need${ofThem}`;
    }
    case 'broken': {
      const mend = fact.mend === undefined ? '' : `; mended by ${fact.mend}`;
      return `leaves a repository that git cannot read: ${fact.failure}${mend}`;
    }
    case 'packsRemoved':
      return 'removes packs that are too large to be compared';
    case 'recordsByHand':
      return `changes ${countOf(fact.count, 'file')} of git’s own records without git, such as ${fact.first}`;
    case 'unreadable':
      return `changes git’s storage in a way that could not be read: ${fact.failure}`;
  }
}

type RefKind = 'refCreated' | 'refDeleted' | 'refMoved' | 'refRenamed' | 'moreRefs' | 'headSwitched' | 'headDetached';

function refClause(fact: Extract<GitFact, { kind: RefKind }>): string {
  switch (fact.kind) {
    case 'refCreated': {
      const added = fact.added.count > 0 ? `, with ${commitsText(fact.added)}` : '';
      if (fact.replaces !== undefined)
        return `shows another object in the place of ${shortId(fact.replaces)} wherever git reads it`;
      return `creates ${nameWithKind(fact.ref)}${fact.at === undefined ? '' : ` at ${shortId(fact.at)}`}${added}`;
    }
    case 'refDeleted': {
      const lost = fact.lost.count > 0 ? `, with ${commitsText(fact.lost)} on nothing else` : '';
      return `deletes ${nameWithKind(fact.ref)} (was ${shortId(fact.was)}${lost})`;
    }
    case 'refMoved': {
      const parts = [
        fact.dropped.count > 0 ? `drops ${commitsText(fact.dropped)}` : '',
        fact.added.count > 0 ? `adds ${commitsText(fact.added)}` : '',
      ].filter((part) => part !== '');
      const to = fact.to === undefined ? '' : ` to ${shortId(fact.to)}`;
      return `moves ${nameWithKind(fact.ref)} from ${shortId(fact.from)}${to}: ${parts.join(', ') || 'to another object'}`;
    }
    case 'refRenamed':
      return `renames ${nameWithKind(fact.ref)} to ${shortName(fact.to)}`;
    case 'moreRefs':
      return `changes ${countOf(fact.count, 'more name')}`;
    case 'headSwitched':
      return `switches from ${headText(fact)} to ${shortName(fact.to)}${fact.isUnborn ? ' (which has no commit)' : ''}`;
    case 'headDetached':
      return `detaches HEAD from ${headText(fact)}${fact.at === undefined ? '' : ` at ${shortId(fact.at)}`}`;
  }
}

function headText({ from, fromId }: { from?: string | undefined; fromId?: string | undefined }): string {
  return from === undefined ? `the detached commit ${shortId(fromId)}` : shortName(from);
}

type SettingKind = 'settingSet' | 'settingRemoved' | 'settingsUnreadable' | 'hookAdded' | 'hookChanged' | 'hookRemoved';

function settingClause(fact: Extract<GitFact, { kind: SettingKind }>): string {
  switch (fact.kind) {
    case 'settingSet': {
      const what = `sets ${fact.key} to “${fact.value}”`;
      return fact.runs ? `${what}: from then on git runs programs or contacts places because of it` : what;
    }
    case 'settingRemoved':
      return `removes setting ${fact.key}`;
    case 'settingsUnreadable':
      return `leaves settings in ${fact.name} that git cannot read`;
    case 'hookRemoved':
      return `removes hook ${fact.name}`;
    case 'hookAdded':
    case 'hookChanged': {
      const runs = fact.isExecutable ? ', which git will run' : ', which is not executable';
      return `${fact.kind === 'hookAdded' ? 'adds' : 'changes'} hook ${fact.name}${runs}`;
    }
  }
}

/** `3 commits (“a”, “b”, “c”)`. */
function commitsText(commits: Commits): string {
  return `${commitCount(commits)} (${quotedSubjects(commits)})`;
}

type IndexKind = 'staged' | 'unstaged' | 'secretsTracked' | 'conflictsLeft' | 'conflictsResolved';

function indexClause(fact: Extract<GitFact, { kind: IndexKind }>): string {
  switch (fact.kind) {
    case 'staged': {
      const { count, removed = 0 } = fact;
      if (removed === count) return `stages the removal of ${countOf(count, 'file')}`;
      return `stages ${countOf(count, 'file')}${removed > 0 ? `, ${removed} of them to be removed` : ''}`;
    }
    case 'unstaged':
      return `unstages ${countOf(fact.count, 'file')}`;
    case 'secretsTracked': {
      const [first = '', ...more] = fact.paths;
      const all = more.length === 0 ? first : `${first} and ${countOf(more.length, 'more file')}`;
      return `adds ${all} to git, and ${more.length === 0 ? 'it' : 'they'} may hold keys or passwords`;
    }
    case 'conflictsLeft':
      return `leaves ${countOf(fact.count, 'file')} with conflicts`;
    case 'conflictsResolved':
      return `marks ${countOf(fact.count, 'conflict')} as resolved`;
  }
}
