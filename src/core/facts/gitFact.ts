import * as z from 'zod/mini';
import { hasKind } from '../view/hasKind.ts';

/** Some commits: how many (`isCut`: at least so many), and the subjects of the first. */
export interface Commits {
  count: number;
  isCut: boolean;
  subjects: string[];
}

/**
 * One thing that an action does to a git repository. Names, messages and values are data: what kind of thing happens is
 * said by `kind` and by the numbers alone. Ids are whole; an id that the action itself makes is left out, because it
 * differs from run to run.
 */
type Kinds =
  | { kind: 'repositoryMade'; place: string }
  | { kind: 'repositoryDeleted'; place: string }
  /** Out of `place`, which stays and is no repository any more; `replaced`: another one stands there afterwards. */
  | { kind: 'repositoryMoved'; place: string; to: string; replaced: boolean }
  /** Full ref name. `added`: commits that it has and HEAD had not. `replaces`: git shows it in the place of this object. */
  | { kind: 'refCreated'; ref: string; at?: string | undefined; added: Commits; replaces?: string }
  /** `lost`: commits that no other name reaches. */
  | { kind: 'refDeleted'; ref: string; was: string; lost: Commits }
  /** `dropped`: commits that it had, `added`: commits that it had not. */
  | { kind: 'refMoved'; ref: string; from: string; to?: string | undefined; dropped: Commits; added: Commits }
  /** A name of the same kind takes its place, at the same object. */
  | { kind: 'refRenamed'; ref: string; to: string }
  /** So many more names are created, deleted or moved; `gone` of them are deleted. */
  | { kind: 'moreRefs'; count: number; gone: number }
  /** HEAD follows another branch; `from` is absent where it was detached (at `fromId`). `isUnborn`: one without any commit. */
  | { kind: 'headSwitched'; from?: string | undefined; fromId?: string | undefined; to: string; isUnborn?: true }
  | { kind: 'headDetached'; from?: string | undefined; fromId?: string | undefined; at?: string | undefined }
  | { kind: 'stashPut'; message: string }
  | { kind: 'stashApplied'; name: string; message: string }
  | { kind: 'stashDropped'; name: string; message: string }
  /** `removed`: of these files, so many are no longer there in the next commit. */
  | { kind: 'staged'; count: number; removed?: number }
  | { kind: 'unstaged'; count: number }
  /** Files that may hold keys or passwords, and that git did not know, are in its index afterwards; as git names them. */
  | { kind: 'secretsTracked'; paths: string[] }
  | { kind: 'conflictsLeft'; count: number }
  | { kind: 'conflictsResolved'; count: number }
  /** `value` without credentials. `runs`: git runs a program, or contacts another place, because of it. */
  | { kind: 'settingSet'; key: string; value: string; runs: boolean }
  | { kind: 'settingRemoved'; key: string }
  /** The settings could not be read as git reads them: `name` is the file. */
  | { kind: 'settingsUnreadable'; name: string }
  | { kind: 'hookAdded'; name: string; isExecutable: boolean }
  | { kind: 'hookChanged'; name: string; isExecutable: boolean }
  | { kind: 'hookRemoved'; name: string }
  | { kind: 'unfinishedBegun'; what: string }
  | { kind: 'unfinishedEnded'; what: string }
  | { kind: 'worktreeAdded'; name: string }
  | { kind: 'worktreeRemoved'; name: string }
  /**
   * Linked worktrees, absolute, that stay while their repository goes; `movedTo`: its git folder by then; `repaired`: those of them
   * that went elsewhere too, which have to be named to mend them.
   */
  | { kind: 'worktreesCutOff'; places: string[]; movedTo?: string; repaired?: string[] }
  /** The same of submodules; `mend`: a command after which git finds their repositories. */
  | { kind: 'submodulesCutOff'; places: string[]; mend: string }
  /** A submodule goes elsewhere, and its repository does not know that; `mend`: a command that takes it back. */
  | { kind: 'submoduleMovedAway'; place: string; to: string; mend: string }
  | { kind: 'objectsPacked' }
  /** Objects that nothing reaches are gone for good; `commits` of them are commits. */
  /** `recent`: of the commits, those of the last two weeks, which git itself would still keep. */
  | { kind: 'objectsRemoved'; count: number; commits: number; recent: number }
  /** The same of objects that a branch, a tag, HEAD or a stash still needs. */
  | { kind: 'neededRemoved'; count: number; commits: number }
  | { kind: 'packsRemoved' }
  /** Git cannot read the repository any more; `mend`: a command after which it can, where nothing is lost. */
  | { kind: 'broken'; failure: string; mend?: string }
  /** Something else than git wrote `count` of git's records (HEAD, refs, index, objects …); `first` is relative. */
  | { kind: 'recordsByHand'; count: number; first: string }
  | { kind: 'unreadable'; failure: string };

/** A fact of git; `worktree` and `repository` say where it happens, if that is not the only place concerned. */
export type GitFact = Kinds & { worktree?: string | undefined; repository?: string | undefined };

/** Checked as far as its kind; it is only ever made by us. */
export const GitFact = z.custom<GitFact>(hasKind);

/** What can happen to git. */
export type GitFactKind = GitFact['kind'];

/** The fact of one kind: `GitFactOf<'refMoved'>`. */
export type GitFactOf<K extends GitFactKind> = Extract<Kinds, { kind: K }>;
