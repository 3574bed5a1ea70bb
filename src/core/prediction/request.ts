import fs from 'node:fs';
import path from 'node:path';
import type { EditAction, LiveAction } from '../action/action.ts';
import { type Environment, withoutSecrets } from '../context/environment.ts';
import { userOf } from '../context/user.ts';
import type { Consent, LookKind } from '../facts/consent.ts';
import { inSentence } from '../view/quantity.ts';
import { realView } from '../view/realView.ts';
import type { Looker } from '../view/view.ts';
import type {
  Faults,
  Limits,
  PredictRequest,
  ProgramOutcome,
  PromptShell,
  Rehearsal,
  StoppedProgram,
} from './rehearsal.ts';

/** What is to be predicted, as callers say it. What they leave out is completed by `completeRequest`, and nowhere else. */
export interface GivenRequest {
  action: LiveAction;
  /** Answers for programs that may not run; without it they are assumed to succeed and to do nothing. */
  handOver?: (program: StoppedProgram) => Promise<ProgramOutcome>;
  /** By the user's explicit choice for this command: every program really runs, still confined. Default false. */
  openGate?: boolean;
  /**
   * The user trusts the workspace: programs run without consent, still confined, of which it is known by the form of their words
   * that they run no code of others (`python3 -c`). Default false.
   */
  trusted?: boolean;
  /** The user's kept consent for this folder, see `consentFor`: its programs really run, still confined. Default: none. */
  consent?: Consent | undefined;
  /** What the user consented to be asked as a look, see `looksFor`. Default: nothing. */
  looks?: readonly LookKind[];
  /** Size of the terminal that the programs see; absent: standard output and error are pipes. */
  terminal?: { columns: number; rows: number };
  /** The whole environment of the command; default: that of this process, without secrets it does not name. */
  env?: Readonly<Record<string, string>>;
  /** The aliases and functions of the user's interactive shell count, as in the terminal. Default false. */
  interactive?: boolean;
  /** The shell of the terminal that it would be typed in; `unseen`: nobody could tell what it exports. Default: none is meant. */
  promptShell?: PromptShell | 'unseen' | undefined;
  /** When it is aborted, what is known by then is judged, and the prediction ends. Default: nobody waits for it. */
  due?: AbortSignal | undefined;
  /** Compute sha256 of changed files. Default false. */
  hash?: boolean;
  /** What is wrong with the machine of the rehearsal; default: nothing. */
  faults?: Faults | undefined;
  /** Root folders of the workspace, absolute; default: the folder of the action. */
  workspaceFolders?: readonly string[];
  /** VS Code's `User/History` folders: what was saved there can be brought back. */
  localHistoryFolders?: readonly string[];
  /** Files that are open in an editor with unsaved changes. */
  unsavedPaths?: readonly string[];
  /** Answers typed by the user while the prediction asks. */
  answers?: AsyncIterable<string>;
  /** Default: `defaultLimits`. */
  limits?: Partial<Limits>;
  /** Longest time of a run of programs that the user lets run, in milliseconds; default: two minutes, or the given limit. */
  rehearsalMs?: number;
  /** What a run of programs that the user lets run reads is to be known afterwards. Default false. */
  traced?: boolean;
  /** What it reads is to be known afterwards, see `ForetellPrediction.inputs`. Default false. */
  compared?: boolean;
  signal: AbortSignal;
}

/** Limits of a run where the request says nothing. */
export const defaultLimits: Limits = {
  wallMs: 10_000,
  processes: 512,
  memoryBytes: 2 * 1024 ** 3,
  diskBytes: 1024 ** 3,
  outputBytes: 16 * 1024 ** 2,
};

/** The most that a limit may say: a day, and more than any machine has. */
const mostLimits: Limits = {
  wallMs: 86_400_000,
  processes: 4_194_304,
  memoryBytes: 2 ** 50,
  diskBytes: 2 ** 50,
  outputBytes: 2 ** 40,
};

const limitNames: Record<keyof Limits, string> = {
  wallMs: 'The time limit, in milliseconds,',
  processes: 'The limit of processes',
  memoryBytes: 'The limit of memory, in bytes,',
  diskBytes: 'The limit of written bytes',
  outputBytes: 'The limit of printed bytes',
};

const mostColumns = 65_535;

/** Why a request is not predicted: `message` is one sentence with a next step. */
export interface Refused {
  code: 'no-folder' | 'bad-request';
  message: string;
}

