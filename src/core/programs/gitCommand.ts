import { programName } from './programName.ts';
import { programOf } from './programOf.ts';
import { workingFolder } from './workingFolder.ts';

/** A call of git, taken apart. */
export interface GitCommand {
  /** `push`; empty where only options are given. */
  command: string;
  /** What stands behind it. */
  words: readonly string[];
  /** The options before it with their values, without `-C`. */
  globals: readonly string[];
  /** The folder that it works in. */
  cwd: string;
}

/** Whether a program is git itself, or (`withParts`) one of the programs that it consists of. */
export function isGit(program: string, withParts = false): boolean {
  const name = programName(program);
  return name === 'git' || (withParts && name.startsWith('git-'));
}

/** Takes a call of git apart; `undefined` of any other program. */
export function gitCommandOf(argv: readonly string[], cwd: string): GitCommand | undefined {
  if (!isGit(argv[0] ?? '')) return undefined;
  const valued = programOf('git')?.does?.valued?.split(' ') ?? [];
  const globals: string[] = [];
  let at = 1;
  while (argv[at]?.startsWith('-')) {
    const end = at + (valued.includes(argv[at] ?? '') ? 2 : 1);
    if (argv[at] !== '-C') globals.push(...argv.slice(at, end));
    at = end;
  }
  return { command: argv[at] ?? '', words: argv.slice(at + 1), globals, cwd: workingFolder(argv, cwd) };
}
