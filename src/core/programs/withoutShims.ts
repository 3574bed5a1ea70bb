import type { ProgramFact } from '../facts/programFact.ts';
import { programName } from './programName.ts';

/** Version managers that stand before a program under its own name: `python3` is a script that runs `pyenv exec python3`. */
const managers = /^(pyenv|rbenv|nodenv|goenv|jenv|plenv|phpenv|swiftenv|asdf|mise|rtx|volta-shim)$/;

/**
 * The programs without what version managers do to find the real one. They are no programs that the user asked for; the
 * program itself stays, and so does the real one of the same name.
 */
export function withoutShims(programs: readonly ProgramFact[]): ProgramFact[] {
  const byId = new Map<number, ProgramFact>();
  for (const program of programs) if (program.id !== undefined) byId.set(program.id, program);
  const plumbing = new Map<ProgramFact, boolean>();
  const own = new Set(programs.flatMap((program) => managerOf(program, byId) ?? []));
  const isPlumbing = (program: ProgramFact): boolean => {
    const known = plumbing.get(program);
    if (known !== undefined) return known;
    // A cycle cannot be; a mark before the answer keeps a broken list from running on.
    plumbing.set(program, false);
    const parent = program.parent === undefined ? undefined : byId.get(program.parent);
    // What a subshell of the manager's scripts starts has no known parent, but its name: `pyenv-which`.
    const isPart = own.has(programName(program.argv[0] ?? '').replace(/-.*/, ''));
    const answer = isPart || (parent !== undefined && isPlumbing(parent) && !isReal(program));
    plumbing.set(program, answer);
    return answer;
  };
  const isReal = (program: ProgramFact): boolean => {
    const name = programName(program.argv[0] ?? '');
    for (
      let at: ProgramFact | undefined = program;
      at;
      at = at.parent === undefined ? undefined : byId.get(at.parent)
    ) {
      if (at !== program && !isPlumbing(at)) return programName(at.argv[0] ?? '') === name;
    }
    return false;
  };
  return programs.filter((program) => !isPlumbing(program));
}

/** The version manager that a program is, where it is asked to run the program that started it. */
function managerOf({ argv, parent }: ProgramFact, byId: ReadonlyMap<number, ProgramFact>): string | undefined {
  const name = programName(argv[0] ?? '');
  const starter = parent === undefined ? undefined : byId.get(parent);
  if (!managers.test(name) || !/^(exec|x)$/.test(argv[1] ?? '')) return undefined;
  return starter && argv.slice(2).includes(programName(starter.argv[0] ?? '')) ? name : undefined;
}
