import path from 'node:path';
import type { Action } from '../../../action/action.ts';
import { holds, programNamed } from '../../../programs/programOf.ts';
import { findStaticPrograms } from '../../../programs/staticPrograms.ts';
import type { StaticProgram } from '../../../shell/evaluated.ts';

/** Where the order of a script's text is not the order of time, or a program can come again. */
const comesAgain = /\b(?:while|until|for|select|trap|alias|function|eval|coproc)\b|\(\s*\)|(?<![&<>|])&(?![&>])/;
/** The shell itself reads files. */
const shellReads = /\$\(\s*<|`\s*<|\bmapfile\b|\breadarray\b|\[\[/;

/**
 * Whether something that comes after a program may read what is in a file that it wrote, as far as the script's text tells: true
 * unless all that follows is known to read none.
 */
export function mayReadLater(action: Action, argv: readonly string[], env: Readonly<Record<string, string>>): boolean {
  if (action.kind !== 'command' || shellReads.test(action.script)) return true;
  const programs = findStaticPrograms(action.script, { cwd: action.cwd, home: env['HOME'] ?? '/nonexistent', env });
  const mine = programs.findIndex((one) => one.argv.join('\0') === argv.join('\0'));
  // Something else has started it, and goes on behind it.
  if (mine < 0 || programs[mine]?.inside) return true;
  const others = comesAgain.test(action.script)
    ? programs.filter((_, index) => index !== mine)
    : programs.slice(mine + 1);
  return others.some(mayRead) || programs.some((one) => one.substituted.some((inner) => inner === programs[mine]));
}

function mayRead({ argv, fields, redirects, readsFrom }: StaticProgram): boolean {
  if (redirects.some(({ operator }) => operator.startsWith('<'))) return true;
  if (fields[0]?.isOpen) return true;
  const row = programNamed(path.basename(argv[0] ?? ''));
  const words = argv.slice(1);
  if (holds(row?.needsNoFile, words)) return false;
  // `| tail -3` reads its pipe alone.
  if (readsFrom.length > 0 && row?.reduces && words.every((word) => /^(?:-|\d+$)/.test(word))) return false;
  const { needsNoContent } = row ?? {};
  if (!needsNoContent || fields.some(({ isOpen }) => isOpen)) return true;
  return needsNoContent.unless !== undefined && holds(needsNoContent.unless, words);
}
