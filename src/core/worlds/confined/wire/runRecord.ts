import type { FoundAssumption } from '../../../facts/assumption.ts';
import type { EffectFact } from '../../../facts/effect.ts';
import type { GateReason } from '../../../facts/gate.ts';
import type { FoundPlan } from '../../../facts/packagePlan.ts';
import type { ProgramLabel } from '../../../facts/programLabel.ts';
import type { Futures, NamedPath } from '../../../prediction/rehearsal.ts';
import { interpretedProgram } from '../../../programs/interpretedProgram.ts';
import { programOf } from '../../../programs/programOf.ts';
import type { OneProgram } from '../../../programs/startedStep.ts';
import { readsNoFile, taint } from '../certainty/taint.ts';
import type { StreamName } from './codes.ts';
import type { Finished, Gated, LauncherEffect, Listing, RunEvent } from './launcher.ts';

/** What is started in the place of a program that was looked through: the steps still to come, and what holds them together. */
export type Stand = Pick<OneProgram, 'steps' | 'ours'>;

/** A program that ran or was stopped in a run. `id` counts from 1 in the order of starting. */
export interface RecordedProgram {
  id: number;
  parent?: number;
  pid: number;
  /** The process that made its own, which may be a shell's copy of itself; unknown of one that was stopped. */
  forkedBy?: number;
  argv: string[];
  cwd: string;
  /** Real file, or empty. */
  realPath: string;
  /** Its standard input is a file that this run has made or changed. */
  hasFreshInput?: true;
  exitCode?: number;
  gate?: GateReason;
  /** It was let run: the user consented, or it is known by the form of its words. */
  isLetIn?: boolean;
  /** Of one that was let in: what it began with, each `name=value`. */
  env?: readonly string[];
  /** Nobody consented: it is known by the form of its words. */
  isKnown?: true;
  /** It was let in, and has not begun. */
  awaitsExec?: boolean;
  /** The other run has none with these words. */
  isVolatile?: boolean;
  lookedThrough?: boolean;
  /** What is started in its place, or around it. */
  stand?: Stand;
  /** It only holds together what is started in the place of another program: it is no program of the action. */
  isOurs?: boolean;
  /** How it came about. */
  label?: ProgramLabel;
  /** It, or what started it, was looked through and only assumed to do nothing else. */
  supposed?: boolean;
  /** Something before it was not rehearsed. */
  unsure: boolean;
  /** What it reads, and so how it ends, depends on what these stopped programs wrote or printed. */
  dependsOn?: string[][];
  /** A stopped program whose answers its starter reads. */
  isHelper?: true;
  /** How a stopped program was answered. */
  answeredBy?: 'assumed' | 'imagined' | 'rehearsed' | 'computed' | 'remembered';
  /** What it would do to the packages of the machine, while it is found out. */
  plan?: Promise<FoundPlan | undefined>;
  /** Whoever answered for it says that it does not end by itself. */
  waits?: boolean;
}

/** What was assumed about one program. */
export interface RecordedAssumption extends FoundAssumption {
  /** Of its program. */
  id: number;
  /** How it ends is assumed too: the exit code that it would have if the assumption failed. */
  otherwise?: number;
  /** Nobody knows that it changes nothing. */
  mayWrite?: boolean;
}

/** Something that the launcher reported. */
export type RecordedEffect = LauncherEffect & {
  unsure: boolean;
  /** Another program was started behind it. */
  wentOn?: boolean;
  /** A program that looks at processes was started behind it. */
  lookedBehind?: boolean;
  /** Of a connection that was tried, a table that was read, a file that got another name, and what crosses parts of the view: by which program, where that is known, and how many pieces of output came before. */
  program?: RecordedProgram;
  pieces?: number;
};

/** What one run in one view did. */
export interface RunRecord {
  output: { stream: StreamName; bytes: Uint8Array; unsure: boolean; dependsOn?: string[][]; isOffline?: true }[];
  programs: RecordedProgram[];
  effects: RecordedEffect[];
  assumptions: RecordedAssumption[];
  /** Of programs that several samples were taken of: what each said. */
  futures: (Futures & Pick<RecordedProgram, 'id' | 'argv'>)[];
  /** Stopped programs that wrote what nobody knows: whoever reads files behind them depends on them. */
  blind: string[][];
  /** What is printed from here on, and how it ends, depends on these stopped programs. */
  dependsOn: string[][];
  /** Last parts of the names of files that stopped programs would have printed into; `undefined`: into any. */
  printedInto: Set<string> | undefined;
  /** Files of which was said that they change and not to what: how many bytes stand for that, by path. */
  unasked: Map<string, number>;
  /** Somebody outside was asked, as a look: what rests on the answer is of that moment. */
  lookedAt?: true;
  /** A program was answered that shows the state of a moment. */
  momentary: boolean;
  /** Nothing was run: the facts are computed. Absent: rehearsed. */
  basis?: 'computed';
  /** From here on facts rest on an answer that was not rehearsed. */
  unsure: false | 'assumed' | 'imagined';
  asked: boolean;
  /** What was imagined was written into the view: look mode cannot answer. */
  imaginedChanges: boolean;
  /** Name of the shell that runs the command; empty where nothing was run. */
  shell: string;
  /** Where the parts of the view begin that can be told apart as file systems; empty where nothing was run. */
  parts: readonly string[];
  finished?: Finished;
  /** It was ended from here: it would go on, or took too long. */
  endedBy?: { kind: 'goesOn'; afterMs: number } | { kind: 'timeLimit'; limitMs: number };
  listing?: Listing;
  /** Every path that it named, where somebody asked for that. */
  reads?: { paths: NamedPath[]; isComplete: boolean };
}

