import type { EffectKind } from '../facts/effect.ts';
import type { GateReason } from '../facts/gate.ts';
import type { Level } from '../facts/level.ts';
import { callKey, type ProgramFact } from '../facts/programFact.ts';
import type { ProgramLabel } from '../facts/programLabel.ts';
import type { Risk } from '../facts/risk.ts';
import {
  describeProgram,
  hasDestroyingVerb,
  isKnownProgram,
  isUnread,
  type ProgramKnowledge,
  type ProgramSurroundings,
} from '../programs/describeProgram.ts';
import { isGit } from '../programs/gitCommand.ts';
import { interpreterOf } from '../programs/inlineCode.ts';
import { leavesNothing, throughMounts } from '../programs/mounts.ts';
import { isOutOfPlace, programInPlace } from '../programs/outOfPlace.ts';
import { programName } from '../programs/programName.ts';
import { isOfShell, programNamed } from '../programs/programOf.ts';
import { mayBeSameCall } from '../programs/sameCall.ts';
import { startsOf } from '../programs/startedBy.ts';
import { isAtOrAbove, type Place } from '../programs/targets.ts';
import { type Elsewhere, lettersOf, type StaticField, type StaticProgram } from '../shell/evaluated.ts';
import { showCall } from '../shell/quoteWord.ts';
import { readScript } from '../shell/script.ts';
import { writtenInput } from '../shell/writtenInput.ts';
import { callAsEvidence, callOf, hasOpenName, namesAsEvidence } from './evidence.ts';
import { type Facts, isComplete, wasAllRun } from './facts.ts';
import { placeOf, showsHarm } from './fileRisks.ts';
import { gitLevel } from './gitRisks.ts';
import { isLocalPush } from './localPushes.ts';

/** A word that only the shell knows. */
const open: StaticField = { text: '', isOpen: true };

interface Asked {
  argv: readonly string[];
  cwd: string;
  /** What the prediction says about this very program; absent: it did not run, or nothing could be run. */
  ran?: ProgramFact;
  gatedBecause?: string;
  gate?: GateReason | undefined;
  /** How it came about; of what the script itself writes its words tell. */
  label?: ProgramLabel | undefined;
  /** What it reads, where the script's text tells. */
  inputs?: Inputs;
  /** Its words as they became, of all that it was started with. Absent: not all of them are known. */
  became?: readonly string[] | undefined;
  /** Its words as the script's text tells them. */
  fields?: readonly StaticField[];
  /** It would not run where this machine's folders are. */
  elsewhere?: Elsewhere | undefined;
  /** Of a call in a container, where all that it names lies on this machine: its words with these names. */
  throughMounts?: { argv: string[]; cwd: string } | undefined;
  /** Nothing of what it does to files lasts: the container is made for it, or may only read them. */
  isThrownAway?: boolean;
  /** All was run, and this call, which the script has, was not among it. */
  notStarted?: 'notStarted' | 'notInstalled';
  /** It would run in a folder that nobody knows. */
  isLost?: boolean;
  /** Its starter adds words that it finds or reads. */
  isFed?: boolean;
  /** A trap or an alias would start it, and none has. */
  isLater?: true;
  /** All was run: what this call did, if it was made, is among the facts. */
  wasAllRun?: boolean;
  /** All was run, each start of it is certain, and came to a good end: the facts show all that it did. */
  isSettled?: boolean;
  /** Those of them that nothing expands any more. */
  letters?: ReadonlySet<string>;
}

