import * as z from 'zod/mini';
import { CodeDeedKind } from './codeDeed.ts';
import { Doubt } from './doubt.ts';
import { Effect, EffectKind } from './effect.ts';
import { Failure } from './failure.ts';
import { Level } from './level.ts';
import { Limit } from './limit.ts';
import { Going, LossReason } from './loss.ts';
import { OtherSpelling } from './otherSpelling.ts';
import { ProgramLabel } from './programLabel.ts';
import { Recovery } from './recovery.ts';
import { Refusal } from './refusal.ts';

const Words = z.readonly(z.array(z.string()));
/**
 * A program with how it came about, where that is known. `open`: words that stand as they are written, because only the
 * shell knows what they become: `$X`, `*.log`.
 */
const call = { argv: Words, label: z.optional(ProgramLabel), open: z.optional(Words) };

/** An effect, whoever says so. */
export const Mark = z.omit(Effect, { basis: true, expectedOf: true });
export type Mark = z.infer<typeof Mark>;

/**
 * How much content is concerned. `lines` is 0 where nobody counted; `isUncommitted`: no commit has any of it; `isOrder`: every line
 * stands elsewhere, and only their order goes.
 */
export const Amount = z.object({
  files: z.number(),
  lines: z.number(),
  sizeBytes: z.number(),
  isUncommitted: z.boolean(),
  isOrder: z.optional(z.literal(true)),
});
export type Amount = z.infer<typeof Amount>;

/** A place whose files decide more than a file of a project does. `keeps`: keys, settings or history; `pipeline`: what runs on other machines. */
export const SpecialPlace = z.enum([
  ...(['device', 'startup', 'secret', 'guard', 'pipeline', 'keeps', 'system', 'outside'] as const),
]);
export type SpecialPlace = z.infer<typeof SpecialPlace>;

/** What an edit does to some files beyond writing them. */
export const EditMark = z.enum(['pipeline', 'unsaved', 'generated', 'lockFile', 'readOnly']);
export type EditMark = z.infer<typeof EditMark>;

/** What fails: a command; a patch (`isPartly`: some of it applies) or an edit; the call of an agent's tool. */
const FailedAction = z.discriminatedUnion('of', [
  /** `said`: the first line of standard error; `program` is absent where none is known to have ended so. */
  z.object({
    of: z.literal('command'),
    program: z.optional(z.object(call)),
    exitCode: z.number(),
    said: z.optional(z.string()),
  }),
  z.object({ of: z.literal('patch'), isPartly: z.boolean(), said: z.string() }),
  z.object({ of: z.literal('edit'), said: z.string() }),
  z.object({ of: z.literal('call'), refusal: Refusal }),
]);

/** How many of what is counted are folders; absent: none. */
const folders = z.optional(z.number());

/** So many ways back, of which one is told; absent: that is the only one. */
const ways = z.optional(z.number());

/** What files, losses and effects prove. */
const proven = [
  /** Work that no name of git reaches any more, for good. */
  z.object({ kind: z.literal('workLost'), of: z.enum(['commits', 'stash']), name: z.string(), because: LossReason }),
  /** The same, where there is a way back. */
  z.object({ kind: z.literal('workTakenAway'), because: z.array(LossReason), recovery: Recovery }),
  /** `isNowhere`: no repository has the place at all; `isUnknown`: git could not be asked whether it has them. */
  z.object({
    kind: z.literal('filesLost'),
    ...{ going: Going, amount: Amount, isNowhere: z.boolean(), isUnknown: z.optional(z.boolean()) },
  }),
  z.object({ kind: z.literal('temporaryFilesLost'), amount: Amount }),
  /** Logs of its runs that a program keeps in the user's home, and deletes by itself. */
  z.object({ kind: z.literal('ownLogsLost'), amount: Amount }),
  z.object({ kind: z.literal('filesTakenAway'), going: Going, amount: Amount, recovery: Recovery, ways }),
  /** The action itself packs them into an archive. */
  z.object({ kind: z.literal('filesPacked'), amount: Amount, recovery: Recovery, ways }),
  z.object({ kind: z.literal('builtFilesLost'), amount: Amount }),
  /** What is destroyed exists under another name than the one that was written. */
  z.extend(OtherSpelling, { kind: z.literal('otherSpelling') }),
  /** `isDeleted`, `isCreated`: all of them are. */
  z.object({
    kind: z.literal('placeChanged'),
    place: SpecialPlace,
    files: z.number(),
    folders,
    isDeleted: z.optional(z.boolean()),
    isCreated: z.optional(z.boolean()),
  }),
  /** Files that run with the rights of their owner from now on. */
  z.object({ kind: z.literal('runsAsOwner'), files: z.number() }),
  z.object({ kind: z.literal('writableByAll'), files: z.number(), folders }),
  /** Not even their owner may read them, or look into them, afterwards. `wayBack`: a command that gives it back. */
  z.object({ kind: z.literal('closedToOwner'), files: z.number(), folders, wayBack: z.string() }),
  z.object({ kind: z.literal('effect'), effect: Mark }),
  /** So many more effects of a kind whose first ones are told. */
  z.object({ kind: z.literal('moreEffects'), effect: EffectKind, count: z.number() }),
  /** The rehearsal ran into a limit. */
  z.object({ kind: z.literal('limit'), limit: Limit }),
] as const;

