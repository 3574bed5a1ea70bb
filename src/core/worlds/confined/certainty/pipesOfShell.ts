import path from 'node:path';
import { shebangProgram, shellOf } from '../../../shell/shells.ts';
import type { RunEvent } from '../wire/launcher.ts';
import type { LeavesEarly } from './leavesEarly.ts';

/** A program that begins in a run. */
export type StartedProgram = Extract<RunEvent, { type: 'exec' }>;

/** A longer script is not looked through, in bytes. */
const longestScript = 64 * 1024;

/** Folders of programs that the system brings. */
const ofSystem = /^\/(?:usr|bin|sbin|lib\w*|opt)\//;

/** Whether a program is a shell, by its name. */
export function isShell([word = '']: readonly string[]): boolean {
  return shellOf(word) !== undefined;
}

/** Who may leave a pipe early in what a started shell is given: the text behind `-c`, or a file, which is read. */
export function pipesOfShell(
  { argv, cwd, realPath }: Pick<StartedProgram, 'argv' | 'cwd' | 'realPath'>,
  view: { read(path: string, moment: 'after', maxBytes: number): Promise<Uint8Array | undefined> },
  leavesEarlyIn: (script: string) => LeavesEarly,
): LeavesEarly | Promise<LeavesEarly> {
  const among = (text: string) => (text.includes('|') || text.includes('<(') ? leavesEarlyIn(text) : undefined);
  const file = async (name: string, needsLine: boolean) => {
    const bytes = await view.read(path.resolve(cwd, name), 'after', longestScript);
    const text = bytes && !bytes.includes(0) ? Buffer.from(bytes).toString('utf8') : '';
    return needsLine && shellOf(shebangProgram(text) ?? '') === undefined ? undefined : among(text);
  };
  if (!isShell(argv)) return ofSystem.test(realPath) ? undefined : file(realPath, true);
  const words = argv.slice(1);
  const at = words.findIndex((word) => !/^[-+]/.test(word));
  const word = words[at];
  if (word === undefined) return undefined;
  // `-c` may stand among others: `-ec`.
  return words.slice(0, at).some((option) => /^-[a-z]*c$/.test(option)) ? among(word) : file(word, false);
}
