import fs from 'node:fs';

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
  readTable((text) => {
    isLooking = false;
    // Whose lease it is, and whether a prediction would come upon it, each launcher finds out.
    freeAtNs = text === undefined || / (?:LEASE|DELEG) /.test(text) ? 0 : beganNs;
  });
}

/** The kernel gives a page at a time, and cuts no line: less than half of one is the whole table. */
const pieceBytes = 2_048;
/** A longer table is left to the launchers, in bytes. */
const mostBytes = 256 * 1024;

/** Opened once: opening does not wait, and one call of the system is a third of the work of reading a file. */
let table: number | undefined;

function readTable(take: (text: string | undefined) => void): void {
  const piece = Buffer.allocUnsafe(64 * 1024);
  let text = '';
  const readOn = (file: number) =>
    fs.read(file, piece, 0, piece.length, text.length, (error, length) => {
      text += piece.toString('latin1', 0, length);
      if (error || text.length > mostBytes) take(undefined);
      else if (length < pieceBytes) take(text);
      else readOn(file);
    });
  try {
    table ??= fs.openSync('/proc/locks', 'r');
    readOn(table);
  } catch {
    take(undefined);
  }
}

/** When nobody held a lease; 0: not known, or too long ago. */
export function unleasedAtNs(): number {
  return nowNs() - freeAtNs < knownForNs ? freeAtNs : 0;
}