/** Programs of the prediction and of the script, each once, with what is known about them. Words as written tell more than expanded ones. */
function askedFor(facts: Facts, statics: readonly StaticProgram[]): Asked[] {
  // A loop starts the same call a thousand times; once is enough, and a failure tells more than a success.
  const calls = new Map<string, ProgramFact>();
  for (const told of facts.programs) {
    if (told.label?.kind === 'shim') continue;
    const program = asCalled(told, facts.programs);
    const key = program.argv.join('\0');
    if (!calls.has(key) || program.exitCode || program.gatedBecause !== undefined) calls.set(key, program);
  }
  const left = new Set(calls.values());
  const asked: Asked[] = [];
  for (const written of statics) {
    const { argv, cwd, fields } = written;
    if (argv.length === 0) continue;
    const unclaimed = [...left].filter((program) => mayBeSameCall(written, program.argv));
    // Where the same call stands twice, the first has claimed what came of both.
    const matching =
      unclaimed.length > 0 ? unclaimed : [...calls.values()].filter(({ argv }) => mayBeSameCall(written, argv));
    const ran = matching[0];
    const given = matching.flatMap(lettersOfRun);
    for (const program of matching) left.delete(program);
    asked.push({
      argv,
      // `cd` may have failed.
      cwd: ran?.cwd ?? cwd,
      fields,
      letters: new Set([...lettersOf(fields), ...given]),
      inputs: inputsOf(written),
      ...placeInside(written),
      isLost: written.isLost === true && !ran,
      became: wasAllRun(written, facts) ? wordsOfRuns(matching) : undefined,
      wasAllRun: wasAllRun(written, facts),
      isSettled: wasAllRun(written, facts) && areSettled(matching),
      ...(ran ? factOf(ran) : {}),
    });
  }
  for (const [at, written] of statics.filter(({ argv }) => argv.length > 0).entries()) {
    const one = asked[at];
    if (one && wasNotStarted(written, facts, left))
      one.notStarted = isAbsent(written, facts) ? 'notInstalled' : 'notStarted';
    if (one && !one.ran && written.inside?.isLater && wasAllRun(written, facts)) one.isLater = true;
  }
  for (const program of left) {
    if (isStartedByGit(program, facts)) continue;
    const { argv, cwd, label } = program;
    const isSettled = isComplete(facts) && areSettled([program]);
    const letters = new Set(lettersOfRun(program));
    asked.push({ argv, cwd, label, wasAllRun: isComplete(facts), isSettled, letters, ...factOf(program) });
  }
  return asked;
}

/** Where a call would run that another program starts. What it names of folders that a container is shown is here. */
function placeInside(written: StaticProgram): Pick<Asked, 'elsewhere' | 'throughMounts' | 'isFed' | 'isThrownAway'> {
  const { inside } = written;
  if (inside?.elsewhere && leavesNothing(written, inside)) return { elsewhere: inside.elsewhere, isThrownAway: true };
  const here = inside?.mounts && throughMounts(written, inside.mounts);
  const isFed = inside?.moreArguments !== undefined;
  return here ? { throughMounts: here, isFed } : { elsewhere: inside?.elsewhere, isFed };
}

/** The words of all runs of one call; a loop makes several. `undefined`: some may be others the next time. */
function wordsOfRuns(runs: readonly ProgramFact[]): string[] | undefined {
  const [first] = runs;
  if (!first || !runs.every(isSameAgain)) return undefined;
  return [first.argv[0] ?? '', ...new Set(runs.flatMap(({ argv }) => argv.slice(1)))];
}

/** Whether it ran, and with the same words again. */
export function isSameAgain({ id, volatile, basis }: ProgramFact): boolean {
  return id !== undefined && !volatile && isCertain(basis);
}

/** All these runs are certain, the same again, and came to a good end. */
export function areSettled(runs: readonly ProgramFact[]): boolean {
  return runs.length > 0 && runs.every((run) => isSameAgain(run) && run.exitCode === 0);
}

function isCertain(basis: ProgramFact['basis']): boolean {
  return basis === 'rehearsed' || basis === 'remembered' || basis === 'observed' || basis === 'computed';
}

/**
 * What a version manager found is judged as it was called; the gate tells where it stands. So is the interpreter to which the script
 * of a known program hands all of its words: `gcloud …` becomes `python3 gcloud.py …`.
 */
