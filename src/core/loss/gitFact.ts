import * as z from 'zod/mini';

/** Some commits: how many (`isCut`: at least so many), and the subjects of the first. */
const Commits = z.object({ count: z.number(), isCut: z.boolean(), subjects: z.array(z.string()) });
export type Commits = z.infer<typeof Commits>;

const optionalText = z.optional(z.string());

/**
 * One thing that an action does to a git repository. Names, messages and values are data: what kind of thing happens is
 * said by `kind` and by the numbers alone. Ids are whole; an id that the action itself makes is left out, because it
 * differs from run to run.
 */
const Kinds = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('repositoryMade'), place: z.string() }),
  z.object({ kind: z.literal('repositoryDeleted'), place: z.string() }),
  /** Full ref name. `added`: commits that it has and HEAD had not. */
  z.object({ kind: z.literal('refCreated'), ref: z.string(), at: optionalText, added: Commits }),
  /** `lost`: commits that no other name reaches. */
  z.object({ kind: z.literal('refDeleted'), ref: z.string(), was: z.string(), lost: Commits }),
  /** `dropped`: commits that it had, `added`: commits that it had not. */
  z.object({
    kind: z.literal('refMoved'),
    ref: z.string(),
    from: z.string(),
    to: optionalText,
    dropped: Commits,
    added: Commits,
  }),
  /** So many more names are created, deleted or moved; `gone` of them are deleted. */
  z.object({ kind: z.literal('moreRefs'), count: z.number(), gone: z.number() }),
  /** HEAD follows another branch; `from` is absent where it was detached (at `fromId`). */
  z.object({ kind: z.literal('headSwitched'), from: optionalText, fromId: optionalText, to: z.string() }),
  z.object({ kind: z.literal('headDetached'), from: optionalText, fromId: optionalText, at: optionalText }),
  z.object({ kind: z.literal('stashPut'), message: z.string() }),
  z.object({ kind: z.literal('stashApplied'), name: z.string(), message: z.string() }),
  z.object({ kind: z.literal('stashDropped'), name: z.string(), message: z.string() }),
  z.object({ kind: z.literal('staged'), count: z.number() }),
  z.object({ kind: z.literal('unstaged'), count: z.number() }),
  z.object({ kind: z.literal('conflictsLeft'), count: z.number() }),
  z.object({ kind: z.literal('conflictsResolved'), count: z.number() }),
  /** `value` without credentials. `runs`: git runs a program, or contacts another place, because of it. */
  z.object({ kind: z.literal('settingSet'), key: z.string(), value: z.string(), runs: z.boolean() }),
  z.object({ kind: z.literal('settingRemoved'), key: z.string() }),
  /** The settings could not be read as git reads them: `name` is the file. */
  z.object({ kind: z.literal('settingsUnreadable'), name: z.string() }),
  z.object({ kind: z.literal('hookAdded'), name: z.string(), isExecutable: z.boolean() }),
  z.object({ kind: z.literal('hookChanged'), name: z.string(), isExecutable: z.boolean() }),
  z.object({ kind: z.literal('hookRemoved'), name: z.string() }),
  z.object({ kind: z.literal('unfinishedBegun'), what: z.string() }),
  z.object({ kind: z.literal('unfinishedEnded'), what: z.string() }),
  z.object({ kind: z.literal('worktreeAdded'), name: z.string() }),
  z.object({ kind: z.literal('worktreeRemoved'), name: z.string() }),
  z.object({ kind: z.literal('objectsPacked') }),
  /** Objects that nothing reaches are gone for good; `commits` of them are commits. */
  z.object({ kind: z.literal('objectsRemoved'), count: z.number(), commits: z.number() }),
  z.object({ kind: z.literal('packsRemoved') }),
  /** Something else than git wrote `count` of git's records (HEAD, refs, index, objects …); `first` is relative. */
  z.object({ kind: z.literal('recordsByHand'), count: z.number(), first: z.string() }),
  z.object({ kind: z.literal('unreadable'), failure: z.string() }),
]);

/** Where it happens, if that is not the only repository concerned. */
const place = z.object({ worktree: optionalText, repository: optionalText });

/** A fact of git with its place. */
export const GitFact = z.intersection(Kinds, place);
export type GitFact = z.infer<typeof GitFact>;
/** What can happen to git. */
export type GitFactKind = GitFact['kind'];

/** The fact of one kind: `GitFactOf<'refMoved'>`. */
export type GitFactOf<K extends GitFactKind> = Extract<z.infer<typeof Kinds>, { kind: K }>;
