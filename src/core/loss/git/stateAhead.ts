import { folderOf } from '../bytePath.ts';
import type { Repository } from './findRepositories.ts';
import { repositoryFinder } from './findRepositories.ts';
import { type GitRunner, repositorySettings } from './gitPlumbing.ts';
import { type GitState, gitState } from './gitState.ts';

/** How files stand in git, asked before anybody knew whether the action destroys them. */
export interface StateAhead {
  /** The answer, where it was asked about all of these paths; `undefined`: it was not, or is too old. `topmost` as in `RepositoryTask`. */
  of(repository: Repository, topmost: ReadonlySet<string>): Promise<GitState | undefined>;
}

/** So long an answer says how files stand now, in milliseconds. */
const freshMs = 1_000;

/**
 * Begins to ask git about files that are probably destroyed, while the action is still rehearsed: both together take hardly
 * longer than one. A wrong guess costs two looks, and nothing rests on it. Never rejects.
 *
 * @param paths Existing files and folders, absolute, without symbolic links in their folders; few of them.
 */
export function askStateAhead(runner: GitRunner, paths: readonly string[]): StateAhead {
  const askedAt = performance.now();
  const asked = ask(runner, paths).catch(() => undefined);
  return {
    async of(repository, topmost) {
      if (performance.now() - askedAt > freshMs) return undefined;
      const known = (await asked)?.get(repository.root);
      if (!known) return undefined;
      const isWhole = known.paths.has(repository.root);
      if (!isWhole && ![...topmost].every((path) => known.paths.has(path))) return undefined;
      const state = await known.state;
      return state?.failure === undefined ? state : undefined;
    },
  };
}

interface Asked {
  paths: ReadonlySet<string>;
  state: Promise<GitState | undefined>;
}

async function ask(runner: GitRunner, paths: readonly string[]): Promise<Map<string, Asked>> {
  const finder = repositoryFinder(new Set(), new Set());
  const groups = new Map<string, { repository: Repository; paths: Set<string> }>();
  for (const path of paths) {
    // The folder of a whole repository stands for everything in it.
    const whole = await finder.place(path);
    const { repository } = whole.repository?.root === path ? whole : await finder.place(folderOf(path));
    if (!repository) continue;
    const group = groups.get(repository.root) ?? { repository, paths: new Set() };
    groups.set(repository.root, { repository, paths: group.paths.add(path) });
  }
  const state = async ({ repository, paths: named }: { repository: Repository; paths: Set<string> }) => {
    const settings = await repositorySettings(runner, repository.root, repository.commonFolder);
    return gitState(runner, repository, settings, named);
  };
  return new Map(
    [...groups].map(([root, group]) => [root, { paths: group.paths, state: state(group).catch(() => undefined) }]),
  );
}
