import fs from 'node:fs';
import type { CommandAction } from '../../../action/action.ts';
import type { PromptShell } from '../../../prediction/rehearsal.ts';
import { inSentence } from '../../../view/quantity.ts';
import { findInPath, type InertFiles, whyNothingIsInert } from '../gate/inert.ts';
import type { ShellStart } from './startState.ts';
import { zshFlags } from './zshState.ts';

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

/**
 * Checks the action and builds the command line of its shell, which begins with `start`. `prompt`: `env` is what that shell exports,
 * which read its start files long ago; they are not read again where that can be left out.
 */
export function shellCommand(
  action: CommandAction,
  env: Readonly<Record<string, string>>,
  { start, prompt }: { start?: ShellStart | undefined; prompt?: PromptShell | undefined } = {},
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
  const options = start?.options ?? (program === 'zsh' && prompt ? ['-f', ...zshFlags(prompt)] : []);
  return {
    file,
    argv: [program, ...options, '-c', action.script],
    env: Object.entries({ ...env, ...start?.env }).map(([name, value]) => `${name}=${value}`),
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