/** What an edit means. */
const edited = [
  /** Files with a syntax error that they had not before; `first` of these errors. */
  z.object({
    kind: z.literal('newErrors'),
    files: z.number(),
    first: z.optional(z.object({ message: z.string(), line: z.number() })),
  }),
  /** `secrets`: kinds of secrets. */
  z.object({ kind: z.literal('secretWritten'), secrets: z.array(z.string()), files: z.number() }),
  z.object({ kind: z.literal('editMarked'), mark: EditMark, files: z.number() }),
  /** The file is another one by now than whoever made the edit has read. */
  z.object({ kind: z.literal('changedMeanwhile'), path: z.string() }),
] as const;

/** What programs were asked to do. `argv` as written or as run; never cut. */
const asked = [
  /** `says`: the clause of the table of programs, whose subject is `head`; shown and never read. */
  z.object({
    kind: z.literal('program'),
    head: z.string(),
    says: z.string(),
    usesNetwork: z.boolean(),
    /**
     * What came of it in the rehearsal, where it ended. `later`: a trap or an alias runs it, if anything. `nobodySignalled`: no
     * process but those of the command itself was sent a signal.
     */
    outcome: z.optional(z.enum(['failed', 'nothingLost', 'notStarted', 'notInstalled', 'later', 'nobodySignalled'])),
    /** It would run on another machine, in a container or below another root, and what it names is there. */
    elsewhere: z.optional(z.enum(['machine', 'container', 'root'])),
  }),
  /** A push that may rewrite the remote, but as far as was fetched only adds to it. */
  z.object({ kind: z.literal('forwardPush'), head: z.string() }),
  /** Nothing is known of the program, and it did not run. */
  z.object({ kind: z.literal('unknown'), ...call, wasStopped: z.boolean() }),
  z.object({ kind: z.literal('unknownDestroys'), ...call }),
  z.object({ kind: z.literal('unknownRan'), ...call }),
  /** Nor is that known: all was run, and it stands in a branch that was not taken. */
  z.object({ kind: z.literal('unknownElsewhere'), ...call }),
  /** All that is assumed is that who was really asked still answers so; `argv` asked. `to`, `at`: as in `answersAsThen`. */
  z.object({
    kind: z.literal('answeredThen'),
    ...call,
    to: z.union([z.number(), z.literal('github')]),
    at: z.string(),
  }),
  /** It only has the name of a known program. */
  z.object({ kind: z.literal('outOfPlace'), file: z.string() }),
  /** `program` stands in a variable or is printed by a command. */
  z.object({ kind: z.literal('openProgram'), ...call }),
  /** A variable that decides what code other programs run; `PATH`: whose programs. */
  z.object({ kind: z.literal('variableRuns'), name: z.string() }),
  z.object({ kind: z.literal('pathOfOthers') }),
  /** What inline code does; `script`: the commands that it runs, where they are known. `outcome`: as of a program. */
  z.object({
    kind: z.literal('code'),
    language: z.string(),
    deed: CodeDeedKind,
    script: z.optional(z.string()),
    outcome: z.optional(z.literal('failed')),
  }),
] as const;

