import { quantile } from '../../src/core/bench/score/statistics.ts';

/** What a row of durations says: milliseconds. */
export interface Summary {
  p50: number;
  p95: number;
  samples: number;
}

/** Median, 95th percentile and number of measured values. */
export function summarise(values: readonly number[]): Summary {
  return { p50: quantile(values, 0.5), p95: quantile(values, 0.95), samples: values.length };
}
