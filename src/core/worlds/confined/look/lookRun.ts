import type { Gatekeeper } from '../gate/gatekeeper.ts';
import { openView, type ViewSettings } from '../run.ts';
import type { ScriptWords } from '../scriptWords.ts';
import type { StepContext } from '../stepContext.ts';
import { Launcher } from '../wire/launcher.ts';
import type { RunRecord } from '../wire/runRecord.ts';

/** A look that was begun before anybody knows whether it is wanted. */
export interface EarlyLook {
  gatekeeper: Gatekeeper;
  signal: AbortSignal;
}

/**
 * Whether look mode's reading is begun at once: of a command that by its words only reads, beside the check where there is a core
 * for it, or alone where that will be enough.
 */
export function isWorthReading(
  { request, state }: StepContext,
  { words, letsKnownIn, hasSpareCore }: { words: ScriptWords; letsKnownIn: boolean; hasSpareCore: boolean },
): boolean {
  if (request.action.kind !== 'command' || words.isSteady() || request.openGate || state.changed) return false;
  // What is let in is let in on a copy alone.
  if (letsKnownIn || (request.consent !== undefined && !words.onlyInert())) return false;
  return words.onlyRead() && (hasSpareCore || words.readsSteadily());
}

/** Runs the command in look mode. `undefined` when that is not possible, it meets a change, or it was given up. */
export async function lookRun(
  { parts, request }: StepContext,
  how: Pick<ViewSettings, 'shifted' | 'births' | 'leavesEarly'>,
  early: EarlyLook | undefined,
  run: (launcher: Launcher) => Promise<RunRecord>,
): Promise<RunRecord | undefined> {
  const launcher = await openView(parts.launch, {
    mode: 'look',
    ...how,
    openGate: false,
    inert: parts.inert(),
    limits: request.limits,
  });
  if (!(launcher instanceof Launcher)) return undefined;
  const stop = () => void launcher.close();
  const signals = [request.signal, ...(early ? [early.signal] : [])];
  for (const signal of signals) signal.addEventListener('abort', stop, { once: true });
  try {
    if (early?.signal.aborted) return undefined;
    const record = await run(launcher);
    return record.finished?.how === 'stopped' || early?.signal.aborted ? undefined : record;
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', stop);
    const closed = launcher.close();
    // Nobody waits for a reading that is shown; one that was given up must be gone before its prediction ends.
    if (early?.signal.aborted) await closed;
  }
}