/** A request as the worlds see it. A refused one is complete too: what its words say can still be judged. */
export interface CompletedRequest {
  request: PredictRequest;
  refused: Refused | undefined;
}

/**
 * Completes a request, and refuses one that cannot be meant. `mayBePredicted`: an earlier command of the session may have
 * made the folder, so that it need not be there. `own`: the environment of a command where nothing is said; default: that of this
 * process.
 */
export function completeRequest(given: GivenRequest, mayBePredicted: boolean, own?: Environment): CompletedRequest {
  const { action } = given;
  const refused = refusalOf(given, mayBePredicted);
  const script = action.kind === 'command' ? action.script : '';
  const folders = (given.workspaceFolders ?? (action.cwd === undefined ? [] : [action.cwd])).filter(isAbsolute);
  const cwd = action.cwd ?? folders[0] ?? '/';
  const { env, withheld, named } = given.env
    ? { env: given.env, withheld: [], named: [] }
    : withoutSecrets(own ?? process.env, script);
  return {
    request: {
      action,
      cwd: isAbsolute(cwd) ? cwd : '/',
      ...userOf(env),
      withheld,
      namedSecrets: named,
      workspaceFolders: folders,
      localHistoryFolders: given.localHistoryFolders ?? [],
      unsavedPaths: given.unsavedPaths ?? [],
      ...limitsOf(given),
      terminal: given.terminal,
      interactive: given.interactive ?? false,
      promptShell: given.promptShell,
      hash: given.hash ?? false,
      faults: given.faults,
      openGate: given.openGate ?? false,
      trusted: given.trusted ?? false,
      consent: given.consent,
      // Never in a workspace that is not trusted.
      looks: given.trusted ? (given.looks ?? []) : [],
      traced: given.traced ?? false,
      compared: given.compared ?? false,
      answers: given.answers,
      handOver: given.handOver,
      signal: given.signal,
      due: given.due,
    },
    refused,
  };
}

/** A test suite takes longer than whatever only looks. */
const rehearsalMs = 120_000;

function limitsOf(given: GivenRequest): Pick<PredictRequest, 'limits' | 'inertMs'> {
  const limits = { ...defaultLimits, ...given.limits };
  const inertMs = limits.wallMs;
  if (!given.openGate && given.consent === undefined) return { limits, inertMs };
  const wallMs = Math.max(given.rehearsalMs ?? given.limits?.wallMs ?? rehearsalMs, inertMs);
  return { limits: { ...limits, wallMs }, inertMs };
}

/** A rehearsal in which nothing is run, because the request is refused. */
export function refusedRehearsal({ code, message }: Refused, by: string, looker: Looker): Rehearsal {
  async function* events(): Rehearsal['events'] {
    yield { type: 'started', by };
    yield { type: 'failed', failure: { kind: 'told', code, message }, durationMs: 0 };
  }
  return { events: events(), view: realView(), inView: looker };
}

function refusalOf(given: GivenRequest, mayBePredicted: boolean): Refused | undefined {
  const { action } = given;
  const folder = action.cwd;
  if (folder !== undefined) {
    // Only what is run there, or named from there, needs the folder itself.
    const isNeeded = action.kind === 'command' || action.patch !== undefined || action.calls !== undefined;
    const problem = isNeeded && !mayBePredicted ? folderProblem(folder) : folderNameProblem(folder);
    if (problem !== undefined) return { code: 'no-folder', message: problem };
  }
  const message =
    (action.kind === 'command' ? scriptProblem(action.script) : editProblem(action)) ??
    environmentProblem(given.env ?? {}) ??
    workspaceProblem(given.workspaceFolders ?? []) ??
    terminalProblem(given.terminal) ??
    limitProblem(given.limits ?? {}) ??
    faultProblem(given.faults ?? {}) ??
    limitProblem(given.rehearsalMs === undefined ? {} : { wallMs: given.rehearsalMs });
  return message === undefined ? undefined : { code: 'bad-request', message };
}

function folderNameProblem(folder: string): string | undefined {
  const name = inSentence(folder);
  if (folder.includes('\0')) return `The folder ${name} is no name of a folder; choose another working directory.`;
  if (!isAbsolute(folder)) return `The folder ${name} is not absolute; give one that begins with /.`;
  return undefined;
}

