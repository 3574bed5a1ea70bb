import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { CommandAction } from '../../../action/action.ts';
import { inSentence } from '../../../view/quantity.ts';
import { findInPath, type InertFiles, whyNothingIsInert } from '../gate/inert.ts';

/** How the user's script is started. */
export interface ShellCommand {
  argv: string[];
  env: string[];
  /** Where the shell was found. */
  file: string;
}

/** The expected failures of starting: one code and one sentence with a next step. */
export interface StartFailure {
  code: 'no-shell' | 'shell-may-not-run' | 'no-folder' | 'script-too-long' | 'not-a-shell-here';
  message: string;
}

/** A single argument may be this long (MAX_ARG_STRLEN in linux/binfmts.h: 32 pages), with its final NUL. */
const longestArgument = 131_072;

/** Checks the action and builds the command line of its shell. `state`: a file of aliases and functions, for bash. */
export function shellCommand(
  action: CommandAction,
  env: Readonly<Record<string, string>>,
  state: { file: string } | undefined,
  folderIsPredicted: boolean,
): ShellCommand | StartFailure {
  const program = action.shell;
  if (program === 'pwsh' || program === 'cmd') {
    return {
      code: 'not-a-shell-here',
      message: `${action.shell} scripts cannot be rehearsed on Linux; choose bash, sh, zsh or fish.`,
    };
  }
  const searchPath = env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin';
  const file = findInPath(program, searchPath) ?? findInPath(program, '/usr/local/bin:/usr/bin:/bin');
  if (!file) return { code: 'no-shell', message: `${program} is not installed; install it or choose another shell.` };
  if (Buffer.byteLength(action.script) >= longestArgument) {
    return {
      code: 'script-too-long',
      message:
        'The script is longer than 128 kB, which no command line takes; save it in a file and predict `bash FILE`.',
    };
  }
  // Later in a session the folder may exist only in the view; the launcher then says what is wrong with it.
  const folderProblem = folderIsPredicted ? undefined : checkFolder(action.cwd);
  if (folderProblem) return { code: 'no-folder', message: folderProblem };
  const options = state ? (program === 'bash' ? ['--rcfile', state.file, '-i'] : ['-i']) : [];
  return {
    file,
    argv: [program, ...options, '-c', action.script],
    env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
  };
}

/** A shell that would be stopped itself, so that nothing of the script could run: one sentence with a next step. */
export function shellProblem(file: string, inert: InertFiles): StartFailure | undefined {
  const real = fs.realpathSync(file);
  if (inert.inert.includes(real)) return undefined;
  const why = whyNothingIsInert();
  const message = `${inSentence(real)} is not a program that only root can change, so it may not run; choose another shell, or open the gate.`;
  return { code: 'shell-may-not-run', message: why ?? message };
}

function checkFolder(folder: string): string | undefined {
  const name = inSentence(folder);
  try {
    if (!fs.statSync(folder).isDirectory()) return `${name} is not a folder; choose another working directory.`;
    fs.accessSync(folder, fs.constants.X_OK);
    return undefined;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    const reasons: Record<string, string> = {
      ENOENT: 'does not exist any more',
      ENOTDIR: 'does not exist: a part of it is a file',
      EACCES: 'cannot be entered: permission denied',
      ENAMETOOLONG: 'has a name that is too long',
      ELOOP: 'goes through too many symbolic links',
    };
    const reason =
      reasons[code] ?? (code.startsWith('ERR_') ? 'is no name of a folder' : `cannot be entered (${code})`);
    return `The folder ${name} ${reason}; choose another working directory.`;
  }
}

/** Real home directory of the user, without looking at HOME first (it may be unset). */
export function homeFolder(env: Readonly<Record<string, string | undefined>>): string {
  const home = env['HOME'];
  if (home && path.isAbsolute(home)) return home;
  try {
    return os.userInfo().homedir;
  } catch {
    return '/';
  }
}
