import type { LiveAction } from '../action/action.ts';
import type { WithheldVariable } from '../context/environment.ts';
import type { User } from '../context/user.ts';
import type { AssumedPart, AssumptionReason } from '../facts/assumption.ts';
import type { Consent, LookKind } from '../facts/consent.ts';
import type { FileChange } from '../view/fileChange.ts';
import type { Looker, View } from '../view/view.ts';
import type { FactEvent } from './factEvent.ts';

/** A program that the gate stopped, as whoever answers for it sees it. */
export interface StoppedProgram {
  /** `id` of its `program` event. */
  id: number;
  argv: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** What waits on its standard input, up to `maxBytes`; empty at the terminal or the null device. */
  readStdin(maxBytes: number): Promise<{ bytes: Uint8Array; eof: boolean }>;
  /** Content of a regular file as the program would find it: with what the script has changed already. */
  readFile(path: string, maxBytes: number): Promise<Uint8Array | undefined>;
  /** What the script has changed already. */
  changes(): Promise<readonly FileChange[]>;
  /** Shows something while the answer is made: questions, thoughts, replies. */
  tell(event: FactEvent): void;
  signal: AbortSignal;
}

/** A file that a stopped program would have written, or deleted (`null`). */
export interface OutcomeChange {
  path: string;
  after: Uint8Array | null;
  mode?: number;
  /** A folder stands there. */
  isFolder?: true;
  /** That it changes is said, and not to what: `after` only stands for that. */
  isUnasked?: true;
}

/** What a stopped program would have done. */
export interface ProgramOutcome {
  stdout: Uint8Array;
  stderr: Uint8Array;
  exitCode: number;
  /** `mode`: permission bits; absent: those that are there, or the usual ones. */
  changes: OutcomeChange[];
  basis: 'imagined' | 'assumed' | 'rehearsed';
  /** Of an imagined outcome: what nobody said and is assumed. */
  assumes?: AssumedPart[];
  /** Why nobody predicted it; only where something is assumed. */
  because?: AssumptionReason;
  /** It does not end by itself; `exitCode` is that of somebody who ends it. */
  waits?: boolean;
  /** Nobody said how it ends. Of an assumed outcome it is so anyway. */
  exitIsAssumed?: boolean;
  /** What else it would have done, by other samples of the same question. */
  futures?: Futures;
}

/** What several samples said: `count` of `of` what counts (0: none counts, and something is assumed), and the others. */
export interface Futures {
  count: number;
  of: number;
  others: { count: number; outcome: ProgramOutcome }[];
}

/**
 * What one program of a line did when it was run in the same way from the same inputs: it stands in its place. Bytes of `other`
 * are what another run of it printed, so that what is volatile shows.
 */
export interface StandIn {
  argv: readonly string[];
  cwd: string;
  /** Its file, resolved. */
  realPath: string;
  /** It began with these variables, each `name=value`. */
  beganWith(env: readonly string[]): boolean;
  exitCode: number;
  stdout: Uint8Array;
  stderr: Uint8Array;
  other: { stdout: Uint8Array; stderr: Uint8Array };
  changes: readonly FileChange[];
  /** What stands in a changed file then; `isOther`: by another run, where it is volatile. */
  content(path: string, isOther: boolean): Uint8Array;
  basis: 'remembered' | 'rehearsed';
  /** Whether something ran before it, so that it holds only where nothing is changed by then. */
  isBehind: boolean;
  /** Called when it was put in the place of its program. */
  onUsed(): void;
}

/** A program that was let run and that the shell of the command itself started: how it began, and how it ended in both runs. */
export interface LetInProgram {
  argv: readonly string[];
  cwd: string;
  realPath: string;
  /** Each `name=value`. */
  env: readonly string[];
  exitCode: number | undefined;
  /** In the other run. */
  otherExitCode: number | undefined;
}

/** The shell at whose prompt a command would be typed, as it is by now; the request's `env` is then what it exports. */
export interface PromptShell {
  /** The environment in which the start files of such a shell are read. */
  readonly startedWith: Readonly<Record<string, string>>;
  /** What it calls by other names, by these names; `undefined`: not seen. */
  readonly aliases: ReadonlyMap<string, string> | undefined;
  /** Of zsh: what stands for a word wherever it is; absent: nothing does. */
  readonly globalAliases?: ReadonlyMap<string, string> | undefined;
  /** Of zsh: what a command that ends in `.NAME` is given to, by that name; absent: none. */
  readonly suffixAliases?: ReadonlyMap<string, string> | undefined;
  /** Names of its functions; `undefined`: not seen. */
  readonly functions: ReadonlySet<string> | undefined;
  /** Of bash what `shopt` and `set -o` have on; of zsh what is otherwise than a zsh begins with. Absent: not seen, or it has none. */
  readonly options?: ReadonlyMap<string, boolean> | undefined;
  /** Of fish: the functions that words of the typed line name, as it shows them, without those that came with it. */
  readonly definitions?: ReadonlyMap<string, string> | undefined;
}

