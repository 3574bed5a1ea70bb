import { type Shell, shellOf } from '../shell/shells.ts';
import { programName } from './programName.ts';
import { programOf } from './programOf.ts';

/** Names of what a program reads from. */
const inputFile = /^(?:-|\/dev\/(?:stdin|fd\/\d+)|\/proc\/self\/fd\/\d+)$/;

/** What a shell runs that is called with some words: its input, code among the words, or a file. */
type ShellCode = 'input' | 'words' | { file: string };

/**
 * Whether a shell or an interpreter that is called with these words runs what it reads from its input. With a file or code among
 * them, what is piped is its input and not its program; what stands behind `-s`, or behind `-`, is for the code (`sh -s -- -b bin`).
 */
export function readsCodeFromInput(argv: readonly string[]): boolean {
  const [program = '', ...words] = argv;
  const shell = shellOf(program);
  if (shell) return codeOf(shell, words) === 'input';
  const row = programOf(programName(program));
  if (row?.isMany && shellOf(words[0] ?? '')) return readsCodeFromInput(words);
  for (const word of words) {
    if (inputFile.test(word)) return true;
    if (row?.codeOption?.test(word) || (row?.language === 'python' && /^-[a-zA-Z]*m$/.test(word))) return false;
    if (!/^[-+]|^[a-z]+$/.test(word)) return false;
  }
  return true;
}

/** The file whose commands a shell that is called with these words runs. */
export function scriptFileOf([program = '', ...words]: readonly string[]): string | undefined {
  const shell = shellOf(program);
  const code = shell && codeOf(shell, words);
  return typeof code === 'object' ? code.file : undefined;
}

function codeOf({ dialect, scriptOption, valued }: Shell, words: readonly string[]): ShellCode {
  const inFile = (file: string | undefined): ShellCode =>
    file === undefined || inputFile.test(file) ? 'input' : { file };
  let isAsked = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const next = words[at + 1];
    if (dialect === 'powershell' && /^-f(?:ile)?$/i.test(word)) return inFile(next);
    if (scriptOption.test(word)) return next === '-' ? 'input' : 'words';
    const isLast = /^--?$/.test(word);
    if (isLast || !/^[-+]/.test(word)) return isAsked ? 'input' : inFile(isLast ? next : word);
    // `-s`: what stands behind the options are its arguments.
    if (dialect !== 'powershell' && /^-[a-zA-Z]*s[a-zA-Z]*$/.test(word)) isAsked = true;
    // `-euo pipefail`
    if (valued.includes(word) || (dialect === 'posix' && /^[-+][a-zA-Z]*[oO]$/.test(word))) at++;
  }
  return 'input';
}
