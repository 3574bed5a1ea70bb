import { consentFile } from '../consent/consentStore.ts';
import { policyFiles } from '../policy/readPolicies.ts';
import { compiledFolder } from './compiledFolder.ts';
import { stateFolder } from './hookFolder.ts';
import { clientFolder } from './staticClient.ts';

/** Where stands what is let through, or what answers rest on: no call of an agent may change it. Absolute paths. */
export function guardedPlaces(around: { env: Readonly<Record<string, string | undefined>>; cwd: string }): string[] {
  const { env } = around;
  const compiled = compiledFolder(env);
  return [
    ...[stateFolder(env), consentFile(env), clientFolder(env), ...(compiled === undefined ? [] : [compiled])],
    ...policyFiles({ ...around, trusted: true }),
  ];
}
