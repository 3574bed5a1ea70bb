import * as z from 'zod/mini';

/** A package that changes: `from` the version that is there, `to` the one that would be. Versions as the system writes them. */
export const PlannedPackage = z.object({ name: z.string(), from: z.optional(z.string()), to: z.optional(z.string()) });
export type PlannedPackage = z.infer<typeof PlannedPackage>;

/** What would happen to the packages of the machine, by its own database and the lists that were fetched last. */
export const PackagePlan = z.object({
  argv: z.array(z.string()),
  installs: z.array(PlannedPackage),
  upgrades: z.array(PlannedPackage),
  downgrades: z.array(PlannedPackage),
  removes: z.array(PlannedPackage),
  /** Names of those that could be newer and stay as they are. */
  keeps: z.array(z.string()),
  /** What would be fetched, in bytes; absent: not known. */
  downloadBytes: z.optional(z.number()),
  /** When the lists were fetched, ISO 8601. */
  listsAt: z.optional(z.string()),
});
export type PackagePlan = z.infer<typeof PackagePlan>;

/** What would happen to packages, or why nobody can tell. `noLists`: nothing was fetched yet; `refused`: it would fail, and says so. */
export type FoundPlan = PackagePlan | { unknown: 'noLists' } | { unknown: 'refused'; says: string };
