import fs from 'node:fs';
import path from 'node:path';
import type { PredictRequest } from '../../../prediction/rehearsal.ts';
import { holds, programNamed, programOf } from '../../../programs/programOf.ts';
import type { StaticProgram } from '../../../shell/evaluated.ts';
import type { StepContext } from '../stepContext.ts';
import { baseName, type RecordedProgram, type RunRecord, streamBytes } from '../wire/runRecord.ts';
import { isOrdinary, volatileWord } from './steady.ts';

/**
 * What only reads is compared with another run, for what it prints can be of the moment. Where every program is one whose row says
 * that its words and the contents of files alone decide what it prints, and these files stand on a disk and have been left alone
 * for a while, one reading is enough. The words of the script only tell where trying is worth it; what counts is what was started.
 */

/** Words of the shell that make how it ends depend on more than its last program. */
const manyEnds = /\b(?:set|shopt|PIPESTATUS)\b/;

/** What bash reads first, options that it is given, and functions in the place of programs. */
const deciding = /^(?:BASH_ENV|SHELLOPTS|BASHOPTS|BASH_FUNC_.*)=/;

/** A file that was changed so lately may be changing, in milliseconds. */
const restlessMs = 2_000;
/** More words are not looked up; the launcher cuts very long lists. */
const mostWords = 64;

/** What the words of a script tell, see `scriptWords.ts`. */
interface ReadingWords {
  readsSteadily(): boolean;
  startsTogether(): boolean;
}

/** Whether the words of a script promise a reading that needs no other beside it. `find` evaluates it. */
export function mayReadSteadily(script: string, find: () => readonly StaticProgram[]): boolean {
  if (volatileWord.test(script) || manyEnds.test(script)) return false;
  const programs = find();
  return programs.length > 0 && programs.every(({ argv }) => argv[0] === 'cd' || readsSteadily(argv));
}

/**
 * Whether one reading may be enough: a shell that has run commands before may call its own functions by the names of programs.
 * What look mode only asks about it does not name, so that whoever compares all that was named needs the check.
 */
export function mayReadAlone({ state, request }: StepContext, words: ReadingWords): boolean {
  const isFirst = state.steps === 0 && !state.carried && request.promptShell === undefined;
  return isFirst && !request.compared && words.readsSteadily();
}

/**
 * How a reading that was made alone is concluded: as steady, or as one that nothing was compared with, because a limit of time ended
 * it and would end another alike, after as long. `undefined`: it needs a check beside it.
 */
export function readAloneAs(
  record: RunRecord,
  request: Pick<PredictRequest, 'terminal'>,
  env: readonly string[],
  words: ReadingWords,
): { isSteady: true } | { isCompared: false } | undefined {
  if (record.finished?.how === 'timeLimit') return { isCompared: false };
  return wasReadSteadily(record, request, env, words) ? { isSteady: true } : undefined;
}

/** Whether no other reading of the same files could come out otherwise. `env`: `NAME=value`, as it was run. */
function wasReadSteadily(
  record: RunRecord,
  { terminal }: Pick<PredictRequest, 'terminal'>,
  env: readonly string[],
  words: ReadingWords,
): boolean {
  const { finished, programs, effects, assumptions, asked, momentary } = record;
  if (finished?.how !== 'exited' || finished.detail !== '' || asked || momentary) return false;
  if (effects.length > 0 || assumptions.length > 0 || env.some((one) => deciding.test(one))) return false;
  // Of programs beside each other only the last one of a pipeline prints; what several complain of comes in any order.
  const isMixed = terminal !== undefined || streamBytes(record, 'stderr').length > 0;
  if (isMixed && words.startsTogether()) return false;
  const now = Date.now();
  return programs.every((program) => isSteadyReader(program) && readsQuietFiles(program, now));
}

function readsSteadily([name = '', ...words]: readonly string[]): boolean {
  return holds(programOf(name)?.readsSteadily, [words.join(' ')]);
}

function isSteadyReader({ gate, realPath, argv }: RecordedProgram): boolean {
  const name = baseName(realPath);
  return gate === undefined && programNamed(name) !== undefined && readsSteadily([name, ...argv.slice(1)]);
}

/** What an option names is not looked up. */
function readsQuietFiles({ argv, cwd }: RecordedProgram, now: number): boolean {
  const words = argv.slice(1);
  if (words.length > mostWords || words.some((word) => word.startsWith('-') && word.includes('/'))) return false;
  return words.every((word) => isQuiet(path.resolve(cwd, word), now));
}

function isQuiet(file: string, now: number): boolean {
  if (!isOrdinary(file)) return false;
  try {
    const status = fs.statSync(file);
    return status.isDirectory() || (status.isFile() && now - status.mtimeMs > restlessMs);
  } catch {
    // Not every word is the name of a file.
    return true;
  }
}
