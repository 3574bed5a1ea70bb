import { onlyWaited, type RunWork, workOf } from './runWork.ts';
import { letAnyIn, type RunRecord } from './wire/runRecord.ts';

/** How often it is looked. */
const lookMs = 500;

/** A server that serves nobody for so long mostly goes on so. What it would do later nobody says. */
const serverMs = 3_000;

/** Whatever else waits for so long mostly waits for what somebody outside does: a watcher. */
const otherMs = 10_000;

/** Whatever waits for so long but for lines that it prints goes on so: a clock, a poller. Shorter ones may be tries that end. */
const beatMs = 30_000;

/** What a run is asked about while it goes on. */
export interface GoesOnOptions {
  /** Process number of its launcher. */
  pid: number | undefined;
  /** Every program may run, not only inert ones. */
  openGate: boolean;
  /** Longest time of a run in which nothing but inert programs ran. */
  inertMs: number;
  /** Ends the run. */
  end(): void;
}

/**
 * Ends a run that would go on: a server that nobody asks for anything, a program that waits for what nobody does, or one that only
 * prints from time to time. They are told by what is measured, not by the name of the program: nothing is started, for the first
 * two nothing is printed, and no processor is used or waited for.
 * Ends also what takes too long without having been let in. What it found is in the record; `stop()` when the run is over.
 */
export function watchGoingOn(record: RunRecord, options: GoesOnOptions): { stop(): void } {
  const startedAtMs = Date.now();
  let seen = record.output.length + deedsOf(record);
  let busyAtMs = startedAtMs;
  let last: { work: RunWork; atMs: number } | undefined;
  /** Since then nothing was started or ended, and hardly any processor used. */
  let beat: { work: RunWork; atMs: number; deeds: number } | undefined;
  let isStopped = false;

  async function look(): Promise<void> {
    const now = Date.now();
    const isForeign = options.openGate || letAnyIn(record);
    if (!isForeign && now - startedAtMs >= options.inertMs) {
      record.endedBy = { kind: 'timeLimit', limitMs: options.inertMs };
      options.end();
    }
    if (!isForeign || record.endedBy) return;
    const deeds = deedsOf(record);
    const count = record.output.length + deeds;
    const work = await workOf(options.pid);
    const isBusy = count !== seen || !work || !last || !onlyWaited(last.work, work, now - last.atMs);
    seen = count;
    if (work) last = { work, atMs: now };
    const onlyBeats = work && beat && beat.deeds === deeds && onlyWaited(beat.work, work, now - beat.atMs);
    if (!onlyBeats) beat = work && { work, atMs: now, deeds };
    if (isBusy) busyAtMs = now;
    const serves = record.effects.some(({ kind, detail }) => kind === 'listens' && !detail.startsWith('udp'));
    const goesOn = now - busyAtMs >= (serves ? serverMs : otherMs) || (beat !== undefined && now - beat.atMs >= beatMs);
    if (isStopped || !goesOn) return;
    record.endedBy = { kind: 'goesOn', afterMs: now - startedAtMs };
    options.end();
  }

  let isLooking = false;
  const timer = setInterval(async () => {
    if (isLooking) return;
    isLooking = true;
    await look();
    isLooking = false;
  }, lookMs);
  return {
    stop() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}

/** How much was started, ended and noticed. */
function deedsOf({ programs, effects }: RunRecord): number {
  const ended = programs.filter(({ exitCode }) => exitCode !== undefined).length;
  return programs.length + effects.length + ended;
}