/** A run of which nothing is known yet. */
export function emptyRecord(): RunRecord {
  return {
    output: [],
    programs: [],
    effects: [],
    assumptions: [],
    futures: [],
    blind: [],
    momentary: false,
    dependsOn: [],
    printedInto: new Set(),
    unasked: new Map(),
    unsure: false,
    asked: false,
    imaginedChanges: false,
    shell: '',
    parts: [],
  };
}

/** A signal to a process outside, as a fact. */
export function signalOf({ target, signal, detail }: Extract<LauncherEffect, { kind: 'signals' }>): EffectFact {
  return { kind: 'signals', signal, ...(target === undefined ? {} : { pid: target }), command: detail };
}

/**
 * Arguments as a person would write them: `#!/usr/bin/env node` makes `node /usr/bin/npm run x` out of `npm run x`.
 */
export function namedArgv(gated: { argv: readonly string[] }): string[] {
  const [interpreter = '', script = '', ...rest] = gated.argv;
  const name = interpretedProgram(interpreter, script);
  return name === undefined ? [...gated.argv] : [name, ...rest];
}

/** Last part of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Takes one event of a run into its record. The first program is the shell that we start ourselves: it is not listed. */
export function recordEvent(record: RunRecord, event: RunEvent, shellPid: { value: number | undefined }): void {
  switch (event.type) {
    case 'exec':
      if (shellPid.value === undefined) shellPid.value = event.pid;
      else dependOnBlind(record, addProgram(record, event));
      break;
    case 'gated':
      addGated(record, event);
      break;
    case 'programExit': {
      const program = latestOf(record, event.pid);
      // A process that became another program by exec ends as that one; the earlier ones ended with it.
      if (program) for (const one of record.programs) if (one.pid === event.pid) endWith(record, one, event.exitCode);
      break;
    }
    case 'output':
      // The frame's bytes are a view of a chunk that is reused for nothing else, so they may be kept.
      record.output.push({
        stream: event.stream,
        bytes: event.bytes,
        unsure: record.unsure !== false,
        ...(record.dependsOn.length > 0 ? { dependsOn: record.dependsOn } : {}),
      });
      break;
    case 'effect':
      record.effects.push({ ...event, unsure: record.unsure !== false, ...whence(record, event) });
      break;
    case 'asks':
      record.asked = true;
      break;
    case 'reads':
      record.reads = {
        paths: [...(record.reads?.paths ?? []), ...event.paths],
        isComplete: event.isComplete && (record.reads?.isComplete ?? true),
      };
      break;
  }
}

/** What a program prints behind one of these may depend on it. */
const dependedOn: ReadonlySet<RecordedEffect['kind']> = new Set([
  'connects',
  'readsTables',
  'crossesParts',
  'callRefused',
  'hardLinked',
  'door',
]);

/** Who tries to connect, looks at the network, or is not served as the machine would serve it, and when. */
function whence(
  record: RunRecord,
  { pid, kind }: Extract<RunEvent, { type: 'effect' }>,
): Pick<RecordedEffect, 'program' | 'pieces'> {
  if (!dependedOn.has(kind)) return {};
  const program = latestOf(record, pid);
  return { ...(program && { program }), pieces: record.output.length };
}

/** Behind a stopped program that wrote what nobody knows, whoever reads files depends on it. */
function dependOnBlind(record: RunRecord, program: RecordedProgram): void {
  if (record.blind.length === 0 || readsNoFile(program.argv)) return;
  taint(record, record.blind);
  program.dependsOn = record.dependsOn;
}

/** What ends behind the first that takes what nobody knows may have read it, but for what reads nothing. */
function endWith(record: RunRecord, program: RecordedProgram, exitCode: number): void {
  if (program.exitCode !== undefined) return;
  program.exitCode = exitCode;
  if (record.dependsOn.length > 0 && program.answeredBy === undefined && !readsNoFile(program.argv))
    program.dependsOn ??= record.dependsOn;
}

