import type { ProgramFact } from '../facts/programFact.ts';
import type { ProgramLabel } from '../facts/programLabel.ts';
import { type NamedProgram, programText, wholeProgramText } from './programText.ts';

interface ProgramInTree extends NamedProgram {
  id: number;
  parent?: number | undefined;
}

/**
 * The programs that a person would list, with the nearest listed one above as `parent`: what version managers do to find the
 * real program is left out, and a shell that was started for one command only, where that command is listed.
 */
export function shownPrograms<P extends ProgramInTree>(programs: readonly P[]): P[] {
  const hidden = new Map<number, number | undefined>();
  const isHidden = hiddenOf(programs);
  for (const program of programs) if (isHidden.has(program)) hidden.set(program.id, program.parent);
  if (hidden.size === 0) return [...programs];
  return programs.flatMap((program) => {
    if (isHidden.has(program)) return [];
    let parent = program.parent;
    for (let hops = 0; parent !== undefined && hidden.has(parent) && hops < programs.length; hops += 1)
      parent = hidden.get(parent);
    const { parent: _, ...rest } = program;
    return [{ ...rest, ...(parent === undefined ? {} : { parent }) } as P];
  });
}

function hiddenOf<P extends ProgramInTree>(programs: readonly P[]): Set<P> {
  const found = new Set<P>();
  const lines = new Map<number, P>();
  for (const program of programs) {
    if (program.label?.kind === 'shim') found.add(program);
    if (program.label?.kind === 'line' || program.label?.kind === 'tool') lines.set(program.id, program);
    const line = program.parent === undefined ? undefined : lines.get(program.parent);
    if (line && line !== program && wholeProgramText(line) === wholeProgramText(program)) found.add(line);
  }
  return found;
}

/**
 * How a program ends, where that is a result: of one that was stopped, or looked through, and rests on an assumption nobody
 * knows. `isAssumed`: something of the prediction is.
 */
export function knownExit(
  {
    exitCode,
    basis,
    gatedBecause,
    lookedThrough,
  }: Pick<ProgramFact, 'exitCode' | 'basis' | 'gatedBecause' | 'lookedThrough'>,
  isAssumed: boolean,
): number | undefined {
  const isStopped = gatedBecause !== undefined || lookedThrough === true;
  return isStopped && (basis === 'assumed' || (basis === 'computed' && isAssumed)) ? undefined : exitCode;
}

/** Says a call as the program of a prediction that has these arguments would be said, where they are not told apart. */
export function callText(
  argv: readonly string[],
  programs: readonly { argv: readonly string[]; label?: ProgramLabel | undefined }[],
): string {
  const same = programs.filter((program) => program.label && isSame(program.argv, argv));
  const texts = new Set(same.map(programText));
  const [only] = texts;
  return texts.size === 1 && only !== undefined ? only : programText({ argv });
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, index) => word === b[index]);
}
