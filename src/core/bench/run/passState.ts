import { setMaxListeners } from 'node:events';
import { isGeneral, type LineFailure } from './inferRow.ts';

/** A run stops when so many rows in a row could not reach their server. */
const mostUnreachable = 8;

/** A line of a file of rows that is no row. */
export interface BadLine {
  file: string;
  number: number;
  problem: string;
}

/** What a pass over rows has come to so far, and how it is stopped. */
export interface PassState {
  /** Why it stopped; that a row has to be asked again; how many are done; rows that cannot be read. */
  result: { stopped: string | undefined; hasPassing: boolean; done: number; bad: BadLine[] };
  /** Aborted by the caller, or by `watch`. */
  signal: AbortSignal;
  /** Told of every row: stops the pass at a failure that all rows would meet. */
  watch(failure: LineFailure | undefined): void;
}

/** The state of a pass that begins. */
export function beginPass(given: AbortSignal): PassState {
  const stop = new AbortController();
  const signal = AbortSignal.any([given, stop.signal]);
  // Every row that is asked listens.
  setMaxListeners(0, signal);
  const result: PassState['result'] = { stopped: undefined, hasPassing: false, done: 0, bad: [] };
  let unreachable = 0;
  return {
    result,
    signal,
    watch(failure) {
      unreachable = failure?.code === 'unreachable' ? unreachable + 1 : 0;
      if (!failure || (!isGeneral(failure) && unreachable < mostUnreachable)) return;
      result.stopped ??= failure.message;
      stop.abort();
    },
  };
}
