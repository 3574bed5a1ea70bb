import { consentFile } from '../consent/consentStore.ts';
import { cacheFolder } from '../context/cacheFolder.ts';
import { policyFiles } from '../policy/readPolicies.ts';
import { stateFolder } from './hookFolder.ts';
import { clientFolder } from './staticClient.ts';

/** Where stands what is let through, or what answers rest on: no call of an agent may change it. Absolute paths. */
export function guardedPlaces(around: { env: Readonly<Record<string, string | undefined>>; cwd: string }): string[] {
  const { env } = around;
  return [
    ...[stateFolder(env), cacheFolder(env), consentFile(env), clientFolder(env)],
    ...policyFiles({ ...around, trusted: true }),
  ];
}
