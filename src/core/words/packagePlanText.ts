import type { PackagePlan, PlannedPackage } from '../facts/packagePlan.ts';
import { countOf, formatBytes } from '../view/quantity.ts';

/** Most packages of a kind that are named; of those that are removed all are. */
const mostNames = 8;

/** What would happen to the packages of the machine, as one clause: `would install 2 packages (a 1.0, b 2.0); …`. */
export function packagePlanText(plan: PackagePlan): string {
  const { installs, upgrades, downgrades, removes, keeps, downloadBytes } = plan;
  const deeds = [
    ...deed('remove', removes, ({ name }) => name, removes.length),
    ...deed('downgrade', downgrades, ({ name, from, to }) => `${name} ${from} → ${to}`),
    ...deed('install', installs, ({ name, to }) => `${name} ${to}`),
    ...deed('upgrade', upgrades, ({ name, from, to }) => `${name} ${from} → ${to}`),
  ];
  const clauses = [
    deeds.length === 0 ? 'would change no package' : `would ${deeds.join('; ')}`,
    ...(keeps.length === 0 ? [] : [`keeps back ${named(keeps, mostNames)}`]),
    ...(downloadBytes === undefined || deeds.length === 0 ? [] : [`downloads ${formatBytes(downloadBytes)}`]),
  ];
  const day = plan.listsAt?.slice(0, 10);
  return `${clauses.join('; ')}${day === undefined ? '' : ` (by the package lists of ${day})`}`;
}

function deed(
  verb: string,
  packages: readonly PlannedPackage[],
  text: (one: PlannedPackage) => string,
  most = mostNames,
): string[] {
  if (packages.length === 0) return [];
  return [`${verb} ${countOf(packages.length, 'package')} (${named(packages.map(text), most)})`];
}

function named(names: readonly string[], most: number): string {
  const more = names.length - most;
  return more > 0 ? `${names.slice(0, most).join(', ')} and ${more} more` : names.join(', ');
}
