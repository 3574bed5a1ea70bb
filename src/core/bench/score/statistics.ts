/** What a row of durations says: milliseconds. */
export interface Summary {
  p50: number;
  p95: number;
  samples: number;
}

/**
 * The value below which the share `share` (0–1) of the values lies, interpolated between neighbours.
 * `NaN` for an empty list.
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * Math.min(1, Math.max(0, share));
  const [below, above] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  if (below === undefined || above === undefined) return Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}

/** Median, 95th percentile and number of measured values. */
export function summarise(values: readonly number[]): Summary {
  return { p50: quantile(values, 0.5), p95: quantile(values, 0.95), samples: values.length };
}
