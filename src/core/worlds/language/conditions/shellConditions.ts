import type { Condition } from './condition.ts';

const shell = ['terminal', 'swe'] as const;

/** Conditions of terminals and shell tools. */
export const shellConditions = [
  {
    id: 'disk-full',
    domains: shell,
    stratum: 'storage',
    title: 'Disk full',
    text: 'The file system that holds the working directory and the temporary directory is full. Whatever writes there fails with ENOSPC ("No space left on device"); a file that was opened for writing before the failure is left empty or cut. Reading, deleting and renaming still work.',
  },
  {
    id: 'no-network',
    domains: shell,
    stratum: 'network',
    title: 'No network',
    text: 'There is no network but the loopback interface. Host names do not resolve ("Temporary failure in name resolution", EAI_AGAIN) and addresses are unreachable. What is already in local caches is still found there.',
  },
  {
    id: 'permission-denied',
    domains: shell,
    stratum: 'storage',
    title: 'Permission denied',
    text: 'The user may read but not write the working directory and everything under it: creating, changing, renaming and deleting there fails with EACCES ("Permission denied"). There is no sudo. The home and temporary directories are writable as usual.',
  },
  {
    id: 'slow-service',
    domains: shell,
    stratum: 'network',
    title: 'Slow service',
    text: 'Every remote service answers 30 seconds late. Clients with a shorter time limit fail with their own timeout message; those without one wait and then succeed.',
  },
  {
    id: 'flaky-test',
    domains: shell,
    stratum: 'project',
    title: 'Flaky test',
    text: 'Of the tests that are run, exactly one that has passed before fails this time because of timing, with a plausible assertion or timeout message; all others give their usual result. The test runner reports the failure in its usual way and returns its usual exit code for a failed run.',
  },
  {
    id: 'package-missing',
    domains: shell,
    stratum: 'project',
    title: 'Package missing',
    text: 'One third-party package that the program needs at once is not installed, although the manifest names it. Loading it fails with the message of the language or tool at hand ("Cannot find module", "ModuleNotFoundError", "command not found").',
  },
  {
    id: 'out-of-memory',
    domains: shell,
    stratum: 'machine',
    title: 'Out of memory',
    text: 'Very little memory is free. Whatever compiles, bundles, tests or installs is killed by the kernel while it works (SIGKILL, exit code 137, "Killed"), or reports that its own heap limit is reached, and so is any other program that needs more than about 200 MB; what it wrote until then stays as it is.',
  },
  {
    id: 'wrong-node-version',
    domains: shell,
    stratum: 'project',
    title: 'Old Node.js',
    text: '`node` is version 14.21.3 and `npm` is 6.14.18. Newer syntax, newer built-in modules and packages that demand a newer engine fail with the messages of these versions.',
  },
  {
    id: 'wrong-python-version',
    domains: shell,
    stratum: 'project',
    title: 'Old Python',
    text: '`python` and `python3` are version 3.7.17, with the `pip` of that time. Newer syntax, newer modules of the standard library and packages that need a newer Python fail with the messages of these versions.',
  },
  {
    id: 'port-in-use',
    domains: shell,
    stratum: 'network',
    title: 'Port already in use',
    text: 'The TCP port that a server wants to listen on is taken by another process that is not to be stopped. Listening fails with EADDRINUSE ("address already in use").',
  },
  {
    id: 'git-conflict',
    domains: shell,
    stratum: 'project',
    title: 'Git conflict',
    text: 'The upstream branch and the local branch changed the same lines of one tracked file. Merge, rebase, pull, cherry-pick and stash pop stop with a conflict in that file, and a push without force is rejected as not fast-forward.',
  },
  {
    id: 'clock-skew',
    domains: shell,
    stratum: 'machine',
    title: 'Clock wrong',
    text: 'The clock of the machine is far ahead: it is the morning of Tuesday, 4 March 2031. Certificates and tokens count as expired, build tools warn of modification times, and every date that is taken from the clock is that one. Files that exist already keep their real, now old, modification times.',
  },
] as const satisfies readonly Condition[];
