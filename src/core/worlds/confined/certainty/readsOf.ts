import type { NamedPath } from '../../../prediction/rehearsal.ts';
import { clockOffsetMs } from '../run.ts';
import type { Listing } from '../wire/launcher.ts';
import type { RunRecord } from '../wire/runRecord.ts';

/** Two runs of one command, and which of them names every path where only one of them does. */
export interface Runs {
  record: RunRecord;
  other: RunRecord;
  namer?: RunRecord | undefined;
}

/** What both runs read, as far as it was written down: that costs time at each name, which the run that is shown does not have. */
export function readsOf({ record, other, namer = record }: Runs): RunRecord['reads'] {
  return namer.reads ?? other.reads;
}

/**
 * Whether the run that is shown may have named other paths than these: names are made of the clock, and that of the other run
 * is ahead. What the other one made is nothing that it read.
 */
export function namesOwnTime(
  { record, namer = record, otherListing }: Runs & { otherListing?: Listing | undefined },
  paths: readonly NamedPath[],
  startedAt: Date,
): boolean {
  if (namer.reads) return false;
  const ahead = startedAt.getTime() + clockOffsetMs;
  const made = new Set(otherListing?.changes.map(({ path }) => path));
  return paths.some(({ path, wasThere }) => !(made.has(path) && !wasThere) && holdsTime(path, ahead));
}

/** Runs take minutes. */
const nearMs = 600_000;

/** Whether a text names this day, in digits from the year on or from the day on, or a time about then in seconds or parts of them since 1970. */
function holdsTime(text: string, ms: number): boolean {
  const days = [ms, ms + nearMs].flatMap((at) => [dayOf(new Date(at), false), dayOf(new Date(at), true)]);
  if (
    days.some(([year, month, day]) =>
      new RegExp(`${year}\\D?${month}\\D?${day}|${day}\\D?${month}\\D?${year}`).test(text),
    )
  )
    return true;
  return (text.match(/\d{10,}/g) ?? []).some((digits) => Math.abs(Number(digits.slice(0, 10)) * 1000 - ms) < nearMs);
}

/** Year, month and day in digits. */
function dayOf(date: Date, isUniversal: boolean): string[] {
  const local = new Date(date.getTime() - (isUniversal ? 0 : date.getTimezoneOffset() * 60_000));
  return local.toISOString().slice(0, 10).split('-');
}
