/** Numbers that look random and are the same in every run. */
export function seeded(seed: number) {
  const below = (limit: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return (seed >>> 8) % limit;
  };
  return {
    below,
    pick: <T>(from: readonly T[]): T => from[below(from.length)] as T,
    text: (parts: readonly string[], most: number) =>
      Array.from({ length: below(most + 1) }, () => parts[below(parts.length)]).join(''),
  };
}
