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

/** Takes a call of git apart; `undefined` of any other program. */
export function gitCommandOf(argv: readonly string[], cwd: string): GitCommand | undefined {
  if (programName(argv[0] ?? '') !== 'git') return undefined;
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
