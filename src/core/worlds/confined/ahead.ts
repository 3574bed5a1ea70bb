import type { Gatekeeper } from './gate/gatekeeper.ts';
import type { RunSettings } from './run.ts';
import type { StepContext } from './stepContext.ts';
import { isOver } from './wire/events.ts';
import { Launcher, type Listing } from './wire/launcher.ts';
import type { Digests } from './wire/requestFrames.ts';
import type { RunRecord } from './wire/runRecord.ts';

/** The run that is shown, and the launcher that holds its view. */
export interface Shown {
  launcher: Launcher;
  record: RunRecord;
  listing: Listing;
}

/** A run that was begun before anybody knows whether it is wanted. */
export interface AheadRun {
  /** `undefined` where it has to be made again: a program was stopped or asked, or it did not come to its end. */
  shown: Promise<Shown | undefined>;
  abort: AbortController;
}

/** Where a run is begun ahead, and how. */
export interface AheadOptions {
  open(): Promise<Launcher | { sentence: string }>;
  gatekeeper: Gatekeeper;
  digests: Digests;
  run(launcher: Launcher, onAsks: RunSettings['onAsks'], gatekeeper: Gatekeeper): Promise<RunRecord>;
}

/**
 * Giving it up gives up its view, and in a session with that what the earlier steps did in it. So there only the first command has
 * one, where programs may be let run: those take long, and what they print is to be seen meanwhile.
 */
export function mayRunAhead({ request, state }: Pick<StepContext, 'request' | 'state'>): boolean {
  return !state.continues || (state.steps === 0 && (request.openGate || request.consent !== undefined));
}

/** Begins it. A program that has to be answered for, or that asks, ends it: that belongs to a run that knows what comes of it. */
export function beginAhead(options: AheadOptions): AheadRun {
  const abort = new AbortController();
  return { shown: goAhead(options, abort).catch(() => undefined), abort };
}

async function goAhead(options: AheadOptions, abort: AbortController): Promise<Shown | undefined> {
  const launcher = await options.open();
  if (!(launcher instanceof Launcher)) return undefined;
  const stop = () => void launcher.close();
  abort.signal.addEventListener('abort', stop, { once: true });
  if (abort.signal.aborted) stop();
  const onAsks = async () => {
    abort.abort();
    return undefined;
  };
  const record = await options.run(launcher, onAsks, { ...options.gatekeeper, answer: async () => abort.abort() });
  if (abort.signal.aborted || brokeOff(record)) return undefined;
  return { launcher, record, listing: await launcher.list(options.digests) };
}

/** The run came neither to its end nor to what only the machine can answer. */
export function brokeOff({ finished, endedBy }: RunRecord): boolean {
  return finished === undefined || !(isOver(finished) || finished.how === 'stopped' || endedBy?.kind === 'goesOn');
}

/** Whether a run has changed anything that counts. */
export function hasWritten(
  { record, listing }: Pick<Shown, 'record' | 'listing'>,
  keepPath: (path: string) => boolean,
): boolean {
  return (
    listing.changes.some((change) => keepPath(change.path)) ||
    listing.effects.length > 0 ||
    // What it would have changed, it could not change in this copy.
    record.effects.some(({ kind }) => kind === 'otherOwner') ||
    record.imaginedChanges
  );
}