/** What lies in how the parts of a script are connected. */
const connected = [
  /** Code that one program fetches, unpacks or prints is run by another one. `argv` is the first. */
  z.object({ kind: z.literal('runsOutput'), does: z.enum(['fetches', 'unpacks', 'prints']), ...call }),
  /** `isFolder`: `file` is a folder, and what is run is somewhere in it. `isPackage`: `file` is installed. */
  z.object({
    kind: z.literal('runsDownload'),
    file: z.string(),
    isFolder: z.optional(z.literal(true)),
    isPackage: z.optional(z.literal(true)),
    ...call,
  }),
  /** `elsewhere`: it hands the file to a shell there. `isRead`: its commands are judged besides. */
  z.object({
    kind: z.literal('runsUnread'),
    file: z.string(),
    elsewhere: z.optional(z.enum(['machine', 'container', 'root'])),
    isRead: z.optional(z.literal(true)),
  }),
  /** `isThere` is absent where nobody looked. */
  z.object({ kind: z.literal('overwrites'), target: z.string(), isThere: z.optional(z.literal(true)) }),
  /** `stays`: all was run, and what stands there stays as it is. `isNew`: nothing is there. */
  z.object({
    kind: z.literal('writesPlace'),
    place: SpecialPlace,
    target: z.string(),
    appends: z.boolean(),
    stays: z.optional(z.literal(true)),
    isNew: z.optional(z.literal(true)),
    /** It is not here, and neither is `outside` what it is of. */
    elsewhere: z.optional(z.enum(['machine', 'container', 'root'])),
  }),
  z.object({ kind: z.literal('connects'), address: z.string() }),
  /** `path` is absent where it is the environment that is read. */
  z.object({ kind: z.literal('sendsSecret'), path: z.optional(z.string()) }),
  z.object({ kind: z.literal('readsSecret'), path: z.string() }),
  /** `word` would become `becomes`; `isWide`: that is a place of the system. */
  z.object({
    kind: z.literal('unsetVariable'),
    name: z.string(),
    isCertain: z.boolean(),
    program: z.string(),
    word: z.string(),
    becomes: z.string(),
    isWide: z.boolean(),
  }),
  /** A function that starts itself without end. */
  z.object({ kind: z.literal('bomb'), name: z.string() }),
  /** The shell is told not to remember what is typed. */
  z.object({ kind: z.literal('historyOff') }),
  /** Characters of its words that nobody sees, as `U+200B`. */
  z.object({ kind: z.literal('hiddenCharacters'), characters: z.array(z.string()) }),
  /** `problem`: the parser's sentence; shown and never read. */
  z.object({ kind: z.literal('unreadableScript'), problem: z.string() }),
] as const;

/** Files and folders, by what happens to them. */
const ChangeCounts = z.object({ created: z.number(), changed: z.number(), moved: z.number(), deleted: z.number() });
export type ChangeCounts = z.infer<typeof ChangeCounts>;

/** Nothing of all this. */
const harmless = [
  z.extend(ChangeCounts, { kind: z.literal('onlyChanges'), folders: z.optional(ChangeCounts) }),
  z.object({ kind: z.literal('onlyGit'), effects: z.array(Mark) }),
  z.object({ kind: z.literal('onlyGitFiles') }),
  z.object({ kind: z.literal('onlyTimes') }),
  z.object({ kind: z.literal('onlyReads') }),
] as const;

/** Why not everything could be predicted: what is not claimed, or what failed. Neither: a model imagined a part of it. */
export const Incompleteness = z.object({ doubt: z.optional(Doubt), failure: z.optional(Failure) });
export type Incompleteness = z.infer<typeof Incompleteness>;

/** What a reason of the verdict is about, as a kind and data. Names and messages play no part in how it is judged. */
export const RiskFact = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('fails'), failure: FailedAction }),
  z.extend(Incompleteness, { kind: z.literal('incomplete') }),
  ...proven,
  ...edited,
  ...asked,
  ...connected,
  ...harmless,
]);
export type RiskFact = z.infer<typeof RiskFact>;

/** What a reason can be about. */
export const RiskKind = z.enum(
  RiskFact.def.options.map((option) => option.shape.kind.def.values[0]) as [RiskFact['kind']],
);
export type RiskKind = z.infer<typeof RiskKind>;

/** The fact of one kind: `RiskFactOf<'filesLost'>`. */
export type RiskFactOf<K extends RiskKind> = Extract<RiskFact, { kind: K }>;

/** What the reader of a reason can look up in the same prediction. */
export const Evidence = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('path'), path: z.string() }),
  z.object({ kind: z.literal('program'), ...call }),
  z.object({ kind: z.literal('effect'), effect: Mark }),
  /** A variable that is set. */
  z.object({ kind: z.literal('variable'), name: z.string(), value: z.string() }),
  z.object({ kind: z.literal('environment') }),
  /** A name that stands in the script or elsewhere: a ref, a function, what a program touches. */
  z.object({ kind: z.literal('name'), name: z.string() }),
]);
export type Evidence = z.infer<typeof Evidence>;

/** One reason of the verdict. The verdict's level is the worst level of its risks. */
export const Risk = z.object({
  level: Level,
  fact: RiskFact,
  evidence: z.array(Evidence),
  /** So many more there are than `evidence` names. */
  unnamed: z.optional(z.number()),
  /** It holds without what a language model imagined, and is worse than all that was found with it. */
  withoutModel: z.optional(z.literal(true)),
  /** It holds only where so many of the samples of a program lead. */
  inFuture: z.optional(z.object({ count: z.number(), of: z.number(), argv: z.array(z.string()) })),
});
export type Risk = z.infer<typeof Risk>;
