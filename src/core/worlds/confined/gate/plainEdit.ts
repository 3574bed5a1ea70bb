import path from 'node:path';
import type { AssumedPart } from '../../../facts/assumption.ts';
import type { OutcomeChange, ProgramOutcome } from '../../../prediction/rehearsal.ts';
import type { TextForm } from '../../../programs/code/codeEdits.ts';
import { plainEdits, textFormOf } from '../../../programs/inlineCode.ts';
import type { Gated, Launcher } from '../wire/launcher.ts';
import { assumption } from './askedOutcomes.ts';

/** A longer file is not edited here, in bytes; nor are more than so many. */
const mostBytes = 1024 ** 2;
const mostFiles = 20;

/** What a snippet is assumed to do that only edits files, and whether it prints as well. */
export interface EditOutcome {
  outcome: ProgramOutcome;
  prints: boolean;
}

/**
 * A stopped interpreter whose code only edits files: it is followed on the files of the view. That the interpreter is what its name
 * says, and finds its own library, is assumed. `undefined`: it does more, or nobody can tell.
 */
export async function plainEdit(
  launcher: Launcher,
  gated: Gated,
  argv: readonly string[],
  code: string | undefined,
): Promise<EditOutcome | undefined> {
  if (code === undefined) return undefined;
  const files = new Map<string, string | null>();
  const form = textFormOf(argv);
  while (files.size <= mostFiles) {
    const found = plainEdits(argv, code, files);
    if (!found) return undefined;
    if ('needs' in found) {
      files.set(found.needs, (await textOf(launcher, path.resolve(gated.cwd, found.needs), form)) ?? null);
      continue;
    }
    const changes: OutcomeChange[] = [];
    for (const [name, text] of found.edits.written) {
      const file = path.resolve(gated.cwd, name);
      if (!(await canBeWritten(launcher, file))) return undefined;
      changes.push({ path: file, after: Buffer.from(text, form === 'bytes' ? 'latin1' : 'utf8') });
    }
    const assumes: AssumedPart[] = [
      { kind: 'exits', exitCode: 0 },
      ...(found.edits.prints ? [] : [{ kind: 'printsNothing' as const }]),
      { kind: 'editsAsWritten', files: [...found.edits.written.keys()] },
    ];
    const because = { kind: 'lookedThrough' } as const;
    return { outcome: { ...assumption(because), changes, assumes, exitIsAssumed: true }, prints: found.edits.prints };
  }
  return undefined;
}

/** A plain file that is there, by one name, or a new one in a folder that is. */
async function canBeWritten(launcher: Launcher, file: string): Promise<boolean> {
  const node = await launcher.stat(file, 'after');
  if (node) return node.type === 'file' && (node.mode & 0o200) !== 0 && node.links === 1;
  return (await launcher.stat(path.dirname(file), 'after'))?.type === 'directory';
}

/** A text as an interpreter gives it to who reads it. `undefined`: there is none. */
async function textOf(launcher: Launcher, file: string, form: TextForm): Promise<string | undefined> {
  const node = await launcher.stat(file, 'after');
  if (node?.type !== 'file' || node.sizeBytes > mostBytes) return undefined;
  const bytes = await launcher.read(file, 'after', mostBytes);
  if (!bytes || bytes.length !== node.sizeBytes) return undefined;
  if (form === 'bytes') return Buffer.from(bytes).toString('latin1');
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return form === 'utf8Lines' ? text.replace(/\r\n?/g, '\n') : text;
  } catch {
    return undefined;
  }
}
