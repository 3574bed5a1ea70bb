import * as vscode from 'vscode';
import { isLostForGood } from '../../core/facts/recovery.ts';
import type { Prediction } from '../../core/prediction/prediction.ts';
import { planOfNet } from '../../core/safetyNet/atStake.ts';
import type { KeptEntry } from '../../core/safetyNet/keptEntry.ts';
import { type NetUse, netFolder } from '../../core/safetyNet/netUse.ts';
import { countOf } from '../../core/view/quantity.ts';
import { netText, notKeptText } from '../../core/words/keptText.ts';
import type { Run } from '../predict/run.ts';
import type { Settings } from '../settings.ts';

/** What was kept before a real run, and what of it could not be. */
export interface KeptBefore {
  /** One sentence, where something that nothing else has could not be kept. */
  problem?: string;
  /** See `Observed`. */
  keptLost?: number;
  /** Notes how the run left things, so that what comes later is told from it. */
  noteLeft(): void;
  /** Says in a notification what is kept. */
  offer(): Promise<void>;
}

const netOf = ({ safetyNetBytes }: Settings, launcher: string): NetUse => ({
  folder: netFolder(process.env),
  mostBytes: safetyNetBytes,
  launcher,
});

/** What the question before a real run says of the safety net; empty where nothing is lost. */
export function netSentence({ prediction }: Run, { safetyNetBytes }: Settings): string {
  const plan = planOfNet(prediction, safetyNetBytes);
  return plan.lost === 0 ? '' : netText(plan, safetyNetBytes);
}

/** Keeps what a run would lose. `launcher`: see `launcherPath`. */
export async function keepBeforeRun(
  { prediction, action }: Run,
  settings: Settings,
  launcher: string,
): Promise<KeptBefore> {
  // Large, and not needed until something is really run.
  const { keepLost, noteLeft } = await import('../../core/safetyNet/keepLost.ts');
  const use = netOf(settings, launcher);
  const cwd = action.cwd ?? '/';
  const asked = { action, cwd, for: { kind: 'run' as const }, now: Date.now() };
  const entry = await vscode.window.withProgress({ location: { viewId: 'foretell.panel' } }, () =>
    keepLost(prediction, use, asked).catch(() => undefined),
  );
  const problem = use.mostBytes === 0 ? undefined : problemOf(prediction.loss.some(isLostForGood), entry);
  return {
    ...(problem === undefined ? {} : { problem }),
    ...(entry ? { keptLost: keptOf(prediction, entry) } : {}),
    noteLeft: () => entry && noteLeft(use.folder, entry.id),
    offer: async () => entry && offerRestore(entry),
  };
}

/** So many paths that are lost for good are in this entry. */
export function keptOf({ loss }: Pick<Prediction, 'loss'>, { nodes }: Pick<KeptEntry, 'nodes'>): number {
  const kept = new Set(nodes.map(({ path }) => path));
  return loss.filter((one) => isLostForGood(one) && kept.has(one.path)).length;
}

function problemOf(isLossy: boolean, entry: KeptEntry | undefined): string | undefined {
  const [first, ...more] = entry?.notKept.filter(({ isLost }) => isLost) ?? [];
  if (first) {
    const others = more.length === 0 ? '' : ` and ${countOf(more.length, 'more path')}`;
    return `${first.path}${others} cannot be kept: ${notKeptText(first.because)}. It would be lost for good.`;
  }
  if (!isLossy || entry) return undefined;
  return 'What would be lost cannot be kept: nothing could be written to the folder for it. It would be lost for good.';
}

const restoreWord = 'Restore…';

async function offerRestore(entry: KeptEntry): Promise<void> {
  const sentence = `${countOf(entry.nodes.length, 'path')} that this command deletes or overwrites ${entry.nodes.length === 1 ? 'is' : 'are'} kept for a week.`;
  const chosen = await vscode.window.showInformationMessage(sentence, restoreWord);
  if (chosen === restoreWord) await vscode.commands.executeCommand('foretell.restoreLost', entry.id);
}