function addProgram(
  record: RunRecord,
  event: {
    pid: number;
    parentPid: number;
    argv: string[];
    cwd: string;
    realPath: string;
    hasFreshInput?: boolean;
    forkedBy?: number;
  },
): RecordedProgram {
  const before = latestOf(record, event.pid);
  const wasStopped = before?.gate !== undefined || before?.awaitsExec === true;
  const sameAsGated = wasStopped && before.exitCode === undefined && before.realPath === event.realPath;
  if (before) before.awaitsExec = false;
  if (before && (sameAsGated || interprets(event.argv, before))) return before;
  const parent = before ?? latestOf(record, event.parentPid);
  const program: RecordedProgram = {
    id: record.programs.length + 1,
    pid: event.pid,
    argv: event.argv,
    cwd: event.cwd,
    realPath: event.realPath,
    unsure: record.unsure !== false,
  };
  if (event.hasFreshInput) program.hasFreshInput = true;
  if (event.forkedBy !== undefined) program.forkedBy = event.forkedBy;
  if (parent) program.parent = parent.id;
  if (parent?.lookedThrough) program.lookedThrough = true;
  if (parent?.supposed) program.supposed = true;
  if (parent?.stand) takePlace(program, parent.stand);
  record.programs.push(program);
  const looks = programOf(event.argv[0] ?? '')?.asks?.includes('processes') === true;
  for (const effect of record.effects) {
    effect.wentOn = true;
    effect.lookedBehind ||= looks;
  }
  return program;
}

/** Whether a program that is started behind one that was looked through is one of its steps, or only holds them together. */
function takePlace(program: RecordedProgram, stand: Stand): void {
  const step = stand.steps.findIndex(({ argv }) => isCall(argv, program.argv));
  if (step >= 0) {
    const [{ label } = {}] = stand.steps.splice(step, 1);
    if (label) program.label = label;
  } else if (stand.ours.some((argv) => isCall(argv, program.argv))) {
    program.isOurs = true;
    program.stand = stand;
  }
}

/** The launcher cuts long lists of arguments at their end. */
function isCall(whole: readonly string[], told: readonly string[]): boolean {
  if (told.length > whole.length || (told.length < whole.length && told.length < 2)) return false;
  return told.every((word, index) => word === whole[index]);
}

/** `#!/usr/bin/env bash`: env starts the interpreter with the script and its arguments; that is no second program. */
function interprets(argv: readonly string[], script: RecordedProgram): boolean {
  if (script.exitCode !== undefined || argv.length !== script.argv.length + 1) return false;
  const sameName = baseName(argv[1] ?? '') === baseName(script.argv[0] ?? '') || argv[1] === script.realPath;
  return sameName && argv.slice(2).every((word, index) => word === script.argv[index + 1]);
}

/** Records a stopped program and returns it. */
export function addGated(record: RunRecord, gated: Gated): RecordedProgram {
  const known = latestOf(record, gated.pid);
  // Of a library no arguments are told: the program that would load it is stopped, in the middle of its work.
  if (known && known.exitCode === undefined && gated.reason === 'foreignLibrary' && gated.argv.length === 0) {
    known.gate = gateReason(gated);
    return known;
  }
  // The shell itself is reported by nobody: it is what runs the others.
  const argv = gated.argv.length === 0 && record.shell ? [record.shell] : namedArgv(gated);
  // `#!/usr/bin/env node`: the script was reported when it started, and again when env starts its interpreter.
  const isSame = known !== undefined && known.exitCode === undefined && sameCommand(known.argv, argv);
  const program = isSame ? known : addProgram(record, { ...gated, argv });
  program.gate = gateReason(gated);
  return program;
}

function sameCommand(a: readonly string[], b: readonly string[]): boolean {
  return (
    a.length === b.length && a.every((word, index) => word === b[index] || (index === 0 && baseName(word) === b[0]))
  );
}

/** The program that a process is now. */
function latestOf(record: RunRecord, pid: number): RecordedProgram | undefined {
  return record.programs.findLast((program) => program.pid === pid);
}

function gateReason(gated: Gated): GateReason {
  switch (gated.reason) {
    case 'foreignLibrary':
      return { kind: 'openLibrary', path: gated.realPath };
    case 'raisesRights':
      return { kind: 'otherUser' };
    case 'readsTables':
      return { kind: 'readsMachine' };
    case 'changed':
      return { kind: 'changedMeanwhile' };
    case 'notJudged':
      return { kind: 'unreadable' };
    case 'notInert':
    case 'mayBeLetIn':
      return { kind: 'notInert', file: gated.realPath };
  }
}

/** Whether a program ran that is not inert. */
export function letAnyIn({ programs }: RunRecord): boolean {
  return programs.some(({ isLetIn }) => isLetIn === true);
}

/** Marks what else ran because of it: what such a program starts is not stopped, and with an open gate nothing is. */
export function markLetIn({ programs }: RunRecord, inert: readonly string[]): void {
  const known = new Set(inert);
  for (const program of programs)
    if (program.gate === undefined && program.answeredBy === undefined && program.realPath !== '')
      if (!known.has(program.realPath)) program.isLetIn = true;
}

/** All bytes of one stream. */
export function streamBytes(record: RunRecord, stream: StreamName): Buffer {
  return Buffer.concat(record.output.filter((piece) => piece.stream === stream).map((piece) => piece.bytes));
}
