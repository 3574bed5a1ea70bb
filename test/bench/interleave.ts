/** One way of doing the same work, to be timed beside others. */
export interface Way {
  name: string;
  /** Does the work once; gives what it took in milliseconds, or `undefined` when this way cannot do it. */
  measure(): Promise<number | undefined>;
  /** Sets things right before each time; not timed. */
  prepare?(): Promise<void> | void;
  /** At most that many rounds, where each is expensive. */
  rounds?: number;
}

/**
 * Times several ways of doing the same, one after the other in each round (A B C, A B C …), so that a machine that gets
 * slower or faster meanwhile is as unfair to all of them.
 *
 * `warmUps` rounds come first and are not counted. A way that gives `undefined` is not asked again.
 */
export async function interleave(
  ways: readonly Way[],
  options: { rounds: number; warmUps: number },
): Promise<Map<string, number[]>> {
  const samples = new Map<string, number[]>(ways.map((way) => [way.name, []]));
  const unable = new Set<Way>();
  for (let round = -options.warmUps; round < options.rounds; round += 1) {
    for (const way of ways) {
      if (unable.has(way) || round >= (way.rounds ?? options.rounds)) continue;
      await way.prepare?.();
      const took = await way.measure();
      if (took === undefined) unable.add(way);
      else if (round >= 0) samples.get(way.name)?.push(took);
    }
  }
  return samples;
}
