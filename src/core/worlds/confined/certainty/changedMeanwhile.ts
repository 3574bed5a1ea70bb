import { createHash } from 'node:crypto';
import type { EditAction, ReadContent } from '../../../action/action.ts';
import type { Risk } from '../../../facts/risk.ts';
import { fileState } from '../edits/editFiles.ts';
import type { Launcher } from '../wire/launcher.ts';

/** A risk for each file that is another one by now than whoever made the edit has read. */
export async function changedMeanwhile(launcher: Launcher, edit: EditAction): Promise<Risk[]> {
  const read = new Map<string, ReadContent>(Object.entries(edit.expected ?? {}));
  for (const { path, expected } of edit.changes) if (expected) read.set(path, expected);
  const risks: Risk[] = [];
  for (const [path, content] of read) {
    if (await isStill(launcher, path, content)) continue;
    risks.push({ level: 'caution', fact: { kind: 'changedMeanwhile', path }, evidence: [{ kind: 'path', path }] });
  }
  return risks;
}

async function isStill(launcher: Launcher, path: string, { sha256, text }: ReadContent): Promise<boolean> {
  const state = await fileState(launcher, path);
  const bytes = state.kind === 'file' ? state.bytes : new Uint8Array();
  const digest = createHash('sha256').update(bytes).digest('hex');
  return (sha256 === undefined || sha256 === digest) && (text === undefined || Buffer.from(text).equals(bytes));
}
