/** Something that is wrong with the simulated world. */
export interface Condition {
  /** Stable; kept in settings and trajectories. */
  id: string;
  /** A few words for a list. */
  title: string;
  /** Whole sentences for the model: what is so, how programs notice, what still works. */
  text: string;
}

/** What the user can choose from; free text comes besides. */
export const conditionPresets = [
  {
    id: 'disk-full',
    title: 'Disk full',
    text: 'The file system that holds the working directory and the temporary directory is full. Whatever writes there fails with ENOSPC ("No space left on device"); a file that was opened for writing before the failure is left empty or cut. Reading, deleting and renaming still work.',
  },
  {
    id: 'no-network',
    title: 'No network',
    text: 'There is no network but the loopback interface. Host names do not resolve ("Temporary failure in name resolution", EAI_AGAIN) and addresses are unreachable. What is already in local caches is still found there.',
  },
  {
    id: 'permission-denied',
    title: 'Permission denied',
    text: 'The user may read but not write the working directory and everything under it: creating, changing, renaming and deleting there fails with EACCES ("Permission denied"). There is no sudo. The home and temporary directories are writable as usual.',
  },
  {
    id: 'slow-service',
    title: 'Slow service',
    text: 'Every remote service answers 30 seconds late. Clients with a shorter time limit fail with their own timeout message; those without one wait and then succeed.',
  },
  {
    id: 'flaky-test',
    title: 'Flaky test',
    text: 'Of the tests that are run, exactly one that has passed before fails this time because of timing, with a plausible assertion or timeout message; all others give their usual result. The test runner reports the failure in its usual way and returns its usual exit code for a failed run.',
  },
  {
    id: 'package-missing',
    title: 'Package missing',
    text: 'One third-party package that the program needs at once is not installed, although the manifest names it. Loading it fails with the message of the language or tool at hand ("Cannot find module", "ModuleNotFoundError", "command not found").',
  },
  {
    id: 'out-of-memory',
    title: 'Out of memory',
    text: 'Very little memory is free. A program that needs more than about 200 MB is killed by the kernel while it works (SIGKILL, exit code 137, "Killed"), or reports that its own heap limit is reached; what it wrote until then stays as it is.',
  },
  {
    id: 'wrong-node-version',
    title: 'Old Node.js',
    text: '`node` is version 14.21.3 and `npm` is 6.14.18. Newer syntax, newer built-in modules and packages that demand a newer engine fail with the messages of these versions.',
  },
  {
    id: 'wrong-python-version',
    title: 'Old Python',
    text: '`python` and `python3` are version 3.7.17, with the `pip` of that time. Newer syntax, newer modules of the standard library and packages that need a newer Python fail with the messages of these versions.',
  },
  {
    id: 'port-in-use',
    title: 'Port already in use',
    text: 'The TCP port that a server wants to listen on is taken by another process that is not to be stopped. Listening fails with EADDRINUSE ("address already in use").',
  },
  {
    id: 'git-conflict',
    title: 'Git conflict',
    text: 'The upstream branch and the local branch changed the same lines of one tracked file. Merge, rebase, pull, cherry-pick and stash pop stop with a conflict in that file, and a push without force is rejected as not fast-forward.',
  },
  {
    id: 'clock-skew',
    title: 'Clock wrong',
    text: 'The clock of the machine is 400 days ahead. Certificates and tokens count as expired, build tools warn of modification times, and every printed date is of that future time. Files that exist already keep their real, now old, modification times.',
  },
] as const satisfies readonly Condition[];

/** What is different from the real world, in the words of the model's prompt. */
export interface Conditions {
  presets?: readonly Condition[];
  /** Free text of the user: one more condition. */
  freeText?: string;
  /** A made-up world: who and what is there, and what its rules are. */
  fictionalWorld?: string;
}

/**
 * Sections that say what is different from the real world; empty where nothing is. The earlier observations are real and
 * were mostly made without it, so the text says that they are no argument against it.
 */
export function renderConditions({ presets = [], freeText = '', fictionalWorld = '' }: Conditions): string {
  const texts = [...presets.map((one) => one.text), freeText].map((text) => text.trim()).filter((text) => text !== '');
  const sections: string[] = [];
  if (fictionalWorld.trim() !== '') {
    sections.push(
      `# The world of this simulation\n\nThe environment is a fictional one. Where it differs from the real world, this description holds:\n\n${fictionalWorld.trim()}`,
    );
  }
  if (texts.length > 0) {
    sections.push(
      `# Conditions of this simulation\n\nWhen the action is carried out that is to be predicted, the following holds in the environment, also where earlier observations were made without it. Apply it wherever the action meets it, with the messages and exit codes that the real programs give in this case, and do not mention it otherwise. ${texts.join(' ')}`,
    );
  }
  return sections.join('\n\n');
}

/** The conditions that a request asks for; ids that there are not are left out. */
export function conditionsOf(request: {
  conditions?: readonly string[];
  conditionText?: string;
}): Required<Pick<Conditions, 'presets' | 'freeText'>> {
  return {
    presets: conditionPresets.filter(({ id }) => request.conditions?.includes(id)),
    freeText: request.conditionText ?? '',
  };
}
