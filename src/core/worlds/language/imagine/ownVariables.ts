import { isOfVersionManager } from '../../../programs/shims.ts';

// What shells, terminals and npm set themselves.
const everybodys =
  /^(_|PWD|OLDPWD|SHLVL|PATH|HOME|USER|LOGNAME|SHELL|TERM|COLUMNS|LINES|LANG|LC_.*|FORETELL_.*|GIT_.*|npm_.*|INIT_CWD|COLOR|EDITOR|NODE|MAKELEVEL|MFLAGS|MAKE_TERM.*)$/;
const longestValue = 200;
const mostVariables = 20;

/**
 * Variables that the script set for a program, and the few that decide what tools print: those that are not as `usual`.
 * What shells and version managers set on the way decides nothing of the answer.
 */
export function ownVariables(
  env: Readonly<Record<string, string>>,
  usual: Readonly<Record<string, string>>,
): [name: string, value: string][] {
  return Object.entries(env)
    .filter(([name, value]) => !everybodys.test(name) && !isOfVersionManager(name) && usual[name] !== value)
    .filter(([name, value]) => value.length <= longestValue && !(name === 'MAKEFLAGS' && value === ''))
    .slice(0, mostVariables);
}
