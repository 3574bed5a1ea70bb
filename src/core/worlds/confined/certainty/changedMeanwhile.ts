import { createHash } from 'node:crypto';
import type { EditAction, LiveAction, ReadContent } from '../../../action/action.ts';
import type { Risk } from '../../../facts/risk.ts';
import { fileState } from '../edits/editFiles.ts';
import type { StepContext } from '../stepContext.ts';
import type { Launcher } from '../wire/launcher.ts';

/** A risk for each file that is another one by now than whoever made the edit has read. */
async function changedMeanwhile(launcher: Launcher, edit: EditAction): Promise<Risk[]> {
  const read = new Map<string, ReadContent>(Object.entries(edit.expected ?? {}));
  for (const { path, expected } of edit.changes) if (expected) read.set(path, expected);
  const risks: Risk[] = [];
  for (const [path, content] of read) {
    if (await isStill(launcher, path, content)) continue;
    risks.push({ level: 'caution', fact: { kind: 'changedMeanwhile', path }, evidence: [{ kind: 'path', path }] });
  }
  return risks;
}

/** Says which files of an edit are no more those that its author read. */
export async function tellChangedMeanwhile(
  launcher: Launcher,
  action: LiveAction,
  channel: StepContext['channel'],
): Promise<void> {
  if (action.kind !== 'edit') return;
  for (const risk of await changedMeanwhile(launcher, action)) channel.push({ type: 'risk', ...risk });
}

async function isStill(launcher: Launcher, path: string, { sha256, text }: ReadContent): Promise<boolean> {
  const state = await fileState(launcher, path);
  const bytes = state.kind === 'file' ? state.bytes : new Uint8Array();
  const digest = createHash('sha256').update(bytes).digest('hex');
  return (sha256 === undefined || sha256 === digest) && (text === undefined || Buffer.from(text).equals(bytes));
}
