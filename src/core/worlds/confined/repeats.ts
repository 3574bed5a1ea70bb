import { chanceInCode, hasJobs, showsOtherSeed } from './certainty/order.ts';
import { isReordered } from './certainty/volatile.ts';
import { madeOnlyBy } from './changes.ts';
import type { Again, Outcome } from './conclude.ts';
import type { StepContext } from './stepContext.ts';
import { Launcher } from './wire/launcher.ts';
import type { Digests } from './wire/requestFrames.ts';
import { type RunRecord, streamBytes } from './wire/runRecord.ts';

/** So many, and only while they have taken less: of two things in an order of chance all agree once in 128 times. */
const mostRepeats = { runs: 6, ms: 2000 };

/** Of what goes in an order of chance fewer tell nothing; for them there is more time. */
const fewestRepeats = { runs: 3, ms: 4000 };

/** How much time has passed differs more often than not, where it is told at all. */
const mostMeasured = 3;

/** What only a run with another clock made may come of that clock; so many with the real one tell. */
const mostWithRealClock = 2;

/** How a command is run once more. */
interface RepeatOptions {
  digests: Digests;
  /** `childFirst`: a new process begins before its parent goes on; else behind it. `shifted`: its clock is ahead. */
  open(births: 'childFirst' | 'parentFirst', shifted: boolean): Promise<Launcher | { sentence: string }>;
  run(launcher: Launcher): Promise<RunRecord>;
  keepPath(path: string): boolean;
}

/**
 * More runs than two, where the order of things in the code, or of what runs beside each other, may be another one in each of
 * them. `isUndecided`: there was no time for as many as such an order takes to show.
 */
export async function repeats(
  outcome: Outcome,
  { request: { action, signal }, state, startedAt }: StepContext,
  { digests, open, run, keepPath }: RepeatOptions,
): Promise<{ repeats: Again[]; isUndecided?: true }> {
  const { record, other, isCompared, isSteady, held, listing, otherListing } = outcome;
  const isOnce = isCompared === false || isSteady || record.finished?.how !== 'exited';
  if (isOnce || state.steps > 0 || state.carried || action.kind !== 'command') return { repeats: [] };
  const read = (file: string, mostBytes: number) => held.view.read(file, 'after', mostBytes);
  const found = await chanceInCode(record, action.script, read);
  const isChance = found === 'order' || movesLines(record, other) || drawsSeed(record, other);
  const isShort = found === 'time' && isSame(record, other) && Date.now() - startedAt.getTime() < mostRepeats.ms;
  const isRepeated = isChance || hasJobs(record) || (letsIn(record) && sharesTimes(outcome, startedAt));
  const made: Again[] = [];
  const once = async (births: 'childFirst' | 'parentFirst', shifted: boolean): Promise<Again | undefined> => {
    const launcher = await open(births, shifted);
    if (!(launcher instanceof Launcher)) return undefined;
    const stop = () => void launcher.close();
    signal.addEventListener('abort', stop, { once: true });
    try {
      const again = await run(launcher);
      return again.finished?.how === 'exited' ? { record: again, listing: await launcher.list(digests) } : undefined;
    } finally {
      signal.removeEventListener('abort', stop);
      await launcher.close();
    }
  };
  const from = Date.now();
  // Of jobs beside each other one more run tells enough: in the two that there are nobody was made to begin first, and the newest
  // was. So it does where two runs wrote a file at the same time.
  const runs = isChance ? mostRepeats.runs : isShort ? mostMeasured : Number(isRepeated);
  const hasTime = () =>
    Date.now() - from < (found === 'order' && made.length < fewestRepeats.runs ? fewestRepeats : mostRepeats).ms;
  while (made.length < runs && hasTime()) {
    const isSecond = made.length % 2 !== 0;
    const again = await once(isSecond ? 'parentFirst' : 'childFirst', isSecond);
    if (!again) break;
    made.push(again);
  }
  const undecided = found === 'order' && made.length < fewestRepeats.runs ? { isUndecided: true as const } : {};
  if (!listing || !otherListing || !madeOnlyBy(otherListing, listing, keepPath)) return { repeats: made, ...undecided };
  for (let tries = 0; tries < mostWithRealClock; tries += 1) {
    const again = await once('parentFirst', false);
    if (!again) break;
    const makes = madeOnlyBy(again.listing, listing, keepPath);
    made.push(makes === undefined ? again : { ...again, makes });
    if (makes !== undefined) break;
  }
  return { repeats: made, ...undecided };
}

function letsIn({ programs }: RunRecord): boolean {
  return programs.some(({ isLetIn }) => isLetIn);
}

/** Of code that was let in, whose processes and threads keep no order: two runs show that, and not of which lines. */
function movesLines(record: RunRecord, other: RunRecord): boolean {
  if (record === other || !letsIn(record)) return false;
  return (['stdout', 'stderr'] as const).some((stream) =>
    isReordered(streamBytes(record, stream), streamBytes(other, stream)),
  );
}

function isSame(record: RunRecord, other: RunRecord): boolean {
  return (['stdout', 'stderr'] as const).every(
    (stream) => Buffer.compare(streamBytes(record, stream), streamBytes(other, stream)) === 0,
  );
}

/** Tests and the like that go in the order of a number which each run draws: of two, two runs agree every other time. */
function drawsSeed(record: RunRecord, other: RunRecord): boolean {
  if (record === other || !letsIn(record)) return false;
  return (['stdout', 'stderr'] as const).some((stream) =>
    showsOtherSeed(streamBytes(record, stream).toString('latin1'), streamBytes(other, stream).toString('latin1')),
  );
}

/** Whether both runs wrote a file in the same tick of the clock, which counts in 4 ms: what comes of its time is alike by chance. */
function sharesTimes({ listing, otherListing }: Outcome, startedAt: Date): boolean {
  if (!listing || !otherListing || listing === otherListing) return false;
  const from = BigInt(startedAt.getTime()) * 1_000_000n;
  const times = new Map(otherListing.changes.map(({ path, after }) => [path, after.mtimeNanos]));
  return listing.changes.some(
    ({ path, after: { type, mtimeNanos } }) => type === 'file' && mtimeNanos >= from && times.get(path) === mtimeNanos,
  );
}