export function asCalled(program: ProgramFact, programs: readonly ProgramFact[]): ProgramFact {
  const { argv, label, parent, gatedBecause } = program;
  if (label?.kind === 'behindShim') return { ...program, argv: label.argv };
  if (gatedBecause === undefined || parent === undefined || !interpreterOf(argv[0] ?? '')) return program;
  const front = programs.find(({ id }) => id === parent);
  const [name = '', ...words] = front?.argv ?? [];
  const row = programInPlace(name);
  const isScript = front?.gatedBecause === undefined && !program.lookedThrough && row && !row.inert;
  const isHandedOn =
    argv.length > words.length + 1 && words.every((word, at) => argv[argv.length - words.length + at] === word);
  return front && isScript && isHandedOn && !startsOf(programName(name)) ? { ...program, argv: front.argv } : program;
}

/**
 * Whether a call of the script was not started though everything was run: behind `&&`, in another branch, after `exit`.
 * Only of programs that no shell has built in; `left`: programs that no call of the script was found for.
 */
function wasNotStarted(written: StaticProgram, facts: Facts, left: ReadonlySet<ProgramFact>): boolean {
  // On another machine it may be.
  if (!wasAllRun(written, facts) || written.inside?.elsewhere) return false;
  const name = programName(written.argv[0] ?? '');
  const row = programNamed(name);
  if ((row && isOfShell(row) && !isOutOfPlace(written.argv[0] ?? '')) || written.inside?.isLater) return false;
  const others = [...left].filter((program) => !isStartedByGit(program, facts));
  if (others.some(({ argv }) => programName(argv[0] ?? '') === name)) return false;
  return !facts.programs.some(({ argv }) => mayBeSameCall(written, argv) || becameItself(written, argv));
}

function isAbsent({ argv }: StaticProgram, { absent = [] }: Facts): boolean {
  return absent.includes(argv[0] ?? '');
}

/** A program that is many does the work of what its first word names, and starts nothing for it. */
function becameItself({ inside, fields }: StaticProgram, real: readonly string[]): boolean {
  const many = inside && programNamed(programName(inside.by))?.isMany;
  return many === true && mayBeSameCall({ argv: [inside.by], fields: [open, ...fields] }, real);
}

/** The words of a program that was started; of one that would be, some may still have to be expanded. */
function lettersOfRun({ id, argv }: ProgramFact): readonly string[] {
  return id === undefined ? [] : argv;
}

// Git does its work in parts, which it starts from a folder of its own. What they did is seen in the facts of git, and what
// was asked for in the call that the script has.
function isStartedByGit({ argv }: ProgramFact, facts: Facts): boolean {
  const own = /\/git-core\/git(-[\w-]+)?$/;
  if (!own.test(argv[0] ?? '') || isOutOfPlace(argv[0] ?? '')) return false;
  return facts.programs.some((other) => isGit(other.argv[0] ?? '') && !own.test(other.argv[0] ?? ''));
}

/** What a program reads, where the script's text tells. */
type Inputs = Pick<ProgramSurroundings, 'inputText' | 'writtenInput' | 'isUnread'>;

/** What a call of the script reads from its standard input, as far as the text tells. */
export function inputsOf(program: StaticProgram): Inputs {
  const { inputText, command } = program;
  return { inputText, isUnread: isUnread(program), writtenInput: command && writtenInput(command) };
}

function factOf(program: ProgramFact): Partial<Asked> {
  const fact: Partial<Asked> = {};
  if (isCertain(program.basis)) fact.ran = program;
  if (program.gatedBecause !== undefined)
    Object.assign(fact, { gatedBecause: program.gatedBecause, gate: program.gate });
  return fact;
}

/** A program that the action starts or asks for, with what is known about it. */
export interface Examined extends Asked {
  knowledge: ProgramKnowledge;
  /** A push that may rewrite the remote, and has all that is known of it. */
  isForwardPush: boolean;
}

