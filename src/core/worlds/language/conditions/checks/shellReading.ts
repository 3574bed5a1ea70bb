import path from 'node:path';
import { describeProgram } from '../../../../programs/describeProgram.ts';
import { moduleOrPackage } from '../../../../programs/plainlyWrites.ts';
import { programName } from '../../../../programs/programName.ts';
import { holds, programOf } from '../../../../programs/programOf.ts';
import { findStaticPrograms } from '../../../../programs/staticPrograms.ts';
import type { StaticProgram } from '../../../../shell/evaluated.ts';
import { commandOf } from '../../prompt/turns/turnText.ts';
import { parseScreen } from '../../prompt/turns/turnTextScreen.ts';
import { parseShellReply } from '../../prompt/turns/turnTextShell.ts';
import { filePath, isReadingTool } from '../../world/observedFacts.ts';
import type { ConditionedReply } from './check.ts';

/** What a shell was told, and what it showed. */
export interface ShellReading {
  /** What runs for certain, on this machine. */
  programs: readonly StaticProgram[];
  /** Files that are created, changed or written for certain, relative to where the command starts or absolute. */
  written: readonly string[];
  printed: string;
  /** Absent: the reply does not say. */
  exitCode: number | undefined;
}

const place = { cwd: '/here', home: '/home/user', env: {} };

/** Reads an action and its reply as those of a shell or of a tool that works on files. */
export function shellReading({ domain, dialect, action, observation }: ConditionedReply): ShellReading {
  const command = commandOf(action);
  if (command === undefined) {
    const file = action.kind === 'tool' && !isReadingTool(action.name) ? filePath(action) : undefined;
    const isWritten = action.kind === 'tool' && ('content' in action.arguments || 'new_string' in action.arguments);
    const written = file !== undefined && isWritten ? [inPlace(file)] : [];
    return { programs: [], written, printed: observation, exitCode: undefined };
  }
  const programs = programsOf(command).filter((one) => !one.isUncertain && !one.isLost && !isElsewhere(one));
  const written = programs.flatMap(writtenBy);
  if (domain === 'terminal' && action.kind === 'keystrokes') {
    const { output, exitCode } = parseScreen(observation, action.keystrokes);
    return { programs, written, printed: output, exitCode };
  }
  const { stdout, stderr, exitCode } = parseShellReply(dialect, observation);
  return { programs, written, printed: `${stdout}${stderr}`, exitCode };
}

/** Every program that a command would start, as far as its text tells. */
function programsOf(command: string): StaticProgram[] {
  return findStaticPrograms(command, place);
}

/** A command that the table of programs knows to change nothing. */
export function onlyLooks(command: string): boolean {
  const programs = programsOf(command);
  return (
    programs.length > 0 &&
    programs.every((one) => {
      const knowledge = describeProgram(one.argv, one.cwd, { home: place.home, inputText: one.inputText });
      return knowledge.known && knowledge.level === 'safe' && knowledge.onlyLooks && writtenBy(one).length === 0;
    })
  );
}

function isElsewhere({ inside }: StaticProgram): boolean {
  return inside?.elsewhere !== undefined || inside?.isLater === true;
}

/** What a program writes: the targets of its redirections, and what its words name as new. */
function writtenBy({ argv, cwd, redirects }: StaticProgram): string[] {
  const files = redirects
    .filter(({ operator, target }) => /^(?:&?>>?|>\||>&)$/.test(operator) && !/^(?:&?\d|-$|\/dev\/)/.test(target))
    .map(({ target }) => path.resolve(cwd, target));
  const creates = programOf(argv[0] ?? '')?.creates;
  const words = argv.slice(1).filter((word) => !word.startsWith('-'));
  const named = creates === 'words' ? words : creates === 'last' ? words.slice(-1) : [];
  return [...files, ...named.map((word) => path.resolve(cwd, word))];
}

function inPlace(file: string): string {
  return path.resolve(place.cwd, file);
}

/** A file below the folder of the command, or in the temporary one. */
export function isBelow(file: string, folder: 'here' | 'temporary'): boolean {
  // Tools of agents give whole paths, of a workspace whose place is not told.
  return folder === 'temporary' ? file.startsWith('/tmp/') : !/^\/(?:tmp|home\/user|dev|proc)\//.test(file);
}

/** The first program of this kind that the table knows to fetch from other machines. */
export function fetchingProgram(programs: readonly StaticProgram[]): StaticProgram | undefined {
  return programs.find(({ argv }) => {
    const fetches = programOf(programName(argv[0] ?? ''))?.fetches;
    const isLocal = argv.some((word) => /(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])/.test(word));
    const words = argv.slice(1).join(' ');
    return !isLocal && argv.length > 1 && (fetches === true || fetches?.test(words) === true);
  });
}

/** Whether a program does such work for a project, itself or as `npx tool` and `python -m tool` start another one. */
export function works(
  programs: readonly Pick<StaticProgram, 'argv'>[],
  kind: 'tests' | 'builds' | 'runsProgram' | 'serves',
): boolean {
  return programs.some(({ argv: [name = '', ...words] }) => {
    const row = programOf(name);
    if (holds(row?.[kind], [words.join(' ')])) return true;
    const inner = moduleOrPackage(row, words);
    return inner !== undefined && works([{ argv: inner }], kind);
  });
}

/** Whether a program of these names runs, perhaps with this word behind it. */
export function runs(programs: readonly StaticProgram[], names: RegExp, words?: RegExp): boolean {
  return programs.some(({ argv }) => {
    const rest = argv.slice(1).join(' ');
    return names.test(programName(argv[0] ?? '')) && (words === undefined || words.test(rest));
  });
}
