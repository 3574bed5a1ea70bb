import { defaultLimits } from '../../prediction/request.ts';
import type { FileChange } from '../../view/fileChange.ts';
import type { ConfinedParts } from './confinedParts.ts';
import { putChanges } from './putChanges.ts';
import { openView } from './run.ts';
import { type HeldView, held } from './views.ts';
import { Launcher } from './wire/launcher.ts';

/**
 * A view in which known changes were made again, for questions about the state after them. No program is run for it. Rejects
 * where they cannot be made: then nothing is held.
 */
export async function holdChanges(
  parts: ConfinedParts,
  changes: readonly FileChange[],
  content: (path: string) => Uint8Array,
): Promise<HeldView> {
  const launcher = await openView(parts.launch, {
    ...{ mode: 'copy', shifted: false, openGate: false, correct: false },
    ...{ inert: parts.inert(), limits: defaultLimits },
  });
  if (!(launcher instanceof Launcher)) throw new Error(launcher.sentence);
  try {
    await putChanges(launcher, changes, content);
    parts.refill();
    return held(launcher);
  } catch (error) {
    await launcher.close();
    throw error;
  }
}