/** Looks up every program that the prediction started or that the script names, words and functions of the shell aside. */
export function examinePrograms(facts: Facts, statics: readonly StaticProgram[]): Examined[] {
  const place = placeOf(facts);
  const { action } = facts;
  const functions = new Set(action.kind === 'command' ? readScript(action.script).functions : []);
  return askedFor(facts, statics).flatMap((asked) => {
    const { argv, cwd, inputs, letters, elsewhere, became } = asked;
    const name = programName(argv[0] ?? '');
    const isPath = argv[0]?.includes('/') === true;
    if ((functions.has(name) && !isPath) || (shellWords.has(name) && !isOutOfPlace(argv[0] ?? ''))) return [];
    const around = {
      home: place.home,
      workspaceFolders: facts.workspaceFolders,
      letters,
      isElsewhere: elsewhere !== undefined,
      isFed: asked.isFed,
      isLost: asked.isLost,
      ...inputs,
    };
    const seen = asked.throughMounts ?? { argv, cwd };
    const asWritten = describeProgram(seen.argv, seen.cwd, around);
    // What a program that ran has put into a variable is known.
    const described = asWritten.isValueOpen && became ? describeProgram(became, cwd, around) : asWritten;
    const isForwardPush = facts.forwardPushes?.includes(argv.join('\0')) === true;
    if (asked.ran && isLocalPush(asked.ran, facts.programs))
      return [{ ...asked, knowledge: asSeenHere(described, asked.ran), isForwardPush: false }];
    return [{ ...asked, knowledge: isForwardPush ? asForwardPush(described) : described, isForwardPush }];
  });
}

/** What it does to another repository is seen there: that is judged. What is refused today may be taken another time. */
function asSeenHere(knowledge: ProgramKnowledge, { exitCode }: ProgramFact): ProgramKnowledge {
  const effects = knowledge.effects.filter(({ effect }) => effect !== 'network');
  return { ...knowledge, visible: true, stays: exitCode !== 0, effects };
}

function asForwardPush(knowledge: ProgramKnowledge): ProgramKnowledge {
  return { ...knowledge, level: 'caution', effects: knowledge.effects.filter(({ effect }) => effect === 'network') };
}

/** Risks of what programs were asked to do. */
export function programRisks(facts: Facts, programs: readonly Examined[]): Risk[] {
  const harm = showsHarm(facts) || facts.effects.some(({ git }) => git !== undefined && gitLevel(git) !== 'safe');
  const isSeen = (wanted: EffectKind) =>
    facts.effects.some(({ effect, expectedOf }) => effect === wanted && expectedOf === undefined);
  const seen = { harm, reached: isSeen('network'), signalled: isSeen('signal') };
  return programs.flatMap((program): Risk[] => {
    const isThere = !program.ran && program.notStarted !== 'notInstalled';
    const file = isThere ? fileOutOfPlace(program, placeOf(facts)) : undefined;
    const elsewhere: Risk[] =
      file === undefined
        ? []
        : [{ level: 'caution', fact: { kind: 'outOfPlace', file }, evidence: [callAsEvidence(program)] }];
    const { ran } = program;
    if (program.isThrownAway && program.knowledge.known && program.knowledge.effects.every(isOfThePlace)) return [];
    if (!program.knowledge.known) {
      const isNamedAsKnown = elsewhere.length > 0 && isKnownProgram(programName(program.argv[0] ?? ''));
      const isDestroying = hasDestroyingVerb(program.argv);
      // What was run whole, and reached nobody, is judged by what it did, whatever it is called.
      const wasWhole = ran?.exitCode !== undefined && isCertain(ran.basis) && isComplete(facts);
      const isShown = wasWhole && !seen.reached;
      return !isDestroying && (isNamedAsKnown || isShown) ? elsewhere : unknownRisks(program);
    }
    const isOwn = !harm && ran !== undefined && facts.ownRemovals?.includes(callKey(ran)) === true;
    return isOwn ? elsewhere : [...elsewhere, ...knownRisks(program, seen)];
  });
}

