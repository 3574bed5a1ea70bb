import { readFile } from 'node:fs/promises';

/** So long a look holds, in nanoseconds; a launcher asks no more of its own. */
const knownForNs = 100_000_000;
/** A look that is older is made anew: what begins then should still find it valid. */
const freshForNs = 50_000_000;

/** When nobody held a lease for writing; 0: that is not known. By CLOCK_MONOTONIC, as all times here. */
let freeAtNs = 0;
let isLooking = false;

const nowNs = () => Number(process.hrtime.bigint());

/**
 * Begins to look whether anybody holds a lease (proc_locks(5)), unless that is known. Whoever reads /proc/locks waits for a grace
 * period of RCU, 5 to 15 ms, longer than a small command takes; who comes meanwhile waits for the same one. So it is called
 * as soon as a prediction is expected. Launchers that begin later need not look themselves.
 */
export function lookForLeases(): void {
  const beganNs = nowNs();
  if (isLooking || beganNs - freeAtNs < freshForNs) return;
  isLooking = true;
  void readFile('/proc/locks', 'latin1')
    .then(
      (table) => {
        // Whose lease it is, and whether a prediction would come upon it, each launcher finds out.
        freeAtNs = / (?:LEASE|DELEG) /.test(table) ? 0 : beganNs;
      },
      () => {
        freeAtNs = 0;
      },
    )
    .finally(() => {
      isLooking = false;
    });
}

/** When nobody held a lease; 0: not known, or too long ago. */
export function unleasedAtNs(): number {
  return nowNs() - freeAtNs < knownForNs ? freeAtNs : 0;
}
