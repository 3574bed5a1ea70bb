/** Gives what was made before, while what it depends on is the same: an answer for each name, the newest one. */
export type Remember = <T>(name: string, dependencies: readonly unknown[], make: () => T) => T;

/** A memory of its own. */
export function createMemory(): Remember {
  const remembered = new Map<string, { dependencies: readonly unknown[]; value: unknown }>();
  return (name, dependencies, make) => {
    const kept = remembered.get(name);
    if (kept?.dependencies.every((value, index) => value === dependencies[index])) {
      return kept.value as ReturnType<typeof make>;
    }
    const value = make();
    remembered.set(name, { dependencies, value });
    return value;
  };
}
