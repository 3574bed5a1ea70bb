/** The forms in which shells, test runners, builds and benchmarks print how long something took. */
const forms = [
  // `real 0.03`, `0m0.012s`.
  /^(real|user|sys)\s|\d+m\d+[.,]\d+s/,
  // `in 12 ms`, `1.2s`, `(0.4 seconds)`, `0.00user 0.01system`, `0.02 cusr`, `1023 ns/op`.
  /\d\s?([nuµμm]s|s|m?secs?|(milli|micro|nano)?seconds?|min|minutes?|elapsed|user|system|c?usr|c?sys|wallclock)(?!\w)/,
  // `Time: 00:00.012`, `Time Elapsed 00:00:01.23`, `"duration": 12.5`.
  /\b(time|elapsed|duration(_ms)?|took)\b\W{0,4}(elapsed\W{1,3})?\d+([:.,]\d+)+/i,
  // `1,204 ops/sec`, `1.0 MB/s`.
  /\d\s?\w*\/s(ec|econd)?\b/,
];

/**
 * Whether a line tells how long something took, or how fast it was. Two runs of a short program may agree on that by chance, and
 * the real one differs all the same.
 */
export function tellsDuration(line: string): boolean {
  return forms.some((form) => form.test(line));
}
