import { type Shell, shellOf } from '../shell/shells.ts';
import { programName } from './programName.ts';
import { programOf } from './programOf.ts';

/** Names of what a program reads from. */
const inputFile = /^(?:-|\/dev\/(?:stdin|fd\/\d+)|\/proc\/self\/fd\/\d+)$/;

/**
 * Whether a shell or an interpreter that is called with these words runs what it reads from its input. With a file or code among
 * them, what is piped is its input and not its program; what stands behind `-s`, or behind `-`, is for the code (`sh -s -- -b bin`).
 */
export function readsCodeFromInput(argv: readonly string[]): boolean {
  const [program = '', ...words] = argv;
  const shell = shellOf(program);
  if (shell) return shellReadsInput(shell, words);
  const row = programOf(programName(program));
  if (row?.isMany && shellOf(words[0] ?? '')) return readsCodeFromInput(words);
  for (const word of words) {
    if (inputFile.test(word)) return true;
    if (row?.codeOption?.test(word) || (row?.language === 'python' && /^-[a-zA-Z]*m$/.test(word))) return false;
    if (!/^[-+]|^[a-z]+$/.test(word)) return false;
  }
  return true;
}

function shellReadsInput({ dialect, scriptOption, valued }: Shell, words: readonly string[]): boolean {
  let isAsked = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const next = words[at + 1];
    if (scriptOption.test(word) || (dialect === 'powershell' && /^-f(?:ile)?$/i.test(word))) return next === '-';
    if (/^--?$/.test(word)) return isAsked || next === undefined || inputFile.test(next);
    if (!/^[-+]/.test(word)) return isAsked || inputFile.test(word);
    // `-s`: what stands behind the options are its arguments.
    if (dialect !== 'powershell' && /^-[a-zA-Z]*s[a-zA-Z]*$/.test(word)) isAsked = true;
    // `-euo pipefail`
    if (valued.includes(word) || (dialect === 'posix' && /^[-+][a-zA-Z]*[oO]$/.test(word))) at++;
  }
  return true;
}
