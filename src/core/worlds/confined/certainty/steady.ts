import fs from 'node:fs';
import path from 'node:path';
import { describeProgram } from '../../../programs/describeProgram.ts';
import { programNamed, programOf } from '../../../programs/programOf.ts';
import type { StaticProgram } from '../../../shell/evaluated.ts';
import { isPosixShell } from '../../../shell/shells.ts';
import type { Listing } from '../wire/launcher.ts';
import { baseName, type RecordedProgram, type RunRecord } from '../wire/runRecord.ts';

/**
 * Two runs in a row show what is volatile. Where the first one shows that nothing can be, the second is left out: it
 * succeeded, printed nothing or what follows from them too, and every program in it is one whose row says that its words and the
 * files alone decide what it leaves behind. The words of the script only tell where trying is worth it; what counts is what was really started.
 */

/** Longer scripts are not looked through. */
const shortScript = 2000;

/** A word of the shell that may have another value in the next run, or that hands work to a program that is not seen here. */
export const volatileWord =
  /\$(?![a-zA-Z_]\w*|\{[a-zA-Z_]\w*\})|\$\{?(?:S?RANDOM|SECONDS|EPOCH\w*|BASH\w*|PPID|_)\b|[`<>]|(?<![&])&(?![&])|(?<![-\w])(?:time|coproc|trap|eval|exec|source|read|select|wait)\b|\(\)/;

/** One program, with no variables set for it: those of tar hold options. */
const isOneCall = /^[^;&|=\n(){}]+$/;

/** What decides more than the words of a program: more options of tar, and what bash reads first. */
const deciding = /^(?:TAR_OPTIONS|BASH_ENV)=/;

/** Whether the words of a script promise a run in which nothing is volatile. `find` evaluates it. */
export function maySteady(script: string, find: () => readonly StaticProgram[]): boolean {
  if (script.length > shortScript || volatileWord.test(script)) return false;
  const programs = find();
  if (programs.every(({ argv, cwd }) => describeProgram(argv, cwd).onlyLooks)) return false;
  if (programs.some(({ argv }) => programOf(argv[0] ?? '')?.steady?.alone) && !isOneCall.test(script)) return false;
  return programs.every(({ argv }) => argv[0] === 'cd' || isSteadyCall(argv));
}

/** Whether no other run of the same script could come out otherwise, given the same files. `env`: `NAME=value`, as it was run. */
export function wasSteady(record: RunRecord, listing: Listing, env: readonly string[]): boolean {
  const { finished, programs } = record;
  if (finished?.how !== 'exited' || finished.exitCode !== 0 || finished.detail !== '') return false;
  if (record.output.length > 0 && !printsSteadily(record)) return false;
  if (
    record.asked ||
    record.effects.some(({ kind }) => kind !== 'folderMoved') ||
    record.assumptions.length > 0 ||
    !listing.complete
  )
    return false;
  if (listing.effects.some(({ kind }) => kind !== 'timeOnly')) return false;
  const [first] = programs;
  const isAlone = first !== undefined && rowOf(first)?.steady?.alone === true;
  const own = isAlone ? programs.filter((program) => !isPackedBy(program)) : programs;
  if (!own.every(isSteady) || (isAlone && (own.length > 1 || env.some((one) => deciding.test(one))))) return false;
  const places = programs.filter((program) => rowOf(program)?.steady?.places);
  if (places.length === 0) return true;
  // What is done to each that is found is done in the order of a directory. What stores their times has changed none.
  if (!isAlone && programs.some((program) => rowOf(program)?.walks && rowOf(program)?.showsStatus)) return false;
  return places.every(readsOrdinaryFiles);
}

/** Whether what is printed can only come of programs that print the same each time, one after the other. */
function printsSteadily({ output, programs }: RunRecord): boolean {
  return (
    output.every(({ stream }) => stream === 'stdout') &&
    programs.every((program) => {
      const { prints, silent } = rowOf(program)?.steady ?? {};
      return prints === true || (silent !== undefined && !program.argv.some((word) => silent.unless.test(word)));
    })
  );
}

function rowOf({ realPath }: RecordedProgram) {
  return programNamed(baseName(realPath));
}

/** A compressor that an archiver has started, alone or by a shell: it reads a pipe. */
function isPackedBy({ gate, argv }: RecordedProgram): boolean {
  const [shell = '', option, line] = argv;
  const own =
    argv.length === 3 && option === '-c' && isPosixShell(shell) ? line : argv.length === 1 ? shell : undefined;
  return gate === undefined && own !== undefined && programNamed(own)?.packsInput === true;
}

function isSteady(program: RecordedProgram): boolean {
  return (
    program.gate === undefined &&
    rowOf(program)?.steady !== undefined &&
    isSteadyCall([baseName(program.realPath), ...program.argv.slice(1)])
  );
}

function isSteadyCall(argv: readonly string[]): boolean {
  const steady = programOf(argv[0] ?? '')?.steady;
  if (!steady) return false;
  const words = argv.slice(1);
  if (steady.mode && !steady.mode.test(words[0] ?? '')) return false;
  const options = words.filter((word) => word.startsWith('-'));
  if (steady.options && !options.every((word) => steady.options?.test(word))) return false;
  return !steady.first || steady.first.test(words.find((word) => !word.startsWith('-')) ?? '');
}

/** More words are not looked up; the launcher cuts very long lists. */
const mostWords = 64;

/** What is read stands on a disk: files of the kernel have another content each time. */
function readsOrdinaryFiles({ argv, cwd }: RecordedProgram): boolean {
  return argv.length <= mostWords && argv.slice(1).every((word) => isOrdinary(path.resolve(cwd, word)));
}

/** Whether a file, absolute, stands on a disk, wherever links lead; also where nothing is there yet. */
export function isOrdinary(file: string): boolean {
  let real = file;
  try {
    real = fs.realpathSync(file);
  } catch {
    // It is not there yet.
  }
  return !/^\/(?:proc|sys|dev|run)(?:\/|$)/.test(real);
}