const effectsOnOthers: ReadonlySet<EffectKind> = new Set(['network', 'cloud', 'database', 'device', 'container']);

/** It concerns nobody but the machine, or the container, that it is in. */
function isOfThePlace({ effect }: { effect: EffectKind }): boolean {
  return !effectsOnOthers.has(effect);
}

/** What is seen of all that was run. `reached`: it tried to reach others; `signalled`: it sent signals to processes of others. */
interface Seen {
  harm: boolean;
  reached: boolean;
  signalled: boolean;
}

function knownRisks(program: Examined, { harm, reached, signalled }: Seen): Risk[] {
  const { ran, knowledge, isForwardPush } = program;
  const isUnheard = !signalled && onlySignals(program);
  // Only that the value is not known was grave, and where there was none the script did not come to it.
  const isSpared = program.notStarted === 'notStarted' && knowledge.isValueOpen;
  const isLess = (isUnheard || isSpared) && knowledge.level === 'danger';
  const level = isLess ? 'caution' : levelFor(program, harm);
  if (level === undefined) return [];
  // `alias rm='rm -i'` only makes it ask from then on.
  if (program.isLater && knowledge.asks) return [];
  const { reason: says } = knowledge;
  const head = showCall(knowledge.head, callOf(program).open);
  const call = callAsEvidence(program);
  const where = program.elsewhere === undefined ? {} : { elsewhere: program.elsewhere };
  if (level === 'safe') {
    const usesNetwork = knowledge.effects.some(({ effect }) => effect === 'network');
    // What was not started has done nothing; a rehearsal tells by its facts what changed, and whom it tried to reach.
    if (notRun(program)) return [];
    if (ran?.exitCode !== undefined && !reached) return [];
    if (!usesNetwork && (ran || knowledge.onlyLooks)) return [];
    return [{ level, fact: { kind: 'program', head, says, usesNetwork, ...where }, evidence: [call] }];
  }
  const evidence = [call, ...namesAsEvidence(knowledge.touches.slice(0, 5))];
  if (isForwardPush) return [{ level, fact: { kind: 'forwardPush', head }, evidence }];
  const isSeen = knowledge.visible || (ran?.exitCode !== undefined && ran.exitCode !== 0 && staysHere(knowledge));
  const here = isSeen && ran && !harm && !knowledge.asks ? outcomeHere(ran) : {};
  const outcome = notRun(program) ?? (isUnheard ? ({ outcome: 'nobodySignalled' } as const) : here);
  return [{ level, fact: { kind: 'program', head, says, usesNetwork: false, ...where, ...outcome }, evidence }];
}

/** What it was asked for is a matter of files, modes, owners and packages: nothing of it is elsewhere, so a failure is a failure. */
function staysHere({ effects }: ProgramKnowledge): boolean {
  const here = new Set(['permission', 'outside-workspace', 'package']);
  return effects.every(({ effect }) => here.has(effect));
}

/** All that it was asked for are signals, and all of them were seen. */
function onlySignals({ knowledge: { effects }, wasAllRun, elsewhere }: Examined): boolean {
  return wasAllRun === true && !elsewhere && effects.length > 0 && effects.every(({ effect }) => effect === 'signal');
}

/** A call that was not made, though all was run. */
function notRun({ notStarted, isLater }: Examined): { outcome: 'notStarted' | 'notInstalled' | 'later' } | undefined {
  if (notStarted) return { outcome: notStarted };
  return isLater ? { outcome: 'later' } : undefined;
}

/** What came of it here. Of a program that did not come to its end nothing is said. */
function outcomeHere({ exitCode, basis }: ProgramFact): { outcome?: 'failed' | 'nothingLost' } {
  if (exitCode) return { outcome: 'failed' };
  return exitCode === 0 || basis === 'computed' ? { outcome: 'nothingLost' } : {};
}