/** What is to be predicted, and under which conditions: complete, see `completeRequest`. */
export interface PredictRequest extends User {
  readonly action: LiveAction;
  /** Where the command is run, or where relative names of the edit begin; absolute. */
  readonly cwd: string;
  /** Variables that are set and not in `env`, because they hold secrets that the script does not name. */
  readonly withheld: readonly WithheldVariable[];
  /** Names of variables in `env` that hold secrets, which only a script that names them is given. */
  readonly namedSecrets: readonly string[];
  /** Root folders of the workspace, absolute; may be empty. */
  readonly workspaceFolders: readonly string[];
  /** VS Code's `User/History` folders: what was saved there can be brought back. */
  readonly localHistoryFolders: readonly string[];
  /** Files that are open in an editor with unsaved changes. */
  readonly unsavedPaths: readonly string[];
  readonly limits: Limits;
  /** Size of the terminal that the programs see; `undefined`: standard output and error are pipes. */
  readonly terminal: { columns: number; rows: number } | undefined;
  /** The aliases and functions of the user's interactive shell count, as in the terminal. */
  readonly interactive: boolean;
  /** The shell of the terminal that it would be typed in; `unseen`: nobody could tell what it exports. `undefined`: none is meant. */
  readonly promptShell: PromptShell | 'unseen' | undefined;
  /** Compute sha256 of changed files. */
  readonly hash: boolean;
  readonly faults: Faults | undefined;
  /** By the user's explicit choice for this command: every program really runs, still confined. */
  readonly openGate: boolean;
  /** The user trusts the workspace: programs run without consent, still confined, that are known by the form of their words. */
  readonly trusted: boolean;
  /** Longest time of a run in which only inert programs run, in milliseconds; `limits.wallMs` holds for all. */
  readonly inertMs: number;
  /** What a run of programs that the user lets run reads is to be known afterwards. */
  readonly traced: boolean;
  /** What any run reads is to be known afterwards, to be compared just before it is run for real. */
  readonly compared: boolean;
  /** Programs that really run, still confined, because the user consented to it for their folder; `undefined`: none. */
  readonly consent: Consent | undefined;
  /** What may be asked as a look, because the user consented to it for this folder. */
  readonly looks: readonly LookKind[];
  /** Answers typed by the user while the prediction asks; `undefined`: nobody types. */
  readonly answers: AsyncIterable<string> | undefined;
  /** Answers for programs that may not run; `undefined`: they are assumed to succeed and to do nothing. */
  readonly handOver: ((program: StoppedProgram) => Promise<ProgramOutcome>) | undefined;
  /** Of the line, what is known of its one program that may not run by itself. */
  readonly standIn?: StandIn;
  readonly signal: AbortSignal;
  /** When it is aborted, what is known by then is judged, with what the words alone say; the prediction ends as failed. */
  readonly due: AbortSignal | undefined;
}

/** What is wrong with the machine that a command is rehearsed on. It really is so there: nothing of it is imagined. */
export interface Faults {
  /** So many bytes of changes fit on its disk; then writing fails (ENOSPC). Only of copies that overlays make. */
  diskBytes?: number;
  /** Its real-time clock is so far ahead, in milliseconds; negative: behind. Times of files are not shifted. */
  clockOffsetMs?: number;
  /** Its real-time clock runs at so many thousandths of its speed. */
  clockPermille?: number;
  /** Everything that the command started is killed by SIGKILL after so long, in milliseconds; waits count in full. */
  killAfterMs?: number;
  /** It has no network, so that no connection is what would really happen. */
  offline?: boolean;
}

/** A path that a call of a run named: as it was given, made absolute where it was not. */
export interface NamedPath {
  path: string;
  /** Its content, or the names in it, could be read. */
  isOpened: boolean;
  /** It got another name. */
  isMoved: boolean;
  /** A symbolic link to it was made. */
  isLinked: boolean;
  /** The call asked how full its file system is. */
  isDisk: boolean;
  /** Something stood there when it was named for the first time. */
  wasThere: boolean;
  /** Its extended attributes were asked for. */
  isAsked?: true;
}

/** What a run depended on, where nothing else decided what it did: so it would be the same again while these are the same. */
export interface TracedRun {
  /** Milliseconds since 1970. */
  beganAt: number;
  paths: readonly NamedPath[];
  /** A program that shows the status of files, by the table of programs, was run. Where it was asked for by `traced`. */
  showsStatus?: boolean;
  /** What the user's interactive shell began with; absent: it was not asked for. */
  shellState?: string;
  /** Where it was asked for by `traced`. */
  letIn?: readonly LetInProgram[];
  /** What another run of it printed. */
  other?: { stdout: Uint8Array; stderr: Uint8Array };
}

/** Limits of one run; see `defaultLimits` for the values. */
export interface Limits {
  wallMs: number;
  processes: number;
  memoryBytes: number;
  diskBytes: number;
  outputBytes: number;
}

/** A world whose predictions leave a view behind, and can go on from it. */
export interface Rehearsal {
  events: AsyncIterable<FactEvent>;
  view: View;
  /** Looks at the state after the action, in the copy. */
  inView: Looker;
  /** Once it ended: what it depended on. Nothing where that is not known, or was not asked for (`traced`). */
  traced?(): TracedRun | undefined;
  /** Once it ended: every path that it named. Nothing where that is not known, or was not asked for (`compared`). */
  named?(): TracedRun | undefined;
}
