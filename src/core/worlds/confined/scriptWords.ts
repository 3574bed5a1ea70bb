import type { PredictRequest } from '../../prediction/rehearsal.ts';
import { mayBeKnown } from '../../programs/known.ts';
import { outputsOf } from '../../programs/outputs.ts';
import { holds, programOf } from '../../programs/programOf.ts';
import { findStaticPrograms } from '../../programs/staticPrograms.ts';
import { shellOf } from '../../shell/shells.ts';
import { type LeavesEarly, leavesEarly as programLeavesEarly } from './certainty/leavesEarly.ts';
import { maySteady } from './certainty/steady.ts';
import { mayReadSteadily } from './certainty/steadyReading.ts';
import { mayRunHooks } from './gitHooks.ts';
import { onlyReads } from './look/onlyReads.ts';
import { mayRefreshIndex } from './racyIndex.ts';

/**
 * What the words of a script tell before anything runs. Each is a guess that decides in which order runs are made, and costs
 * time where it is wrong; no fact rests on it. An edit has no words.
 */
export interface ScriptWords {
  /** Nothing of it is volatile: one run may be enough. */
  isSteady(): boolean;
  /** It only reads, and nothing that it prints is volatile: one reading may be enough. */
  readsSteadily(): boolean;
  /**
   * Supervision is the faster way: names, modes, owners and times are changed, which it notes and overlays make copies for, or
   * files are packed, whose status it sees as it is and overlays have to correct call by call.
   */
  suitsSupervision(): boolean;
  /** Every program is known to read only, and git would not write its index for it. */
  onlyRead(): boolean;
  /** Every program is an inert one, and what it starts as well, hooks of a repository included: nobody has to be let in. */
  onlyInert(): boolean;
  /** It writes, and a program shows or stores the status of files. What is only read look mode answers, with the real status. */
  willShowStatus(): boolean;
  /** Programs run beside each other, so that chance decides which begins. */
  startsTogether(): boolean;
  /** Who may leave a pipe before all was written to it, so that chance decides whether the writer is told so. */
  leavesEarly(): LeavesEarly;
  /** A program may be known by the form of its words, and run without consent. */
  mayStartKnown(): boolean;
}

/** What only goes there, or finds what another program then changes. */
const finds = /^(?:cd|find)$/;

/** Words of the shell that start nothing. */
const startsNothing =
  /^(?:cd|pushd|popd|exit|return|shift|wait|unset|local|declare|typeset|readonly|export|set|umask|:|\[\[|\(\(|let|read)$/;

/** A pipeline, a job behind `&`, a substitution of processes, a coprocess. Not `&&`, `||`, `>&`, `&>` and `>|`. */
const besideEachOther = /(?<![|>])\|(?!\|)|(?<![&<>])&(?![&>])|[<>]\(|\bcoproc\b/;

/** `while read line; do program; done`: a program in the loop must not use up what the loop reads. */
export function readsInLoop(script: string): boolean {
  return /\b(?:while|until)\b[\s\S]*\bread\b/.test(script);
}

/** Each answer is found when it is asked for, and once; all rest on one evaluation of the script by `find`. */
export function scriptWords(
  { action, cwd, home, interactive }: Pick<PredictRequest, 'action' | 'cwd' | 'home' | 'interactive'>,
  find = findStaticPrograms,
): ScriptWords {
  const script = action.kind === 'command' ? action.script : undefined;
  const isBash = action.kind === 'command' && action.shell === 'bash' && !interactive;
  const programs = once(() => find(script ?? '', { cwd, home, env: {} }));
  const isSteady = once(() => script !== undefined && isBash && maySteady(script, programs));
  const suitsSupervision = once(() => {
    if (!isBash) return false;
    const changes = programs().filter(({ argv }) => !finds.test(argv[0] ?? ''));
    if (changes.length === 0) return false;
    if (changes.every(({ argv }) => programOf(argv[0] ?? '')?.leavesContents === true)) return isSteady();
    return changes.every(({ argv }) => programOf(argv[0] ?? '')?.leavesContents === true || packs(argv));
  });
  const onlyRead = once(
    () => script !== undefined && onlyReads(script, cwd, programs) && !mayRefreshIndex(programs(), cwd),
  );
  const readsSteadily = once(() => isBash && onlyRead() && mayReadSteadily(script ?? '', programs));
  const onlyInert = once(
    () => script !== undefined && programs().every(({ argv }) => isInert(argv)) && !mayRunHooks(programs(), cwd),
  );
  const willShowStatus = once(() => {
    if (script === undefined || (onlyRead() && !isSteady())) return false;
    return programs().some(({ argv }) => holds(programOf(argv[0] ?? '')?.showsStatus, argv.slice(1)));
  });
  const startsTogether = once(() => script !== undefined && besideEachOther.test(script));
  const leavesEarly = once((): LeavesEarly => {
    if (!startsTogether()) return undefined;
    // Whoever stands beside `<(…)` may read from it.
    const mayAllRead = script?.includes('<(') === true;
    const readers = programs().filter(({ readsFrom }) => mayAllRead || readsFrom.length > 0);
    if (readers.some(({ argv }) => mayLeaveEarly(argv))) return 'program';
    return readers.some(({ argv }) => mayShellLeaveEarly(argv)) ? 'shell' : undefined;
  });
  const mayStartKnown = once(() => programs().some(({ argv }) => mayBeKnown(argv)));
  return {
    isSteady,
    readsSteadily,
    suitsSupervision,
    onlyRead,
    onlyInert,
    willShowStatus,
    startsTogether,
    leavesEarly,
    mayStartKnown,
  };
}

/** Who may leave a pipe early in a script that a command gives to a shell. */
export function leavesEarlyIn(
  request: Parameters<typeof scriptWords>[0],
): (script: string, cwd: string) => LeavesEarly {
  return (script, cwd) =>
    scriptWords({ ...request, action: { kind: 'command', script, shell: 'bash', cwd }, cwd }).leavesEarly();
}

/** What a file tells a program to start is not among the words: recipes, scripts that a shell reads. */
function isInert([word = '', ...words]: readonly string[]): boolean {
  if (startsNothing.test(word)) return true;
  const row = programOf(word);
  return row?.inert === true && row.startsNamed === undefined && (shellOf(word) === undefined || words[0] === '-c');
}

/** A word of the shell, which reads byte by byte. */
function mayShellLeaveEarly([word = '', ...words]: readonly string[]): boolean {
  const row = programOf(word);
  return row?.shellReads === true && holds(row.leavesEarly, [words.join(' ')]);
}

/** Of a program that is not known to be inert nobody knows how much it reads. */
function mayLeaveEarly(argv: readonly string[]): boolean {
  const [word = ''] = argv;
  const row = programOf(word);
  if (startsNothing.test(word) || (row?.shellReads === true && row.inert !== true)) return false;
  return row?.inert !== true || programLeavesEarly(argv) || row.needsNoFile === true;
}

/** It makes one file of others and of their status. */
function packs(argv: readonly string[]): boolean {
  return programOf(argv[0] ?? '')?.showsStatus === true && outputsOf(argv).length > 0;
}

function once<T>(find: () => T): () => T {
  let known: T | undefined;
  return () => {
    known ??= find();
    return known;
  };
}