/** `undefined`: the facts of the rehearsal say it better. */
function levelFor({ knowledge, ran, isSettled }: Examined, harm: boolean): Level | undefined {
  if (!ran) return knowledge.level;
  if (!knowledge.visible) {
    // Code that really ran, confined, or whose scripts ran in its place, is judged by what it did.
    const ranCode = knowledge.effects.every(({ effect }) => effect === 'code-execution' || effect === 'package');
    if (knowledge.level === 'caution' && ranCode && knowledge.effects.length > 0) return undefined;
    const isRefused = ran.exitCode !== undefined && ran.exitCode !== 0 && isSameAgain(ran) && staysHere(knowledge);
    return knowledge.level === 'danger' && isRefused ? 'caution' : knowledge.level;
  }
  if (knowledge.level === 'safe') return 'safe';
  const isTold = harm && (ran.exitCode === 0 || ran.basis === 'computed');
  // Where all is certain and nothing is lost, it had nothing to work on. What asks was answered by nobody.
  if (isTold || (isSettled && !knowledge.asks) || !knowledge.stays) return undefined;
  // It asked for it, and failed here, or may do otherwise another time.
  return 'caution';
}

/** Of what is not there nothing is left to be known; what stands in another branch may be started another time. */
function unknownRisks(program: Examined): Risk[] {
  const { ran, gatedBecause, notStarted } = program;
  const call = callOf(program);
  const evidence = [callAsEvidence(program)];
  if (hasDestroyingVerb(call.argv)) return [{ level: 'danger', fact: { kind: 'unknownDestroys', ...call }, evidence }];
  // What it may do there is told with its starter; behind an image may stand words for the program that this has.
  if (program.elsewhere) return [];
  // That it is not known which program it is, is a risk of the script.
  if (!ran && hasOpenName(program.argv)) return [];
  if (notStarted === 'notInstalled') return [];
  if (notStarted) return [{ level: 'caution', fact: { kind: 'unknownElsewhere', ...call }, evidence }];
  if (ran) return [{ level: 'caution', fact: { kind: 'unknownRan', ...call }, evidence }];
  const wasStopped = gatedBecause !== undefined && gatedBecause !== '';
  return [{ level: 'caution', fact: { kind: 'unknown', ...call, wasStopped }, evidence }];
}

/** What a known name would really start, where that lies in a place where anybody could have put it. */
export function fileOutOfPlace({ argv, gate }: Pick<ProgramFact, 'argv' | 'gate'>, place: Place): string | undefined {
  const word = argv[0] ?? '';
  if (isOutOfPlace(word)) return word;
  const file = gate?.kind === 'notInert' ? gate.file : undefined;
  return file !== undefined && isOutOfPlace(file) && !isOwnInstallation(file, place) ? file : undefined;
}

/** What people install for themselves is below their home, and not in what they work on. */
function isOwnInstallation(file: string, { home, cwd, workspaceFolders = [] }: Place): boolean {
  if (!isAtOrAbove(home, file)) return false;
  return ![cwd, ...workspaceFolders].some((folder) => isAtOrAbove(folder, file) && !isAtOrAbove(folder, home));
}

// Words of the shell itself: what they do is seen in the commands, the redirections and the files.
const shellWords = new Set(
  '. : [ [[ alias bg bind break builtin caller case cd command compgen complete compopt continue coproc declare dirs disown do done echo elif else enable esac eval exec exit export false fc fg fi for function getopts hash help if in jobs let local logout mapfile popd printf pushd pwd read readarray readonly return select set setopt shift shopt source suspend test then time times trap true type typeset ulimit umask unalias unset until wait while { } ! noglob autoload zmodload unsetopt emulate whence print where argparse begin end status string math contains count functions not and or switch abbr emit funced funcsave fish_add_path set_color'.split(
    ' ',
  ),
);
