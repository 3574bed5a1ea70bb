import { createChance } from '../../view/chance.ts';
import { quantile } from './statistics.ts';

/** A value that belongs to a cluster; clusters belong to a stratum. */
export interface Clustered {
  /** Rows of one trajectory are no independent observations: they are drawn together. */
  cluster: string;
  /** Drawn from for itself; the domain. */
  stratum: string;
  value: number;
}

/** A mean with its interval of 95 %. Absent bounds: there are too few clusters to say. */
export interface Estimate {
  mean: number;
  low?: number;
  high?: number;
  /** Values it is taken from. */
  count: number;
}

const draws = 1000;

interface Sums {
  sum: number;
  count: number;
}

/**
 * The mean of values with a bootstrap interval: whole clusters are drawn with replacement, in each stratum as many as it
 * has, a thousand times. `micro`: over all values; `macro`: the mean of the strata's means. The result does not depend on
 * the order of the values. `undefined` for nothing.
 */
export function estimate(values: readonly Clustered[], over: 'micro' | 'macro' = 'micro'): Estimate | undefined {
  const strata = new Map<string, Map<string, Sums>>();
  for (const { cluster, stratum, value } of values) {
    const clusters = strata.get(stratum) ?? new Map<string, Sums>();
    strata.set(stratum, clusters);
    const sums = clusters.get(cluster) ?? { sum: 0, count: 0 };
    clusters.set(cluster, sums);
    sums.sum += value;
    sums.count += 1;
  }
  const byName = <T>(map: Map<string, T>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
  const all = byName(strata).map(byName);
  const meanOf = (sets: readonly (readonly Sums[])[]): number => {
    const totals = sets.map((sums) =>
      sums.reduce((total, one) => ({ sum: total.sum + one.sum, count: total.count + one.count }), { sum: 0, count: 0 }),
    );
    if (over === 'macro') return totals.reduce((sum, total) => sum + total.sum / total.count, 0) / totals.length;
    return totals.reduce((sum, total) => sum + total.sum, 0) / totals.reduce((sum, total) => sum + total.count, 0);
  };
  if (values.length === 0) return undefined;
  const count = values.length;
  const mean = meanOf(all);
  if (all.every((clusters) => clusters.length < 2)) return { mean, count };
  const random = createChance(20_260_624);
  const means = Array.from({ length: draws }, () =>
    meanOf(
      all.map((clusters) =>
        clusters.map(() => clusters[Math.floor(random() * clusters.length)] ?? { sum: 0, count: 0 }),
      ),
    ),
  );
  return { mean, low: quantile(means, 0.025), high: quantile(means, 0.975), count };
}