/** Why nothing can be run in a folder; one sentence with a next step. */
export function folderProblem(folder: string): string | undefined {
  const problem = folderNameProblem(folder);
  if (problem !== undefined) return problem;
  const name = inSentence(folder);
  try {
    if (!fs.statSync(folder).isDirectory()) return `${name} is not a folder; choose another working directory.`;
    fs.accessSync(folder, fs.constants.X_OK);
    return undefined;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    const reasons: Record<string, string> = {
      ENOENT: 'does not exist',
      ENOTDIR: 'does not exist: a part of it is a file',
      EACCES: 'cannot be entered: permission denied',
      ENAMETOOLONG: 'has a name that is too long',
      ELOOP: 'goes through too many symbolic links',
    };
    return `The folder ${name} ${reasons[code] ?? `cannot be entered (${code})`}; choose another working directory.`;
  }
}

function scriptProblem(script: string): string | undefined {
  if (!script.includes('\0')) return undefined;
  return 'The command has a NUL character in it, which no shell takes; remove it.';
}

/** The paths that an edit names itself; those of tool calls are resolved by the tools. */
export function pathsOfEdit({ changes, operations = [], replace }: EditAction): string[] {
  const operated = operations.flatMap((one) => ('path' in one ? [one.path] : [one.from, one.to]));
  return [...changes.map((change) => change.path), ...operated, ...(replace ? [replace.folder] : [])];
}

function editProblem(edit: EditAction): string | undefined {
  const strange = pathsOfEdit(edit).find((one) => !isAbsolute(one) || one.includes('\0'));
  if (strange === undefined) return undefined;
  return `${inSentence(strange)} is no absolute path; give one that begins with /.`;
}

function environmentProblem(env: Readonly<Record<string, string>>): string | undefined {
  const strange = Object.entries(env).find(([name, value]) => /[=\0]/.test(name) || value.includes('\0'));
  if (!strange) return undefined;
  return `The variable ${inSentence(strange[0])} has a character that no variable can have; leave it out.`;
}

function workspaceProblem(folders: readonly string[]): string | undefined {
  const strange = folders.find((folder) => !isAbsolute(folder) || folder.includes('\0'));
  if (strange === undefined) return undefined;
  return `The workspace folder ${inSentence(strange)} is not absolute; give one that begins with /.`;
}

function terminalProblem(terminal: GivenRequest['terminal']): string | undefined {
  const isSize = (count: number) => Number.isInteger(count) && count >= 1 && count <= mostColumns;
  if (terminal === undefined || (isSize(terminal.columns) && isSize(terminal.rows))) return undefined;
  return `A terminal has 1 to ${mostColumns} columns and rows, not ${terminal.columns} and ${terminal.rows}; give such a size, or none.`;
}

function limitProblem(limits: Partial<Limits>): string | undefined {
  for (const [name, most] of Object.entries(mostLimits) as [keyof Limits, number][]) {
    const limit = limits[name];
    if (limit !== undefined && !(limit > 0 && limit <= most))
      return `${limitNames[name]} is a number from 1 to ${most}, not ${limit}.`;
  }
  return undefined;
}

const mostOffsetMs = 100 * 365 * 86_400_000;

function faultProblem({ diskBytes, clockOffsetMs = 0, clockPermille, killAfterMs }: Faults): string | undefined {
  const isCount = (value: number, least: number, most: number) =>
    Number.isInteger(value) && value >= least && value <= most;
  if (diskBytes !== undefined && !isCount(diskBytes, 0, mostLimits.diskBytes))
    return `The room on the disk is a number of bytes from 0 to ${mostLimits.diskBytes}, not ${diskBytes}.`;
  if (!isCount(clockOffsetMs, -mostOffsetMs, mostOffsetMs))
    return `The clock is off by a whole number of milliseconds, at most a hundred years, not by ${clockOffsetMs}.`;
  if (clockPermille !== undefined && !isCount(clockPermille, 1, 1_000_000))
    return `The clock runs at 1 to 1000000 thousandths of its speed, not ${clockPermille}.`;
  if (killAfterMs !== undefined && !isCount(killAfterMs, 1, mostLimits.wallMs))
    return `The command is killed after 1 to ${mostLimits.wallMs} milliseconds, not ${killAfterMs}.`;
  return undefined;
}

function isAbsolute(file: string): boolean {
  return path.posix.isAbsolute(file);
}
